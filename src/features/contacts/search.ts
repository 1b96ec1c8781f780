// Searches contacts by a text, or by several conditions at once, newest or oldest first. No index can answer such a combination, so the search walks
// through an index that contains every searched column. A request walks past a limited number of contacts and returns where the next one
// continues.

import { and, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { oneOf } from '../../../db/bulk.ts'
import { contacts, contactValues } from '../../../db/tables/contacts.ts'
import { subscriptions } from '../../../db/tables/lists.ts'
import type { Reader } from '../../core/app.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { nextTurn } from '../../kit/turn.ts'
import type { Contact } from './consent/find-contact.ts'
import {
  type ContactFilter,
  type ContactSort,
  type Listed,
  matchList,
  matchProperty,
  refuseAddress,
  toStateOnList,
  withLists,
} from './list.ts'

export interface ContactSearch extends ContactFilter {
  /** Words, each a part of the address, of a name, or of the caller's id. */
  q?: string | undefined
  /** Whether the address is on the suppression list. */
  suppressed?: boolean | undefined
  /** A condition on a contact that is called `c`. */
  where?: SQL | undefined
  /** Default: newest first. */
  sort?: ContactSort | undefined
  /** Only those in this segment; it is known who is. */
  among?: { id: string; members: number } | undefined
}

export interface SearchPage {
  rows: Listed[]
  /** Found so far, on this page and those before it. */
  total: number
  /** Where the next page goes on; null at the end. */
  next: string | null
  idOf: (row: Listed) => string
}

/** One request walks past so many contacts. */
const mostWalked = 100_000
const walkedAtOnce = 10_000
const maxWords = 8

const contactRow = alias(contacts, 'c')

/** Whether it is more than one condition that has an index of its own. */
export function isSearch({ q, property, value, listId, state, suppressed, where, among }: ContactSearch): boolean {
  const several = (property ?? value) !== undefined && (listId ?? state) !== undefined
  return several || [q, suppressed, where, among].some((one) => one !== undefined)
}

/** `after` is `next` of the page before. Throws 422, and 400 for a cursor of something else. */
export async function searchContacts(
  reader: Reader,
  workspaceId: string,
  { after, limit, ...search }: ContactSearch & { after: string | undefined; limit: number },
): Promise<SearchPage> {
  refuseAddress(search.sort)
  const way = search.sort === 'createdAt' ? up : down
  const walk = { ...pathOf(workspaceId, search.among), way, wanted: await wantedIn(reader, workspaceId, search) }
  const place = placeIn(after, way)
  const found: Contact[] = []
  let at: string | null = place.at
  for (let walked = 0; at !== null && walked < mostWalked && found.length <= limit; walked += walkedAtOnce) {
    await nextTurn(workspaceId)
    const end = await findEnd(reader, walk, at)
    // One more tells whether there is a next page.
    found.push(...(await wantedUntil(reader, walk, { at, end: end ?? way.last, limit: limit + 1 - found.length })))
    at = end
  }
  const shown = found.slice(0, limit)
  if (found.length > limit) at = shown.at(-1)?.id ?? null
  const counted = place.found + shown.length
  return {
    rows: await withLists(reader, shown),
    // Of everybody in a segment it is known how many they are.
    total: walk.wanted === undefined && search.among ? search.among.members : counted,
    next: at === null ? null : `${way.name} ${counted} ${at}`,
    idOf: ({ contact }) => contact.id,
  }
}

/** The conditions on a contact, those first that the index answers. Throws 422. */
async function wantedIn(reader: Reader, workspaceId: string, search: ContactSearch): Promise<SQL | undefined> {
  const { q, email, property, value, listId, state, suppressed, where } = search
  if (email !== undefined)
    throw invalidField('email', 'email cannot be combined with other filters: use q instead', 'too_many_filters')
  const conditions = searchWords(q ?? '').map(hasWord)
  if (suppressed !== undefined) conditions.push(suppressed ? isSuppressed : sql`NOT ${isSuppressed}`)
  if (listId !== undefined) {
    const { matching } = await matchList(reader, workspaceId, listId, state ?? 'active')
    conditions.push(sql`EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${matching} AND contact_id = c.id)`)
  } else if (state !== undefined) conditions.push(toStateOnList(state, contactRow))
  if ((property ?? value) !== undefined) {
    const matching = await matchProperty(reader, workspaceId, { property, value })
    conditions.push(sql`EXISTS (SELECT 1 FROM ${contactValues} WHERE ${matching} AND contact_id = c.id)`)
  }
  return and(...conditions, where)
}

const isSuppressed = sql`EXISTS (SELECT 1 FROM suppressions AS held
  WHERE held.workspace_id = c.workspace_id AND held.email = c.email_key)`

/** Throws 422. */
function searchWords(q: string): string[] {
  const words = q.split(/\s+/).filter((word) => word !== '')
  if (words.length > maxWords) throw invalidField('q', `q has ${words.length} words, at most ${maxWords} are allowed`)
  return words
}

/** In any letter case: LIKE is quick and knows that of ASCII, of which addresses are; GLOB has sets of letters. */
function hasWord(word: string): SQL {
  const isAscii = /^\p{ASCII}*$/u.test(word)
  const has = /^[^%_\P{ASCII}]*$/u.test(word)
    ? sql`LIKE ${`%${word}%`}`
    : sql`GLOB ${`*${[...word].map(eitherCase).join('')}*`}`
  const inNames = sql`c.first_name ${has} OR c.last_name ${has} OR c.user_id ${has}`
  return isAscii ? sql`(c.email_key ${has} OR ${inNames})` : sql`(${inNames})`
}

function eitherCase(letter: string): string {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
  if (lower !== upper && [...lower, ...upper].length === 2) return `[${lower}${upper}]`
  return /[*?[]/.test(letter) ? `[${letter}]` : letter
}

/** Before every id, and after. */
const [least, most] = ['', '\x7f']

/** Through the ids: from the newest to the oldest, or back. `name`: what its cursors begin with. */
const down = { name: 'search', first: most, last: least, order: sql`DESC`, behind: sql`<`, until: sql`>=` }
const up = { name: 'search-up', first: least, last: most, order: sql`ASC`, behind: sql`>`, until: sql`<=` }

/** Throws 400. */
function placeIn(after: string | undefined, { name, first }: Walk['way']): { found: number; at: string } {
  if (after === undefined) return { found: 0, at: first }
  const [, its, found, at = ''] = /^(\S+) (\d+) (.+)$/.exec(after) ?? []
  if (its !== name) throw new AppError('invalid_cursor', 'cursor is not a nextCursor of this search in this order')
  return { found: Number(found), at }
}

/** Where a walk goes: `rows`, each with a contact `c`, in the order of `id`. */
interface Path {
  rows: SQL
  /** The same without the contacts. */
  steps: SQL
  isOn: SQL
  id: SQL
}

interface Walk extends Path {
  way: typeof down
  wanted: SQL | undefined
}

function pathOf(workspaceId: string, among: ContactSearch['among']): Path {
  // Named, because the planner would prefer an index that holds less of what is asked.
  const everybody = sql`contacts AS c INDEXED BY contacts_search`
  if (!among) return { rows: everybody, steps: everybody, isOn: sql`c.workspace_id = ${workspaceId}`, id: sql`c.id` }
  const members = sql`segment_members AS m`
  return {
    rows: sql`${members} CROSS JOIN contacts AS c ON c.id = m.contact_id`,
    steps: members,
    isOn: sql`m.segment_id = ${among.id}`,
    id: sql`m.contact_id`,
  }
}

/** The last of the next few behind `at`; null where they reach the end. */
async function findEnd(reader: Reader, { steps, isOn, id, way }: Walk, at: string): Promise<string | null> {
  const [row] = await reader.db.all<{ id: string }>(
    sql`SELECT ${id} AS id FROM ${steps} WHERE ${isOn} AND ${id} ${way.behind} ${at}
      ORDER BY ${id} ${way.order} LIMIT 1 OFFSET ${walkedAtOnce - 1}`,
  )
  return row?.id ?? null
}

async function wantedUntil(
  reader: Reader,
  { rows: walked, isOn, id, way, wanted = sql`1` }: Walk,
  { at, end, limit }: { at: string; end: string; limit: number },
): Promise<Contact[]> {
  const rows = await reader.db.all<{ id: string }>(
    sql`SELECT c.id FROM ${walked} WHERE ${isOn} AND ${id} ${way.behind} ${at} AND ${id} ${way.until} ${end} AND ${wanted}
      ORDER BY ${id} ${way.order} LIMIT ${limit}`,
  )
  if (rows.length === 0) return []
  const ids = oneOf(rows.map(({ id }) => id))
  return await reader.db.select().from(contacts).where(sql`${contacts.id} IN ${ids}`).orderBy(sql`id ${way.order}`)
}
