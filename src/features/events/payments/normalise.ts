// Turns a payment event into an event of its contact, who is found by our userId, then by the address that it names, and only where it names
// none by known customers, charges and payments of the provider. If the settings say so, an unknown address creates a contact, and empty
// fields of a known one are filled in. It never gives consent, changes an address or merges contacts.

import { and, eq, inArray } from 'drizzle-orm'
import { paymentCustomers } from '../../../../db/tables/payments.ts'
import type { Tx } from '../../../core/app.ts'
import {
  type Contact,
  comparable,
  findContact,
  findContactByEmail,
  findContactByUserId,
} from '../../contacts/consent/find-contact.ts'
import type { Evidence } from '../../contacts/consent/ledger.ts'
import { createContact, fillEmpty } from '../../contacts/contacts.ts'
import type { RulesOfEvent } from '../matching.ts'
import { recordEvents } from '../record-event.ts'
import {
  findPaymentType,
  type Identification,
  identify,
  type Profile,
  type ProviderEvent,
  toProfile,
  toProperties,
} from './event-types.ts'

/** The prefix of the provider's own event names. */
export const eventPrefix = 'payments.'

export type Normalised =
  | { status: 'processed'; eventId: string; contactId: string }
  | { status: 'ignored'; reason: 'unsupported_type' | 'no_contact' }

export interface Target {
  workspaceId: string
  /** Whether contacts are created and filled in. */
  createContacts: boolean
}

/** `rules` are those for the contact event's name. */
export async function normalise(
  tx: Tx,
  { workspaceId, createContacts }: Target,
  rules: RulesOfEvent,
  event: ProviderEvent,
): Promise<Normalised> {
  const type = findPaymentType(event.type)
  if (!type) return { status: 'ignored', reason: 'unsupported_type' }
  const identification = identify(type, event)
  const known = await findContactOfEvent(tx, workspaceId, identification)
  const contact = createContacts ? await keptContact(tx, workspaceId, known, toProfile(type, event)) : known
  if (!contact) return { status: 'ignored', reason: 'no_contact' }
  await learn(tx, contact, identification.links)
  const told = {
    name: eventPrefix + event.type,
    contact,
    properties: toProperties(type, event),
    origin: 'payments',
    callerEventId: null,
    occurredAt: event.created === null ? tx.now : new Date(event.created * 1_000),
  } as const
  const [recorded] = await recordEvents(tx, [{ rules, event: told }])
  return { status: 'processed', eventId: recorded?.eventId ?? '', contactId: contact.id }
}

const byProvider: Evidence = { method: 'payments' }

/** The known contact with empty fields filled in, or a new one that is not subscribed; null when the event names no address. */
async function keptContact(
  tx: Tx,
  workspaceId: string,
  known: Contact | null,
  { email, ...profile }: Profile,
): Promise<Contact | null> {
  if (known) return await fillEmpty(tx, known, { ...profile, properties: {} }, byProvider)
  if (email === undefined) return null
  const fields = { ...profile, email, source: 'payments', subscribed: false, properties: {} }
  return await createContact(tx, workspaceId, fields, byProvider)
}

async function findContactOfEvent(
  tx: Tx,
  workspaceId: string,
  { userIds, email, links }: Identification,
): Promise<Contact | null> {
  for (const userId of userIds) {
    const contact = await findContactByUserId(tx, workspaceId, userId)
    if (contact) return contact
  }
  // Another contact with the same customer is not the person that the event names, even while no contact has that address.
  if (email !== null) return await findContactByEmail(tx, workspaceId, comparable(email))
  return await linkedContact(tx, workspaceId, links)
}

/** The first of several known ones. */
async function linkedContact(tx: Tx, workspaceId: string, links: string[]): Promise<Contact | null> {
  const known = await loadLinks(tx, workspaceId, links)
  for (const link of links) {
    const contactId = known.get(link)
    const contact = contactId === undefined ? null : await findContact(tx, workspaceId, contactId)
    if (contact) return contact
  }
  return null
}

async function loadLinks(tx: Tx, workspaceId: string, links: string[]): Promise<Map<string, string>> {
  if (links.length === 0) return new Map()
  const rows = await tx.db
    .select({ providerId: paymentCustomers.providerId, contactId: paymentCustomers.contactId })
    .from(paymentCustomers)
    .where(and(eq(paymentCustomers.workspaceId, workspaceId), inArray(paymentCustomers.providerId, links)))
  return new Map(rows.map(({ providerId, contactId }) => [providerId, contactId]))
}

/** The first assignment stays while its contact exists: a customer who takes over somebody's e-mail address does not become that person. */
async function learn(tx: Tx, contact: Contact, links: string[]): Promise<void> {
  const { workspaceId, id: contactId } = contact
  const known = await loadLinks(tx, workspaceId, links)
  for (const providerId of new Set(links)) {
    const owner = known.get(providerId)
    if (owner === contactId || (owner !== undefined && (await findContact(tx, workspaceId, owner)))) continue
    await tx.db
      .insert(paymentCustomers)
      .values({ workspaceId, providerId, contactId, createdAt: tx.now })
      .onConflictDoUpdate({
        target: [paymentCustomers.workspaceId, paymentCustomers.providerId],
        set: { contactId, createdAt: tx.now },
      })
  }
}
