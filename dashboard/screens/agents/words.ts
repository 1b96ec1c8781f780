// The words of Agents.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.agents.general)

/** Whose yes a connection rests on. */
export function allowedBy({ madeBy }: { madeBy: { email: string } | null }): string {
  return madeBy?.email ?? words.operator
}
