// Gives the next recipients of a campaign a mail and a job, or the outcome that they already have: unsubscribed, suppressed, mailed too
// often. As many as the window and the trust level allow; the others stay queued, and so do those whose time has not come.

import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { campaignRecipients, campaigns, untilWinner } from '../../../db/tables/campaigns.ts'
import { contacts } from '../../../db/tables/contacts.ts'
import type { Tx } from '../../core/app.ts'
import { newId } from '../../kit/id.ts'
import { mustTakeMails } from '../../people/limits.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { fill } from '../content/rendering/fill.ts'
import { queueMessages } from '../sending/queue.ts'
import type { Sender } from '../sending/sender.ts'
import { senderNameOf, toValues } from '../sending/values.ts'
import { heldOut, senderOf, variantFor } from './ab-test.ts'
import { deliverCampaignMail } from './deliver.ts'
import { divide, findNextDeparture, putAside } from './departure.ts'
import { findObjection, loadFacts } from './eligibility.ts'
import { maxDelayed, windowSize } from './fill-window.ts'
import { loadCounts, moveQueued, type QueuedMove } from './ledger.ts'
import { countSending, loadAllowance } from './reputation/caps.ts'
import { tellAllowance } from './reputation/plan.ts'
import { revisionFor, type SendContext } from './send-context.ts'

/** How long to wait when too many recipients wait for another try. */
const delayedWaitMs = 60_000

export type Filled =
  | { outcome: 'filled' }
  /** The window is full; the end of a delivery asks for more. */
  | { outcome: 'full' }
  /** No recipient is queued. */
  | { outcome: 'exhausted' }
  /** Held back until then. */
  | { outcome: 'waiting'; until: Date }
  /** All who are left wait for the winner of the test. */
  | { outcome: typeof awaiting }

/** The code of a page after which only the choice of a winner goes on. */
export const awaiting = 'awaiting_winner'

export interface Fill {
  context: SendContext
  sender: Sender
  /** Domain of the sender. */
  domain: string
}

/** One batch, of at most `batchSize`. */
export async function fillBatch(tx: Tx, { context, sender, domain }: Fill, batchSize: number): Promise<Filled> {
  const { campaign, workspace, settings } = context
  const counts = await loadCounts(tx, campaign.id)
  if (counts.queued === 0) return { outcome: 'exhausted' }
  if (counts.delayed >= maxDelayed) return wait(tx, campaign.id, new Date(tx.now.getTime() + delayedWaitMs))
  const allowance = await loadAllowance(tx, workspace, { settings, domain, now: tx.now })
  if (allowance.remaining === 0) {
    await tellAllowance(tx, workspace, allowance)
    return wait(tx, campaign.id, allowance.nextAt ?? new Date(tx.now.getTime() + delayedWaitMs))
  }
  const room = Math.min(batchSize, windowSize - counts.sending, allowance.remaining)
  if (room <= 0) return { outcome: 'full' }
  const rows = await findRows(tx, context, { room, batchSize })
  if (rows.length === 0) return await waitForDeparture(tx, campaign.id)
  const { leaving, waiting, cursor } = divide(context, rows, { room, now: tx.now })
  const { recipients, ended } = await sort(tx, context, leaving)
  const prepared = await prepare(tx, { context, sender, domain }, recipients)
  if (leaving.length > 0) await moveQueued(tx, campaign.id, [...prepared, ...ended])
  await putAside(tx, campaign.id, waiting)
  await mustTakeMails(tx, workspace, recipients.length)
  if (recipients.length > 0)
    await countSending(tx, { workspaceId: workspace.id, domain }, { reserved: recipients.length })
  await advance(tx.db).run({ campaignId: campaign.id, cursor })
  return { outcome: 'filled' }
}

/** Those put aside whose time has come are first; then those that were not looked at. */
async function findRows(
  tx: Tx,
  { campaign, settings }: SendContext,
  { room, batchSize }: { room: number; batchSize: number },
): Promise<LedgerRow[]> {
  const due = await findDue(tx.db).all({ campaignId: campaign.id, from: 0, to: tx.now.getTime(), room })
  if (due.length > 0) return due
  const released = campaign.winner === null ? [] : await findReleased(tx, campaign.id, room)
  if (released.length > 0) return released
  // Who is put aside takes no room.
  const awaits = campaign.test !== null && campaign.winner === null
  const mayWait = campaign.localTime !== null || settings.quietHours !== null || awaits
  return await findNext(tx.db).all({ campaignId: campaign.id, room: mayWait ? batchSize : room })
}

/** Those who waited for the winner, now that it is chosen. */
async function findReleased(tx: Tx, campaignId: string, room: number): Promise<LedgerRow[]> {
  const at = untilWinner.getTime()
  return await findDue(tx.db).all({ campaignId, from: at, to: at, room })
}

async function waitForDeparture(tx: Tx, campaignId: string): Promise<Filled> {
  const next = await findNextDeparture(tx, campaignId)
  if (next === null) return { outcome: 'exhausted' }
  return next < untilWinner ? await wait(tx, campaignId, next) : { outcome: awaiting }
}

async function wait(tx: Tx, campaignId: string, until: Date): Promise<Filled> {
  await tx.db.update(campaigns).set({ nextSendAt: until }).where(eq(campaigns.id, campaignId))
  return { outcome: 'waiting', until }
}

const ledgerRows = (db: Db, wasPutAside: 0 | 1) =>
  db
    .select({
      contactId: campaignRecipients.contactId,
      contact: contacts,
      wasPutAside: sql<number>`${sql.raw(String(wasPutAside))}`,
    })
    .from(campaignRecipients)
    .leftJoin(contacts, eq(contacts.id, campaignRecipients.contactId))

/** The next recipients that were not looked at. */
const findNext = prepared((db: Db) => {
  const p = sql.placeholder
  const cursor = sql`(SELECT fill_cursor FROM campaigns WHERE id = ${p('campaignId')})`
  return ledgerRows(db, 0)
    .where(
      and(
        eq(campaignRecipients.campaignId, p('campaignId')),
        gt(campaignRecipients.contactId, cursor),
        eq(campaignRecipients.state, 'queued'),
      ),
    )
    .orderBy(asc(campaignRecipients.contactId))
    .limit(p('room'))
    .prepare()
})

/** Those put aside whose time has come. */
const findDue = prepared((db: Db) => {
  const p = sql.placeholder
  return ledgerRows(db, 1)
    .where(
      sql`${campaignRecipients.campaignId} = ${p('campaignId')} AND ${campaignRecipients.state} = 'queued'
        AND ${campaignRecipients.sendAfter} BETWEEN ${p('from')} AND ${p('to')}`,
    )
    .orderBy(asc(campaignRecipients.sendAfter))
    .limit(p('room'))
    .prepare()
})

const advance = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .update(campaigns)
    .set({ fillCursor: sql`max(fill_cursor, ${p('cursor')})`, nextSendAt: null })
    .where(eq(campaigns.id, p('campaignId')))
    .prepare()
})

interface LedgerRow {
  contactId: string
  contact: Contact | null
  wasPutAside: number
}

/** Who gets a mail, and who has an outcome already. */
async function sort(
  tx: Tx,
  { campaign }: SendContext,
  rows: LedgerRow[],
): Promise<{ recipients: Contact[]; ended: QueuedMove[] }> {
  const candidates = rows.map((row) => ({ ...row, email: row.contact?.email ?? '', messageId: null }))
  const recipients: Contact[] = []
  const ended: QueuedMove[] = []
  for (const facts of await loadFacts(tx, campaign, candidates, tx.now)) {
    const { contactId, contact } = facts.candidate
    const objection = findObjection(facts, tx.now) ?? heldOut(campaign, contactId)
    if (objection !== null)
      ended.push({ contactId, state: objection.outcome, reason: objection.reason, messageId: null, variant: null })
    else if (contact !== null) recipients.push(contact)
  }
  return { recipients, ended }
}

/** The mail and the job of each. */
async function prepare(tx: Tx, { context, sender, domain }: Fill, recipients: Contact[]): Promise<QueuedMove[]> {
  if (recipients.length === 0) return []
  const { campaign, workspace } = context
  const from = {
    workspaceId: workspace.id,
    kind: 'campaign' as const,
    campaignId: campaign.id,
    partitionKey: campaign.id,
  }
  const rows = recipients.map((contact) => {
    const { variant, tests } = variantFor(campaign, contact.id)
    const revision = revisionFor(context, contact.locale, variant)
    const { name: fromName, email: fromEmail, replyTo } = senderOf(sender, variant)
    const senderName = senderNameOf(fromName, workspace)
    const message = { id: newId(tx, 'msg', tx.now), email: contact.email, locale: revision.locale, variables: {} }
    const values = toValues({ workspace, message, contact, senderName, now: tx.now })
    const { id: messageId } = message
    const payload = { messageId, campaignId: campaign.id, contactId: contact.id, domain, email: contact.email }
    return {
      ...message,
      ...from,
      templateId: variant?.templateId ?? campaign.templateId,
      fromName,
      fromEmail,
      replyTo,
      tests,
      payload,
      contactId: contact.id,
      revisionId: revision.id,
      subject: fill(revision.compiled.subject, values),
    }
  })
  // Recipients that may not be mailed are not among them.
  await queueMessages(tx, deliverCampaignMail, rows, { suppressed: rows.map(() => null) })
  return rows.map(({ contactId, id, tests }) => ({
    contactId,
    state: 'sending',
    reason: null,
    messageId: id,
    variant: tests,
  }))
}
