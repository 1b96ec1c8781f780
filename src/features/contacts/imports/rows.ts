// Imports a few hundred rows at a time: looked up with two queries, compared in memory, written with one statement per table. A row finds
// its contact by e-mail or, without one, by userId. Consent is never raised: a new contact is subscribed only if the row says so, a known
// one who is not subscribed stays so, and a person who left a list is not put back on it.

import { and, eq, sql } from 'drizzle-orm'
import { insertRows, oneOf } from '../../../../db/bulk.ts'
import {
  type ContactProperties,
  contacts,
  contactValues,
  type SuppressionReason,
} from '../../../../db/tables/contacts.ts'
import {
  type ConsentAction,
  consentRecords,
  type SubscriptionState,
  subscriptions,
} from '../../../../db/tables/lists.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { newId } from '../../../kit/id.ts'
import { countRoom, noRoom } from '../../../people/limits.ts'
import { count } from '../../../people/totals.ts'
import type { Contact } from '../consent/find-contact.ts'
import { consentRow, type Evidence, findWithdrawnAmong } from '../consent/ledger.ts'
import { findLists, listProblem, type MailingList } from '../consent/named-lists.ts'
import {
  actionOf,
  countOn,
  leaveAllLists,
  moveSubscription,
  newSubscription,
  type Subscription,
  stateOnJoining,
} from '../consent/subscriptions.ts'
import { findSuppressed, type Suppress, suppressionKey, suppressNew } from '../consent/suppression.ts'
import { blankContact, changed, storeImported } from '../contacts.ts'
import { type ContactFields, mergeProperties } from '../fields.ts'
import { searchText } from '../properties.ts'
import { type ConsentState, toSuppressionReason } from './consent.ts'
import type { ListState, RowEvidence } from './evidence.ts'

export interface ImportRow {
  line: number
  fields: ContactFields
  /** What the row says about consent; null: nothing. */
  says: ConsentState | null
  /** Whether the caller, not the row, said it. */
  stated: boolean
  evidence: RowEvidence
}

interface ImportCounts {
  created: number
  updated: number
  unchanged: number
  /** Rows whose consent was refused, because the person had withdrawn it or never gave it. */
  consentKept: number
  subscribed: number
  unsubscribed: number
  suppressed: number
  withoutConsent: number
}

export interface RowFault {
  line: number
  reason: string
}

export interface RowsResult extends ImportCounts {
  faults: RowFault[]
}

/** A contact that rows are about: before and after. */
interface Entry {
  before: Contact | null
  after: Contact
  /** List id -> state, of existing subscriptions and of those that the rows add. */
  held: Map<string, SubscriptionState>
  joins: Map<string, SubscriptionState>
  /** Those that the rows end. */
  quits: Map<string, 'unsubscribed' | 'rejected'>
  /** The strictest refusal of its rows. */
  leaves: 'unsubscribed' | SuppressionReason | null
  /** The caller said that they agreed; their rows did not. */
  stated: boolean
  /** Of the row that said what counts. */
  evidence: RowEvidence | null
}

/** What is loaded before the rows are processed one by one. */
interface LoadedRecords {
  byEmail: Map<string, Entry>
  byUserId: Map<string, Entry>
  /** Hashes of addresses without a contact that withdrew their consent earlier. */
  withdrawn: Set<string>
  /** Hashes of addresses that are suppressed already. */
  suppressed: Set<string>
  lists: Map<string, MailingList>
}

interface Plan {
  result: RowsResult
  entries: Entry[]
  suppressed: Set<string>
}

/** What the rows would change, without writing it. Rows are processed in order. */
export async function planRows(
  source: Reader & Pick<Tx, 'random' | 'now'>,
  { workspaceId, suppressOnly = false }: { workspaceId: string; suppressOnly?: boolean | undefined },
  rows: ImportRow[],
): Promise<Plan> {
  const records = await lookUp(source, workspaceId, rows)
  const counts = { created: 0, updated: 0, unchanged: 0, consentKept: 0 }
  const told = { subscribed: 0, unsubscribed: 0, suppressed: 0, withoutConsent: 0 }
  const result: RowsResult = { ...counts, ...told, faults: [] }
  const room = suppressOnly ? Number.POSITIVE_INFINITY : await countRoom(source, workspaceId)
  for (const row of rows) {
    const found = findOrCreateEntry(source, workspaceId, records, row.fields)
    const entry = result.created < room || isKnown(records, found) ? found : { fault: noRoom }
    const reason = 'fault' in entry ? entry.fault : listFault(records, row)
    if (reason !== null || 'fault' in entry) result.faults.push({ line: row.line, reason: reason ?? '' })
    else takeRow(records, entry, { row, result, now: source.now })
  }
  const { created } = result
  if (suppressOnly) Object.assign(result, { created: 0, unchanged: result.unchanged + created })
  return { result, entries: [...new Set(records.byEmail.values())], suppressed: records.suppressed }
}

/** The same, written. `suppressOnly`: an address that nobody knows is suppressed, and does not become a contact. */
export async function importRows(
  tx: Tx,
  { evidence, ...into }: { workspaceId: string; suppressOnly?: boolean; evidence: Evidence },
  rows: ImportRow[],
): Promise<RowsResult> {
  const { workspaceId, suppressOnly } = into
  const { result, entries, suppressed } = await planRows(tx, into, rows)
  await store(tx, workspaceId, suppressOnly ? entries.filter(({ before }) => before !== null) : entries, evidence)
  await storeSuppressions(tx, workspaceId, entries, suppressed)
  return result
}

async function lookUp(reader: Reader, workspaceId: string, rows: ImportRow[]): Promise<LoadedRecords> {
  const emails = rows.flatMap(({ fields }) => (fields.email === undefined ? [] : [fields.email.toLowerCase()]))
  const found = await findAll(reader, workspaceId, rows, emails)
  const listIds = [...new Set(rows.flatMap(namedListIds))]
  const lists = await findLists(reader, workspaceId, listIds)
  const held = lists.size === 0 ? [] : await subscriptionsOfAll(reader, found)
  const byContact = Map.groupBy(held, ({ contactId }) => contactId)
  const nothing = { withdrawn: new Set<string>(), suppressed: new Set<string>() }
  const records: LoadedRecords = { byEmail: new Map(), byUserId: new Map(), ...nothing, lists }
  for (const before of found) {
    const mine = byContact.get(before.id) ?? []
    const states = new Map(mine.map(({ mailingListId, status }) => [mailingListId, status]))
    remember(records, { before, after: before, held: states, ...untouched() })
  }
  const fresh = emails.filter((email) => !records.byEmail.has(email)).map(suppressionKey)
  if (fresh.length > 0) records.withdrawn = await findWithdrawnAmong(reader, workspaceId, fresh)
  const asked = rows.some(({ says }) => toSuppressionReason(says) !== null) ? emails.map(suppressionKey) : fresh
  if (asked.length > 0) records.suppressed = await findSuppressed(reader, workspaceId, asked)
  return records
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

async function subscriptionsOfAll(reader: Reader, found: Contact[]): Promise<Subscription[]> {
  return await reader.db
    .select()
    .from(subscriptions)
    .where(sql`${subscriptions.contactId} IN ${oneOf(found.map(({ id }) => id))}`)
}

function remember(records: LoadedRecords, entry: Entry): void {
  records.byEmail.set(entry.after.emailKey, entry)
  if (entry.after.userId !== null) records.byUserId.set(entry.after.userId, entry)
}

/** The contact of a row; a new one if there is none. */
function findOrCreateEntry(
  source: Pick<Tx, 'random' | 'now'>,
  workspaceId: string,
  records: LoadedRecords,
  { email, userId }: ContactFields,
): Entry | { fault: string } {
  const byUser = userId ? records.byUserId.get(userId) : undefined
  if (email === undefined)
    return byUser ?? { fault: userId ? 'no contact has this userId, and the row has no email' : 'has no email' }
  const byMail = records.byEmail.get(email.toLowerCase())
  if (byUser && byUser !== byMail) return { fault: 'another contact has this userId; an import changes no addresses' }
  if (userId && byMail && byMail.after.userId !== null && byMail.after.userId !== userId)
    return { fault: 'the contact with this email has another userId' }
  return byMail ?? fresh(source, workspaceId, email)
}

const isKnown = ({ byEmail }: LoadedRecords, entry: ReturnType<typeof findOrCreateEntry>) =>
  'fault' in entry || byEmail.get(entry.after.emailKey) === entry

function fresh({ random, now }: Pick<Tx, 'random' | 'now'>, workspaceId: string, email: string): Entry {
  const after: Contact = {
    ...blankContact,
    id: newId({ random }, 'con', now),
    workspaceId,
    email,
    emailKey: email.toLowerCase(),
    // The default until its row says otherwise.
    subscribed: false,
    properties: {},
    createdAt: now,
    updatedAt: now,
  }
  return { before: null, after, held: new Map(), ...untouched() }
}

const untouched = () => ({
  joins: new Map(),
  quits: new Map(),
  leaves: null,
  stated: false,
  evidence: null,
})

function namedListIds({ fields, evidence }: ImportRow): string[] {
  return [...Object.keys(fields.mailingLists ?? {}), ...evidence.lists.keys()]
}

function listFault({ lists }: LoadedRecords, row: ImportRow): string | null {
  const problems = namedListIds(row).map((id) => listProblem(lists.get(id), id))
  return problems.find((problem) => problem !== null)?.message ?? null
}

/** Applies the row's fields to its contact, in memory. */
function takeRow(
  records: LoadedRecords,
  entry: Entry,
  { row, result, now }: { row: ImportRow; result: RowsResult; now: Date },
): void {
  const { fields, says, stated, evidence } = row
  const isNew = !records.byEmail.has(entry.after.emailKey)
  const { mailingLists: wanted = {}, properties, email: _, ...own } = fields
  const subscribed = subscribedAfter(records, entry, says, isNew)
  const merged = mergeProperties(entry.after.properties, properties)
  const after = changed(entry.after, { ...own, subscribed, properties: merged }, now)
  const joins = says === 'subscribed' && subscribed
  const joined = joins ? Object.keys(wanted).map((id) => join(records, entry, id)) : []
  const mayWait = isNew ? mayAgree(records, entry) : subscribed
  for (const [id, state] of evidence.lists)
    if (state === 'left') joined.push(leave(entry, id))
    else if (state === 'active' ? joins : mayWait) joined.push(join(records, entry, id, state))
  if (stated) entry.stated = true
  const leaves = strictest(entry.leaves, says)
  if (entry.evidence === null || leaves !== entry.leaves) entry.evidence = evidence
  entry.leaves = leaves
  const isChanged = after !== entry.after || joined.includes('joined')
  entry.after = after
  remember(records, entry)
  if ((says === 'subscribed' && !subscribed) || joined.includes('kept')) result.consentKept++
  result[isNew ? 'created' : isChanged ? 'updated' : 'unchanged']++
  result[toldBy(says)]++
}

/** Consent is never raised: a known contact who is not subscribed stays so, and so does one who withdrew consent or is suppressed. */
function subscribedAfter(records: LoadedRecords, entry: Entry, says: ConsentState | null, isNew: boolean): boolean {
  if (isNew) return says === 'subscribed' && mayAgree(records, entry)
  return entry.after.subscribed && (says === null || keepsConsent.has(says))
}

function mayAgree({ withdrawn, suppressed }: LoadedRecords, { after }: Entry): boolean {
  const key = suppressionKey(after.email)
  return !withdrawn.has(key) && !suppressed.has(key)
}

/** Neither an unconfirmed opt-in elsewhere nor a bounce withdraws consent that was given here. */
const keepsConsent = new Set<ConsentState>(['subscribed', 'unconfirmed', 'hardBounce'])

function toldBy(says: ConsentState | null): 'subscribed' | 'unsubscribed' | 'suppressed' | 'withoutConsent' {
  if (toSuppressionReason(says) !== null) return 'suppressed'
  return says === 'subscribed' || says === 'unsubscribed' ? says : 'withoutConsent'
}

function strictest(before: Entry['leaves'], says: ConsentState | null): Entry['leaves'] {
  const order: Entry['leaves'][] = [null, 'unsubscribed', 'manual', 'hardBounce', 'complaint']
  const now = says === 'unsubscribed' ? says : toSuppressionReason(says)
  return order.indexOf(now) > order.indexOf(before) ? now : before
}

/** `kept`: the person left this list, or never confirmed, and their state stays. */
function join({ lists }: LoadedRecords, entry: Entry, listId: string, told?: ListState): 'joined' | 'kept' | 'there' {
  const state = entry.held.get(listId)
  if (state !== undefined) return state === 'active' || state === 'pending' ? 'there' : 'kept'
  // Who confirmed elsewhere has confirmed.
  const confirmed = told === 'active' ? 'active' : 'pending'
  const joins = told === undefined ? stateOnJoining(lists.get(listId)?.optIn ?? 'double') : confirmed
  entry.held.set(listId, joins)
  entry.joins.set(listId, joins)
  return 'joined'
}

/** Whoever left the list elsewhere is off it here, and no later import puts them on it. */
function leave(entry: Entry, listId: string): 'joined' | 'there' {
  const state = entry.held.get(listId)
  if (state !== undefined && state !== 'active' && state !== 'pending') return 'there'
  entry.held.set(listId, 'unsubscribed')
  if (state === undefined || entry.joins.has(listId)) entry.joins.set(listId, 'unsubscribed')
  else entry.quits.set(listId, state === 'active' ? 'unsubscribed' : 'rejected')
  return 'joined'
}

async function store(tx: Tx, workspaceId: string, entries: Entry[], evidence: Evidence): Promise<void> {
  const created = entries.filter(({ before }) => before === null).map(({ after }) => after)
  await insertRows(tx.db, contacts, created)
  await insertRows(tx.db, contactValues, created.flatMap(toValues))
  if (created.length > 0) await count(tx, workspaceId, 'contacts', created.length)
  for (const { before, after } of entries) if (before && after !== before) await storeImported(tx, before, after)
  await insertRows(
    tx.db,
    consentRecords,
    entries.flatMap((entry) => consentOfEntry(tx, entry, evidence)),
  )
  await storeJoins(tx, entries)
  for (const entry of entries)
    for (const [id, state] of entry.quits)
      await moveSubscription(tx, entry.after, id, state, entryEvidence(entry, evidence))
}

function toValues({ workspaceId, id, properties }: Contact) {
  const entries = Object.entries(properties satisfies ContactProperties)
  return entries.map(([name, value]) => ({ workspaceId, name, value: searchText(value), contactId: id }))
}

/** The caller's statement is proof only of consent that the caller stated. */
function entryEvidence({ stated, evidence: told }: Entry, evidence: Evidence): Evidence {
  const words = [stated ? evidence.consentText : null, told?.place].filter(Boolean).join(' ')
  const when = told?.at ? { givenAt: told.at } : {}
  return { ...evidence, consentText: words || null, ip: told?.ip ?? null, ...when }
}

function consentOfEntry(tx: Tx, entry: Entry, evidence: Evidence) {
  const { before, after, joins, leaves } = entry
  const own = ownAction(before, after, leaves)
  const proof = entryEvidence(entry, evidence)
  return [
    ...(own === null ? [] : [consentRow(tx, after, own, null, proof)]),
    ...[...joins].map(([listId, state]) => consentRow(tx, after, actionOf[state], listId, proof)),
  ]
}

/** Consent to all marketing mail. A new contact who said no is recorded as having refused. */
function ownAction(before: Contact | null, after: Contact, leaves: Entry['leaves']): ConsentAction | null {
  if (before && before.subscribed === after.subscribed) return null
  if (after.subscribed) return 'granted'
  if (leaves === 'complaint') return 'complained'
  return before || leaves === 'unsubscribed' || leaves === 'manual' ? 'withdrawn' : 'created'
}

/** Suppresses addresses whose rows say never, and ends their subscriptions. */
async function storeSuppressions(
  tx: Tx,
  workspaceId: string,
  entries: Entry[],
  suppressed: Set<string>,
): Promise<void> {
  const rows: Suppress[] = []
  for (const { before, after, leaves } of entries) {
    if (leaves === null || leaves === 'unsubscribed') continue
    const { email } = after
    if (!suppressed.has(suppressionKey(email)))
      rows.push({ email, reason: leaves, detail: 'stated in an imported file' })
    const state = leaves === 'hardBounce' ? 'bounced' : leaves === 'complaint' ? 'complained' : 'unsubscribed'
    if (before) await leaveAllLists(tx, after, { method: 'import' }, state)
  }
  await suppressNew(tx, workspaceId, rows)
}

async function storeJoins(tx: Tx, entries: Entry[]): Promise<void> {
  const counts = new Map<string, number>()
  const rows = entries.flatMap(({ after, joins }) =>
    [...joins].map(([mailingListId, status]) => {
      if (status === 'active') counts.set(mailingListId, (counts.get(mailingListId) ?? 0) + 1)
      return newSubscription(tx, after, mailingListId, status)
    }),
  )
  await insertRows(tx.db, subscriptions, rows)
  for (const [listId, change] of counts) await countOn(tx, listId, change)
}
