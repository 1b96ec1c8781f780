// Which endpoints of which workspaces there are to tell of events. Asked in nearly every transaction, so it is one prepared look-up.

import { sql } from 'drizzle-orm'
import { expecting } from '../../../db/expecting.ts'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { webhookEndpoints } from '../../../db/tables/webhooks.ts'
import type { Reader } from '../../core/app.ts'

const ofWorkspaces = toRows({ workspaceId: webhookEndpoints.workspaceId })

const endpointsOf = prepared((db: ReadDb) =>
  db
    .select({
      id: webhookEndpoints.id,
      workspaceId: webhookEndpoints.workspaceId,
      status: webhookEndpoints.status,
      eventFilters: webhookEndpoints.eventFilters,
    })
    .from(webhookEndpoints)
    .where(sql`workspace_id IN ${ofWorkspaces.pick('workspaceId')}`)
    .prepare(),
)

export type ListeningEndpoint = Awaited<ReturnType<typeof findEndpoints>>[number]

/** Of these workspaces, disabled ones too. */
export async function findEndpoints(reader: Reader, workspaceIds: string[]) {
  const rows = [...new Set(workspaceIds)].map((workspaceId) => ({ workspaceId }))
  if (rows.length === 0) return []
  return await expecting(reader.db, 'as before', () => endpointsOf(reader.db).all(ofWorkspaces.given(rows)))
}

/** Those of these workspaces that have endpoints. */
export async function listeningWorkspaces(reader: Reader, workspaceIds: string[]): Promise<Set<string>> {
  return new Set((await findEndpoints(reader, workspaceIds)).map(({ workspaceId }) => workspaceId))
}
