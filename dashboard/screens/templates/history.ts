// The history of an edited mail: every step can be undone and redone.

import type { TreeNode } from './tree.ts'

export interface DraftText {
  subject: string
  previewText: string
  content: TreeNode[]
}

/** What a locale holds; `revisionId` is null for one that has nothing yet. */
export interface StoredDraft extends DraftText {
  revisionId: string | null
}

export interface History {
  past: DraftText[]
  now: DraftText
  future: DraftText[]
  /** What the last step changed. Typing in one field is one step. */
  what: string
}

/** More are forgotten, the first of them first. */
const mostSteps = 200

export function begin(now: DraftText): History {
  return { past: [], now, future: [], what: '' }
}

/** A change of the same `what` as the one before goes on with it; without a name it is a step of its own. */
export function changed({ past, now, what: before }: History, next: DraftText, what = ''): History {
  return { past: what !== '' && what === before ? past : [...past, now].slice(-mostSteps), now: next, future: [], what }
}

export function undone({ past, now, future, what }: History): History {
  const before = past.at(-1)
  return before
    ? { past: past.slice(0, -1), now: before, future: [now, ...future], what: '' }
    : { past, now, future, what }
}

export function doneAgain({ past, now, future: [next, ...rest] }: History): History {
  return next ? { past: [...past, now], now: next, future: rest, what: '' } : { past, now, future: [], what: '' }
}
