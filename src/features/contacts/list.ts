// Pages of contacts. Each kind of listing seeks in its own index and never sorts or counts a large table, so a page costs the same with a
// thousand contacts and with a million. One filter at a time: combinations would need an index for each pair (see search.ts).

import { and, asc, desc, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { contacts, contactValues, type SuppressionReason } from '../../../db/tables/contacts.ts'
import { type SubscriptionState, subscriptions } from '../../../db/tables/lists.ts'
import type { Reader } from '../../core/app.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { readTotal } from '../../people/totals.ts'
import type { Contact } from './consent/find-contact.ts'
import { findList } from './consent/named-lists.ts'
import { activeLists } from './consent/subscriptions.ts'
import { findSuppressions } from './consent/suppression.ts'
import { searchKey } from './properties.ts'

export interface ContactFilter {
  /** The beginning of an address. */
  email?: string | undefined
  property?: string | undefined
  value?: string | undefined
  listId?: string | undefined
  state?: 'subscribed' | SubscriptionState | undefined
}

export interface ContactPage {
  rows: Listed[]
  total: number
  /** The cursor of this row, for the page after it. */
  idOf: (row: Listed) => string
}

export interface Listed {
  contact: Contact
  mailingListIds: string[]
}

/** One kind of listing: the rows after `after`, in its order, and their total. */
interface Listing {
  order: 'id' | 'email'
  rows(after: string | undefined, limit: number): Promise<Contact[]>
  total(): Promise<number>
}

/** A total stops counting here; for more, this number is returned. */
const maxCounted = 10_000

/** `after` is idOf() of the last row of the previous page. Throws 422 for filters that cannot be combined. */
export async function listContacts(
  reader: Reader,
  workspaceId: string,
  { after, limit, ...filter }: ContactFilter & { after: string | undefined; limit: number },
): Promise<ContactPage> {
  const listing = await chooseListing(reader, workspaceId, filter)
  const found = await listing.rows(positionIn(listing, after), limit)
  return {
    rows: await withLists(reader, found),
    total: await listing.total(),
    idOf: ({ contact }) => `${listing.order} ${listing.order === 'id' ? contact.id : contact.emailKey}`,
  }
}

export async function withLists(reader: Reader, found: Contact[]): Promise<Listed[]> {
  const ids = found.map(({ id }) => id)
  const lists = await activeLists(reader, ids)
  return found.map((contact) => ({ contact, mailingListIds: lists.get(contact.id) ?? [] }))
}

/** Why nothing is mailed to them, by id; who may be mailed is left out. */
export async function suppressedAmong(
  reader: Reader,
  workspaceId: string,
  rows: Listed[],
): Promise<Record<string, SuppressionReason>> {
  const asked = rows.map(({ contact: { email } }) => ({ workspaceId, email }))
  const reasons = await findSuppressions(reader, asked)
  return Object.fromEntries(
    rows.flatMap(({ contact }, at) => {
      const reason = reasons[at]
      return reason ? [[contact.id, reason] as const] : []
    }),
  )
}

function positionIn({ order }: Listing, after: string | undefined): string | undefined {
  if (after === undefined) return undefined
  if (!after.startsWith(`${order} `)) throw new AppError('invalid_cursor', 'cursor is not a nextCursor of this search')
  return after.slice(order.length + 1)
}

async function chooseListing(reader: Reader, workspaceId: string, filter: ContactFilter): Promise<Listing> {
  const { email, property, value, listId, state } = filter
  const given = [email, property ?? value, listId ?? state].filter((one) => one !== undefined)
  if (given.length > 1)
    throw invalidField('', 'search by one of: email, property with value, listId with state', 'too_many_filters')
  if (email !== undefined) return byEmail(reader, workspaceId, email)
  if (property !== undefined || value !== undefined) return await byProperty(reader, workspaceId, { property, value })
  if (listId !== undefined) return await byList(reader, workspaceId, listId, state ?? 'active')
  return state === undefined ? everybody(reader, workspaceId) : byState(reader, workspaceId, state)
}

/** Newest first. */
function everybody(reader: Reader, workspaceId: string): Listing {
  return {
    order: 'id',
    rows: (after, limit) => contactsWhere(reader, eq(contacts.workspaceId, workspaceId), after, limit),
    total: () => readTotal(reader, workspaceId, 'contacts'),
  }
}

/** In alphabetical order. Addresses are ASCII, so those with a prefix lie between the prefix and the prefix followed by DEL. */
function byEmail(reader: Reader, workspaceId: string, email: string): Listing {
  const prefix = email.toLowerCase()
  const matching = and(
    eq(contacts.workspaceId, workspaceId),
    gte(contacts.emailKey, prefix),
    lt(contacts.emailKey, `${prefix}\x7f`),
  )
  return {
    order: 'email',
    rows: async (after, limit) =>
      await reader.db
        .select()
        .from(contacts)
        .where(and(matching, after === undefined ? undefined : gt(contacts.emailKey, after)))
        .orderBy(asc(contacts.emailKey))
        .limit(limit),
    total: () => countSome(reader, sql`SELECT 1 FROM contacts WHERE ${matching}`),
  }
}

async function byProperty(
  reader: Reader,
  workspaceId: string,
  { property, value }: Pick<ContactFilter, 'property' | 'value'>,
): Promise<Listing> {
  const matching = await matchProperty(reader, workspaceId, { property, value })
  return {
    order: 'id',
    rows: async (after, limit) => {
      const rows = await reader.db
        .select({ contact: contacts })
        .from(contactValues)
        .innerJoin(contacts, eq(contacts.id, contactValues.contactId))
        .where(and(matching, after === undefined ? undefined : lt(contactValues.contactId, after)))
        .orderBy(desc(contactValues.contactId))
        .limit(limit)
      return rows.map(({ contact }) => contact)
    },
    total: () => countSome(reader, sql`SELECT 1 FROM contact_values WHERE ${matching}`),
  }
}

async function byList(
  reader: Reader,
  workspaceId: string,
  listId: string,
  state: 'subscribed' | SubscriptionState,
): Promise<Listing> {
  const { list, status, matching } = await matchList(reader, workspaceId, listId, state)
  return {
    order: 'id',
    rows: async (after, limit) => {
      const rows = await reader.db
        .select({ contact: contacts })
        .from(subscriptions)
        .innerJoin(contacts, eq(contacts.id, subscriptions.contactId))
        .where(and(matching, after === undefined ? undefined : lt(subscriptions.contactId, after)))
        .orderBy(desc(subscriptions.contactId))
        .limit(limit)
      return rows.map(({ contact }) => contact)
    },
    total: async () =>
      status === 'active'
        ? list.contactCount
        : await countSome(reader, sql`SELECT 1 FROM ${subscriptions} WHERE ${matching}`),
  }
}

function byState(reader: Reader, workspaceId: string, state: 'subscribed' | SubscriptionState): Listing {
  const matching = and(eq(contacts.workspaceId, workspaceId), toStateOnList(state))
  return {
    order: 'id',
    rows: (after, limit) => contactsWhere(reader, matching, after, limit),
    total: () => countSome(reader, sql`SELECT 1 FROM ${contacts} WHERE ${matching}`),
  }
}

/** Of the values of properties. Throws 422. */
export async function matchProperty(
  reader: Reader,
  workspaceId: string,
  { property, value }: Pick<ContactFilter, 'property' | 'value'>,
): Promise<SQL> {
  if (property === undefined) throw invalidField('property', 'is required with value')
  if (value === undefined) throw invalidField('value', 'is required with property')
  const key = await searchKey(reader, workspaceId, property, value)
  const { workspaceId: workspace, name } = contactValues
  return sql`(${and(eq(workspace, workspaceId), eq(name, property), eq(contactValues.value, key))})`
}

/** Of the subscriptions to a list. Throws 422. */
export async function matchList(
  reader: Reader,
  workspaceId: string,
  listId: string,
  state: 'subscribed' | SubscriptionState,
) {
  const status = state === 'subscribed' ? 'active' : state
  const list = await findList(reader, workspaceId, listId)
  if (!list) throw invalidField('listId', 'there is no such mailing list', 'unknown_list')
  const matching = sql`(${and(eq(subscriptions.mailingListId, listId), eq(subscriptions.status, status))})`
  return { list, status, matching }
}

/** What a state means for a contact without a list. `of`: the contacts by the name that the query gives them. */
export function toStateOnList(
  state: 'subscribed' | SubscriptionState,
  { subscribed, optInStatus }: Record<'subscribed' | 'optInStatus', SQLiteColumn> = contacts,
): SQL {
  if (state === 'subscribed') return eq(subscribed, true)
  if (state === 'unsubscribed') return eq(subscribed, false)
  if (state === 'pending' || state === 'rejected') return eq(optInStatus, state)
  throw invalidField('state', `${state} is a subscription state: give listId too`)
}

async function contactsWhere(reader: Reader, matching: SQL | undefined, after: string | undefined, limit: number) {
  return await reader.db
    .select()
    .from(contacts)
    .where(and(matching, after === undefined ? undefined : lt(contacts.id, after)))
    .orderBy(desc(contacts.id))
    .limit(limit)
}

async function countSome(reader: Reader, some: SQL): Promise<number> {
  const [row] = await reader.db.all<{ total: number }>(
    sql`SELECT count(*) AS total FROM (${some} LIMIT ${maxCounted}) AS some`,
  )
  return row?.total ?? 0
}

/** All contacts of a workspace in the order of their ids, for work on everybody. */
export async function contactsAfter(
  reader: Reader,
  workspaceId: string,
  { after, limit }: { after: string; limit: number },
): Promise<Listed[]> {
  const rows = await reader.db
    .select()
    .from(contacts)
    .where(and(eq(contacts.workspaceId, workspaceId), gt(contacts.id, after)))
    .orderBy(asc(contacts.id))
    .limit(limit)
  return await withLists(reader, rows)
}
