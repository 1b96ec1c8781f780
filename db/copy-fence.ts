// Ends all writing to a database that moves: from one transaction on the database itself refuses every change, by whatever process, so the
// copy can be completed at leisure and nothing is written afterwards that it lacks. `isMoved` (faults.ts) recognises the refusal.

import { copiedTables } from './copy.ts'
import { type End, type EndQuery, patiently } from './copy-ends.ts'
import { type CopyMark, fencePrefix, findFence, keptNames, markName } from './copy-mark.ts'
import { movedMessage } from './faults.ts'

/** Beside what is copied. Write tokens are not among them: who lost an answer has to learn whether that was committed. */
const fencedToo = ['processes']

const nowMs = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/** What was committed before has its notes (copy-live.ts), and nothing is committed after it. The mark says where it went. */
export async function fence(from: End, mark: CopyMark): Promise<void> {
  const put = `INSERT INTO installation (name, value, updated_at) VALUES (?, ?, ${nowMs}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`
  await fenceAfter(from, [{ sql: put, args: [markName, JSON.stringify(mark)] }])
}

/** The same in one transaction with these statements, which go first. It may be repeated. */
export async function fenceAfter(from: End, first: EndQuery[]): Promise<void> {
  await patiently(() => from.write([...first, ...fenceTriggers().map(({ sql }) => ({ sql, args: [] }))]))
}

/** Takes the fence away, where one is. */
export function unfencing(): EndQuery[] {
  return fenceTriggers().map(({ name }) => ({ sql: `DROP TRIGGER IF EXISTS "${name}"`, args: [] }))
}

/** Lets everybody write again, and removes the mark. Does nothing where no fence is. */
export async function unfence(from: End): Promise<void> {
  const names = await patiently(() => from.rows(findFence))
  const drop = names.map(([name = '']) => ({ sql: `DROP TRIGGER IF EXISTS "${name}"`, args: [] }))
  if (drop.length === 0) return
  await patiently(() => from.write([...drop, { sql: 'DELETE FROM installation WHERE name = ?', args: [markName] }]))
}

function fenceTriggers() {
  const kept = keptNames.map((name) => `'${name}'`).join(', ')
  const names = [...copiedTables().map(({ name }) => name), ...fencedToo]
  return names.flatMap((table) =>
    ['INSERT', 'UPDATE', 'DELETE'].map((event) => {
      const name = `${fencePrefix}${table}_${event.toLowerCase()}`
      const row = event === 'DELETE' ? 'OLD' : 'NEW'
      // The copy itself goes on.
      const when = table === 'installation' ? `WHEN ${row}.name NOT IN (${kept}) ` : ''
      const sql = `CREATE TRIGGER IF NOT EXISTS "${name}" BEFORE ${event} ON "${table}" ${when}BEGIN SELECT RAISE(ABORT, '${movedMessage}'); END`
      return { name, sql }
    }),
  )
}
