// Warnings about what was removed from a caller's HTML: one for each kind of thing, with how often it occurred.

import type { Issue } from '../../../../kit/error.ts'

const maxKinds = 50
const maxNameChars = 60

export class LeftOut {
  readonly #counts = new Map<string, number>()

  /** `what`: as its author wrote it, e.g. `<script>`. */
  note(kind: string, what: string): void {
    const name = what.replace(/\s+/g, ' ')
    const said = `${kind} ${name.length > maxNameChars ? `${name.slice(0, maxNameChars)}…` : name}`
    if (this.#counts.size <= maxKinds || this.#counts.has(said))
      this.#counts.set(said, (this.#counts.get(said) ?? 0) + 1)
  }

  issues(): Issue[] {
    const all = [...this.#counts].map(([said, count]) => `${said} was left out${count > 1 ? ` (${count} times)` : ''}`)
    const more = all.length > maxKinds ? ['More was left out.'] : []
    return [...all.slice(0, maxKinds).map((said) => `${said}.`), ...more].map((message) => {
      return { path: 'html', code: 'left_out', message }
    })
  }
}
