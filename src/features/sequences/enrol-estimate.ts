// What it would mean to put everybody of a segment into a sequence: how many would begin, how many not, and why. The members are looked at
// in pages, each in its turn, and nothing is written; of a large segment the first ten thousand contacts tell.

import type { App } from '../../core/app.ts'
import { nextTurn } from '../../kit/turn.ts'
import { membersPage } from '../contacts/segments/members.ts'
import { type NotBegun, refusals } from './begin.ts'
import { definitionToBegin, namedSegment } from './enrol.ts'
import type { Sequence } from './versions.ts'

const perPage = 250
const mostLooked = 10_000

export interface EnrolEstimate {
  /** How many members were looked at. */
  looked: number
  /** Whether those were all of them. */
  isWhole: boolean
  started: number
  notStarted: Map<NotBegun, number>
}

/** Throws as enrolSegment() does. */
export async function estimateEnrolment(app: App, sequence: Sequence, segmentId: string): Promise<EnrolEstimate> {
  const definition = await definitionToBegin(app, sequence)
  const segment = await namedSegment(app, sequence.workspaceId, segmentId)
  const now = app.clock.now()
  const estimate: EnrolEstimate = { looked: 0, isWhole: false, started: 0, notStarted: new Map() }
  let after = ''
  for (let seen = 0; seen < mostLooked; ) {
    await nextTurn(sequence.workspaceId)
    const page = await membersPage(app, segment, { after, size: perPage, now })
    const list = page.members.map((contact) => ({ sequence, definition, contact, event: null }))
    for (const verdict of await refusals(app, list, now)) {
      estimate.looked++
      if (verdict === null) estimate.started++
      else estimate.notStarted.set(verdict, (estimate.notStarted.get(verdict) ?? 0) + 1)
    }
    seen += page.seen
    after = page.last
    if (page.seen < perPage) return { ...estimate, isWhole: true }
  }
  return estimate
}
