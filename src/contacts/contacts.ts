// Contacts: found by e-mail, userId or id; made, changed and deleted. Consent changes only where a caller says so.

import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Db, ReadDb } from '../../db/handle.ts'
import { prepared, stored } from '../../db/prepared.ts'
import { contacts } from '../../db/tables/contacts.ts'
import type { Reader, Tx } from '../app.ts'
import { AppError } from '../lib/error.ts'
import { newId } from '../lib/id.ts'
import { publish } from '../webhooks/publish.ts'
import { type ContactFields, mergeProperties } from './fields.ts'
import { storeValues, typedProperties } from './properties.ts'
import { dropSubscriptions } from './subscriptions.ts'
import { count } from './totals.ts'

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

/** Everything about a new contact that is not said is this. */
const blank = {
  userId: null,
  firstName: null,
  lastName: null,
  source: null,
  userGroup: null,
  locale: null,
  timezone: null,
  optInStatus: null,
}

export interface Upserted {
  contact: Contact
  /** What it was; null when it is new. */
  before: Contact | null
}

const insertContact = prepared((db: Db) => {
  const columns = Object.keys(getTableColumns(contacts)) as (keyof Contact)[]
  const values = Object.fromEntries(columns.map((name) => [name, stored(name)])) as Record<keyof Contact, SQL>
  return db.insert(contacts).values(values).prepare()
})

/** The contact as it is stored. */
function rowOf({ properties, subscribed, createdAt, updatedAt, ...same }: Contact): Record<string, unknown> {
  const times = { createdAt: createdAt.getTime(), updatedAt: updatedAt.getTime() }
  return { ...same, ...times, subscribed: Number(subscribed), properties: JSON.stringify(properties) }
}

/** Makes a contact. Throws `contact_exists` when the e-mail or the userId has one. `subscribed` is true unless said otherwise. */
export async function createContact(tx: Tx, workspaceId: string, fields: ContactFields): Promise<Contact> {
  const { email } = fields
  if (email === undefined) throw missingEmail()
  if (await findContactByEmail(tx, workspaceId, email)) throw contactExists('email', email)
  if (fields.userId && (await findContactByUserId(tx, workspaceId, fields.userId)))
    throw contactExists('userId', fields.userId)
  const properties = mergeProperties({}, await typedProperties(tx, workspaceId, fields.properties))
  const { mailingLists: _, ...own } = fields
  const contact: Contact = {
    ...blank,
    subscribed: true,
    ...own,
    id: newId(tx, 'con', tx.now),
    workspaceId,
    email,
    emailKey: email.toLowerCase(),
    properties,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await insertContact(tx.db).run(rowOf(contact))
  await storeValues(tx, contact, {}, properties)
  await count(tx, workspaceId, 'contacts', 1)
  await publish(tx, workspaceId, 'contact.created', { contactIdentity: identityOf(contact) })
  return contact
}

/**
 * Changes the contact that userId or, without one that is known, e-mail names; makes it if there is none (docs/choices.md, row 34).
 * With both, userId finds and the e-mail is changed. Throws `contact_exists` when they name two people.
 */
export async function upsertContact(tx: Tx, workspaceId: string, fields: ContactFields): Promise<Upserted> {
  const { email, userId } = fields
  if (email === undefined && !userId) throw missingEmail()
  const byUser = userId ? await findContactByUserId(tx, workspaceId, userId) : null
  const byMail = email === undefined ? null : await findContactByEmail(tx, workspaceId, email)
  if (byUser && byMail && byUser.id !== byMail.id) throw contactExists('email', byMail.email)
  // The address belongs to somebody with another userId: giving it to this one would merge two people.
  if (!byUser && byMail && userId && byMail.userId !== null && byMail.userId !== userId)
    throw contactExists('email', byMail.email)
  const before = byUser ?? byMail
  if (!before) return { contact: await createContact(tx, workspaceId, fields), before: null }
  return { contact: await changeContact(tx, before, fields), before }
}

async function changeContact(tx: Tx, before: Contact, fields: ContactFields): Promise<Contact> {
  const { workspaceId, id } = before
  const { mailingLists: _, properties: given, ...own } = fields
  const typed = await typedProperties(tx, workspaceId, given)
  const properties = Object.keys(typed).length === 0 ? before.properties : mergeProperties(before.properties, typed)
  const email = own.email ?? before.email
  const contact: Contact = { ...before, ...own, email, emailKey: email.toLowerCase(), properties, updatedAt: tx.now }
  await tx.db.update(contacts).set(contact).where(eq(contacts.id, id))
  await storeValues(tx, contact, before.properties, properties)
  return contact
}

/** Removes the contact and what hangs on it alone. Suppression and the ledger of consent stay. */
export async function deleteContact(tx: Tx, contact: Contact): Promise<void> {
  await dropSubscriptions(tx, contact.id)
  await storeValues(tx, contact, contact.properties, {})
  await tx.db.delete(contacts).where(eq(contacts.id, contact.id))
  await count(tx, contact.workspaceId, 'contacts', -1)
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
  return await createContact(tx, workspaceId, {
    email,
    locale,
    source: 'transactional',
    subscribed: false,
    properties: {},
  })
}

/** How webhooks name a contact. */
export function identityOf({ id, email, userId }: Pick<Contact, 'id' | 'email' | 'userId'>) {
  return { id, email, userId }
}

function missingEmail(): AppError {
  const message = 'name the contact: email or userId'
  return new AppError('missing_required_field', message, { errors: [{ path: 'email', message, code: 'required' }] })
}

function contactExists(path: 'email' | 'userId', value: string): AppError {
  const message = `another contact has the ${path} ${JSON.stringify(value)}`
  return new AppError('contact_exists', message, { errors: [{ path, message, code: 'contact_exists' }] })
}
