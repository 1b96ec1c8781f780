// Subscriptions and their changes: pending -> active -> unsubscribed, pending -> rejected or expired, and back to pending or active by a
// new opt-in. Every change is counted and recorded in the ledger, in one transaction.

import { and, eq, inArray, sql } from 'drizzle-orm'
import { contacts } from '../../../../db/tables/contacts.ts'
import {
  type ConsentAction,
  mailingLists,
  type SubscriptionDetails,
  type SubscriptionState,
  subscriptions,
} from '../../../../db/tables/lists.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { AppError } from '../../../kit/error.ts'
import { newId } from '../../../kit/id.ts'
import { noteChanged, noteJoined } from './approved-audience.ts'
import { publishContact, publishSubscription } from './contact-events.ts'
import type { Contact } from './find-contact.ts'
import { type Evidence, recordConsent } from './ledger.ts'
import { activeListsNamed, type MailingList } from './named-lists.ts'

export type Subscription = typeof subscriptions.$inferSelect

const allowed: Record<SubscriptionState, SubscriptionState[]> = {
  pending: ['active', 'rejected', 'expired', 'bounced', 'complained'],
  active: ['unsubscribed', 'bounced', 'complained'],
  unsubscribed: ['pending', 'active'],
  rejected: ['pending', 'active'],
  expired: ['pending', 'active'],
  // Only a new opt-in by the person leaves these states.
  bounced: ['pending', 'active', 'unsubscribed'],
  complained: ['pending', 'active', 'unsubscribed'],
}

/** The ledger's action for a new state. */
export const actionOf: Record<SubscriptionState, ConsentAction> = {
  pending: 'requested',
  active: 'granted',
  unsubscribed: 'withdrawn',
  rejected: 'rejected',
  expired: 'expired',
  bounced: 'bounced',
  complained: 'complained',
}

export function mayChange(from: SubscriptionState, to: SubscriptionState): boolean {
  return allowed[from].includes(to)
}

export async function listSubscriptions(reader: Reader, contactId: string): Promise<Subscription[]> {
  return await reader.db.select().from(subscriptions).where(eq(subscriptions.contactId, contactId))
}

export interface Move {
  mailingListId: string
  state: SubscriptionState
}

/**
 * Plans what `mailingLists` of a request means for a contact, before anything is written. On a list with double opt-in `true` asks for the
 * person's confirmation and never gives consent by itself. Throws 422 for an archived or unknown list, 409 when the contact complained,
 * because only they can undo that.
 */
export async function planMoves(
  reader: Reader,
  workspaceId: string,
  contactId: string | null,
  wanted: Record<string, boolean> = {},
): Promise<Move[]> {
  const lists = await activeListsNamed(reader, workspaceId, Object.keys(wanted), 'mailingLists')
  if (lists.length === 0) return []
  const held = contactId === null ? [] : await listSubscriptions(reader, contactId)
  return lists.flatMap(({ id, optIn }) => {
    const before = held.find(({ mailingListId }) => mailingListId === id)?.status
    const state = wanted[id] ? stateOn(before, optIn) : stateOff(before)
    return state === null ? [] : [{ mailingListId: id, state }]
  })
}

/** Null: nothing changes. */
function stateOn(before: SubscriptionState | undefined, optIn: MailingList['optIn']): SubscriptionState | null {
  if (before === 'complained')
    throw new AppError(
      'invalid_state_transition',
      'this contact complained about mail; only a new opt-in can undo that',
    )
  return before === 'active' ? null : stateOnJoining(optIn)
}

/** The state of somebody who is added by others: with double opt-in they are asked to confirm, which gives no consent. */
export function stateOnJoining(optIn: MailingList['optIn']): 'active' | 'pending' {
  return optIn === 'single' ? 'active' : 'pending'
}

function stateOff(before: SubscriptionState | undefined): SubscriptionState | null {
  if (before === 'pending') return 'rejected'
  return before === 'active' ? 'unsubscribed' : null
}

/** Applies what planMoves() planned. */
export async function moveAll(
  tx: Tx,
  contact: Pick<Contact, 'id' | 'workspaceId' | 'email'>,
  moves: Move[],
  evidence: Evidence,
): Promise<void> {
  for (const { mailingListId, state } of moves) await moveSubscription(tx, contact, mailingListId, state, evidence)
}

/** Ids of the lists with an active subscription, by contact: what a contact shows as `mailingLists`. */
export async function activeLists(reader: Reader, contactIds: string[]): Promise<Map<string, string[]>> {
  const lists = new Map<string, string[]>()
  if (contactIds.length === 0) return lists
  const rows = await reader.db
    .select({ contactId: subscriptions.contactId, mailingListId: subscriptions.mailingListId })
    .from(subscriptions)
    .where(and(inArray(subscriptions.contactId, contactIds), eq(subscriptions.status, 'active')))
  for (const { contactId, mailingListId } of rows)
    lists.set(contactId, [...(lists.get(contactId) ?? []), mailingListId])
  return lists
}

/**
 * Moves a contact's subscription to `state`. Nothing happens when it is in that state already, or when there is nothing to end. `confirmed`
 * names the ledger's entry for a click on the link. Throws `invalid_state_transition` for a move that is not allowed.
 */
export async function moveSubscription(
  tx: Tx,
  contact: Pick<Contact, 'id' | 'workspaceId' | 'email'>,
  mailingListId: string,
  state: SubscriptionState,
  evidence: Evidence & { action?: ConsentAction },
): Promise<Subscription | null> {
  const one = and(eq(subscriptions.contactId, contact.id), eq(subscriptions.mailingListId, mailingListId))
  const [before] = await tx.db.select().from(subscriptions).where(one)
  if (before?.status === state) return before
  if (!before && state !== 'pending' && state !== 'active') return null
  if (before && !mayChange(before.status, state))
    throw new AppError('invalid_state_transition', `a subscription that is ${before.status} cannot become ${state}`)
  const fresh = newSubscription(tx, contact, mailingListId, state)
  const kept = before ? { id: before.id, createdAt: before.createdAt } : {}
  const after: Subscription = {
    ...fresh,
    ...kept,
    sourceId: evidence.sourceId ?? before?.sourceId ?? null,
    confirmedAt: fresh.confirmedAt ?? before?.confirmedAt ?? null,
  }
  if (before) await tx.db.update(subscriptions).set(after).where(one)
  else await tx.db.insert(subscriptions).values(after)
  const change = Number(state === 'active') - Number(before?.status === 'active')
  if (change !== 0) await countOn(tx, mailingListId, change)
  await recordConsent(tx, contact, evidence.action ?? actionOf[state], mailingListId, evidence)
  await publishSubscription(tx, contact, before?.status ?? null, after)
  return after
}

/** A new subscription, not stored yet. */
export function newSubscription(
  tx: Tx,
  { id: contactId, workspaceId }: Pick<Contact, 'id' | 'workspaceId'>,
  mailingListId: string,
  status: SubscriptionState,
): Subscription {
  return {
    id: newId(tx, 'sub', tx.now),
    workspaceId,
    contactId,
    mailingListId,
    status,
    sourceId: null,
    details: null,
    confirmedAt: status === 'active' ? tx.now : null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
}

/** Stores the fields that came with an opt-in until it is confirmed; the newest values win. */
export async function keepDetails(tx: Tx, { id, details }: Subscription, added: SubscriptionDetails): Promise<void> {
  const properties = { ...details?.properties, ...added.properties }
  await tx.db
    .update(subscriptions)
    .set({ details: { ...details, ...added, properties } })
    .where(eq(subscriptions.id, id))
}

/** Deletes the stored fields of opt-ins: they were applied, or never will be. */
export async function forgetDetails(tx: Tx, contactId: string): Promise<void> {
  await tx.db.update(subscriptions).set({ details: null }).where(eq(subscriptions.contactId, contactId))
}

/** Updates the contact count of a list. `change`: how many joined, less those that left. */
export async function countOn(tx: Tx, mailingListId: string, change: number): Promise<void> {
  await tx.db
    .update(mailingLists)
    .set({ contactCount: sql`contact_count + ${change}` })
    .where(eq(mailingLists.id, mailingListId))
  if (change > 0) await noteJoined(tx, mailingListId, change)
}

/** Unsubscribes the contact from every list it is on or waiting to join. Returns the ids of the lists it was on. */
export async function leaveAllLists(
  tx: Tx,
  contact: Pick<Contact, 'id' | 'workspaceId' | 'email'>,
  evidence: Evidence,
  state: 'unsubscribed' | 'bounced' | 'complained' = 'unsubscribed',
): Promise<string[]> {
  const left: string[] = []
  for (const { mailingListId, status } of await listSubscriptions(tx, contact.id)) {
    const to = status === 'pending' && state === 'unsubscribed' ? 'rejected' : state
    if ((status === 'active' || status === 'pending') && mayChange(status, to)) {
      await moveSubscription(tx, contact, mailingListId, to, evidence)
      if (status === 'active') left.push(mailingListId)
    }
  }
  return left
}

/** Sets consent to all marketing mail, for a page or a complaint; `action` overrides the ledger's entry. */
export async function setSubscribed(
  tx: Tx,
  before: Contact,
  subscribed: boolean,
  evidence: Evidence & { action?: ConsentAction },
): Promise<Contact> {
  if (before.subscribed === subscribed) return before
  const after = { ...before, subscribed, updatedAt: tx.now }
  await tx.db.update(contacts).set({ subscribed, updatedAt: tx.now }).where(eq(contacts.id, before.id))
  await noteChanged(tx, before, after)
  await recordSubscribed(tx, after, evidence)
  await publishContact(tx, { before, after })
  return after
}

/** The ledger entry for a change of `subscribed`. */
export async function recordSubscribed(
  tx: Tx,
  contact: Contact,
  evidence: Evidence & { action?: ConsentAction },
): Promise<void> {
  await recordConsent(tx, contact, evidence.action ?? (contact.subscribed ? 'granted' : 'withdrawn'), null, evidence)
}

/** Removes the subscriptions of a contact that is deleted; the ledger is kept. */
export async function dropSubscriptions(tx: Tx, contactId: string): Promise<void> {
  for (const { mailingListId, status } of await listSubscriptions(tx, contactId)) {
    if (status === 'active') await countOn(tx, mailingListId, -1)
  }
  await tx.db.delete(subscriptions).where(eq(subscriptions.contactId, contactId))
}
