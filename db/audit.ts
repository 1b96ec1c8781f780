// Ties what the triggers of the audit log have written in a transaction (audited.ts) to the act that did it.

import { sql } from 'drizzle-orm'
import { type Act, systemAct } from '../src/kit/act.ts'
import { type Db, files, type ReadDb } from './handle.ts'

const writers = new WeakMap<object, () => boolean>()

/** On a libSQL server, the recorded statements show whether one of them may have changed a recorded row. */
export function onAudited(db: Db, mayHaveChanged: () => boolean): void {
  writers.set(db, mayHaveChanged)
}

/** Whether this unit may have changed a recorded row: on a file whether it has, for that is asked, which takes a microsecond. */
export function mayHaveChanges(db: Db): boolean {
  const file = files.get(db)
  if (file) return file.prepare('SELECT 1 FROM audit_pending LIMIT 1').get() !== null
  return writers.get(db)?.() ?? false
}

/** What a unit changed that failed is no change of the next one: on a server both may be recorded together. */
export async function attemptAudited<T>(db: Db, unit: () => T | Promise<T>): Promise<T> {
  try {
    return await unit()
  } catch (error) {
    mayHaveChanges(db)
    throw error
  }
}

export interface Line {
  id: string
  /** Whether it was left: on a server this is known with the commit. */
  left: Promise<boolean>
}

/** Leaves a line, in each workspace in which something was changed, and in that of whoever did it; none where nothing was. */
export async function recordChanges(
  db: Db,
  given: Act | undefined,
  { id, now }: { id: string; now: Date },
): Promise<Line> {
  const act = given ?? systemAct('system')
  const workspace = sql`CASE WHEN p.workspace_id = '' THEN ${act.workspaceId} ELSE p.workspace_id END`
  const before = sql`SELECT max(c.number) FROM audit_changes c WHERE c.workspace_id = ${workspace} AND c.line_id = ${id}`
  const { operation, ip, client } = act.about()
  const { kind, id: actorId } = act.actor
  await db.run(
    sql`INSERT INTO audit_log (workspace_id, id, at, actor_kind, actor_id, operation, request_id, ip, client, count)
      SELECT w.id, ${id}, ${now.getTime()}, ${kind}, ${actorId}, ${operation}, ${act.requestId}, ${ip}, ${client}, 1
      FROM (SELECT ${workspace} AS id FROM audit_pending p UNION
        SELECT ${act.workspaceId} FROM audit_pending WHERE ${act.workspaceId} <> '') AS w WHERE true ON CONFLICT DO NOTHING`,
  )
  await db.run(
    sql`INSERT INTO audit_changes (workspace_id, line_id, number, kind, thing_id, source, before, after)
      SELECT ${workspace}, ${id}, p.number + coalesce((${before}), 0), p.kind, p.thing_id, p.source, p.before, p.after
      FROM audit_pending p`,
  )
  const taken = Promise.resolve(db.all(sql`DELETE FROM audit_pending RETURNING number`))
  const left = taken.then((rows) => rows.length > 0)
  // Whoever waits for the transaction learns that it failed.
  left.catch(() => undefined)
  return { id, left }
}

/** Names the line in its act, if one was left. What is committed stays so, whatever can be learnt of it. */
export async function noteLine(db: ReadDb, act: Act, { id, left }: Line): Promise<void> {
  // The answer of a commit can be lost: then the line is looked for.
  const isLeft = await left.catch(() => hasLine(db, act, id)).catch(() => true)
  if (isLeft) act.lineId = id
}

async function hasLine(db: ReadDb, { workspaceId }: Act, id: string): Promise<boolean> {
  const found = await db.all(sql`SELECT 1 FROM audit_log WHERE workspace_id = ${workspaceId} AND id = ${id}`)
  return found.length > 0
}
