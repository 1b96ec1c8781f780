// What happens to contacts, noted for the sequences that wait for it: in the transaction in which it happens, and only where a published
// sequence of the workspace waits for that. features/sequences looks at it right after the commit.

import { sql } from 'drizzle-orm'
import { expecting } from '../../db/expecting.ts'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { toRows } from '../../db/rows.ts'
import { sequenceSignals, sequenceTriggers } from '../../db/tables/sequences.ts'
import type { Tx } from '../core/app.ts'
import { ensureJob } from '../core/outbox/enqueue.ts'
import { newId } from '../kit/id.ts'

export interface Signal {
  workspaceId: string
  contactId: string
  /** By signalOf(). */
  signal: string
  eventId?: string
  /** Of a mail: the campaign that it belongs to. */
  about?: string | null
}

/** What may happen, by its name in `sequence_triggers`. */
export const signalOf = {
  event: (name: string) => `event:${name}`,
  joined: (listId: string) => `list.joined:${listId}`,
  left: (listId: string) => `list.left:${listId}`,
  property: (name: string) => `property:${name}`,
  segment: (change: 'joined' | 'left', segmentId: string) => `segment.${change}:${segmentId}`,
  mail: (what: 'clicked' | 'bounced') => `mail.${what}`,
}

/** The job that looks at the signals of a workspace (features/sequences/page.ts). */
export const signalsPolicy = { kind: 'sequence.signals', lane: 'sequence', attemptsMax: 20 } as const

const names = toRows({ workspaceId: sequenceTriggers.workspaceId, signal: sequenceTriggers.signal })

const findAwaited = prepared((db: ReadDb) =>
  db
    .selectDistinct({ workspaceId: sequenceTriggers.workspaceId, signal: sequenceTriggers.signal })
    .from(sequenceTriggers)
    .where(sql`(workspace_id, signal) IN ${names.pick('workspaceId', 'signal')}`)
    .prepare(),
)

const { id, workspaceId, contactId, signal, eventId, about, createdAt } = sequenceSignals
const newSignals = toRows({ id, workspaceId, contactId, signal, eventId, about }, { createdAt })
const insertSignals = newSignals.adding(sequenceSignals, { ...newSignals.each, ...newSignals.shared })

/** Notes those that a sequence waits for, in their order. */
export async function noteSignals(tx: Tx, list: Signal[]): Promise<void> {
  if (list.length === 0) return
  // Events that are recorded together are mostly of one name.
  const distinct = new Map(list.map((one) => [keyOf(one), one]))
  const given = names.given([...distinct.values()])
  const awaited = await expecting(tx.db, 'as before', () => findAwaited(tx.db).all(given))
  if (awaited.length === 0) return
  const keys = new Set(awaited.map(keyOf))
  const noted = list.filter((one) => keys.has(keyOf(one)))
  const rows = noted.map((one) => ({ eventId: null, about: null, ...one, id: newId(tx, 'sig', tx.now) }))
  await insertSignals(tx.db, rows, { createdAt: tx.now })
  for (const workspaceId of new Set(noted.map((one) => one.workspaceId))) await wakeSignals(tx, workspaceId)
}

const keyOf = ({ workspaceId, signal }: Pick<Signal, 'workspaceId' | 'signal'>) => `${workspaceId} ${signal}`

export async function wakeSignals(tx: Tx, workspaceId: string, runAt: Date = tx.now): Promise<void> {
  await ensureJob(tx, signalsPolicy, { workspaceId, payload: {}, dedupeKey: workspaceId, partitionKey: '', runAt })
}
