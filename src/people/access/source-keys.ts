// The id of a subscription source as a public key: a web page may opt its visitors in from the browser, through that source and from the
// origins it names, and can do nothing else.

import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { subscriptionSources } from '../../../db/tables/lists.ts'
import { workspaces } from '../../../db/tables/workspaces.ts'
import type { Reader } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import type { Workspace } from '../workspaces.ts'

const keyPattern = /^src_[0-9a-f]{32}$/

const byId = prepared((db: ReadDb) =>
  db
    .select({ source: subscriptionSources, workspace: workspaces })
    .from(subscriptionSources)
    .innerJoin(workspaces, eq(workspaces.id, subscriptionSources.workspaceId))
    .where(and(eq(subscriptionSources.id, sql.placeholder('id')), isNull(subscriptionSources.archivedAt)))
    .prepare(),
)

export function isSourceKey(presented: string): boolean {
  return keyPattern.test(presented)
}

/** Throws 401 for an unknown or inactive source, 403 for an origin that it does not name. */
export async function admitSource(reader: Reader, key: string, origin: string | null): Promise<Workspace> {
  const found = await byId(reader.db).get({ id: key })
  if (!found?.source.active) throw new AppError('invalid_api_key', 'This subscription source does not exist.')
  if (origin !== null && found.source.allowedOrigins.includes(origin)) return found.workspace
  throw new AppError('forbidden', 'This origin is not among the allowedOrigins of the subscription source.')
}
