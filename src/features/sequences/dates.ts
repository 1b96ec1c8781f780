// Sequences that begin with a date of the contact, once or each year: a birthday, three days before a renewal. Each day is looked at once, a
// day ahead, so that a run waits for its morning in every zone; the index of property values finds who is meant.

import { and, eq, sql } from 'drizzle-orm'
import { oneOf } from '../../../db/bulk.ts'
import { contacts, contactValues } from '../../../db/tables/contacts.ts'
import { type Definition, sequences } from '../../../db/tables/sequences.ts'
import { type App, type Reader, Steps } from '../../core/app.ts'
import { defineJob } from '../../core/outbox/job.ts'
import { day, minute } from '../../kit/duration.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { type Beginning, beginRuns } from './begin.ts'
import { loadDefinitions, type Sequence, versionKey } from './versions.ts'

/** After a longer absence, earlier days are not made up for. */
const maxDaysBehind = 7
/** Years in which somebody may have been born, or a contract begun. */
const firstYear = 1900
const peoplePerStep = { least: 10, most: 250 }

export const sequenceDatesJob = defineJob<Record<string, never>>({
  kind: 'sequence.dates',
  lane: 'maintenance',
  timeoutMs: 30 * minute,
  attemptsMax: 3,
  retryDelaysMs: [5 * minute],
  async run(app, _job, { signal }) {
    for (const sequence of await listByDate(app)) await catchUp(app, sequence, signal)
    return { outcome: 'done' }
  },
})

export type DateStart = Extract<NonNullable<Definition['start']>, { date: string }>
type ByDate = Sequence & { definition: Definition; start: DateStart }

async function listByDate(reader: Reader): Promise<ByDate[]> {
  const rows = await reader.db.select().from(sequences).where(eq(sequences.state, 'active'))
  const published = rows.flatMap(({ id: sequenceId, version }) => (version === null ? [] : [{ sequenceId, version }]))
  const definitions = await loadDefinitions(reader, published)
  return rows.flatMap((row) => {
    const definition = definitions.get(versionKey(row.id, row.version ?? 0))
    return definition?.start && 'date' in definition.start ? [{ ...row, definition, start: definition.start }] : []
  })
}

/** Every day up to tomorrow that was not looked at yet; a new sequence begins with today. */
async function catchUp(app: App, sequence: ByDate, signal: AbortSignal): Promise<void> {
  const today = Math.floor(app.clock.now().getTime() / day)
  const done = sequence.datesUpTo ?? today - 1
  for (let number = Math.max(done, today - maxDaysBehind) + 1; number <= today + 1 && !signal.aborted; number++)
    await beginOn(app, sequence, number)
}

/** Begins everybody whose date falls on that day, in portions; then the day is done. */
async function beginOn(app: App, sequence: ByDate, number: number): Promise<void> {
  const steps = new Steps(app, sequence.workspaceId, peoplePerStep)
  const values = valuesOn(sequence.start, new Date(number * day))
  let after = ''
  for (let isLast = false; !isLast; )
    isLast = await steps.write(async (tx, size) => {
      const found = await findPeople(tx, sequence, { values, after, size })
      after = found.at(-1)?.id ?? after
      const of = new Date(number * day).toISOString().slice(0, 10)
      await beginRuns(
        tx,
        found.map((contact): Beginning => ({ sequence, definition: sequence.definition, contact, event: null, of })),
      )
      const done = found.length < size
      if (done) await tx.db.update(sequences).set({ datesUpTo: number }).where(eq(sequences.id, sequence.id))
      return done
    })
}

/** How a date is stored whose day, moved by `days`, is this one: for each year, if it comes each year. */
export function valuesOn({ days = 0, yearly = false }: Pick<DateStart, 'days' | 'yearly'>, on: Date): string[] {
  const date = new Date(on.getTime() - days * day)
  if (!yearly) return [date.toISOString().slice(0, 10)]
  const [year, monthDay] = [date.getUTCFullYear(), date.toISOString().slice(4, 10)]
  const years = Array.from({ length: year - firstYear + 1 }, (_, n) => firstYear + n)
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  // Who was born on a 29 February has their day on the 28th in other years.
  const days29 = monthDay === '-02-28' && !isLeap ? years.map((one) => `${one}-02-29`) : []
  return [...years.map((one) => `${one}${monthDay}`), ...days29]
}

interface PeoplePage {
  /** The days as `2027-01-15`. */
  values: string[]
  /** The last contact before. */
  after: string
  size: number
}

/** Whose date is one of these days, in the order of their ids. */
export async function findPeople(
  reader: Reader,
  { workspaceId, start }: Pick<ByDate, 'workspaceId' | 'start'>,
  { values, after, size }: PeoplePage,
): Promise<Contact[]> {
  const mine = and(eq(contactValues.workspaceId, workspaceId), eq(contactValues.name, start.date))
  const ids = reader.db
    .select({ id: contactValues.contactId })
    .from(sql`${oneOf(values)} AS wanted`)
    .innerJoin(
      contactValues,
      sql`${mine} AND contact_values.value >= wanted.value AND contact_values.value < wanted.value || '~'`,
    )
  return await reader.db
    .select()
    .from(contacts)
    .where(sql`id IN ${ids} AND id > ${after}`)
    .orderBy(contacts.id)
    .limit(size)
}
