// Soft bounces, counted: five in a row, with no delivery between, are as good as a hard one. Called in the transaction that ends a
// mail, or reads a report about one.

import { sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared, stored } from '../../db/prepared.ts'
import { rowsOf } from '../../db/rows.ts'
import { softBounces } from '../../db/tables/contacts.ts'
import type { Tx } from '../app.ts'
import { type Report, recordHardBounce } from '../consent/deliverability.ts'
import { suppressionKey } from '../consent/suppression.ts'

const softBouncesAllowed = 5

const addSoftBounce = prepared((db: Db) =>
  db
    .insert(softBounces)
    .values({ workspaceId: stored('workspaceId'), emailHash: stored('emailHash'), count: 1, updatedAt: stored('at') })
    .onConflictDoUpdate({
      target: [softBounces.workspaceId, softBounces.emailHash],
      set: { count: sql`count + 1`, updatedAt: sql`excluded.updated_at` },
    })
    .returning({ count: softBounces.count })
    .prepare(),
)

/** A mail was given up because of the mailbox, which exists: full, or not taking mail now. True when it is as good as a hard bounce now. */
export async function recordSoftBounce(tx: Tx, workspaceId: string, report: Report): Promise<boolean> {
  const key = { workspaceId, emailHash: suppressionKey(report.email) }
  const row = await addSoftBounce(tx.db).get({ ...key, at: tx.now.getTime() })
  if ((row?.count ?? 0) < softBouncesAllowed) return false
  const detail = `${softBouncesAllowed} mails in a row were not taken${report.detail ? `; the last answer: ${report.detail}` : ''}`
  await recordHardBounce(tx, workspaceId, { ...report, detail })
  return true
}

const reached = rowsOf({ workspaceId: softBounces.workspaceId, emailHash: softBounces.emailHash })

const forgetSoftBounces = prepared((db: Db) =>
  db
    .delete(softBounces)
    .where(sql`(workspace_id, email_hash) IN ${reached.pick('workspaceId', 'emailHash')}`)
    .prepare(),
)

/** The server took mail for these addresses: their counts of soft bounces begin anew. */
export async function recordDeliveries(tx: Tx, list: { workspaceId: string; email: string }[]): Promise<void> {
  if (list.length === 0) return
  const rows = list.map(({ workspaceId, email }) => ({ workspaceId, emailHash: suppressionKey(email) }))
  await forgetSoftBounces(tx.db).run(reached.given(rows))
}
