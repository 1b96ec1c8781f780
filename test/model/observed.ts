// What is seen of the real engine: at the end of each unit of work that it commits, in the same transaction, everything that the model speaks
// of is written into a table of the test. So the list of what was seen has each commit, in its order, whoever made it and however they ended.

import { sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import type { Durability, Unit, UnitWriter } from '../../db/writer.ts'

/** Made once in the database of a test. */
export const observedTable =
  'CREATE TABLE observed (n INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, seen TEXT NOT NULL)'

const lines = `SELECT json_group_array(json_array(step_id, outcome)) FROM (SELECT * FROM sequence_path WHERE run_id = r.id ORDER BY number)`
const parts: Record<string, string> = {
  sequence: `SELECT json_object('state', state, 'version', coalesce(version, 0), 'moves', json(moves)) FROM sequences`,
  people: `SELECT json_group_array(json_object('id', id, 'email', email)) FROM contacts`,
  told: `SELECT json_group_array(json_object('id', id, 'of', contact_id, 'name', name, 'key', json_extract(properties, '$.cart'), 'at', created_at))
    FROM (SELECT * FROM events ORDER BY id)`,
  signals: `SELECT json_group_array(json_object('of', contact_id, 'event', event_id)) FROM (SELECT * FROM sequence_signals ORDER BY id)`,
  runs: `SELECT json_group_array(json_object('id', id, 'of', contact_id, 'version', version, 'key', key, 'state', state, 'step', step_id,
    'entered', entered, 'enteredAt', entered_at, 'due', due_at, 'came', arrived_event_id, 'message', message_id, 'reason', reason,
    'endedAt', ended_at, 'path', json((${lines})))) FROM (SELECT * FROM sequence_runs ORDER BY id) AS r`,
  mails: `SELECT json_group_array(json_object('id', m.id, 'of', m.contact_id, 'step', m.template_id, 'run', json_extract(j.payload, '$.runId'),
    'job', j.state, 'fence', j.fence, 'phase', g.phase)) FROM (SELECT * FROM messages WHERE kind = 'sequence' ORDER BY id) AS m
    JOIN outbox_jobs AS j ON j.kind = 'deliver-sequence-mail' AND json_extract(j.payload, '$.messageId') = m.id
      AND NOT EXISTS (SELECT 1 FROM outbox_jobs WHERE parent_id = j.id)
    LEFT JOIN send_journal AS g ON g.message_id = m.id`,
  page: wakeOf('sequence.page'),
  takes: wakeOf('sequence.signals'),
}

/** When the job of a kind is due, 0 while it runs; null for none. */
function wakeOf(kind: string): string {
  return `SELECT min(CASE state WHEN 'running' THEN 0 ELSE due_at END) FROM outbox_jobs WHERE kind = '${kind}' AND state IN ('pending', 'running')`
}

const whole = `json_object(${Object.entries(parts)
  .map(([name, select]) => `'${name}', ${/^(page|takes)$/.test(name) ? `(${select})` : `json((${select}))`}`)
  .join(', ')})`

async function observe(db: Db, at: Date): Promise<void> {
  await db.run(sql`INSERT INTO observed (at, seen) SELECT ${at.getTime()}, now.seen FROM (SELECT ${sql.raw(whole)} AS seen) AS now
    WHERE now.seen IS NOT (SELECT seen FROM observed ORDER BY n DESC LIMIT 1)`)
}

/** `beforeUnit` and `afterUnit` are called around the commit of each. */
export function observing(
  writer: UnitWriter,
  { beforeUnit, afterUnit }: { beforeUnit: () => void; afterUnit: () => void },
): UnitWriter {
  return {
    committed: writer.committed,
    get unsynced() {
      return writer.unsynced
    },
    close: () => writer.close(),
    async write<T>(unit: Unit<T>, durability?: Durability): Promise<T> {
      beforeUnit()
      const watched: Unit<T> = async (db, now) => {
        const value = await unit(db, now)
        await observe(db, now)
        return value
      }
      const value = await writer.write(watched, durability)
      afterUnit()
      return value
    },
  }
}
