// The link of a confirmation mail and what its page does. A link is looked up by its hash, is valid for 7 days and acts once; using it
// again shows what it did.

import { and, eq, inArray, isNull, lte } from 'drizzle-orm'
import { contacts } from '../../../db/tables/contacts.ts'
import { confirmations, mailingLists, subscriptionSources } from '../../../db/tables/lists.ts'
import { workspaces } from '../../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { networkAround } from '../../kit/network.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { type Evidence, recordConsent } from '../contacts/consent/ledger.ts'
import type { MailingList } from '../contacts/consent/named-lists.ts'
import {
  forgetDetails,
  listSubscriptions,
  mayChange,
  moveSubscription,
  type Subscription,
  setSubscribed,
} from '../contacts/consent/subscriptions.ts'
import { liftUnsubscribe } from '../contacts/consent/suppression.ts'
import { fillEmpty } from '../contacts/contacts.ts'
import type { Click } from './click.ts'
import { prepareConfirmation } from './confirmation-mail.ts'
import { resendConfirmation, setOptInStatus } from './opt-in.ts'
import type { Source } from './sources.ts'

export interface Confirmation {
  token: string
  row: typeof confirmations.$inferSelect
  workspace: Workspace
  contact: Contact
  source: Source | null
  lists: MailingList[]
  state: 'open' | 'confirmed' | 'rejected' | 'expired'
}

/** What a link is for; null for an unknown one, or one whose contact is gone. */
export async function findConfirmation(reader: Reader, token: string, now: Date): Promise<Confirmation | null> {
  const [found] = await reader.db
    .select({ row: confirmations, workspace: workspaces, contact: contacts })
    .from(confirmations)
    .innerJoin(workspaces, eq(workspaces.id, confirmations.workspaceId))
    .innerJoin(contacts, eq(contacts.id, confirmations.contactId))
    .where(eq(confirmations.tokenHash, sha256Hex(token)))
  if (!found) return null
  const { row } = found
  const [source = null] =
    row.sourceId === null
      ? []
      : await reader.db.select().from(subscriptionSources).where(eq(subscriptionSources.id, row.sourceId))
  const lists = await reader.db
    .select()
    .from(mailingLists)
    .where(and(eq(mailingLists.workspaceId, row.workspaceId), inArray(mailingLists.id, row.mailingListIds)))
  return { ...found, token, source, lists, state: toState(row, now) }
}

function toState(row: typeof confirmations.$inferSelect, now: Date): Confirmation['state'] {
  if (row.outcome === 'confirmed' || row.outcome === 'rejected') return row.outcome
  return row.expiresAt <= now ? 'expired' : 'open'
}

/** The person answered yes or no on the page. Returns the resulting state of the link; null when there is no such link. */
export async function answerConfirmation(
  app: App,
  token: string,
  answer: 'confirm' | 'reject',
  click: Click,
): Promise<Confirmation | null> {
  return await write(app, async (tx) => {
    const found = await findConfirmation(tx, token, tx.now)
    if (found?.state !== 'open') return found
    const evidence = toEvidence(found, click)
    const open = await openSubscriptions(tx, found)
    // An old link does not bring back a person who left meanwhile, or who is suppressed.
    const outcome = answer === 'confirm' && open.length > 0 ? 'confirmed' : 'rejected'
    if (outcome === 'confirmed') await confirm(tx, found, open, evidence)
    else await reject(tx, found, open, evidence)
    await tx.db
      .update(confirmations)
      .set({ endedAt: tx.now, outcome })
      .where(eq(confirmations.tokenHash, found.row.tokenHash))
    return { ...found, state: outcome }
  })
}

/**
 * What the link still confirms: pending subscriptions, and lists of somebody who had unsubscribed from everything and asked to come back.
 */
async function openSubscriptions(tx: Tx, { contact, lists }: Confirmation): Promise<Subscription[]> {
  const own = await listSubscriptions(tx, contact.id)
  return own.filter(
    ({ status, mailingListId }) =>
      ['pending', 'expired', 'active'].includes(status) && lists.some(({ id }) => id === mailingListId),
  )
}

async function confirm(tx: Tx, found: Confirmation, open: Subscription[], given: Evidence): Promise<void> {
  const evidence = { ...given, action: 'confirmed' as const }
  let { contact } = found
  const wasLifted = await liftUnsubscribe(tx, found.workspace.id, contact.email, 'confirmation')
  if (wasLifted && contact.subscribed) await recordConsent(tx, contact, 'confirmed', null, given)
  for (const { mailingListId, details } of open) {
    if (details) contact = await fillEmpty(tx, contact, details, given)
    await moveSubscription(tx, contact, mailingListId, 'active', evidence)
  }
  await forgetDetails(tx, contact.id)
  contact = await setSubscribed(tx, contact, true, evidence)
  await setOptInStatus(tx, contact, 'accepted')
}

async function reject(tx: Tx, { contact }: Confirmation, open: Subscription[], evidence: Evidence): Promise<void> {
  for (const { mailingListId, status } of open)
    if (mayChange(status, 'rejected')) await moveSubscription(tx, contact, mailingListId, 'rejected', evidence)
  if (contact.optInStatus === 'pending') await setOptInStatus(tx, contact, 'rejected')
}

function toEvidence({ source }: Confirmation, click: Click): Evidence {
  return {
    method: 'confirm_page',
    sourceId: source?.id ?? null,
    consentText: source?.consentText ?? null,
    consentTextVersion: source?.consentTextVersion ?? null,
    ...click,
  }
}

/** The button on the page of an expired link. It does not reveal the limits. */
export async function resendFromPage(app: App, found: Confirmation, ip: string | null): Promise<void> {
  const { workspace, contact, source } = found
  const prepared = await prepareConfirmation(app, workspace, source)
  const network = ip === null ? null : networkAround(ip)
  await write(app, async (tx) => {
    // The pending subscriptions expired with their link, so asking again is a new request.
    for (const { mailingListId, status } of await listSubscriptions(tx, contact.id)) {
      if (status === 'expired' && found.row.mailingListIds.includes(mailingListId))
        await moveSubscription(tx, contact, mailingListId, 'pending', { method: 'confirm_page', ip })
    }
    await resendConfirmation(tx, prepared, { email: contact.email, source: null, mailingListId: null, network })
  })
}

const expiredAtOnce = 20

/** Expires what nobody confirmed in time, for the maintenance job. Returns how many links; call until 0. */
export async function expireConfirmations(tx: Tx): Promise<number> {
  const rows = await tx.db
    .select({ row: confirmations, contact: contacts })
    .from(confirmations)
    .leftJoin(contacts, eq(contacts.id, confirmations.contactId))
    .where(and(isNull(confirmations.endedAt), lte(confirmations.expiresAt, tx.now)))
    .limit(expiredAtOnce)
  for (const { row, contact } of rows) {
    await tx.db.update(confirmations).set({ endedAt: tx.now }).where(eq(confirmations.tokenHash, row.tokenHash))
    if (!contact || (await isAskedAgain(tx, contact.id, tx.now))) continue
    for (const { mailingListId, status } of await listSubscriptions(tx, contact.id)) {
      if (status === 'pending' && row.mailingListIds.includes(mailingListId))
        await moveSubscription(tx, contact, mailingListId, 'expired', { method: 'expiry' })
    }
  }
  return rows.length
}

/** Whether the contact has a newer link that still works. */
async function isAskedAgain(tx: Tx, contactId: string, now: Date): Promise<boolean> {
  const rows = await tx.db
    .select({ expiresAt: confirmations.expiresAt })
    .from(confirmations)
    .where(and(eq(confirmations.contactId, contactId), isNull(confirmations.endedAt)))
  return rows.some(({ expiresAt }) => expiresAt > now)
}
