// The archive of payment events: each event with its result, and reprocessing of events that arrived before their contact existed.

import { and, desc, eq, sql } from 'drizzle-orm'
import { paymentEvents } from '../../../../db/tables/payments.ts'
import { type App, type Reader, write } from '../../../core/app.ts'
import { AppError } from '../../../kit/error.ts'
import { rulesOfEvent } from '../matching.ts'
import { eventPrefix, type Normalised, normalise } from './normalise.ts'
import { parseProviderEvent } from './provider-event.ts'
import { findIntegration } from './settings.ts'

export type ArchivedEvent = typeof paymentEvents.$inferSelect
export type ArchiveStatus = ArchivedEvent['status']

const maxCounted = 10_000
/** How many events one call tries again. */
const maxAtOnce = 1_000

/** Newest first; `before` is the position of the last event of the previous page. */
export async function listArchive(
  reader: Reader,
  workspaceId: string,
  { status, before, limit }: { status?: ArchiveStatus | undefined; before: string | undefined; limit: number },
): Promise<{ rows: ArchivedEvent[]; total: number }> {
  const mine = and(eq(paymentEvents.workspaceId, workspaceId), statusIs(status))
  const rows = await reader.db
    .select()
    .from(paymentEvents)
    .where(and(mine, before === undefined ? undefined : earlierThan(before)))
    .orderBy(desc(paymentEvents.createdAt), desc(paymentEvents.providerEventId))
    .limit(limit)
  const some = reader.db.select({ type: paymentEvents.type }).from(paymentEvents).where(mine).limit(maxCounted)
  const [row] = await reader.db.select({ total: sql<number>`count(*)` }).from(some.as('some'))
  return { rows, total: row?.total ?? 0 }
}

/** Written out, because the index of ignored events is only used when the query repeats its condition. */
function statusIs(status: ArchiveStatus | undefined) {
  return status === undefined ? undefined : sql.raw(`status = '${status}'`)
}

/** The position of an event in the list. */
export function archiveName({ createdAt, providerEventId }: ArchivedEvent): string {
  return `${createdAt.getTime()} ${providerEventId}`
}

function earlierThan(place: string) {
  const [time = '', ...id] = place.split(' ')
  return sql`(created_at, provider_event_id) < (${Number(time)}, ${id.join(' ')})`
}

/** Tries an ignored event again: it is processed once its contact exists. Throws not_found, invalid_state_transition. */
export async function reprocess(app: App, workspaceId: string, providerEventId: string): Promise<Normalised> {
  const became = await tryAgain(app, workspaceId, providerEventId)
  if (became) return became
  throw new AppError('invalid_state_transition', 'this payment event was processed already')
}

/** Null: somebody else processed it meanwhile. */
async function tryAgain(app: App, workspaceId: string, providerEventId: string): Promise<Normalised | null> {
  const one = and(eq(paymentEvents.workspaceId, workspaceId), eq(paymentEvents.providerEventId, providerEventId))
  const find = async (reader: Reader) => (await reader.db.select().from(paymentEvents).where(one))[0]
  const row = await find(app)
  if (!row) throw new AppError('not_found', 'there is no such payment event')
  const event = await parseProviderEvent(app, row.body)
  const createContacts = (await findIntegration(app, row.integrationId))?.createContacts ?? false
  const rules = await rulesOfEvent(app, workspaceId, eventPrefix + event.type)
  return await write(app, async (tx) => {
    const present = await find(tx)
    if (present?.status !== 'ignored') return null
    const normalised = await normalise(tx, { workspaceId, createContacts }, rules, event)
    const became =
      normalised.status === 'processed'
        ? { status: normalised.status, eventId: normalised.eventId, contactId: normalised.contactId, reason: null }
        : { reason: normalised.reason }
    await tx.db
      .update(paymentEvents)
      .set({ ...became, updatedAt: tx.now })
      .where(one)
    return normalised
  })
}

/** All that were ignored because there was no contact, oldest first, at most 1,000. */
export async function reprocessIgnored(app: App, workspaceId: string): Promise<{ tried: number; processed: number }> {
  const rows = await app.db
    .select({ providerEventId: paymentEvents.providerEventId })
    .from(paymentEvents)
    .where(and(eq(paymentEvents.workspaceId, workspaceId), statusIs('ignored'), eq(paymentEvents.reason, 'no_contact')))
    .orderBy(paymentEvents.createdAt, paymentEvents.providerEventId)
    .limit(maxAtOnce)
  let processed = 0
  for (const { providerEventId } of rows) {
    const became = await tryAgain(app, workspaceId, providerEventId)
    if (became?.status === 'processed') processed++
  }
  return { tried: rows.length, processed }
}
