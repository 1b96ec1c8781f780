// What the dispatcher knows of the outbox without looking at all of it each time.

import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { outboxJobs } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import { DueJobs, nextJobs } from '../src/core/outbox/due-jobs.ts'
import { enqueue } from '../src/core/outbox/enqueue.ts'
import { defineJob } from '../src/core/outbox/job.ts'
import { day, hour, minute } from '../src/kit/duration.ts'
import { type Engine, engine } from './support/engine.ts'
import { loopMs } from './support/loop-monitor.ts'

const kind = defineJob<{ n: number }>({
  kind: 'test',
  lane: 'template_job',
  timeoutMs: minute,
  attemptsMax: 3,
  retryDelaysMs: [minute],
  run: async () => ({ outcome: 'done' }),
})

const partitions = 10_000

/** One job for tomorrow in each of 10,000 partitions. */
async function waiting(): Promise<Engine & { dueJobs: DueJobs }> {
  const t = await engine()
  const now = t.clock.now().getTime()
  await write(t.app, (tx) =>
    tx.db.run(sql`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${partitions - 1})
      INSERT INTO outbox_jobs (id, workspace_id, lane, kind, partition_key, priority, state, due_at, attempt, attempts_max, fence, payload, created_at)
      SELECT 'job_' || printf('%08d', i), 'ws_' || (i % 10), 'template_job', 'test', 'p' || i, 0, 'pending', ${now + day} + i, 0, 3, 0, '{"n":0}', ${now} FROM n`),
  )
  const dueJobs = new DueJobs(t.app)
  t.app.onWake((touched) => dueJobs.touch(touched))
  return { ...t, dueJobs }
}

const add = ({ app }: Engine, n: number, runAt?: Date) =>
  write(app, (tx) =>
    enqueue(tx, kind, { workspaceId: 'ws_0', payload: { n }, partitionKey: `new ${n}`, ...(runAt ? { runAt } : {}) }),
  )

test('with 10,000 partitions that wait for tomorrow, a look costs what is due', async () => {
  await using t = await waiting()
  const { app, clock, dueJobs } = t
  const now = () => clock.now().getTime()
  expect(await dueJobs.poll(now())).toEqual({ due: [], nextDueAt: now() + day })
  const began = loopMs()
  expect(await nextJobs(app)).toHaveLength(partitions)
  const allMs = loopMs() - began
  const looks = 50
  let someMs = 0
  for (let n = 0; n < looks; n++) {
    const jobId = await add(t, n)
    const before = loopMs()
    const { due } = await dueJobs.poll(now())
    someMs += loopMs() - before
    expect(due.map(({ jobId: id }) => id)).toEqual([jobId])
    await write(app, (tx) => tx.db.delete(outboxJobs).where(eq(outboxJobs.id, jobId)))
    clock.advance(1)
  }
  expect(someMs / looks).toBeLessThan(allMs / 4)
}, 240_000)

test('what falls due is seen when it does, and what nobody told of with the next look at all', async () => {
  await using t = await waiting()
  const { app, clock, dueJobs } = t
  const now = () => clock.now().getTime()
  await dueJobs.poll(now())
  const later = new Date(now() + hour)
  const jobId = await add(t, 1, later)
  expect(await dueJobs.poll(now())).toEqual({ due: [], nextDueAt: later.getTime() })
  clock.set(later)
  const { due, nextDueAt } = await dueJobs.poll(now())
  expect(due.map(({ jobId: id }) => id)).toEqual([jobId])
  expect(nextDueAt).toBe(now() - hour + day)
  await write(app, (tx) => tx.db.run(sql`UPDATE outbox_jobs SET due_at = ${now()} WHERE partition_key = 'p77'`))
  expect((await dueJobs.poll(now(), { all: true })).due.map(({ partitionKey }) => partitionKey).toSorted()).toEqual([
    'new 1',
    'p77',
  ])
  clock.advance(2 * day)
  expect((await dueJobs.poll(now())).due).toHaveLength(partitions + 1)
}, 240_000)

test('what is full is not read, also when it was told of, until it has a place again', async () => {
  await using t = await waiting()
  const { app, clock, dueJobs } = t
  const now = () => clock.now().getTime()
  await dueJobs.poll(now())
  const [first, other] = [await add(t, 1), await add(t, 2)]
  const isFull = ({ partitionKey }: { partitionKey: string }) => partitionKey === 'new 1'
  const ids = async (options?: { isFull: typeof isFull }) =>
    (await dueJobs.poll(now(), options)).due.map(({ jobId }) => jobId)
  expect(await ids()).toEqual([first, other])
  clock.advance(1)
  const second = await add(t, 1)
  await write(app, (tx) => tx.db.delete(outboxJobs).where(eq(outboxJobs.id, first)))
  expect(await ids({ isFull })).toEqual([other])
  expect(await ids()).toEqual([second, other])
}, 240_000)
