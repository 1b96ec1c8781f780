// Where one of several that stand in one field is refused, the field is shown as refused.

import { useMemo } from 'preact/hooks'
import type { Issue } from '../../api.ts'
import type { Act } from '../../parts/act.tsx'

const lists = /\.(domains|receivers|codes|enhanced|contains)\[\d+\]$/

function atItsField(issue: Issue): Issue {
  return { ...issue, path: issue.path.replace(lists, '.$1') }
}

/** The same as long as it says the same: each new one takes the focus to its field. */
export function useActOfLists(act: Act): Act {
  const issues = useMemo(() => act.issues.map(atItsField), [act.issues])
  return { ...act, issues }
}
