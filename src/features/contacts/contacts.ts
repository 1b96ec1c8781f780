// Creates, changes and deletes contacts. Consent changes only when a caller says so.

import { eq, getTableColumns } from 'drizzle-orm'
import { toRows } from '../../../db/rows.ts'
import { contacts } from '../../../db/tables/contacts.ts'
import type { SubscriptionDetails } from '../../../db/tables/lists.ts'
import type { Tx } from '../../core/app.ts'
import { AppError, missingField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { mustHaveRoom } from '../../people/limits.ts'
import { count } from '../../people/totals.ts'
import { noteChanged } from './consent/approved-audience.ts'
import { type Change, publishContact } from './consent/contact-events.ts'
import { type Contact, findContactByEmail, findContactByUserId, getContact } from './consent/find-contact.ts'
import { type Evidence, findWithdrawnAmong, recordConsent } from './consent/ledger.ts'
import { dropSubscriptions, moveAll, planMoves, recordSubscribed } from './consent/subscriptions.ts'
import { suppressionKey } from './consent/suppression.ts'
import { type ContactFields, mergeProperties } from './fields.ts'
import { storeValues, typedProperties } from './properties.ts'

const byApi: Evidence = { method: 'api' }

/** The defaults of a new contact. */
export const blankContact = {
  userId: null,
  firstName: null,
  lastName: null,
  source: null,
  userGroup: null,
  locale: null,
  timezone: null,
  optInStatus: null,
  madeBySourceId: null,
}

export interface Upserted {
  contact: Contact
  /** The contact before the change; null when it is new. */
  before: Contact | null
}

const newContacts = toRows(getTableColumns(contacts))
const insertContacts = newContacts.adding(contacts, newContacts.each)

/**
 * Creates a contact. Throws `contact_exists` when the e-mail or the userId is in use, 422 for an unknown list. `subscribed` defaults to
 * true, except for an address that withdrew its consent earlier.
 */
export async function createContact(
  tx: Tx,
  workspaceId: string,
  fields: ContactFields,
  evidence: Evidence = byApi,
  ours: Partial<Pick<Contact, 'optInStatus' | 'madeBySourceId'>> = {},
): Promise<Contact> {
  const { email, userId } = fields
  if (email === undefined) throw missingField('email', 'a contact needs an email')
  if (await findContactByEmail(tx, workspaceId, email)) throw contactExists('email', email)
  if (userId && (await findContactByUserId(tx, workspaceId, userId))) throw contactExists('userId', userId)
  return await makeContact(tx, workspaceId, fields, evidence, ours)
}

/** Throws when a contact has its e-mail or its userId. */
async function makeContact(
  tx: Tx,
  workspaceId: string,
  fields: ContactFields,
  evidence: Evidence,
  ours: Partial<Pick<Contact, 'optInStatus' | 'madeBySourceId'>> = {},
): Promise<Contact> {
  const { email, mailingLists, properties: given, ...own } = fields
  if (email === undefined) throw missingField('email', 'a contact needs an email')
  const moves = await planMoves(tx, workspaceId, null, mailingLists)
  const properties = mergeProperties({}, await typedProperties(tx, workspaceId, given))
  const contact: Contact = {
    ...blankContact,
    ...own,
    ...ours,
    subscribed: own.subscribed ?? !(await hasWithdrawn(tx, workspaceId, email)),
    id: newId(tx, 'con', tx.now),
    workspaceId,
    email,
    emailKey: email.toLowerCase(),
    properties,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await mustHaveRoom(tx, workspaceId)
  await insertContacts(tx.db, [contact])
  await follow(tx, { before: null, after: contact }, evidence)
  await recordConsent(tx, contact, contact.subscribed ? 'granted' : 'created', null, evidence)
  await moveAll(tx, contact, moves, evidence)
  return contact
}

async function hasWithdrawn(tx: Tx, workspaceId: string, email: string): Promise<boolean> {
  return (await findWithdrawnAmong(tx, workspaceId, [suppressionKey(email)])).size > 0
}

/**
 * Updates the contact with this userId or, if there is none, with this e-mail; creates it if neither exists. With both, userId selects the
 * contact and its e-mail is changed. Throws `contact_exists` when they belong to two contacts.
 */
export async function upsertContact(
  tx: Tx,
  workspaceId: string,
  fields: ContactFields,
  evidence: Evidence = byApi,
): Promise<Upserted> {
  const { email, userId } = fields
  if (email === undefined && !userId) throw missingField('email', 'say which contact: email or userId')
  const byUser = userId ? await findContactByUserId(tx, workspaceId, userId) : null
  const byMail = email === undefined ? null : await findContactByEmail(tx, workspaceId, email)
  if (byUser && byMail && byUser.id !== byMail.id) throw contactExists('email', byMail.email)
  // The address belongs to a contact with another userId; moving it to this one would merge two people.
  if (!byUser && byMail && userId && byMail.userId !== null && byMail.userId !== userId)
    throw contactExists('email', byMail.email)
  const before = byUser ?? byMail
  if (!before) return { contact: await makeContact(tx, workspaceId, fields, evidence), before: null }
  return { contact: await changeContact(tx, before, fields, evidence), before }
}

/** Updates the contact with this id. Throws not_found, and `contact_exists` when another contact has the e-mail or the userId. */
export async function updateContact(
  tx: Tx,
  workspaceId: string,
  id: string,
  fields: ContactFields,
  evidence: Evidence,
): Promise<Contact> {
  const before = await getContact(tx, workspaceId, id)
  const { email, userId } = fields
  const byMail = email === undefined ? null : await findContactByEmail(tx, workspaceId, email)
  if (byMail && byMail.id !== id) throw contactExists('email', byMail.email)
  const byUser = userId ? await findContactByUserId(tx, workspaceId, userId) : null
  if (byUser && userId && byUser.id !== id) throw contactExists('userId', userId)
  return await changeContact(tx, before, fields, evidence)
}

/** Updates a given contact, whoever its fields name. */
export async function changeContact(
  tx: Tx,
  before: Contact,
  fields: ContactFields,
  evidence: Evidence,
): Promise<Contact> {
  const { workspaceId } = before
  const { mailingLists, properties: given, ...own } = fields
  const moves = await planMoves(tx, workspaceId, before.id, mailingLists)
  const typed = await typedProperties(tx, workspaceId, given)
  const properties = Object.keys(typed).length === 0 ? before.properties : mergeProperties(before.properties, typed)
  const contact = changed(before, { ...own, properties }, tx.now)
  if (contact !== before) {
    await tx.db.update(contacts).set(contact).where(eq(contacts.id, contact.id))
    await noteChanged(tx, before, contact)
    await follow(tx, { before, after: contact }, evidence)
  }
  await moveAll(tx, contact, moves, evidence)
  return contact
}

/** Fills in fields that are empty and leaves the others. A userId that another contact has by now is left out. */
export async function fillEmpty(
  tx: Tx,
  contact: Contact,
  { properties, ...given }: SubscriptionDetails,
  evidence: Evidence,
): Promise<Contact> {
  const own: Omit<SubscriptionDetails, 'properties'> = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value != null && contact[name as keyof typeof given] === null),
  )
  if (own.userId && (await findContactByUserId(tx, contact.workspaceId, own.userId))) delete own.userId
  const fresh = Object.entries(properties).filter(([name]) => !Object.hasOwn(contact.properties, name))
  return await changeContact(tx, contact, { ...own, properties: Object.fromEntries(fresh) }, evidence)
}

/** The contact with `change` applied; the same object when nothing changes. */
export function changed(before: Contact, change: Partial<Contact>, now: Date): Contact {
  const email = change.email ?? before.email
  const after: Contact = { ...before, ...change, email, emailKey: email.toLowerCase() }
  return Bun.deepEquals(after, before) ? before : { ...after, updatedAt: now }
}

/** Stores what an import changed; an import writes the ledger of its rows in bulk. */
export async function storeImported(tx: Tx, before: Contact, contact: Contact): Promise<void> {
  await tx.db.update(contacts).set(contact).where(eq(contacts.id, contact.id))
  await noteChanged(tx, before, contact)
  await storeValues(tx, contact, before.properties, contact.properties)
}

/** What follows from a single change, in its transaction: search rows, the total, the ledger, webhooks. */
async function follow(tx: Tx, change: Change, evidence: Evidence = byApi): Promise<void> {
  const { before, after } = change
  await storeValues(tx, after ?? before, before?.properties ?? {}, after?.properties ?? {})
  const more = Number(after !== null) - Number(before !== null)
  if (more !== 0) await count(tx, (after ?? before).workspaceId, 'contacts', more)
  if (before && after && after.subscribed !== before.subscribed) await recordSubscribed(tx, after, evidence)
  await publishContact(tx, change)
}

/** Deletes the contact and everything that belongs only to it. Its suppression and the ledger of consent stay. */
export async function deleteContact(tx: Tx, contact: Contact): Promise<void> {
  await dropSubscriptions(tx, contact.id)
  await tx.db.delete(contacts).where(eq(contacts.id, contact.id))
  await follow(tx, { before: contact, after: null })
}

/**
 * The recipient of a mail as a contact, created if unknown. Consent is not changed: a new contact is not subscribed, and an existing one
 * keeps its fields and only gets the `locale` if it has none.
 */
export async function contactOfRecipient(
  tx: Tx,
  workspaceId: string,
  { email, locale }: { email: string; locale: string | null },
  evidence: Evidence = byApi,
): Promise<Contact> {
  const known = await findContactByEmail(tx, workspaceId, email)
  if (known && (locale === null || known.locale !== null)) return known
  if (known) return (await upsertContact(tx, workspaceId, { email, locale, properties: {} }, evidence)).contact
  const fields = { email, locale, source: 'transactional', subscribed: false, properties: {} }
  return await createContact(tx, workspaceId, fields, evidence)
}

export function contactExists(path: 'email' | 'userId', value: string): AppError {
  const message = `another contact has the ${path} ${JSON.stringify(value)}`
  return new AppError('contact_exists', message, { errors: [{ path, message, code: 'contact_exists' }] })
}
