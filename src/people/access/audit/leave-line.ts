// Writes the audit line of an act that changed no recorded row: acts of people and commands get a line each; acts of programs, which happen
// all the time, are counted by the hour. Counts are written every few seconds, so a crash may lose part of a count.

import { and, eq, sql } from 'drizzle-orm'
import { auditChanges, auditLog } from '../../../../db/tables/audit.ts'
import { members } from '../../../../db/tables/workspaces.ts'
import { type App, type Tx, writeRoutine } from '../../../core/app.ts'
import { idOfOurs } from '../../../core/http/surface.ts'
import type { Act } from '../../../kit/act.ts'
import { sha256Hex } from '../../../kit/digest.ts'
import { hour } from '../../../kit/duration.ts'
import { firstId, newId } from '../../../kit/id.ts'
import { kindOfId } from './things.ts'

type NewAuditRow = typeof auditLog.$inferInsert

interface Done {
  operation: string
  /** Names by their ids what it was about. */
  path?: string
}

const idChars = 36

/** Leaves the line of an act that succeeded, unless its transaction did. An act is never undone because it could not be written down. */
export async function leaveLine(app: App, act: Act, { operation, path = '' }: Done): Promise<void> {
  const byHand = act.actor.kind === 'person' || act.actor.kind === 'operator'
  if (!byHand) return act.lineId === null ? count(app, act, operation) : undefined
  if (act.lineId !== null && act.things.length === 0) return
  // A line with changes names what was changed; what else was decided in the same act is named beside it.
  const named = act.lineId === null ? [...path.split('/'), ...act.things] : act.things
  const things = named.filter((part) => idOfOurs.test(part))
  try {
    await writeRoutine(app, (tx) => writeLine(tx, act, { operation, things }))
  } catch (error) {
    app.log.error('a line of the audit log was not written', { operation, requestId: act.requestId, error })
  }
}

/** In the workspace of the act; of somebody who signs in, in each of theirs. */
async function writeLine(tx: Tx, act: Act, { operation, things }: { operation: string; things: string[] }) {
  const lineId = act.lineId ?? newId(tx, 'aud', tx.now)
  const row = { ...toRow(act, operation), id: lineId, at: tx.now }
  const workspaceIds = act.workspaceId === '' ? await listWorkspaces(tx, act.actor.id) : [act.workspaceId]
  for (const workspaceId of workspaceIds) {
    await tx.db
      .insert(auditLog)
      .values({ ...row, workspaceId })
      .onConflictDoNothing()
    const ofLine = and(eq(auditChanges.workspaceId, workspaceId), eq(auditChanges.lineId, lineId))
    const columns = { number: auditChanges.number, thingId: auditChanges.thingId }
    const changed = act.lineId === null ? [] : await tx.db.select(columns).from(auditChanges).where(ofLine)
    let number = Math.max(0, ...changed.map((one) => one.number))
    for (const thingId of things.filter((id) => !changed.some((one) => one.thingId === id))) {
      const thing = { kind: kindOfId(thingId), thingId, source: '', before: null, after: null }
      await tx.db.insert(auditChanges).values({ workspaceId, lineId, number: ++number, ...thing })
    }
  }
}

async function listWorkspaces(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.db.select({ id: members.workspaceId }).from(members).where(eq(members.userId, userId))
  return rows.map(({ id }) => id)
}

function toRow(act: Act, operation: string) {
  const { ip, client } = act.about()
  const { kind: actorKind, id: actorId } = act.actor
  // The origin of recipients and of visitors to our pages is not recorded.
  const isVisitor = actorKind === 'visitor' || actorKind === 'source'
  const from = isVisitor ? { ip: null, client: null } : { ip, client }
  return { actorKind, actorId, operation, requestId: act.requestId, ...from }
}

/** What was counted and not yet written, by workspace, actor, operation and hour. */
const counts = () => ({ open: new Map<string, NewAuditRow & { count: number }>() })

function count(app: App, act: Act, operation: string): void {
  const { workspaceId, actor } = act
  if (workspaceId === '') return
  const { open } = app.own(counts)
  const began = Math.floor(app.clock.now().getTime() / hour) * hour
  const name = `${workspaceId} ${actor.id} ${operation} ${began}`
  const counted = open.get(name)
  if (counted) {
    counted.count++
    return
  }
  const at = new Date(began)
  const id = (firstId('aud', at) + sha256Hex(`${actor.id} ${operation}`)).slice(0, idChars)
  open.set(name, { ...toRow(act, operation), workspaceId, id, at, count: 1 })
}

/** Writes what was counted since the last time. */
export async function writeCounts(app: App): Promise<void> {
  const kept = app.own(counts)
  const rows = [...kept.open.entries()]
  if (rows.length === 0) return
  kept.open = new Map()
  try {
    await writeRoutine(app, async (tx) => {
      for (const [, row] of rows) await addCount(tx, row)
    })
  } catch (error) {
    for (const [name, row] of rows) {
      const since = kept.open.get(name)
      kept.open.set(name, { ...row, count: row.count + (since?.count ?? 0) })
    }
    app.log.error('counts of the audit log were not written; trying again', { error })
  }
}

async function addCount(tx: Tx, row: NewAuditRow): Promise<void> {
  const target = [auditLog.workspaceId, auditLog.id]
  const set = { count: sql`${auditLog.count} + excluded.count` }
  await tx.db.insert(auditLog).values(row).onConflictDoUpdate({ target, set })
}
