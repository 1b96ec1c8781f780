// Base64 as used in mail (RFC 2045, 6.8). A file is encoded piece by piece, so that a large one does not block the thread.

import { createPace } from '../kit/turn.ts'

const bytesPerLine = 57
const charsPerLine = 76
/** How many bytes are encoded at once. */
const sliceBytes = bytesPerLine * 8_192

/** Lines of 76 characters with their line ends, in chunks of whole lines; none for an empty file. */
export async function base64Lines(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<string[]> {
  const pace = createPace()
  const texts: string[] = []
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const end = bytes.length - (bytes.length % bytesPerLine)
    for (let at = 0; at < end; at += sliceBytes) {
      await pace()
      texts.push(encodeLines(bytes.subarray(at, Math.min(at + sliceBytes, end))))
    }
    rest = bytes.subarray(end)
  }
  if (rest.length > 0) texts.push(encodeLines(rest))
  return texts
}

function encodeLines(bytes: Buffer): string {
  const text = bytes.toString('base64')
  const lines: string[] = []
  for (let at = 0; at < text.length; at += charsPerLine) lines.push(text.slice(at, at + charsPerLine))
  return `${lines.join('\r\n')}\r\n`
}
