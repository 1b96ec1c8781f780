// What runs are about: their contacts, and the events that began them, read by lists.

import { sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { contacts } from '../../../db/tables/contacts.ts'
import { events } from '../../../db/tables/events.ts'
import type { Reader } from '../../core/app.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'

export type Event = Pick<typeof events.$inferSelect, 'id' | 'name' | 'properties'>

const contactIds = toRows({ id: contacts.id })
const findContacts = prepared((db: ReadDb) =>
  db
    .select()
    .from(contacts)
    .where(sql`id IN ${contactIds.pick('id')}`)
    .prepare(),
)

export async function loadContacts(reader: Reader, ids: string[]): Promise<Map<string, Contact>> {
  if (ids.length === 0) return new Map()
  const rows = await findContacts(reader.db).all(contactIds.given(ids.map((id) => ({ id }))))
  return new Map(rows.map((row) => [row.id, row]))
}

const eventIds = toRows({ id: events.id })
const findEvents = prepared((db: ReadDb) =>
  db
    .select({ id: events.id, name: events.name, properties: events.properties })
    .from(events)
    .where(sql`id IN ${eventIds.pick('id')}`)
    .prepare(),
)

export async function loadEvents(reader: Reader, list: { eventId: string | null }[]): Promise<Map<string, Event>> {
  const ids = [...new Set(list.flatMap(({ eventId }) => eventId ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await findEvents(reader.db).all(eventIds.given(ids.map((id) => ({ id }))))
  return new Map(rows.map((row) => [row.id, row]))
}
