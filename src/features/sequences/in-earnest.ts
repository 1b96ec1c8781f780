// The world as it is: what steps ask is read in the caller's transaction, and what they do is written there.

import { sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import type { Tx } from '../../core/app.ts'
import { loadCampaignSettings } from '../../people/campaign-settings.ts'
import { loadFactsOfList } from '../campaigns/eligibility.ts'
import { loadAllowance } from '../campaigns/reputation/caps.ts'
import { segmentSql } from '../contacts/segments/compile.ts'
import { act } from './acts.ts'
import { findClicked } from './engagement.ts'
import { findArrived } from './look-back.ts'
import { prepare } from './prepare.ts'
import { findTest } from './step-tests.ts'
import type { World } from './world.ts'

export function inEarnest(tx: Tx): World {
  const { now } = tx
  return {
    until: now,
    nowOf: () => now,
    findArrived: (step, list) => findArrived(tx, step, list),
    findClicked: (stepId, list) =>
      findClicked(
        tx,
        stepId,
        list.map(({ run }) => run.id),
      ),
    async findMeeting(filter, list) {
      const ids = [...new Set(list.map(({ run }) => run.contactId))]
      const rows = await tx.db.all<{ id: string }>(
        sql`SELECT c.id AS id FROM contacts AS c WHERE c.id IN ${oneOf(ids)} AND ${segmentSql(filter, now)}`,
      )
      return new Set(rows.map(({ id }) => id))
    },
    findWinner: async (step, run) => (await findTest(tx, run, step.id))?.winner ?? null,
    settingsOf: (workspaceId) => loadCampaignSettings(tx, workspaceId),
    factsOf: (source, candidates) => loadFactsOfList(tx, source, candidates, now),
    allowanceOf: (workspace, sending) => loadAllowance(tx, workspace, { ...sending, now }),
    act: (traveller) => act(tx, traveller),
    send: (page, mailing, list) => prepare(tx, page, mailing, list),
  }
}
