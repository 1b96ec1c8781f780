// Counts soft bounces: five in a row without a delivery in between are treated as a hard bounce. An accepted mail is not yet a delivery:
// the server may be a relay, and the mail may still bounce. Called in the transaction that completes a mail or processes a report about
// one.

import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/handle.ts'
import { prepared, stored } from '../../../../db/prepared.ts'
import { toRows } from '../../../../db/rows.ts'
import { softBounces } from '../../../../db/tables/contacts.ts'
import type { Tx } from '../../../core/app.ts'
import { type Report, recordHardBounce } from '../../contacts/consent/deliverability.ts'
import { suppressionKey } from '../../contacts/consent/suppression.ts'

const softBouncesAllowed = 5
/** This many accepted mails that did not bounce count as a delivery. */
const takenForDelivered = 5

const addressed = toRows({ workspaceId: softBounces.workspaceId, emailHash: softBounces.emailHash })

const findKnown = prepared((db: Db) =>
  db
    .select()
    .from(softBounces)
    .where(sql`(workspace_id, email_hash) IN ${addressed.pick('workspaceId', 'emailHash')}`)
    .prepare(),
)

const setSoftBounces = prepared((db: Db) =>
  db
    .insert(softBounces)
    .values({
      workspaceId: stored('workspaceId'),
      emailHash: stored('emailHash'),
      count: stored('count'),
      taken: stored('taken'),
      updatedAt: stored('at'),
    })
    .onConflictDoUpdate({
      target: [softBounces.workspaceId, softBounces.emailHash],
      set: { count: sql`excluded.count`, taken: sql`excluded.taken`, updatedAt: sql`excluded.updated_at` },
    })
    .prepare(),
)

type SoftBounceRow = typeof softBounces.$inferSelect
interface Addressed {
  workspaceId: string
  email: string
}

const toKey = ({ workspaceId, email }: Addressed) => ({ workspaceId, emailHash: suppressionKey(email) })

async function store(
  tx: Tx,
  { workspaceId, emailHash, count, taken }: Omit<SoftBounceRow, 'updatedAt'>,
): Promise<void> {
  const at = tx.now.getTime()
  await setSoftBounces(tx.db).run({ workspaceId, emailHash, count, taken: JSON.stringify(taken), at })
}

/** A mail was given up because of the mailbox, which exists: full, or not taking mail now. True when it now counts as a hard bounce. */
export async function recordSoftBounce(tx: Tx, workspaceId: string, report: Report): Promise<boolean> {
  const key = toKey({ workspaceId, email: report.email })
  const [known] = await findKnown(tx.db).all(addressed.given([key]))
  const taken = known?.taken ?? []
  const at = taken.indexOf(report.messageId ?? '')
  const wasReached = at === -1 ? taken.length > 0 : at > 0
  const count = wasReached ? 1 : (known?.count ?? 0) + 1
  await store(tx, { ...key, count, taken: at === -1 ? [] : taken.slice(at + 1) })
  if (count < softBouncesAllowed) return false
  const detail = `${softBouncesAllowed} mails in a row were not accepted${report.detail ? `; the last answer: ${report.detail}` : ''}`
  await recordHardBounce(tx, workspaceId, { ...report, detail })
  return true
}

/** A server took these mails. */
export async function recordTaken(tx: Tx, list: (Addressed & { messageId: string })[]): Promise<void> {
  if (list.length === 0) return
  const rows = list.map((one) => ({ ...toKey(one), messageId: one.messageId }))
  for (const known of await findKnown(tx.db).all(addressed.given(rows))) {
    const { workspaceId, emailHash } = known
    const more = rows.filter((row) => row.workspaceId === workspaceId && row.emailHash === emailHash)
    const taken = [...known.taken, ...more.map(({ messageId }) => messageId)]
    if (taken.length < takenForDelivered) await store(tx, { ...known, taken })
    else await forget(tx, known)
  }
}

/** A mail was delivered: the count of its address starts over. */
export async function recordDelivery(tx: Tx, to: Addressed): Promise<void> {
  await forget(tx, toKey(to))
}

async function forget(
  tx: Tx,
  { workspaceId, emailHash }: Pick<SoftBounceRow, 'workspaceId' | 'emailHash'>,
): Promise<void> {
  await tx.db
    .delete(softBounces)
    .where(and(eq(softBounces.workspaceId, workspaceId), eq(softBounces.emailHash, emailHash)))
}
