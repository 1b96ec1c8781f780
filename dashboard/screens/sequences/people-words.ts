// The words about people in a sequence: where each is and why, and how they are put in.

import type { RunState } from '../../../db/tables/sequences.ts'
import { ownValue } from '../../../src/kit/own-value.ts'
import { inLanguage, moment } from '../../words.ts'
import { reasonWord } from '../campaigns/reasons.ts'

/** What a sentence about somebody is made of. */
interface RunInWords {
  state: RunState
  stepId: string
  reason: string | null
  dueAt: string | null
}

export const words = inLanguage(catalogue.sequences.people)

/** A code in words, or what happened that was an exit, or what a digest told; a sentence of a refusal as it is. */
export function reasonInWords(reason: string): string {
  const [, told] = /^gathered (\d+)$/.exec(reason) ?? []
  if (told !== undefined) return words.told(Number(told))
  const [, does, variant = ''] = /^(tests|gets) (.+)$/.exec(reason) ?? []
  if (does !== undefined) return does === 'tests' ? words.tests(variant) : words.gets(variant)
  const [, event] = /^event:(.+)$/.exec(reason) ?? []
  if (event !== undefined) return words.byEvent(event)
  const [signal = ''] = reason.split(':')
  return ownValue(words.bySignal, signal) ?? ownValue(words.reasons, reason) ?? reasonWord(reason)
}

export function outcomeInWords(outcome: string): string {
  const [, branch] = /^branch (\d+)$/.exec(outcome) ?? []
  return branch === undefined ? (ownValue(words.outcomes, outcome) ?? outcome) : words.tookBranch(branch)
}

/** Where somebody is and why, as the API says it in English. */
export function whyInWords({ state, stepId: step, reason, dueAt }: RunInWords, isPaused: boolean): string {
  const says = words.why
  const because = reasonInWords(reason ?? '')
  const at = dueAt === null ? null : moment(dueAt)
  switch (state) {
    case 'completed':
      return reason === 'goal' ? says.goal : says.completed
    case 'exited':
      return says.exited({ step, because })
    case 'failed':
      return says.failed({ step, because })
    case 'uncertain':
      return says.uncertain({ step, because })
    case 'sending':
      return isPaused ? says.sendingPaused(step) : says.sending(step)
    case 'waiting':
      if (reason !== null) return at === null ? says.putOff({ step, because }) : says.putOffUntil({ step, because, at })
      if (isPaused) return says.waitingPaused(step)
      return at === null ? says.waiting(step) : says.waitingUntil({ step, at })
  }
}
