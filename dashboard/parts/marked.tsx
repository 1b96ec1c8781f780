// A text of strangers with what is kept from agents marked in its place.

import type { ComponentChildren } from 'preact'
import type { Got } from '../api.ts'

type Hidden = Got<'/v1/mailboxes/:mailboxId/messages/:messageId'>['hidden'][number]

/** `text` begins at `start` of the text that the places of `hidden` count in. */
export function marked(text: string, hidden: Hidden[], start: number): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let done = 0
  for (const { at, codePoints, reads } of hidden) {
    const from = at - start
    if (from < done || from >= text.length) continue
    const length = codePoints.reduce((sum, point) => sum + decodeChar(point), 0)
    parts.push(
      text.slice(done, from),
      <mark key={at} title={codePoints.join(' ')}>
        {reads ?? codePoints[0]}
      </mark>,
    )
    done = from + length
  }
  return [...parts, text.slice(done)]
}

function decodeChar(point: string): number {
  return String.fromCodePoint(Number.parseInt(point.slice('U+'.length), 16)).length
}
