// A large document as JSON, a part at a time: JSON.stringify() of all of it would hold everybody up.

import { nextTurn } from '../lib/turn.ts'

/** Entries of a list that are written in one turn. */
const atOnce = 200

/** The members of `document`; those that are lists entry by entry. */
export function jsonStream(document: Record<string, unknown>): ReadableStream<Uint8Array> {
  const parts = partsOf(document)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      await nextTurn()
      const { value, done } = parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}

function* partsOf(document: Record<string, unknown>): Generator<string> {
  const members = Object.entries(document).filter(([, value]) => value !== undefined)
  for (const [index, [name, value]] of members.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
    if (Array.isArray(value)) yield* listOf(value)
    else yield JSON.stringify(value)
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
