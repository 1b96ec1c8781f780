// A whole mail in pieces, so that receiving, storing, sending or parsing it never copies all of its bytes at once.

import { createPace } from '../kit/turn.ts'

export interface RawMail {
  /** Each of at most `pieceBytes`; an empty mail has one empty piece. */
  pieces: Buffer[]
  bytes: number
}

/**
 * Also the size of a stored piece: a libSQL server accepts no value above about 4 MB, and on a file a larger one takes the thread for longer
 * than others should wait.
 */
export const pieceBytes = 512 * 1024

/** Copies the chunks of one mail into memory that threads share. */
export async function toRawMail(chunks: Uint8Array[]): Promise<RawMail> {
  const pace = createPace()
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  const pieces = [sharedBuffer(Math.min(bytes, pieceBytes))]
  let at = 0
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.byteLength; ) {
      const used = at % pieceBytes
      if (used === 0 && at > 0) pieces.push(sharedBuffer(Math.min(bytes - at, pieceBytes)))
      const part = chunk.subarray(from, from + pieceBytes - used)
      pieces.at(-1)?.set(part, used)
      at += part.byteLength
      from += part.byteLength
      await pace()
    }
  }
  return { pieces, bytes }
}

/** All of it in one piece, which copies every byte: for the thread that parses mail. */
export function wholeMail({ pieces }: RawMail): Buffer {
  return Buffer.concat(pieces.map(asBuffer))
}

/** As UTF-8. */
export async function toText({ pieces }: RawMail): Promise<string> {
  const pace = createPace()
  const decoder = new TextDecoder()
  let text = ''
  for (const piece of pieces) {
    // The decoder does not accept shared memory.
    text += decoder.decode(Buffer.from(piece), { stream: true })
    await pace()
  }
  return text + decoder.decode()
}

/** A stream of the pieces. */
export function toStream({ pieces }: RawMail): ReadableStream<Uint8Array> {
  const rest = pieces.values()
  return new ReadableStream({
    pull(controller) {
      const { value, done } = rest.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
  })
}

/** Data from another thread is a Uint8Array and no longer a Buffer. */
export function asBuffer(piece: Uint8Array): Buffer {
  return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
}

function sharedBuffer(bytes: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(bytes))
}
