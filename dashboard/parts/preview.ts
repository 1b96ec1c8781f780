// The preview of unfinished content: with `draft`, errors are part of the answer instead of a refusal.

import type { Issue, Posted } from '../api.ts'

type Preview = Posted<'/v1/transactional/preview'>

/** Why there is nothing to be shown; empty where there is. */
export function listFaults({ html, findings }: Pick<Preview, 'html' | 'findings'>): Issue[] {
  return html === '' ? findings : []
}
