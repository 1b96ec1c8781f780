// Webhook events about a contact, one for each change that matters outside.

import { eq } from 'drizzle-orm'
import { mailingLists, type SubscriptionState, type subscriptions } from '../../../../db/tables/lists.ts'
import type { Tx } from '../../../core/app.ts'
import { noteSignals, signalOf } from '../../signals.ts'
import { publish } from '../../webhooks/publish.ts'
import type { Contact } from './find-contact.ts'

type ContactIdentity = Pick<Contact, 'id' | 'email'> & Partial<Pick<Contact, 'userId'>>

function toIdentity({ id, email, userId }: ContactIdentity) {
  return { id, email, userId: userId ?? null }
}

/** A contact was created, changed or deleted. */
export type Change = { before: Contact | null; after: Contact } | { before: Contact; after: null }

export async function publishContact(tx: Tx, { before, after }: Change): Promise<void> {
  const contact = after ?? before
  const data = { contactIdentity: toIdentity(contact) }
  const type = !before ? 'contact.created' : after ? 'contact.updated' : 'contact.deleted'
  await publish(tx, contact.workspaceId, type, data)
  if (after) await noteSignals(tx, changedProperties(before, after))
  if (before?.subscribed && after?.subscribed === false)
    await publish(tx, contact.workspaceId, 'contact.unsubscribed', data)
}

function changedProperties(before: Contact | null, { workspaceId, id: contactId, properties }: Contact) {
  return Object.entries(properties)
    .filter(([name, value]) => before?.properties[name] !== value)
    .map(([name]) => ({ workspaceId, contactId, signal: signalOf.property(name) }))
}

/** A subscription changed from the state `before`; null: it is new. */
export async function publishSubscription(
  tx: Tx,
  contact: ContactIdentity,
  before: SubscriptionState | null,
  after: typeof subscriptions.$inferSelect,
): Promise<void> {
  const { workspaceId, status } = after
  const contactIdentity = toIdentity(contact)
  const listOf = async () => {
    const [list] = await tx.db.select().from(mailingLists).where(eq(mailingLists.id, after.mailingListId))
    return { id: after.mailingListId, name: list?.name ?? '' }
  }
  const asked = async () => ({
    contactIdentity,
    subscriptionId: after.id,
    ...(after.sourceId === null ? {} : { sourceId: after.sourceId }),
    mailingLists: [await listOf()],
  })
  const joined = async () => {
    const mailingList = await listOf()
    return { contactIdentity, mailingList, mailingLists: [mailingList] }
  }
  if (status === 'pending') await publish(tx, workspaceId, 'subscription.pending', asked)
  if (status === 'active' && before === 'pending') await publish(tx, workspaceId, 'subscription.confirmed', asked)
  if (status === 'active') await publish(tx, workspaceId, 'contact.mailingList.subscribed', joined)
  else if (before === 'active') await publish(tx, workspaceId, 'contact.mailingList.unsubscribed', joined)
  if (status !== 'active' && before !== 'active') return
  const moved = status === 'active' ? signalOf.joined : signalOf.left
  await noteSignals(tx, [{ workspaceId, contactId: contact.id, signal: moved(after.mailingListId) }])
}
