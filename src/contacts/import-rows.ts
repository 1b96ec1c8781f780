// A few hundred rows of a file at a time: found with two questions to the database, compared in memory, written with one statement
// for each table. A row finds its contact by e-mail or, without one, by userId. An import never upgrades consent: who is not
// subscribed stays so, and somebody who left a list is not put back on it.

import { and, eq, inArray, sql } from 'drizzle-orm'
import { insertRows, oneOf } from '../../db/bulk.ts'
import { type ContactProperties, contacts, contactValues } from '../../db/tables/contacts.ts'
import { consentRecords, mailingLists, type SubscriptionState, subscriptions } from '../../db/tables/lists.ts'
import type { Reader, Tx } from '../app.ts'
import { newId } from '../lib/id.ts'
import { suppressionKey } from '../suppression/suppression.ts'
import { count } from '../workspaces/totals.ts'
import { consentRow, type Evidence, withdrawnOf } from './consent.ts'
import { blankContact, type Contact, changed, storeImported } from './contacts.ts'
import { type ContactFields, mergeProperties } from './fields.ts'
import { searchText } from './properties.ts'
import { countOn, type MailingList, type Subscription } from './subscriptions.ts'

export interface ImportRow {
  line: number
  fields: ContactFields
}

interface ImportCounts {
  created: number
  updated: number
  unchanged: number
  /** Rows that asked for consent that the person took back, or never gave, and did not get it. */
  consentKept: number
}

export interface RowFault {
  line: number
  reason: string
}

export interface RowsResult extends ImportCounts {
  faults: RowFault[]
}

/** A contact that rows are about: as it is, and as it will be. */
interface Entry {
  before: Contact | null
  after: Contact
  /** List id -> state; of existing subscriptions, and of those that the rows add. */
  held: Map<string, SubscriptionState>
  joins: Map<string, SubscriptionState>
  granted: boolean
}

/** Everything that is known before the rows are looked at one by one. */
interface Known {
  byEmail: Map<string, Entry>
  byUserId: Map<string, Entry>
  /** Hashes of addresses without a contact whose consent was taken back earlier. */
  withdrawn: Set<string>
  lists: Map<string, MailingList>
}

const evidence: Evidence = { method: 'import' }

/** Everything but `dryRun` is as it would be; with it nothing is written. Rows are taken in their order. */
export async function importRows(
  tx: Tx,
  { workspaceId, dryRun }: { workspaceId: string; dryRun: boolean },
  rows: ImportRow[],
): Promise<RowsResult> {
  const known = await lookUp(tx, workspaceId, rows)
  const result: RowsResult = { created: 0, updated: 0, unchanged: 0, consentKept: 0, faults: [] }
  for (const { line, fields } of rows) {
    const entry = entryOf(tx, workspaceId, known, fields)
    const reason = 'fault' in entry ? entry.fault : listFault(known, fields)
    if (reason !== null || 'fault' in entry) result.faults.push({ line, reason: reason ?? '' })
    else takeRow(tx, known, entry, { fields, result })
  }
  if (!dryRun) await store(tx, workspaceId, [...new Set(known.byEmail.values())])
  return result
}

async function lookUp(tx: Tx, workspaceId: string, rows: ImportRow[]): Promise<Known> {
  const emails = rows.flatMap(({ fields }) => (fields.email === undefined ? [] : [fields.email.toLowerCase()]))
  const found = await findAll(tx, workspaceId, rows, emails)
  const lists = await listsOf(tx, workspaceId, rows)
  const held = lists.size === 0 ? [] : await subscriptionsOfAll(tx, found)
  const known: Known = { byEmail: new Map(), byUserId: new Map(), withdrawn: new Set(), lists }
  const byContact = Map.groupBy(held, ({ contactId }) => contactId)
  for (const before of found) {
    const mine = byContact.get(before.id) ?? []
    const states = new Map(mine.map(({ mailingListId, status }) => [mailingListId, status]))
    remember(known, { before, after: before, held: states, joins: new Map(), granted: false })
  }
  const fresh = emails.filter((email) => !known.byEmail.has(email))
  if (fresh.length > 0) known.withdrawn = await withdrawnOf(tx, workspaceId, fresh.map(suppressionKey))
  return known
}

async function findAll(reader: Reader, workspaceId: string, rows: ImportRow[], emails: string[]): Promise<Contact[]> {
  const userIds = rows.flatMap(({ fields }) => fields.userId ?? [])
  const mine = eq(contacts.workspaceId, workspaceId)
  const byEmail = await reader.db
    .select()
    .from(contacts)
    .where(and(mine, sql`${contacts.emailKey} IN ${oneOf(emails)}`))
  if (userIds.length === 0) return byEmail
  const byUserId = await reader.db
    .select()
    .from(contacts)
    .where(and(mine, sql`${contacts.userId} IS NOT NULL`, sql`${contacts.userId} IN ${oneOf(userIds)}`))
  const seen = new Set(byEmail.map(({ id }) => id))
  return [...byEmail, ...byUserId.filter(({ id }) => !seen.has(id))]
}

async function listsOf(reader: Reader, workspaceId: string, rows: ImportRow[]): Promise<Map<string, MailingList>> {
  const ids = [...new Set(rows.flatMap(({ fields }) => Object.keys(fields.mailingLists ?? {})))]
  if (ids.length === 0) return new Map()
  const found = await reader.db
    .select()
    .from(mailingLists)
    .where(and(eq(mailingLists.workspaceId, workspaceId), inArray(mailingLists.id, ids)))
  return new Map(found.map((list) => [list.id, list]))
}

async function subscriptionsOfAll(reader: Reader, found: Contact[]): Promise<Subscription[]> {
  return await reader.db
    .select()
    .from(subscriptions)
    .where(sql`${subscriptions.contactId} IN ${oneOf(found.map(({ id }) => id))}`)
}

function remember(known: Known, entry: Entry): void {
  known.byEmail.set(entry.after.emailKey, entry)
  if (entry.after.userId !== null) known.byUserId.set(entry.after.userId, entry)
}

/** Whom a row is about; somebody new if nobody. */
function entryOf(
  tx: Tx,
  workspaceId: string,
  known: Known,
  { email, userId }: ContactFields,
): Entry | { fault: string } {
  const byUser = userId ? known.byUserId.get(userId) : undefined
  if (email === undefined)
    return byUser ?? { fault: userId ? 'no contact has this userId, and the row has no email' : 'has no email' }
  const byMail = known.byEmail.get(email.toLowerCase())
  if (byUser && byUser !== byMail) return { fault: 'another contact has this userId; an import changes no addresses' }
  if (userId && byMail && byMail.after.userId !== null && byMail.after.userId !== userId)
    return { fault: 'the contact with this email has another userId' }
  return byMail ?? fresh(tx, workspaceId, email)
}

function fresh(tx: Tx, workspaceId: string, email: string): Entry {
  const after: Contact = {
    ...blankContact,
    id: newId(tx, 'con', tx.now),
    workspaceId,
    email,
    emailKey: email.toLowerCase(),
    subscribed: true,
    properties: {},
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  return { before: null, after, held: new Map(), joins: new Map(), granted: false }
}

function listFault({ lists }: Known, { mailingLists: wanted = {} }: ContactFields): string | null {
  for (const id of Object.keys(wanted)) {
    const list = lists.get(id)
    if (!list) return `there is no mailing list ${JSON.stringify(id.slice(0, 100))}`
    if (list.status === 'archived') return `the mailing list ${JSON.stringify(id)} is archived`
  }
  return null
}

/** Puts the row's fields on its contact, in memory. */
function takeRow(
  tx: Tx,
  known: Known,
  entry: Entry,
  { fields, result }: { fields: ContactFields; result: RowsResult },
): void {
  const isNew = !known.byEmail.has(entry.after.emailKey)
  const { mailingLists: wanted = {}, properties, email: _, ...own } = fields
  const consent = consentAfter(known, entry, fields.subscribed, isNew)
  const joined = Object.keys(wanted).map((id) => join(known, entry, id))
  const after = changed(
    entry.after,
    { ...own, subscribed: consent.subscribed, properties: mergeProperties(entry.after.properties, properties) },
    tx.now,
  )
  const isChanged = after !== entry.after || joined.includes('joined')
  entry.after = after
  remember(known, entry)
  if (consent.kept || joined.includes('kept')) result.consentKept++
  result[isNew ? 'created' : isChanged ? 'updated' : 'unchanged']++
}

function consentAfter(
  { withdrawn }: Known,
  entry: Entry,
  wanted: boolean | undefined,
  isNew: boolean,
): { subscribed: boolean; kept: boolean } {
  const may = isNew ? !withdrawn.has(suppressionKey(entry.after.email)) : entry.after.subscribed
  if (isNew && wanted === true && may) entry.granted = true
  return { subscribed: may && wanted !== false, kept: wanted === true && !may }
}

/** `kept`: the person left this list, or was never confirmed, and stays where they are. */
function join({ lists }: Known, entry: Entry, listId: string): 'joined' | 'kept' | 'there' {
  const state = entry.held.get(listId)
  if (state !== undefined) return state === 'active' || state === 'pending' ? 'there' : 'kept'
  const joins = lists.get(listId)?.optIn === 'single' ? 'active' : 'pending'
  entry.held.set(listId, joins)
  entry.joins.set(listId, joins)
  return 'joined'
}

async function store(tx: Tx, workspaceId: string, entries: Entry[]): Promise<void> {
  const created = entries.filter(({ before }) => before === null).map(({ after }) => after)
  await insertRows(tx.db, contacts, created)
  await insertRows(tx.db, contactValues, created.flatMap(valuesOf))
  if (created.length > 0) await count(tx, workspaceId, 'contacts', created.length)
  for (const { before, after } of entries) if (before && after !== before) await storeImported(tx, before, after)
  await insertRows(
    tx.db,
    consentRecords,
    entries.flatMap((entry) => consentOfEntry(tx, entry)),
  )
  await storeJoins(tx, entries)
}

function valuesOf({ workspaceId, id, properties }: Contact) {
  const entries = Object.entries(properties satisfies ContactProperties)
  return entries.map(([name, value]) => ({ workspaceId, name, value: searchText(value), contactId: id }))
}

function consentOfEntry(tx: Tx, { before, after, joins, granted }: Entry) {
  const own = granted && after.subscribed ? 'granted' : before?.subscribed && !after.subscribed ? 'withdrawn' : null
  return [
    ...(own === null ? [] : [consentRow(tx, after, own, null, evidence)]),
    ...[...joins].map(([listId, state]) =>
      consentRow(tx, after, state === 'active' ? 'granted' : 'requested', listId, evidence),
    ),
  ]
}

async function storeJoins(tx: Tx, entries: Entry[]): Promise<void> {
  const counts = new Map<string, number>()
  const rows = entries.flatMap(({ after, joins }) =>
    [...joins].map(([mailingListId, status]): Subscription => {
      if (status === 'active') counts.set(mailingListId, (counts.get(mailingListId) ?? 0) + 1)
      return {
        id: newId(tx, 'sub', tx.now),
        workspaceId: after.workspaceId,
        contactId: after.id,
        mailingListId,
        status,
        sourceId: null,
        details: null,
        confirmedAt: status === 'active' ? tx.now : null,
        createdAt: tx.now,
        updatedAt: tx.now,
      }
    }),
  )
  await insertRows(tx.db, subscriptions, rows)
  for (const [listId, change] of counts) await countOn(tx, listId, change)
}
