// The event feed: events in commit order, for a consumer that pulls what it missed.

import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { webhookEvents } from '../../../db/tables/webhooks.ts'
import type { Reader } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'

export type FeedEvent = typeof webhookEvents.$inferSelect

/** The events after the one with the id `after` (undefined = from the beginning). Throws `invalid_cursor` for an unknown one. */
export async function listEvents(
  reader: Reader,
  workspaceId: string,
  { after, type, limit }: { after: string | undefined; type: string | undefined; limit: number },
): Promise<FeedEvent[]> {
  const start = after === undefined ? 0 : await getSequence(reader, workspaceId, after)
  return await reader.db
    .select()
    .from(webhookEvents)
    .where(
      and(
        eq(webhookEvents.workspaceId, workspaceId),
        gt(webhookEvents.sequence, start),
        type === undefined ? sql`true` : eq(webhookEvents.type, type),
      ),
    )
    .orderBy(asc(webhookEvents.sequence))
    .limit(limit)
}

async function getSequence(reader: Reader, workspaceId: string, id: string): Promise<number> {
  const [row] = await reader.db
    .select({ sequence: webhookEvents.sequence })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.workspaceId, workspaceId), eq(webhookEvents.id, id)))
  if (!row) throw new AppError('invalid_cursor', 'after is not the id of an event that is still stored')
  return row.sequence
}
