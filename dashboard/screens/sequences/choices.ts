// What a sequence is made of: the templates, segments, lists, campaigns, events and properties of the workspace.

import { get } from '../../api.ts'
import { all } from '../../parts/all.ts'
import { loadChoices } from '../segments/choices.ts'

export async function loadSequenceChoices(signal: AbortSignal) {
  const [ofConditions, templates, segments] = await Promise.all([
    loadChoices(signal),
    all((query) => get('/v1/transactional', { query }, signal)),
    all((query) => get('/v1/segments', { query }, signal)),
  ])
  return { ...ofConditions, templates, segments }
}

export type SequenceChoices = Awaited<ReturnType<typeof loadSequenceChoices>> & {
  /** Called when there is one more. */
  templateMade: () => void
}

/** What is not there is named by its id. */
export function nameOf(id: string, among: { id: string; name: string }[]): string {
  return among.find((one) => one.id === id)?.name ?? id
}
