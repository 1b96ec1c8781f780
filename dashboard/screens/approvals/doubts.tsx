// What a person should look at twice before they say yes: where it goes, and what they do not see of it.

import { mayLookLikeAnother } from '../../../src/kit/lookalike.ts'
import { type Hidden, hiddenIn, visible } from '../../../src/kit/visible.ts'
import type { Approval } from '../../nouns.ts'
import { words } from './words.ts'

/** Alone it only says how the sign before it is drawn, or ends a line. */
const harmless = new Set(['U+FE0E', 'U+FE0F', 'U+000D'])

/** Characters that nobody sees and a machine reads. */
export function unseenIn(text: string): Hidden[] {
  return hiddenIn(text).filter(({ codePoints: [first = '', ...others] }) => others.length > 0 || !harmless.has(first))
}

/** In words; none where nothing is odd. */
export function doubtsOf({ to, repliesTo, text, subject, contents }: Approval): string[] {
  const said = text ?? JSON.stringify(contents)
  const from = repliesTo?.from.address ?? to
  return [
    ...(to !== null && mayLookLikeAnother(to) ? [words.lookalike] : []),
    ...(to !== null && from !== null && from.toLowerCase() !== to.toLowerCase()
      ? [words.elsewhere(visible(from))]
      : []),
    ...(unseenIn(subject + said).length > 0 ? [words.unseen] : []),
  ]
}

export function Doubts({ approval }: { approval: Approval }) {
  const doubts = doubtsOf(approval)
  return doubts.length === 0 ? null : (
    <div class="notice bad">
      {doubts.map((one) => (
        <p key={one}>
          <strong>{one}</strong>
        </p>
      ))}
    </div>
  )
}
