// The dispatcher's view of the earliest pending job of every partition. A full poll costs one index seek per partition, due or not, so it
// runs only now and then. In between, only partitions that are due or that a commit of this process changed are read. Jobs added by another
// process are found by the next full poll.

import { sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { second } from '../../kit/duration.ts'
import type { Reader, Tx } from '../app.ts'
import { type Lane, leavingLanes } from './lanes.ts'

/** The earliest pending job of one partition. */
export interface NextJob {
  lane: Lane
  workspaceId: string
  partitionKey: string
  dueAt: number
  jobId: string
}

/** The most that full polls take of the time. */
const shareOfTime = 1 / 20
/** Full polls that take longer than this are not done more than once a second. */
const cheapMs = 2
/** Partitions read in one query; other work has its turn in between. */
const perQuery = 2_000

// SQLite seeks to >= the compared columns and steps over equal rows, so the due time is one of the columns.
const afterAnyDueTime = sql.raw(String(Number.MAX_SAFE_INTEGER))
const head = sql.raw('json_array(lane, workspace_id, partition_key, due_at, id)')

/** Before the id of a workspace that is being erased or is arriving. */
const absentMark = '-'
/** Asked beside the jobs, so that it costs no trip of its own: who is suspended or absent, of the whole installation. */
const suspended = sql<string>`(SELECT json_group_array(id) FROM (SELECT id FROM workspaces WHERE suspended_at IS NOT NULL
  UNION ALL SELECT ${sql.raw(`'${absentMark}'`)} || workspace_id FROM workspace_moves WHERE absent IS NOT NULL))`

const readNextJobs = prepared((db: ReadDb) => {
  const order = sql.raw('ORDER BY lane, workspace_id, partition_key, due_at, priority, id LIMIT 1')
  const after = (lane: unknown, workspace: unknown, partition: unknown) =>
    sql`(SELECT ${head} FROM outbox_jobs WHERE state = 'pending'
      AND (lane, workspace_id, partition_key, due_at) > (${lane}, ${workspace}, ${partition}, ${afterAnyDueTime}) ${order})`
  const p = sql.placeholder
  const first = sql`SELECT ${after(p('lane'), p('workspaceId'), p('partitionKey'))}`
  const next = sql`SELECT ${after(sql.raw('v ->> 0'), sql.raw('v ->> 1'), sql.raw('v ->> 2'))} FROM next WHERE v IS NOT NULL`
  return db
    .select({ v: sql<string>`v`, suspended })
    .from(
      sql`(WITH RECURSIVE next(v) AS (${first} UNION ALL ${next}) SELECT v FROM next WHERE v IS NOT NULL LIMIT ${perQuery})`,
    )
    .prepare()
})

const readNextJobsOf = prepared((db: ReadDb) =>
  db
    .select({
      suspended,
      v: sql<string | null>`(SELECT ${head} FROM outbox_jobs WHERE state = 'pending' AND lane = value ->> 0
        AND workspace_id = value ->> 1 AND partition_key = value ->> 2 ORDER BY due_at, priority, id LIMIT 1)`,
    })
    .from(sql`json_each(${sql.placeholder('partitions')})`)
    .prepare(),
)

function toNextJob(v: string): NextJob {
  const [lane, workspaceId, partitionKey, dueAt, jobId] = JSON.parse(v) as [Lane, string, string, number, string]
  return { lane, workspaceId, partitionKey, dueAt, jobId }
}

/** The earliest job of every partition with pending jobs: one index seek each. */
export async function nextJobs(reader: Reader): Promise<NextJob[]> {
  return (await readAll(reader)).found
}

/** The same, with whose mail waits; null where there is no job. */
async function readAll(reader: Reader): Promise<{ found: NextJob[]; suspended: string | null }> {
  let suspended: string | null = null
  const found: NextJob[] = []
  let last: Pick<NextJob, 'lane' | 'workspaceId' | 'partitionKey'> | { lane: ''; workspaceId: ''; partitionKey: '' } = {
    lane: '',
    workspaceId: '',
    partitionKey: '',
  }
  for (;;) {
    const { lane, workspaceId, partitionKey } = last
    const rows = await readNextJobs(reader.db).all({ lane, workspaceId, partitionKey })
    for (const { v } of rows) found.push(toNextJob(v))
    suspended = rows[0]?.suspended ?? suspended
    const end = found.at(-1)
    if (rows.length < perQuery || !end) return { found, suspended }
    last = end
    await new Promise(setImmediate)
  }
}

const none = '[]'
/** Mail of a suspended workspace waits, and what makes mail. Webhooks and upkeep go on; of one that is absent nothing does. */
const waiting: ReadonlySet<Lane> = new Set<Lane>([
  ...leavingLanes.filter((lane) => lane !== 'webhook'),
  'campaign.page',
])
/** What may be done now; `suspended`: the ids of workspaces, as JSON. */
function withoutSuspended(jobs: NextJob[], suspended: string): NextJob[] {
  if (suspended === none) return jobs
  const ids = new Set(JSON.parse(suspended) as string[])
  return jobs.filter(
    ({ lane, workspaceId }) => !(waiting.has(lane) && ids.has(workspaceId)) && !ids.has(absentMark + workspaceId),
  )
}

type Partition = Pick<NextJob, 'workspaceId' | 'partitionKey'> & { lane: string }

const toKey = ({ lane, workspaceId, partitionKey }: Partition) => JSON.stringify([lane, workspaceId, partitionKey])

/** Every change of a pending job reports its partition, which is read after the commit. */
export function touch(tx: Tx, partition: Partition): void {
  tx.touched?.add(toKey(partition))
}

export class DueJobs {
  readonly #reader: Reader
  #known = new Map<string, NextJob>()
  #due = new Set<string>()
  #nextDueAt = Number.POSITIVE_INFINITY
  #touched = new Set<string>()
  #lookAllAt = 0
  /** Whose mail waits, as the database wrote it. */
  #suspended = none

  constructor(reader: Reader) {
    this.#reader = reader
  }

  touch(partitions: Iterable<string>): void {
    for (const key of partitions) this.#touched.add(key)
  }

  /** Makes the next poll a full one. */
  pollAgain(): void {
    this.#lookAllAt = 0
  }

  /**
   * What is due and may have a place, and when something else will be. `isFull`: none of the partition could start. `all`: a full poll,
   * whatever it costs.
   */
  async poll(
    now: number,
    { isFull = () => false, all = false }: { isFull?: (job: NextJob) => boolean; all?: boolean } = {},
  ): Promise<{ due: NextJob[]; nextDueAt: number }> {
    if (all || performance.now() >= this.#lookAllAt) await this.#lookAtAll()
    else await this.#lookAtSome(now, isFull)
    this.#sort(now)
    const due = [...this.#due].flatMap((key) => this.#known.get(key) ?? []).filter((job) => !isFull(job))
    return { due: withoutSuspended(due, this.#suspended), nextDueAt: this.#nextDueAt }
  }

  async #lookAtAll(): Promise<void> {
    const began = performance.now()
    this.#touched.clear()
    const { found, suspended } = await readAll(this.#reader)
    this.#suspended = suspended ?? none
    this.#known = new Map(found.map((one) => [toKey(one), one]))
    this.#due.clear()
    this.#nextDueAt = Number.NEGATIVE_INFINITY
    const ended = performance.now()
    const tookMs = ended - began
    this.#lookAllAt = ended + Math.max(tookMs < cheapMs ? 0 : second, tookMs / shareOfTime)
  }

  /** A full partition is read when it has a place again. */
  async #lookAtSome(now: number, isFull: (job: NextJob) => boolean): Promise<void> {
    this.#sort(now)
    const keys = [...this.#due.union(this.#touched)].filter((key) => {
      const known = this.#due.has(key) ? this.#known.get(key) : undefined
      return known === undefined || !isFull(known)
    })
    this.#touched.clear()
    if (keys.length === 0) return
    const rows = await readNextJobsOf(this.#reader.db).all({ partitions: `[${keys.join()}]` })
    for (const key of keys) {
      this.#known.delete(key)
      this.#due.delete(key)
    }
    this.#suspended = rows[0]?.suspended ?? none
    for (const { v } of rows) if (v !== null) this.#learn(toNextJob(v), now)
  }

  #learn(one: NextJob, now: number): void {
    const key = toKey(one)
    this.#known.set(key, one)
    if (one.dueAt <= now) this.#due.add(key)
    else this.#nextDueAt = Math.min(this.#nextDueAt, one.dueAt)
  }

  /** The cached partitions are only scanned when one of them is due. */
  #sort(now: number): void {
    if (this.#nextDueAt > now) return
    this.#nextDueAt = Number.POSITIVE_INFINITY
    for (const one of this.#known.values()) this.#learn(one, now)
  }
}
