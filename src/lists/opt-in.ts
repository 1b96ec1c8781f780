// Opting in: a person, through a source, onto lists. With single opt-in at once; with double opt-in after a click on the link that
// is mailed. What the person agreed to goes into the ledger in the same transaction (docs/choices.md, rows 42-45).

import { and, eq, inArray } from 'drizzle-orm'
import { contacts } from '../../db/tables/contacts.ts'
import { mailingLists } from '../../db/tables/lists.ts'
import type { App, Tx } from '../app.ts'
import type { Evidence } from '../contacts/consent.ts'
import { type Contact, findContactByEmail, upsertContact } from '../contacts/contacts.ts'
import type { ContactFields } from '../contacts/fields.ts'
import {
  getLists,
  type MailingList,
  moveSubscription,
  type Subscription,
  subscriptionsOf,
} from '../contacts/subscriptions.ts'
import { type Answer, idempotent } from '../http/idempotency.ts'
import { invalidField } from '../lib/error.ts'
import { isSuppressed } from '../suppression/suppression.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { type PreparedConfirmation, prepareConfirmation, sendConfirmation } from './confirmation-mail.ts'
import { getSource, type Source } from './sources.ts'

const optInRoute = 'POST /v1/contact-subscriptions/opt-in'

export interface OptIn {
  fields: ContactFields & { email: string }
  sourceId: string
  /** Empty: the lists of the source. */
  mailingListIds: string[]
  consent: { ip: string | null; userAgent: string | null; url: string | null; givenAt: Date | undefined }
}

export interface OptInAnswer {
  success: true
  subscriptionId: string
  contactId: string
  status: 'active' | 'pending'
  subscriptions: { id: string; mailingListId: string; status: 'active' | 'pending' }[]
  confirmationSentAt?: string
}

interface Ready {
  workspace: Workspace
  source: Source
  lists: MailingList[]
  prepared: PreparedConfirmation
  evidence: Evidence
}

/** 201 when something became active, 202 when something waits for a click, 200 when everything was active already. */
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
      const source = await getSource(app, workspace.id, request.sourceId)
      if (!source.active) throw invalidField('sourceId', 'the subscription source is not active', 'source_inactive')
      const lists = await listsOf(app, workspace, source, request.mailingListIds)
      const prepared = await prepareConfirmation(app, workspace, source)
      const ready: Ready = { workspace, source, lists, prepared, evidence: evidenceOf(source, request) }
      return (tx) => subscribe(tx, ready, request)
    },
  )
}

async function listsOf(app: App, workspace: Workspace, source: Source, wanted: string[]): Promise<MailingList[]> {
  const ids = wanted.length > 0 ? wanted : source.mailingListIds
  if (ids.length === 0)
    throw invalidField('mailingListIds', 'name a mailing list: the subscription source has none of its own', 'required')
  const stranger = ids.find((id) => source.mailingListIds.length > 0 && !source.mailingListIds.includes(id))
  const lists = await getLists(app, workspace.id, [...new Set(ids)], 'mailingListIds')
  if (stranger !== undefined)
    throw invalidField(`mailingListIds.${stranger}`, 'the mailing list does not belong to the source', 'unknown_list')
  const archived = lists.find(({ status }) => status === 'archived')
  if (archived) throw invalidField(`mailingListIds.${archived.id}`, 'the mailing list is archived', 'unknown_list')
  return lists
}

function evidenceOf(source: Source, { consent }: OptIn): Evidence {
  return {
    method: 'opt_in',
    sourceId: source.id,
    consentText: source.consentText,
    consentTextVersion: source.consentTextVersion,
    ip: consent.ip,
    userAgent: consent.userAgent,
    url: consent.url,
    ...(consent.givenAt ? { givenAt: consent.givenAt } : {}),
  }
}

function needsConfirmation(source: Source, list: MailingList): boolean {
  return (source.optIn === 'list' ? list.optIn : source.optIn) === 'double'
}

async function subscribe(tx: Tx, ready: Ready, request: OptIn): Promise<Answer<OptInAnswer>> {
  const { workspace, source, lists, evidence, prepared } = ready
  const { fields, consent } = request
  const suppressed = await isSuppressed(tx, workspace.id, fields.email)
  const known = await findContactByEmail(tx, workspace.id, fields.email)
  const current = new Map((known ? await subscriptionsOf(tx, known.id) : []).map((one) => [one.mailingListId, one]))
  const waiting = lists.filter(
    // Who is suppressed cannot be asked, and is not told so: it looks like any other confirmation that is waited for.
    (list) => current.get(list.id)?.status !== 'active' && (suppressed !== null || needsConfirmation(source, list)),
  )
  const joining = lists.filter((list) => current.get(list.id)?.status !== 'active' && !waiting.includes(list))
  const contact = await contactFor(tx, workspace.id, known, fields, { joining: joining.length > 0, evidence })
  const after: Subscription[] = []
  for (const list of lists) {
    const state = joining.includes(list) ? 'active' : waiting.includes(list) ? 'pending' : null
    const moved = state ? await moveSubscription(tx, contact, list.id, state, evidence) : (current.get(list.id) ?? null)
    if (moved) after.push(moved)
  }
  if (waiting.length > 0)
    await sendConfirmation(tx, prepared, { contact, source, lists: waiting, ip: consent.ip, why: 'opt_in' })
  const status = waiting.length > 0 ? 202 : joining.length > 0 ? 201 : 200
  return { status, response: answerOf(tx, contact, after, waiting.length > 0) }
}

/** Somebody who still has to confirm changes nothing about a contact that exists: it may not be theirs. */
async function contactFor(
  tx: Tx,
  workspaceId: string,
  known: Contact | null,
  fields: ContactFields,
  { joining, evidence }: { joining: boolean; evidence: Evidence },
): Promise<Contact> {
  if (joining) {
    const { contact } = await upsertContact(tx, workspaceId, { ...fields, subscribed: true }, evidence)
    return await setOptInStatus(tx, contact, 'accepted')
  }
  if (known) return known.optInStatus === null ? await setOptInStatus(tx, known, 'pending') : known
  const { contact } = await upsertContact(tx, workspaceId, { ...fields, subscribed: false }, evidence)
  return await setOptInStatus(tx, contact, 'pending')
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

function answerOf(tx: Tx, contact: Contact, subscriptions: Subscription[], asked: boolean): OptInAnswer {
  const shown = subscriptions.map(({ id, mailingListId, status }) => {
    return { id, mailingListId, status: status === 'active' ? ('active' as const) : ('pending' as const) }
  })
  const first = shown.find(({ status }) => status === 'pending') ?? shown[0]
  if (!first) throw new Error('an opt-in without a subscription')
  return {
    success: true,
    subscriptionId: first.id,
    contactId: contact.id,
    status: first.status,
    subscriptions: shown,
    // When a confirmation was last asked for. Whether it took a mail says something about the address, so it is not told.
    ...(asked ? { confirmationSentAt: tx.now.toISOString() } : {}),
  }
}

/** Asks again for what waits; silent when there is nothing, for nobody is told whether an address is known. */
export async function resendConfirmation(
  tx: Tx,
  prepared: PreparedConfirmation,
  wish: { email: string; source: Source | null; mailingListId: string | null; ip: string | null },
): Promise<void> {
  const contact = await findContactByEmail(tx, prepared.workspace.id, wish.email)
  if (!contact) return
  const waiting = (await subscriptionsOf(tx, contact.id)).filter(
    ({ status, sourceId, mailingListId }) =>
      status === 'pending' &&
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
  await sendConfirmation(tx, prepared, { contact, source: wish.source, lists, ip: wish.ip, why: 'resend' })
}
