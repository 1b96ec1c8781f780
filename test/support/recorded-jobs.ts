// A kind of job that records what becomes of it, for tests of the outbox.

import { eq, like } from 'drizzle-orm'
import { outboxJobs } from '../../db/tables/outbox.ts'
import { installation } from '../../db/tables/workspaces.ts'
import { type App, type Tx, write } from '../../src/core/app.ts'
import { claimShares, scheduleFairly } from '../../src/core/outbox/claim.ts'
import { nextJobs } from '../../src/core/outbox/due-jobs.ts'
import { enqueue } from '../../src/core/outbox/enqueue.ts'
import {
  defineJob,
  type Ended,
  type Ending,
  type Job,
  type JobControl,
  type JobKind,
  type JobResult,
} from '../../src/core/outbox/job.ts'
import { minute } from '../../src/kit/duration.ts'

export type Payload = { name: string }
type Run = (job: Job<Payload>, control: JobControl) => Promise<JobResult>

/** A kind that records what it ran and what its endings were. */
export function recording(run: Run = async () => ({ outcome: 'done' }), options: Partial<JobKind<Payload>> = {}) {
  const ran: string[] = []
  const endings: Ending[] = []
  const kind = defineJob<Payload>({
    kind: 'test',
    lane: 'mail.tx',
    timeoutMs: minute,
    attemptsMax: 3,
    retryDelaysMs: [minute, 5 * minute],
    ...options,
    async run(_app, job, control) {
      ran.push(job.payload.name)
      return run(job, control)
    },
    async ended(tx, ended) {
      endings.push(...ended.map(({ ending }) => ending))
      await note(tx, ended)
    },
  })
  return { kind, ran, endings }
}

/** A transaction that was overtaken on a libSQL server runs again: what it told in the end is in the database. */
async function note(tx: Tx, ended: Ended<Payload>[]): Promise<void> {
  for (const { job, ending } of ended) {
    const name = `told ${job.id} ${job.fence} ${ending.state}`
    await tx.db.insert(installation).values({ name, value: ending.state, updatedAt: tx.now }).onConflictDoNothing()
  }
}

/** Every end that a kind was told of: `x pending`. */
export const toldOf = async (app: App, id: string) => {
  const rows = await app.db
    .select()
    .from(installation)
    .where(like(installation.name, `told ${id} %`))
  return rows.map(({ value }) => value)
}

export const add = (
  app: App,
  kind: JobKind<Payload>,
  name: string,
  options: { runAt?: Date; workspaceId?: string; partitionKey?: string; priority?: number } = {},
) => write(app, (tx) => enqueue(tx, kind, { workspaceId: 'ws_a', payload: { name }, ...options }))

export const jobOf = async (app: App, id: string) => {
  const [row] = await app.db.select().from(outboxJobs).where(eq(outboxJobs.id, id))
  if (!row) throw new Error(`no job ${id}`)
  return row
}

/** Claims as a process that then dies: the jobs stay running under a boot that is gone. */
export async function claimAsDead(app: App) {
  const heads = await nextJobs(app)
  const none = { lane: () => 0, workspace: () => 0, partition: () => 0 }
  const shares = scheduleFairly(heads, app.clock.now().getTime(), none, new Map())
  const { rows } = await write(app, (tx) => claimShares(tx, shares, { bootId: 'dead', leaseMs: 30_000 }))
  return await rows
}
