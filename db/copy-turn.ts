// The turn-over of a database that moves while it is served (docs/decisions/0075-move-under-load.md). Its mark says how far the move is,
// and only the mark of the source decides which of the two is served: each step is a condition and a change in one transaction, so that
// the command that moves and the servers that wait for it never both go on.

import { type SQL, sql } from 'drizzle-orm'
import type { End, EndQuery, Value } from './copy-ends.ts'
import { type CopyMark, markName, type Phase } from './copy-mark.ts'

/** What a server says to it, by its boot id: whether it could go on with the target, and later that it works on nothing. */
export type ServerAnswer = 'ready' | 'drained' | `cannot: ${string}`

/** A command, or a server, that was not heard of for so long leaves it to others to go on. Its sign of life is `beat` of the mark. */
export const silentMs = 5_000
/** A server whose last sign of life is older is gone; they come every ten seconds. */
const aliveMs = 45_000

const nowMs = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/** The mark of a database that nobody else opens; null where it has none, or no tables. */
export async function findMark(end: Pick<End, 'rows'>): Promise<CopyMark | null> {
  const [table] = await end.rows("SELECT 1 FROM sqlite_master WHERE name = 'installation'")
  if (!table) return null
  const [row] = await end.rows('SELECT value FROM installation WHERE name = ?', [markName])
  return row ? (JSON.parse(String(row[0])) as CopyMark) : null
}

/** The next step, whose transaction fails unless the move `id` has come to one of `from`. Who said what is forgotten with each try. */
export function step(id: string, from: Phase[], to: Phase): EndQuery {
  const ours = `name = '${markName}' AND value ->> 'id' = ? AND value ->> 'phase' IN (${from.map(() => '?').join(', ')})`
  const forgets = to === 'copying' ? ", '$.servers', json('{}')" : ''
  const changed = `(SELECT json_set(value, '$.phase', ?, '$.beat', coalesce(value ->> 'beat', 0) + 1${forgets}) FROM installation WHERE ${ours})`
  return {
    sql: `INSERT INTO installation (name, value, updated_at) VALUES ('${markName}', coalesce(${changed}, json('another step was taken')), ${nowMs})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    args: [to, id, ...from],
  }
}

/** True of the failure of a step() that came too late. */
export function isLate(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if (cause.message.includes('malformed JSON')) return true
  return false
}

/** The command is still there. */
export function beat(id: string): EndQuery {
  const value = "json_set(value, '$.beat', coalesce(value ->> 'beat', 0) + 1)"
  return {
    sql: `UPDATE installation SET value = ${value} WHERE name = '${markName}' AND value ->> 'id' = ?`,
    args: [id],
  }
}

/** What the server of that boot says to a move in that phase; nothing in another. */
export function say(id: string, phase: Phase, bootId: string, said: ServerAnswer): EndQuery {
  return {
    sql: `UPDATE installation SET value = json_set(value, '$.servers."${bootId}"', ?)
      WHERE name = '${markName}' AND value ->> 'id' = ? AND value ->> 'phase' = ?`,
    args: [said, id, phase],
  }
}

/** Fails where a server lives that did not say that it works on nothing, but for those of `late`. */
export function allDrained(late: string[]): EndQuery {
  const said = `(SELECT value -> 'servers' ->> boot_id FROM installation WHERE name = '${markName}')`
  const open = `SELECT 1 FROM processes WHERE ${alive} AND ${said} IS NOT 'drained' AND boot_id NOT IN (SELECT value FROM json_each(?))`
  return {
    sql: `UPDATE installation SET value = json('a server is not drained') WHERE name = '${markName}' AND EXISTS (${open})`,
    args: [JSON.stringify(late)],
  }
}

const alive = `pid <> 0 AND heartbeat_at > ${nowMs} - ${aliveMs}`

export interface LiveServer {
  bootId: string
  pid: number
  host: string
}

/** Who serves the database. A file has one, whatever others have left. */
export async function liveServers(end: Pick<End, 'rows'>, isFile: boolean): Promise<LiveServer[]> {
  const most = isFile ? 'LIMIT 1' : ''
  const rows = await end.rows(
    `SELECT boot_id, pid, host FROM processes WHERE ${alive} ORDER BY started_at DESC, heartbeat_at DESC ${most}`,
  )
  return rows.map(([bootId, pid, host]) => ({ bootId: String(bootId), pid: Number(pid), host: String(host) }))
}

/** For a transaction of the app. */
export function toSql({ sql: text, args }: EndQuery): SQL {
  const parts = text.split('?')
  return sql.join(
    parts.flatMap((part, index) => (index === 0 ? [sql.raw(part)] : [argument(args[index - 1]), sql.raw(part)])),
  )
}

const argument = (value: Value | undefined) => sql`${value ?? null}`
