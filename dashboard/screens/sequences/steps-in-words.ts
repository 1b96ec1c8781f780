// What a step is called where its form is not: by its number and its type.

import type { Step } from '../../../db/tables/sequences.ts'
import { words } from './canvas-words.ts'

/** `2. Wait`, or the id of one that is no longer in the draft. */
export function stepName(stepId: string, steps: Step[]): string {
  const at = steps.findIndex(({ id }) => id === stepId)
  const step = steps[at]
  return step === undefined ? stepId : `${at + 1}. ${words.types[step.type]}`
}
