// Erases one person (GDPR, Article 17). What must outlive them is kept without their data: the hash in the suppression list, so that they
// are not mailed again, and the number of mails sent. Every table with personal data is named here and in export.ts.

import { and, eq, inArray } from 'drizzle-orm'
import { campaignMails, trackedMails } from '../../../db/tables/campaigns.ts'
import { softBounces, suppressions } from '../../../db/tables/contacts.ts'
import { events, ruleRuns } from '../../../db/tables/events.ts'
import { confirmationMails, confirmations, consentRecords } from '../../../db/tables/lists.ts'
import { mailboxDrafts } from '../../../db/tables/mailboxes.ts'
import { messageEvents, messages } from '../../../db/tables/messages.ts'
import { paymentCustomers, paymentEvents } from '../../../db/tables/payments.ts'
import { type App, Steps, type Tx, write, writeInTurn } from '../../core/app.ts'
import { forgetByPayload, forgetMails } from '../../core/outbox/forget.ts'
import { cancelJobs, type Kinds } from '../../core/outbox/waiting.ts'
import { deleteSomePieces } from '../../core/pieces.ts'
import { deliverCampaignMail } from '../../features/campaigns/deliver.ts'
import { type Contact, getContact } from '../../features/contacts/consent/find-contact.ts'
import { suppressionKey } from '../../features/contacts/consent/suppression.ts'
import { deleteContact } from '../../features/contacts/contacts.ts'
import { type FaultPlace, forgetInFaults } from '../../features/contacts/imports/forget.ts'
import { mailboxHash } from '../../features/lists/confirmation-limits.ts'
import { deliverConfirmation } from '../../features/lists/confirmation-mail.ts'
import { visitorOptIn } from '../../features/lists/visitor.ts'
import type { Message } from '../../features/sending/activity/activity.ts'
import { deleteCaptured, deleteSomeOfCaptured } from '../../features/sending/activity/captured.ts'
import { endedGroups, forgetRecipients, groupPieces } from '../../features/sending/activity/groups.ts'
import { forgetTerms } from '../../features/sending/activity/search-index.ts'
import { attachmentPieces } from '../../features/sending/attachment-store.ts'
import { deliverMessage } from '../../features/sending/deliver-message.ts'
import { deleteSomeContents } from '../../features/sending/own-content.ts'
import { forgetDomain } from '../../features/sending/stats/keep.ts'
import { forgetRuns } from '../../features/sequences/forget.ts'
import { type Forgotten, forgetInAnswers, forgetInEvents } from '../../features/webhooks/forget.ts'
import { addressDomain, erasedAddress } from '../../kit/email-address.ts'
import { forgetInLog } from '../../people/access/audit/retention.ts'
import { forgetInPreferences } from '../../people/preferences/preferences.ts'
import { messagesOf } from './messages-of.ts'

/** Every kind of job that sends a message. */
const mailJobs: Kinds = [deliverMessage, deliverConfirmation, deliverCampaignMail]

export interface Erased {
  messages: number
  events: number
  consentRecords: number
  /** Whether a hash stays in the suppression list. */
  suppressed: boolean
}

/**
 * Erases the mails first, in portions, and the person last, so an interrupted erasure can be requested again. Unsent mail is cancelled.
 * Throws not_found.
 */
export async function erasePerson(app: App, workspaceId: string, contactId: string): Promise<Erased> {
  const contact = await getContact(app, workspaceId, contactId)
  let count = 0
  const steps = new Steps(app, workspaceId, messagesPerStep)
  for await (const ids of messagesOf(app, contact, () => steps.size())) {
    await eraseCaptured(app, workspaceId, ids)
    const mails = await steps.write((tx) => eraseMessages(tx, ids), ids.length)
    // By now no job sends them any more.
    await untilNothing(app, workspaceId, (tx) => deleteSomePieces(tx, attachmentPieces, ids))
    await untilNothing(app, workspaceId, (tx) => deleteSomeContents(tx, ids))
    await untilNothing(app, workspaceId, async (tx) => deleteSomePieces(tx, groupPieces, await endedGroups(tx, mails)))
    count += ids.length
  }
  const eventCount = await eraseEvents(app, contact)
  const told = await eraseTold(app, contact)
  const rest = await write(app, (tx) => eraseContact(tx, contact, told))
  return { messages: count, ...rest, events: eventCount + rest.events }
}

const messagesPerStep = { least: 5, most: 50 }
const eventsPerStep = { least: 50, most: 500 }

/** Mails that arrive meanwhile are erased with the person. */
async function eraseEvents(app: App, { id: contactId, workspaceId }: Contact): Promise<number> {
  const steps = new Steps(app, workspaceId, eventsPerStep)
  for (let count = 0; ; ) {
    const gone = await steps.write(async (tx, size) => {
      const some = tx.db.select({ id: events.id }).from(events).where(eq(events.contactId, contactId)).limit(size)
      return await tx.db.delete(events).where(inArray(events.id, some)).returning({ id: events.id })
    })
    count += gone.length
    if (gone.length === 0) return count
  }
}

const toldPerStep = { least: 100, most: 1_000 }

/**
 * Erases rows that were not imported, webhook payloads and responses, up to the latest event, and what the audit log says of the address.
 * Returns the event's number.
 */
async function eraseTold(app: App, contact: Contact): Promise<number> {
  const steps = new Steps(app, contact.workspaceId, toldPerStep)
  const faults = (after: FaultPlace) => steps.write((tx, size) => forgetInFaults(tx, contact, { after, size }))
  for (let after: FaultPlace | null = { importId: '', line: 0 }; after !== null; ) after = await faults(after)
  const answers = (after: string) => steps.write((tx, size) => forgetInAnswers(tx, forgotten(contact), { after, size }))
  for (let after = await answers(''); after !== null; after = await answers(after));
  const lines = (after: string) => steps.write((tx, size) => forgetInLog(tx, forgotten(contact), { after, size }))
  for (let after = await lines(''); after !== null; after = await lines(after));
  for (let after = 0; ; ) {
    const next = await steps.write((tx, size) => forgetInEvents(tx, forgotten(contact), { after, size }))
    if (next === null) return after
    after = next
  }
}

function forgotten({ workspaceId, id, email }: Contact): Forgotten {
  return { workspaceId, contactId: id, email, instead: erasedAddress }
}

async function eraseCaptured(app: App, workspaceId: string, ids: string[]): Promise<void> {
  const rows = await app.db.select({ header: messages.messageIdHeader }).from(messages).where(inArray(messages.id, ids))
  const headers = rows.map(({ header }) => header)
  await untilNothing(app, workspaceId, (tx) => deleteSomeOfCaptured(tx, headers))
}

async function untilNothing(app: App, workspaceId: string, step: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await writeInTurn(app, workspaceId, step)) > 0);
}

/** Cancels unsent mail. Returns the messages as they were. */
async function eraseMessages(tx: Tx, ids: string[]): Promise<Message[]> {
  const rows = await tx.db.select().from(messages).where(inArray(messages.id, ids))
  const jobIds = rows.flatMap(({ jobId }) => jobId ?? [])
  await cancelJobs(tx, mailJobs, { jobIds })
  await forgetMails(tx, { messageIds: ids, jobIds })
  await deleteCaptured(
    tx,
    rows.map(({ messageIdHeader }) => messageIdHeader),
  )
  await forgetRecipients(tx, rows)
  await tx.db.delete(trackedMails).where(inArray(trackedMails.messageId, ids))
  await tx.db.update(messageEvents).set({ detail: null }).where(inArray(messageEvents.messageId, ids))
  const nothing = { contactId: null, subject: '', replyTo: null, headers: null, tags: null, metadata: null }
  await tx.db
    .update(messages)
    .set({ ...nothing, email: erasedAddress, variables: {}, idempotencyKey: null, updatedAt: tx.now })
    .where(inArray(messages.id, ids))
  return rows
}

async function eraseContact(tx: Tx, contact: Contact, told: number): Promise<Omit<Erased, 'messages'>> {
  const { id, workspaceId, email, emailKey } = contact
  const emailHash = suppressionKey(email)
  const consent = await tx.db.delete(consentRecords).where(eq(consentRecords.contactId, id)).returning()
  const gone = await tx.db.delete(events).where(eq(events.contactId, id)).returning({ id: events.id })
  await tx.db.delete(ruleRuns).where(eq(ruleRuns.contactId, id))
  await forgetRuns(tx, id)
  await tx.db
    .delete(mailboxDrafts)
    .where(and(eq(mailboxDrafts.workspaceId, workspaceId), eq(mailboxDrafts.email, email)))
  await tx.db
    .delete(campaignMails)
    .where(and(eq(campaignMails.workspaceId, workspaceId), eq(campaignMails.contactId, id)))
  await tx.db.delete(paymentCustomers).where(eq(paymentCustomers.contactId, id))
  await tx.db
    .update(paymentEvents)
    .set({ body: '{}', contactId: null })
    .where(and(eq(paymentEvents.workspaceId, workspaceId), eq(paymentEvents.contactId, id)))
  await tx.db.delete(confirmations).where(eq(confirmations.contactId, id))
  await forgetTerms(tx, workspaceId, id, email)
  await forgetInPreferences(tx, workspaceId, email)
  // Visits that wait to be written, or could not be; one that is written leaves no job.
  await forgetByPayload(tx, visitorOptIn, { workspaceId, path: '$.fields.email', text: emailKey })
  await tx.db
    .delete(confirmationMails)
    .where(and(eq(confirmationMails.mailboxHash, mailboxHash(email)), eq(confirmationMails.workspaceId, workspaceId)))
  await tx.db
    .delete(softBounces)
    .where(and(eq(softBounces.workspaceId, workspaceId), eq(softBounces.emailHash, emailHash)))
  const kept = await tx.db
    .update(suppressions)
    .set({ email: null, messageId: null, detail: null })
    .where(and(eq(suppressions.workspaceId, workspaceId), eq(suppressions.emailHash, emailHash)))
    .returning({ emailHash: suppressions.emailHash })
  await forgetDomain(tx, workspaceId, addressDomain(emailKey))
  // With events published meanwhile; the deletion of the person is published by ids only.
  const all = Number.MAX_SAFE_INTEGER
  await forgetInEvents(tx, forgotten(contact), { after: told, size: all })
  // By triggers it takes along who is in which segment (db/migrations/0047).
  await deleteContact(tx, { ...contact, email: erasedAddress })
  return { events: gone.length, consentRecords: consent.length, suppressed: kept.length > 0 }
}
