// Opt-in: a person joins lists through a source. With single opt-in at once; with double opt-in after clicking the link in a mail. What the
// person agreed to is recorded in the ledger in the same transaction.

import { and, eq, inArray } from 'drizzle-orm'
import { contacts, type SuppressionReason } from '../../../db/tables/contacts.ts'
import { mailingLists, type SubscriptionDetails } from '../../../db/tables/lists.ts'
import type { App, Tx } from '../../core/app.ts'
import { type Answer, idempotent } from '../../core/http/idempotency.ts'
import { invalidField } from '../../kit/error.ts'
import { type Network, networkAround } from '../../kit/network.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Contact, findContactByEmail, findContactByUserId } from '../contacts/consent/find-contact.ts'
import { type Evidence, recordConsent } from '../contacts/consent/ledger.ts'
import { activeListsNamed, type MailingList } from '../contacts/consent/named-lists.ts'
import {
  keepDetails,
  listSubscriptions,
  moveSubscription,
  type Subscription,
  setSubscribed,
} from '../contacts/consent/subscriptions.ts'
import { isSuppressed, liftUnsubscribe } from '../contacts/consent/suppression.ts'
import { changeContact, contactExists, createContact, fillEmpty } from '../contacts/contacts.ts'
import type { ContactFields } from '../contacts/fields.ts'
import { typedProperties } from '../contacts/properties.ts'
import { type PreparedConfirmation, prepareConfirmation, sendConfirmation } from './confirmation-mail.ts'
import { getSource, type Source } from './sources.ts'

export const optInRoute = 'POST /v1/contact-subscriptions/opt-in'

export interface OptIn {
  fields: ContactFields & { email: string }
  sourceId: string
  /** Empty: the lists of the source. */
  mailingListIds: string[]
  consent: { ip: string | null; userAgent: string | null; url: string | null; givenAt: Date | undefined }
  /** An API key, or a visitor using the public key of the source. */
  by: { kind: 'api_key' | 'visitor'; id: string }
}

export interface OptInAnswer {
  success: true
  subscriptionId: string
  contactId: string
  status: 'active' | 'pending'
  subscriptions: { id: string; mailingListId: string; status: 'active' | 'pending' }[]
  confirmationSentAt?: string
  /** When it goes out instead: too many asked at once. */
  confirmationHeldUntil?: string
  /** Why this address gets no mail anyway. */
  suppression?: SuppressionReason
}

/** Everything about an opt-in that does not depend on the person. */
export interface ReadyOptIn {
  workspace: Workspace
  source: Source
  lists: MailingList[]
  prepared: PreparedConfirmation
  evidence: Evidence
}

/** 201 when a subscription became active, 202 when one waits for confirmation, 200 when all were active already. */
export async function optIn(
  app: App,
  workspace: Workspace,
  request: OptIn,
  idempotency: { key: string | null; body: unknown },
): Promise<Answer<OptInAnswer> & { replayed: boolean }> {
  return await idempotent<OptInAnswer>(
    app,
    { workspaceId: workspace.id, route: optInRoute, ...idempotency },
    async () => {
      const ready = await readyFor(app, workspace, request)
      return async (tx) => toAnswer(tx, await subscribe(tx, ready, request))
    },
  )
}

/** Throws for an invalid source or list. */
export async function readyFor(app: App, workspace: Workspace, request: OptIn): Promise<ReadyOptIn> {
  const source = await getSource(app, workspace.id, request.sourceId)
  if (!source.active) throw invalidField('sourceId', 'the subscription source is not active', 'source_inactive')
  const lists = await getListsToJoin(app, workspace, source, request.mailingListIds)
  const prepared = await prepareConfirmation(app, workspace, source)
  return { workspace, source, lists, prepared, evidence: toEvidence(source, request) }
}

async function getListsToJoin(
  app: App,
  workspace: Workspace,
  source: Source,
  wanted: string[],
): Promise<MailingList[]> {
  const ids = wanted.length > 0 ? wanted : source.mailingListIds
  if (ids.length === 0)
    throw invalidField(
      'mailingListIds',
      'is required, because the subscription source has no lists of its own',
      'required',
    )
  const stranger = ids.find((id) => source.mailingListIds.length > 0 && !source.mailingListIds.includes(id))
  const lists = await activeListsNamed(app, workspace.id, [...new Set(ids)], 'mailingListIds')
  if (stranger !== undefined)
    throw invalidField(`mailingListIds.${stranger}`, 'the mailing list does not belong to the source', 'unknown_list')
  return lists
}

function toEvidence(source: Source, { consent, by }: OptIn): Evidence {
  return {
    method: 'opt_in',
    route: optInRoute,
    actorId: by.id,
    sourceId: source.id,
    consentText: source.consentText,
    consentTextVersion: source.consentTextVersion,
    ip: consent.ip,
    userAgent: consent.userAgent,
    url: consent.url,
    ...(consent.givenAt ? { givenAt: consent.givenAt } : {}),
  }
}

export function needsConfirmation(source: Source, list: MailingList): boolean {
  return (source.optIn === 'list' ? list.optIn : source.optIn) === 'double'
}

interface OptedIn {
  contact: Contact
  after: Subscription[]
  waiting: MailingList[]
  joining: MailingList[]
  /** When the mail that asks goes out. */
  askedAt: Date | null
  suppression: SuppressionReason | null
}

/** The person is found by address only. Somebody who had left, or was suppressed for unsubscribing, joins again. */
export async function subscribe(tx: Tx, ready: ReadyOptIn, request: OptIn): Promise<OptedIn> {
  const { workspace, source, lists, evidence, prepared } = ready
  const { email } = request.fields
  const suppression = await isSuppressed(tx, workspace.id, email)
  const known = await findContactByEmail(tx, workspace.id, email)
  await expectOwnUserId(tx, workspace.id, known, request.fields.userId)
  const current = new Map((known ? await listSubscriptions(tx, known.id) : []).map((one) => [one.mailingListId, one]))
  const hasLeft = known?.subscribed === false || suppression === 'unsubscribe'
  const fresh = lists.filter((list) => hasLeft || current.get(list.id)?.status !== 'active')
  const waiting = fresh.filter((list) => needsConfirmation(source, list))
  const joining = fresh.filter((list) => !waiting.includes(list))
  const wasLifted = joining.length > 0 && (await liftUnsubscribe(tx, workspace.id, email, request.by.id))
  const contact = await contactFor(tx, ready, known, request, joining.length > 0)
  if (wasLifted && known?.subscribed) await recordConsent(tx, contact, 'granted', null, evidence)
  const details = known && waiting.length > 0 ? await detailsFor(tx, known, ready, request) : null
  const after: Subscription[] = []
  for (const list of lists) {
    const state = joining.includes(list) ? 'active' : waiting.includes(list) ? 'pending' : null
    const before = current.get(list.id) ?? null
    // Somebody who is on the list but unsubscribed from everything is asked to confirm again; the subscription itself stays active.
    const stays = state === null || (state === 'pending' && before?.status === 'active')
    const moved = stays ? before : await moveSubscription(tx, contact, list.id, state, evidence)
    if (moved && details && waitsFor(moved, state, details)) await keepDetails(tx, moved, details)
    if (moved) after.push(moved)
  }
  const asked = { contact, source, lists: waiting, network: networkFor(request), why: 'opt_in' } as const
  const askedAt = waiting.length > 0 ? await sendConfirmation(tx, prepared, asked) : null
  return { contact, after, waiting, joining, askedAt, suppression: suppression === 'unsubscribe' ? null : suppression }
}

/** The language of the person who asks. */
export function networkFor({ consent: { ip } }: OptIn): Network | null {
  return ip === null ? null : networkAround(ip)
}

/** Whether to store an opt-in: a new pending one only if it has details; for an active subscription the stored row marks that it waits. */
function waitsFor({ status }: Subscription, state: 'active' | 'pending' | null, details: SubscriptionDetails): boolean {
  if (state !== 'pending') return false
  const { properties, ...own } = details
  return status === 'active' || Object.keys(own).length + Object.keys(properties).length > 0
}

/** Throws 409 when the userId belongs to another contact, or the contact has another userId. */
async function expectOwnUserId(
  tx: Tx,
  workspaceId: string,
  known: Contact | null,
  userId: string | null | undefined,
): Promise<void> {
  if (!userId) return
  const owner = await findContactByUserId(tx, workspaceId, userId)
  if (owner ? owner.id !== known?.id : known !== null && known.userId !== null) throw contactExists('userId', userId)
}

/** An unconfirmed opt-in changes nothing on an existing contact, because the contact may be somebody else. */
async function contactFor(
  tx: Tx,
  { workspace, source, evidence }: ReadyOptIn,
  known: Contact | null,
  { fields, by }: OptIn,
  joining: boolean,
): Promise<Contact> {
  if (!known) {
    const madeBySourceId = by.kind === 'visitor' ? source.id : null
    const ours = { optInStatus: joining ? ('accepted' as const) : ('pending' as const), madeBySourceId }
    return await createContact(tx, workspace.id, { ...fields, subscribed: joining }, evidence, ours)
  }
  if (!joining) return known
  const changed =
    by.kind === 'api_key'
      ? await changeContact(tx, known, fields, evidence)
      : await filled(tx, known, { source, fields, evidence })
  const back = await setSubscribed(tx, changed, true, evidence)
  return await setOptInStatus(tx, back, 'accepted')
}

/** A visitor fills empty fields of a contact that a visitor created through the same source, and nothing else. */
async function filled(
  tx: Tx,
  known: Contact,
  { source, fields, evidence }: { source: Source; fields: ContactFields; evidence: Evidence },
): Promise<Contact> {
  return known.madeBySourceId === source.id ? await fillEmpty(tx, known, toDetails(fields), evidence) : known
}

/** What else is applied when the subscription is confirmed. */
async function detailsFor(
  tx: Tx,
  known: Contact,
  { workspace, source }: ReadyOptIn,
  { fields, by }: OptIn,
): Promise<SubscriptionDetails> {
  if (by.kind === 'visitor' && known.madeBySourceId !== source.id) return { properties: {} }
  return { ...toDetails(fields), properties: await typedProperties(tx, workspace.id, fields.properties) }
}

function toDetails({ email: _, subscribed: __, mailingLists: ___, ...details }: ContactFields): SubscriptionDetails {
  return details
}

export async function setOptInStatus(
  tx: Tx,
  contact: Contact,
  optInStatus: 'pending' | 'accepted' | 'rejected',
): Promise<Contact> {
  if (contact.optInStatus === optInStatus) return contact
  await tx.db.update(contacts).set({ optInStatus, updatedAt: tx.now }).where(eq(contacts.id, contact.id))
  return { ...contact, optInStatus }
}

function toAnswer(tx: Tx, { contact, after, waiting, joining, askedAt, suppression }: OptedIn): Answer<OptInAnswer> {
  const waits = new Set(waiting.map(({ id }) => id))
  const subscriptions = after.map(({ id, mailingListId }) => {
    return { id, mailingListId, status: waits.has(mailingListId) ? ('pending' as const) : ('active' as const) }
  })
  const first = subscriptions.find(({ status }) => status === 'pending') ?? subscriptions[0]
  if (!first) throw new Error('an opt-in without a subscription')
  const response: OptInAnswer = {
    success: true,
    subscriptionId: first.id,
    contactId: contact.id,
    status: first.status,
    subscriptions,
    ...(askedAt && { [askedAt > tx.now ? 'confirmationHeldUntil' : 'confirmationSentAt']: askedAt.toISOString() }),
    ...(suppression ? { suppression } : {}),
  }
  return { status: waiting.length > 0 ? 202 : joining.length > 0 ? 201 : 200, response }
}

/** Sends the confirmation of pending subscriptions again. The result never reveals whether an address is known. */
export async function resendConfirmation(
  tx: Tx,
  prepared: PreparedConfirmation,
  wish: { email: string; source: Source | null; mailingListId: string | null; network: Network | null },
): Promise<void> {
  const contact = await findContactByEmail(tx, prepared.workspace.id, wish.email)
  if (!contact) return
  const waiting = (await listSubscriptions(tx, contact.id)).filter(
    ({ status, details, sourceId, mailingListId }) =>
      (status === 'pending' || details !== null) &&
      (wish.source === null || sourceId === wish.source.id) &&
      (wish.mailingListId === null || mailingListId === wish.mailingListId),
  )
  if (waiting.length === 0) return
  const ids = waiting.map(({ mailingListId }) => mailingListId)
  const lists = await tx.db
    .select()
    .from(mailingLists)
    .where(and(inArray(mailingLists.id, ids), eq(mailingLists.status, 'active')))
  if (lists.length === 0) return
  await sendConfirmation(tx, prepared, { contact, source: wish.source, lists, network: wish.network, why: 'resend' })
}
