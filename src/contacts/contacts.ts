// Contacts, as far as sending needs them: finding a recipient, and linking one to a message without touching consent.

import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { contacts } from '../../db/tables/contacts.ts'
import type { Reader, Tx } from '../app.ts'
import { newId } from '../lib/id.ts'
import { publish } from '../webhooks/publish.ts'

export type Contact = typeof contacts.$inferSelect

const byEmail = prepared((db: ReadDb) =>
  db
    .select()
    .from(contacts)
    .where(
      and(eq(contacts.workspaceId, sql.placeholder('workspaceId')), eq(contacts.emailKey, sql.placeholder('emailKey'))),
    )
    .prepare(),
)

export async function findContactByEmail(reader: Reader, workspaceId: string, email: string): Promise<Contact | null> {
  return (await byEmail(reader.db).get({ workspaceId, emailKey: email.toLowerCase() })) ?? null
}

const byUserId = prepared((db: ReadDb) =>
  db
    .select()
    .from(contacts)
    .where(
      and(eq(contacts.workspaceId, sql.placeholder('workspaceId')), eq(contacts.userId, sql.placeholder('userId'))),
    )
    .prepare(),
)

export async function findContactByUserId(
  reader: Reader,
  workspaceId: string,
  userId: string,
): Promise<Contact | null> {
  return (await byUserId(reader.db).get({ workspaceId, userId })) ?? null
}

const byId = prepared((db: ReadDb) =>
  db
    .select()
    .from(contacts)
    .where(and(eq(contacts.workspaceId, sql.placeholder('workspaceId')), eq(contacts.id, sql.placeholder('id'))))
    .prepare(),
)

export async function findContact(reader: Reader, workspaceId: string, id: string): Promise<Contact | null> {
  return (await byId(reader.db).get({ workspaceId, id })) ?? null
}

/**
 * The recipient as a contact, made if unknown. Marketing consent is not changed: a new one is not subscribed to anything, a
 * known one keeps what it has (api.md, "Contact linking").
 */
export async function contactOfRecipient(
  tx: Tx,
  workspaceId: string,
  { email, locale }: { email: string; locale: string | null },
): Promise<Contact> {
  const known = await findContactByEmail(tx, workspaceId, email)
  if (known) return known
  const row: Contact = {
    id: newId(tx, 'con', tx.now),
    workspaceId,
    email,
    emailKey: email.toLowerCase(),
    userId: null,
    firstName: null,
    lastName: null,
    source: 'transactional',
    subscribed: false,
    userGroup: null,
    locale,
    timezone: null,
    optInStatus: null,
    properties: {},
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await tx.db.insert(contacts).values(row)
  await publish(tx, workspaceId, 'contact.created', { contactIdentity: { id: row.id, email, userId: null } })
  return row
}
