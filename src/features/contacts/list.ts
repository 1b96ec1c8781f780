// Pages of contacts. Each kind of listing seeks in its own index and never sorts or counts a large table, so a page costs the same with a
// thousand contacts and with a million. One filter at a time: combinations would need an index for each pair (see search.ts).

import { and, asc, eq, gt, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { contacts, contactValues, type SuppressionReason } from '../../../db/tables/contacts.ts'
import { type SubscriptionState, subscriptions } from '../../../db/tables/lists.ts'
import type { Reader } from '../../core/app.ts'
import { type Sort, type Sorting, sortingOf } from '../../core/http/sorting.ts'
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

export const contactOrders = {
  first: '-createdAt',
  named: {
    createdAt: { key: { column: contacts.id, of: ({ id }: Contact) => id } },
    email: { key: { column: contacts.emailKey, of: ({ emailKey }: Contact) => emailKey } },
  },
} as const
export type ContactSort = Sort<keyof typeof contactOrders.named>

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

/** One kind of listing: the rows behind a place, in its order, and their total. */
interface Listing {
  by: 'id' | 'email'
  sorting: Sorting<Contact>
  rows(after: string | undefined, limit: number): Promise<Contact[]>
  total(): Promise<number>
}

/** A total stops counting here; for more, this number is returned. */
const maxCounted = 10_000

/** `after` is idOf() of the last row of the previous page. Throws 422 for filters that cannot be combined. */
export async function listContacts(
  reader: Reader,
  workspaceId: string,
  {
    after,
    limit,
    sort,
    ...filter
  }: ContactFilter & { sort?: ContactSort | undefined; after: string | undefined; limit: number },
): Promise<ContactPage> {
  const listing = await chooseListing(reader, workspaceId, filter, sort)
  const found = await listing.rows(positionIn(listing, after), limit)
  return {
    rows: await withLists(reader, found),
    total: await listing.total(),
    idOf: ({ contact }) => `${listing.by} ${listing.sorting.placeOf(contact)}`,
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

function positionIn({ by }: Listing, after: string | undefined): string | undefined {
  if (after === undefined) return undefined
  if (!after.startsWith(`${by} `))
    throw new AppError('invalid_cursor', 'cursor is not a nextCursor of this search in this order')
  return after.slice(by.length + 1)
}

/** By the id of the contacts, as the index of a listing has it. Throws 422. */
function byId(column: SQLiteColumn, sort: ContactSort | undefined): Pick<Listing, 'by' | 'sorting'> {
  refuseAddress(sort)
  const createdAt = { key: { ...contactOrders.named.createdAt.key, column } }
  return { by: 'id', sorting: sortingOf({ ...contactOrders, named: { ...contactOrders.named, createdAt } }, sort) }
}

function byAddress(sort: ContactSort | undefined): Pick<Listing, 'by' | 'sorting'> {
  if (sort?.endsWith('createdAt'))
    throw invalidField(
      'sort',
      'must be email or -email with email: addresses are looked up in their order',
      'contradiction',
    )
  return { by: 'email', sorting: sortingOf({ ...contactOrders, first: 'email' }, sort) }
}

/** Throws 422: no index has the addresses of some contacts in their order. */
export function refuseAddress(sort: ContactSort | undefined): void {
  if (!sort?.endsWith('email')) return
  throw invalidField('sort', 'must be createdAt or -createdAt with other filters than email', 'contradiction')
}

async function chooseListing(
  reader: Reader,
  workspaceId: string,
  filter: ContactFilter,
  sort: ContactSort | undefined,
): Promise<Listing> {
  const { email, property, value, listId, state } = filter
  const given = [email, property ?? value, listId ?? state].filter((one) => one !== undefined)
  if (given.length > 1)
    throw invalidField('', 'search by one of: email, property with value, listId with state', 'too_many_filters')
  if (email !== undefined) return byEmail(reader, workspaceId, email, sort)
  if (property !== undefined || value !== undefined)
    return await byProperty(reader, workspaceId, { property, value, sort })
  if (listId !== undefined) return await byList(reader, workspaceId, { listId, state: state ?? 'active', sort })
  return state === undefined ? everybody(reader, workspaceId, sort) : byState(reader, workspaceId, state, sort)
}

function everybody(reader: Reader, workspaceId: string, sort: ContactSort | undefined): Listing {
  const order = sort?.endsWith('email') ? byAddress(sort) : byId(contacts.id, sort)
  return {
    ...order,
    rows: contactsWhere(reader, eq(contacts.workspaceId, workspaceId), order.sorting),
    total: () => readTotal(reader, workspaceId, 'contacts'),
  }
}

/** Addresses are ASCII, so those with a prefix lie between the prefix and the prefix followed by DEL. */
function byEmail(reader: Reader, workspaceId: string, email: string, sort: ContactSort | undefined): Listing {
  const order = byAddress(sort)
  const prefix = email.toLowerCase()
  const matching = and(
    eq(contacts.workspaceId, workspaceId),
    gte(contacts.emailKey, prefix),
    lt(contacts.emailKey, `${prefix}\x7f`),
  )
  return {
    ...order,
    rows: contactsWhere(reader, matching, order.sorting),
    total: () => countSome(reader, sql`SELECT 1 FROM contacts WHERE ${matching}`),
  }
}

async function byProperty(
  reader: Reader,
  workspaceId: string,
  { property, value, sort }: Pick<ContactFilter, 'property' | 'value'> & { sort: ContactSort | undefined },
): Promise<Listing> {
  const order = byId(contactValues.contactId, sort)
  const matching = await matchProperty(reader, workspaceId, { property, value })
  return {
    ...order,
    rows: async (after, limit) => {
      const rows = await reader.db
        .select({ contact: contacts })
        .from(contactValues)
        .innerJoin(contacts, eq(contacts.id, contactValues.contactId))
        .where(and(matching, order.sorting.beyond(after)))
        .orderBy(order.sorting.order)
        .limit(limit)
      return rows.map(({ contact }) => contact)
    },
    total: () => countSome(reader, sql`SELECT 1 FROM contact_values WHERE ${matching}`),
  }
}

async function byList(
  reader: Reader,
  workspaceId: string,
  { listId, state, sort }: { listId: string; state: 'subscribed' | SubscriptionState; sort: ContactSort | undefined },
): Promise<Listing> {
  const order = byId(subscriptions.contactId, sort)
  const { list, status, matching } = await matchList(reader, workspaceId, listId, state)
  return {
    ...order,
    rows: async (after, limit) => {
      const rows = await reader.db
        .select({ contact: contacts })
        .from(subscriptions)
        .innerJoin(contacts, eq(contacts.id, subscriptions.contactId))
        .where(and(matching, order.sorting.beyond(after)))
        .orderBy(order.sorting.order)
        .limit(limit)
      return rows.map(({ contact }) => contact)
    },
    total: async () =>
      status === 'active'
        ? list.contactCount
        : await countSome(reader, sql`SELECT 1 FROM ${subscriptions} WHERE ${matching}`),
  }
}

function byState(
  reader: Reader,
  workspaceId: string,
  state: 'subscribed' | SubscriptionState,
  sort: ContactSort | undefined,
): Listing {
  const order = byId(contacts.id, sort)
  const matching = and(eq(contacts.workspaceId, workspaceId), toStateOnList(state))
  return {
    ...order,
    rows: contactsWhere(reader, matching, order.sorting),
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

function contactsWhere(
  reader: Reader,
  matching: SQL | undefined,
  { order, beyond }: Sorting<Contact>,
): Listing['rows'] {
  return async (after, limit) =>
    await reader.db
      .select()
      .from(contacts)
      .where(and(matching, beyond(after)))
      .orderBy(order)
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
