// Whether the event that a step waits for came before the step was reached, within the time that the step looks back.

import { and, eq, gte, inArray, lte } from 'drizzle-orm'
import { events } from '../../../db/tables/events.ts'
import type { EventStep } from '../../../db/tables/sequences.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { spanMs } from '../../kit/duration.ts'
import { firstId } from '../../kit/id.ts'
import { matches } from '../events/matching.ts'
import { keyOf } from './begin.ts'
import type { Traveller } from './moves.ts'

/** The newest such event of each run, by its id. */
export async function findArrived(
  reader: Reader & Pick<Tx, 'now'>,
  { event, filter = [], sameKey = false, lookBack }: EventStep,
  list: Traveller[],
): Promise<Map<string, string>> {
  const waiting = list.filter(({ run }) => run.arrivedEventId === null)
  if (lookBack === undefined || waiting.length === 0) return new Map()
  const since = (enteredAt: Date) => new Date(enteredAt.getTime() - spanMs(lookBack))
  const first = new Date(Math.min(...waiting.map(({ run }) => run.enteredAt.getTime())))
  const rows = await reader.db
    .select({ id: events.id, contactId: events.contactId, properties: events.properties, createdAt: events.createdAt })
    .from(events)
    .where(
      and(
        inArray(events.contactId, [...new Set(waiting.map(({ run }) => run.contactId))]),
        gte(events.id, firstId('evt', since(first))),
        lte(events.createdAt, reader.now),
        eq(events.name, event),
      ),
    )
    .orderBy(events.id)
  const byContact = Map.groupBy(
    rows.filter(({ properties }) => matches(filter, properties)),
    ({ contactId }) => contactId,
  )
  return new Map(
    waiting.flatMap(({ run, situation: { definition, contact } }): [string, string][] => {
      const isOfRun = (row: (typeof rows)[number]) => {
        const { id, properties } = row
        return !sameKey || keyOf({ definition, contact, event: { id, name: event, properties } }) === run.key
      }
      const newest = byContact.get(run.contactId)?.findLast(isOfRun)
      return newest && newest.createdAt >= since(run.enteredAt) ? [[run.id, newest.id]] : []
    }),
  )
}
