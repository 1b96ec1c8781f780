// What a check of the DNS found of one record.

import { words } from './words.ts'

const verdicts = { ok: 'good', missing: 'warn', wrong: 'bad', unknown: '', optional: '' } as const

export function State({ of }: { of: keyof typeof verdicts | null }) {
  return of === null ? (
    <span class="status">{words.notAsked}</span>
  ) : (
    <span class={`status ${verdicts[of]}`}>{words.states[of]}</span>
  )
}
