// Where in a sequence something is wrong: the step, or the part around the steps, that the path of the API names.

import type { Definition } from '../../../db/tables/sequences.ts'
import type { Issue } from '../../api.ts'

/** No step that this screen adds has an id with a space. */
export const startPlace = ' start'
export const endsPlace = ' ends'
export const mailPlace = ' mail'

function placeOf(path: string, { steps }: Pick<Definition, 'steps'>): string {
  const within = path.replace(/^definition\./, '')
  const [, step] = /^steps\[(\d+)\]/.exec(within) ?? []
  if (step !== undefined) return steps[Number(step)]?.id ?? startPlace
  if (/^(exits|goals)\b/.test(within)) return endsPlace
  return /^(purpose|mailingListId|postponeAtMost)\b/.test(within) ? mailPlace : startPlace
}

export function issuesByPlace(issues: Issue[], definition: Pick<Definition, 'steps'>): Map<string, Issue[]> {
  return Map.groupBy(issues, ({ path }) => placeOf(path, definition))
}
