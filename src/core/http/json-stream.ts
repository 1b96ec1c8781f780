// Writes a large document as JSON in parts: JSON.stringify() of all of it would block the thread.

import { nextTurn } from '../../kit/turn.ts'

/** Entries of a list that are written in one turn. */
const atOnce = 200
/** Characters of a text that are written in one turn. */
const charsAtOnce = 500_000
/** A turn ends after this many characters. */
const chunkChars = 64 * 1024

/** Lists are written entry by entry, long texts in parts. */
export function jsonStream(document: Record<string, unknown>): ReadableStream<Uint8Array> {
  const parts = partsOf(document)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      await nextTurn()
      let chunk = ''
      let part = parts.next()
      while (!part.done) {
        chunk += part.value
        if (chunk.length >= chunkChars) break
        part = parts.next()
      }
      if (chunk !== '') controller.enqueue(encoder.encode(chunk))
      if (part.done) controller.close()
    },
  })
}

function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* listOf(value)
  else if (typeof value === 'string') yield* textOf(value)
  else if (typeof value === 'object' && value !== null && !('toJSON' in value)) yield* membersOf(value)
  else yield JSON.stringify(value)
}

function* membersOf(document: object): Generator<string> {
  const members = Object.entries(document).filter(([, value]) => value !== undefined)
  for (const [index, [name, value]] of members.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
    yield* partsOf(value)
  }
  yield members.length === 0 ? '{}' : '}'
}

function* listOf(list: unknown[]): Generator<string> {
  yield '['
  for (let at = 0; at < list.length; at += atOnce) {
    const entries = list.slice(at, at + atOnce).map((entry) => JSON.stringify(entry ?? null))
    yield `${at === 0 ? '' : ','}${entries.join(',')}`
  }
  yield ']'
}

/** Half a surrogate pair at the end of a part is written as an escape, and read back as the same half. */
function* textOf(text: string): Generator<string> {
  yield '"'
  for (let at = 0; at < text.length; at += charsAtOnce) {
    yield JSON.stringify(text.slice(at, at + charsAtOnce)).slice(1, -1)
  }
  yield '"'
}
