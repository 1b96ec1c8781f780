// Reading the audit log: lines of one workspace, newest first, each with what it changed. Every question is answered from an index: that
// of the actor, of the operation, or, where things are asked for, those of the changes.

import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { auditedColumns } from '../../../../db/audited.ts'
import { auditChanges, auditLog } from '../../../../db/tables/audit.ts'
import { mailboxTokens } from '../../../../db/tables/mailboxes.ts'
import { apiKeys, users } from '../../../../db/tables/workspaces.ts'
import type { Reader } from '../../../core/app.ts'
import type { Actor, ActorKind } from '../../../kit/act.ts'
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

/** By id: the address of a person, the name of a key or token; also of those that are gone from the workspace. */
export async function loadNames(reader: Reader, actors: Actor[]): Promise<Map<string, string>> {
  const idsOfKind = (wanted: ActorKind) => [...new Set(actors.flatMap(({ kind, id }) => (kind === wanted ? [id] : [])))]
  const [people, keys, tokens] = [idsOfKind('person'), idsOfKind('api_key'), idsOfKind('mailbox_token')]
  const found = [
    ...(people.length === 0
      ? []
      : await reader.db.select({ id: users.id, name: users.email }).from(users).where(inArray(users.id, people))),
    ...(keys.length === 0
      ? []
      : await reader.db.select({ id: apiKeys.id, name: apiKeys.name }).from(apiKeys).where(inArray(apiKeys.id, keys))),
    ...(tokens.length === 0
      ? []
      : await reader.db
          .select({ id: mailboxTokens.id, name: mailboxTokens.name })
          .from(mailboxTokens)
          .where(inArray(mailboxTokens.id, tokens))),
  ]
  return new Map(found.map(({ id, name }) => [id, name]))
}
