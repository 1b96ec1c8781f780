// A payment event becomes an event of the contact it is about: found by our own userId, then by e-mail, then by what was learnt of the
// provider's customers, charges and payments. No contact is made or changed by it, and none is merged with another.

import { and, eq, inArray } from 'drizzle-orm'
import { paymentCustomers } from '../../db/tables/payments.ts'
import type { Tx } from '../app.ts'
import { type Contact, findContact, findContactByEmail, findContactByUserId } from '../contacts/contacts.ts'
import type { RulesOfEvent } from '../events/matching.ts'
import { recordEvent } from '../events/record-event.ts'
import {
  type Identification,
  identificationOf,
  type ProviderEvent,
  paymentTypeOf,
  propertiesOf,
} from './event-types.ts'

/** What stands before the provider's own name of an event. */
export const eventPrefix = 'payments.'

export type Normalised =
  | { status: 'processed'; eventId: string; contactId: string }
  | { status: 'ignored'; reason: 'unsupported_type' | 'no_contact' }

/** `rules` are those of the contact event's name. */
export async function normalise(
  tx: Tx,
  workspaceId: string,
  rules: RulesOfEvent,
  event: ProviderEvent,
): Promise<Normalised> {
  const type = paymentTypeOf(event.type)
  if (!type) return { status: 'ignored', reason: 'unsupported_type' }
  const identification = identificationOf(type, event)
  const contact = await contactOf(tx, workspaceId, identification)
  if (!contact) return { status: 'ignored', reason: 'no_contact' }
  await learn(tx, contact, identification.links)
  const { eventId } = await recordEvent(tx, rules, {
    name: eventPrefix + event.type,
    contact,
    properties: propertiesOf(type, event),
    origin: 'payments',
    callerEventId: null,
    occurredAt: event.created === null ? tx.now : new Date(event.created * 1_000),
  })
  return { status: 'processed', eventId, contactId: contact.id }
}

async function contactOf(
  tx: Tx,
  workspaceId: string,
  { userIds, emails, links }: Identification,
): Promise<Contact | null> {
  for (const userId of userIds) {
    const contact = await findContactByUserId(tx, workspaceId, userId)
    if (contact) return contact
  }
  for (const email of emails) {
    const contact = await findContactByEmail(tx, workspaceId, email)
    if (contact) return contact
  }
  return await linkedContact(tx, workspaceId, links)
}

/** Of several that are known, the one that stands first. */
async function linkedContact(tx: Tx, workspaceId: string, links: string[]): Promise<Contact | null> {
  const known = await linksOf(tx, workspaceId, links)
  for (const link of links) {
    const contactId = known.get(link)
    const contact = contactId === undefined ? null : await findContact(tx, workspaceId, contactId)
    if (contact) return contact
  }
  return null
}

async function linksOf(tx: Tx, workspaceId: string, links: string[]): Promise<Map<string, string>> {
  if (links.length === 0) return new Map()
  const rows = await tx.db
    .select({ providerId: paymentCustomers.providerId, contactId: paymentCustomers.contactId })
    .from(paymentCustomers)
    .where(and(eq(paymentCustomers.workspaceId, workspaceId), inArray(paymentCustomers.providerId, links)))
  return new Map(rows.map(({ providerId, contactId }) => [providerId, contactId]))
}

/**
 * What was learnt first stays, while its contact exists: a customer who takes the e-mail address of somebody else does not become them.
 */
async function learn(tx: Tx, contact: Contact, links: string[]): Promise<void> {
  const { workspaceId, id: contactId } = contact
  const known = await linksOf(tx, workspaceId, links)
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
