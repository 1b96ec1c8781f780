// A picture beside words, which say the same: icons of Lucide, of which only those that are imported are bundled.

import type { IconNode } from 'lucide'
import { h } from 'preact'

export function Icon({ of }: { of: IconNode }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes], at) => h(tag, { key: at, ...attributes }))}
    </svg>
  )
}
