// Reading the audit log: lines of one workspace, newest first, each with what it changed. Every question is answered from an index: that
// of the actor, of the operation, or, where things are asked for, those of the changes.

import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { auditedColumns } from '../../../../db/audited.ts'
import { auditChanges, auditLog } from '../../../../db/tables/audit.ts'
import { mailboxTokens } from '../../../../db/tables/mailboxes.ts'
import { oauthGrants } from '../../../../db/tables/oauth.ts'
import { apiKeys, users } from '../../../../db/tables/workspaces.ts'
import type { Reader } from '../../../core/app.ts'
import type { Actor } from '../../../kit/act.ts'
import { firstId } from '../../../kit/id.ts'

/** What a line must be to be shown. */
export interface LineFilter {
  actor?: string | undefined
  operation?: string | undefined
  kind?: string | undefined
  thing?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

type AuditRow = typeof auditLog.$inferSelect
type Fields = Record<string, unknown>

export interface Change {
  kind: string
  id: string
  before: Fields | null
  after: Fields | null
}

export interface Line extends AuditRow {
  actorName: string | null
  changes: Change[]
}

/** The most changes of one line; of a larger transaction the first ones are listed. */
const maxChanges = 100
/** A request never counts more than this. */
const maxCounted = 10_000

export async function listLines(
  reader: Reader,
  workspaceId: string,
  { before, limit, ...filter }: LineFilter & { before: string | undefined; limit: number },
): Promise<Line[]> {
  const found = await reader.db.all<{ id: string }>(selectIds(workspaceId, filter, { before, limit }))
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await reader.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.workspaceId, workspaceId), inArray(auditLog.id, ids)))
    .orderBy(desc(auditLog.id))
  const changes = await loadChanges(reader, workspaceId, ids)
  const names = await loadNames(
    reader,
    rows.map(({ actorKind: kind, actorId: id }) => ({ kind, id })),
  )
  return rows.map((row) => ({ ...row, actorName: names.get(row.actorId) ?? null, changes: changes.get(row.id) ?? [] }))
}

/** How many lines there are, at most 10,000. */
export async function countLines(reader: Reader, workspaceId: string, filter: LineFilter): Promise<number> {
  const some = selectIds(workspaceId, filter, { before: undefined, limit: maxCounted })
  const [row] = await reader.db.all<{ total: number }>(sql`SELECT count(*) AS total FROM (${some}) AS some`)
  return row?.total ?? 0
}

function selectIds(
  workspaceId: string,
  filter: LineFilter,
  { before, limit }: { before: string | undefined; limit: number },
): SQL {
  const { kind, thing, since, until } = filter
  const named = kind !== undefined || thing !== undefined
  const id = named ? auditChanges.lineId : auditLog.id
  const bounds = [
    before === undefined ? undefined : lt(id, before),
    since && gte(id, firstId('aud', since)),
    until && lt(id, firstId('aud', until)),
  ]
  const ofLine = [
    filter.actor === undefined ? undefined : eq(auditLog.actorId, filter.actor),
    filter.operation === undefined ? undefined : eq(auditLog.operation, filter.operation),
  ]
  if (!named) {
    const where = and(eq(auditLog.workspaceId, workspaceId), ...ofLine, ...bounds)
    return sql`SELECT ${id} AS id FROM ${auditLog} WHERE ${where} ORDER BY ${id} DESC LIMIT ${limit}`
  }
  const where = and(
    eq(auditChanges.workspaceId, workspaceId),
    kind === undefined ? undefined : eq(auditChanges.kind, kind),
    thing === undefined ? undefined : eq(auditChanges.thingId, thing),
    ...bounds,
    sql`${auditLog.workspaceId} = ${auditChanges.workspaceId} AND ${auditLog.id} = ${auditChanges.lineId}`,
    ...ofLine,
  )
  return sql`SELECT DISTINCT ${id} AS id FROM ${auditChanges} CROSS JOIN ${auditLog} WHERE ${where} ORDER BY ${id} DESC LIMIT ${limit}`
}

async function loadChanges(reader: Reader, workspaceId: string, ids: string[]): Promise<Map<string, Change[]>> {
  const rows = await reader.db
    .select()
    .from(auditChanges)
    .where(
      and(
        eq(auditChanges.workspaceId, workspaceId),
        inArray(auditChanges.lineId, ids),
        lt(auditChanges.number, maxChanges + 1),
      ),
    )
    .orderBy(asc(auditChanges.lineId), asc(auditChanges.number))
  const changes = rows.map(({ lineId, kind, thingId: id, source, before, after }) => {
    return { lineId, change: { kind, id, before: toFields(source, before), after: toFields(source, after) } }
  })
  const grouped = Map.groupBy(changes, ({ lineId }) => lineId)
  return new Map([...grouped].map(([lineId, own]) => [lineId, own.map(({ change }) => change)]))
}

/** Columns as fields: times as text, facts as true or false. */
function toFields(source: string, stored: Fields | null): Fields | null {
  if (stored === null) return null
  const columns = auditedColumns.get(source)
  const entries = Object.entries(stored).map(([name, value]) => {
    const known = columns?.get(name)
    return [known?.field ?? name, known && value !== null ? known.column.mapFromDriverValue(value) : value]
  })
  return Object.fromEntries(entries)
}

/** Where the names of actors are, by their kind; the others have none. */
const nameColumns = {
  person: { id: users.id, name: users.email },
  api_key: { id: apiKeys.id, name: apiKeys.name },
  mailbox_token: { id: mailboxTokens.id, name: mailboxTokens.name },
  oauth_grant: { id: oauthGrants.id, name: oauthGrants.clientName },
}

/** By id: the address of a person, the name of a key, token or client; also of those that are gone from the workspace. */
export async function loadNames(reader: Reader, actors: Actor[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const [kind, { id, name }] of Object.entries(nameColumns)) {
    const ids = [...new Set(actors.flatMap((actor) => (actor.kind === kind ? [actor.id] : [])))]
    if (ids.length === 0) continue
    const rows = await reader.db.select({ id, name }).from(id.table).where(inArray(id, ids))
    for (const row of rows) names.set(row.id, row.name)
  }
  return names
}
