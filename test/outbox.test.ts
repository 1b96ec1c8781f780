// The outbox and its dispatcher, on a real database, driven by hand on a clock that only the test moves: jobs that run, fail, wait for their
// turn, are cancelled or replayed.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { databaseUnavailable } from '../db/faults.ts'
import { putInstallationValue } from '../db/installation-value.ts'
import { outboxAttempts } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import { scheduleFairly } from '../src/core/outbox/claim.ts'
import { completeJobs } from '../src/core/outbox/complete.ts'
import { enqueue, ensureJob } from '../src/core/outbox/enqueue.ts'
import { deleteFinished } from '../src/core/outbox/forget.ts'
import { runningJobs } from '../src/core/outbox/invariants.ts'
import { defineJob, type JobKind } from '../src/core/outbox/job.ts'
import { chooseLanes, type Lane } from '../src/core/outbox/lanes.ts'
import { replayJob } from '../src/core/outbox/replay.ts'
import { cancelJobs } from '../src/core/outbox/waiting.ts'
import { hour, minute, second } from '../src/kit/duration.ts'
import { remoteDatabase } from './support/database.ts'
import { engine } from './support/engine.ts'
import { add, claimAsDead, jobOf, type Payload, recording, toldOf } from './support/recorded-jobs.ts'

describe('running', () => {
  test('a job runs once, after its transaction, and its end is told in one', async () => {
    await using t = await engine()
    const { kind, ran, endings } = recording()
    const id = await add(t.app, kind, 'one')
    expect(await t.dispatcher([kind]).runDue()).toBe(1)
    expect(ran).toEqual(['one'])
    expect(endings.map(({ state }) => state)).toEqual(['done'])
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'done', attempt: 1, fence: 1, leaseOwner: null })
    expect(await t.dispatcher([kind]).runDue()).toBe(0)
  })

  test('a job of a transaction that throws does not exist', async () => {
    await using t = await engine()
    const { kind, ran } = recording()
    const failing = write(t.app, async (tx) => {
      await enqueue(tx, kind, { workspaceId: 'ws_a', payload: { name: 'never' } })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await t.dispatcher([kind]).runDue()
    expect(ran).toEqual([])
  })

  test('jobs run when they are due, the earliest first, then by priority', async () => {
    await using t = await engine()
    const { kind, ran } = recording()
    const now = t.clock.now().getTime()
    await add(t.app, kind, 'in an hour', { runAt: new Date(now + hour) })
    await add(t.app, kind, 'late', { runAt: new Date(now - 1), priority: 5 })
    await add(t.app, kind, 'urgent', { runAt: new Date(now - 1), priority: 1 })
    await add(t.app, kind, 'earliest', { runAt: new Date(now - 2) })
    await t.dispatcher([kind]).runDue()
    expect(ran).toEqual(['earliest', 'urgent', 'late'])
    t.clock.advance(hour)
    await t.dispatcher([kind]).runDue()
    expect(ran.at(-1)).toBe('in an hour')
  })

  test('R12: a delay of more than 2^31 ms runs on its day', async () => {
    await using t = await engine()
    const { kind, ran } = recording()
    await add(t.app, kind, 'in 60 days', { runAt: new Date(t.clock.now().getTime() + 60 * 24 * hour) })
    t.clock.advance(59 * 24 * hour)
    await t.dispatcher([kind]).runDue()
    expect(ran).toEqual([])
    t.clock.advance(24 * hour)
    await t.dispatcher([kind]).runDue()
    expect(ran).toEqual(['in 60 days'])
  })

  test('a started dispatcher is woken by the commit and needs no tick', async () => {
    await using t = await engine()
    const { promise, resolve } = Promise.withResolvers<void>()
    const { kind } = recording(async () => {
      resolve()
      return { outcome: 'done' }
    })
    const dispatcher = t.dispatcher([kind])
    await dispatcher.start()
    await add(t.app, kind, 'at once')
    await promise
    await dispatcher.stop(second)
    expect(await runningJobs(t.app)).toBe(0)
  })

  test('a job of an unknown kind is put off and keeps its attempts', async () => {
    await using t = await engine()
    const { kind } = recording()
    const id = await add(t.app, kind, 'from a newer version')
    await t.dispatcher([]).runDue()
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'pending', attempt: 0, lastCode: 'unknown_kind' })
  })

  test('while a job of the same key is open there is no second one: it is brought forward, never put off', async () => {
    await using t = await engine()
    const { kind, ran } = recording()
    const ensure = (name: string, inMs: number) => {
      const runAt = new Date(t.clock.now().getTime() + inMs)
      return write(t.app, (tx) =>
        ensureJob(tx, kind, { workspaceId: 'ws_a', payload: { name }, dedupeKey: 'k', runAt }),
      )
    }
    await ensure('first', hour)
    await ensure('second', minute)
    await ensure('third', 2 * hour)
    const dispatcher = t.dispatcher([kind])
    expect(await dispatcher.runDue()).toBe(0)
    t.clock.advance(minute)
    expect(await dispatcher.runDue()).toBe(1)
    await ensure('fourth', 0)
    await dispatcher.runDue()
    expect(ran).toEqual(['first', 'fourth'])
  })
})

describe('ending together', () => {
  test('many jobs of a kind with settleMany end in one go, each with its own result', async () => {
    await using t = await engine()
    const told: string[] = []
    const kind = defineJob<Payload>({
      kind: 'many',
      lane: 'mail.tx',
      timeoutMs: minute,
      attemptsMax: 3,
      retryDelaysMs: [minute],
      async run(_app, job) {
        if (job.payload.name.startsWith('good')) return { outcome: 'done', report: job.payload.name }
        return { outcome: 'retry', code: '451', detail: 'later' }
      },
      async ended(_tx, ended) {
        told.push(...ended.map(({ job, ending }) => `${job.payload.name} ${ending.state} ${ending.report}`))
      },
    })
    const ids = await Promise.all(['good 1', 'bad', 'good 2'].map((name) => add(t.app, kind, name)))
    await t.dispatcher([kind]).runDue()
    expect(told.toSorted()).toEqual(['bad pending null', 'good 1 done good 1', 'good 2 done good 2'])
    const jobs = await Promise.all(ids.map((id) => jobOf(t.app, id)))
    expect(jobs.map(({ state }) => state)).toEqual(['done', 'pending', 'done'])
    expect(jobs[1]).toMatchObject({ attempt: 1, lastCode: '451', leaseOwner: null, finishedAt: null })
    const attempts = await t.app.db.select().from(outboxAttempts)
    expect(attempts.every(({ endedAt }) => endedAt !== null)).toBe(true)
  })

  test('an execution with an old fence changes nothing of its job, and its kind is not told', async () => {
    await using t = await engine()
    const { kind } = recording()
    const [mine, lost] = [await add(t.app, kind, 'mine'), await add(t.app, kind, 'lost')]
    const claimed = await claimAsDead(t.app)
    const settling = claimed.map((row) => {
      const job = { ...row, payload: row.payload as Payload, fence: row.id === lost ? row.fence - 1 : row.fence }
      return { job, result: { outcome: 'done' as const } }
    })
    expect(await write(t.app, (tx) => completeJobs(tx, kind, settling))).toEqual([lost])
    expect([await toldOf(t.app, mine), await toldOf(t.app, lost)]).toEqual([['done'], []])
    expect(await jobOf(t.app, lost)).toMatchObject({ state: 'running', fence: 1 })
    expect(await jobOf(t.app, mine)).toMatchObject({ state: 'done' })
  })
})

describe('failing', () => {
  test('a failure is retried on the schedule with jitter of a fifth, then the job is dead', async () => {
    await using t = await engine()
    const { kind, ran, endings } = recording(async () => ({ outcome: 'retry', code: '451', detail: 'later' }))
    const id = await add(t.app, kind, 'x')
    const dispatcher = t.dispatcher([kind])
    for (const base of [minute, 5 * minute]) {
      await dispatcher.runDue()
      const delay = (await jobOf(t.app, id)).dueAt.getTime() - t.clock.now().getTime()
      expect(delay).toBeGreaterThanOrEqual(0.8 * base)
      expect(delay).toBeLessThanOrEqual(1.2 * base)
      t.clock.advance(delay)
    }
    await dispatcher.runDue()
    expect(ran).toHaveLength(3)
    expect(endings.map(({ state }) => state)).toEqual(['pending', 'pending', 'dead'])
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'dead', attempt: 3, lastCode: '451' })
  })

  test('R11: a job that throws is retried and the others run', async () => {
    await using t = await engine()
    const { kind, ran } = recording(async (job) => {
      if (job.payload.name === 'poison') throw new Error('poison')
      return { outcome: 'done' }
    })
    const id = await add(t.app, kind, 'poison')
    for (let i = 0; i < 30; i++) await add(t.app, kind, `good ${i}`)
    await t.dispatcher([kind]).runDue()
    expect(ran).toHaveLength(31)
    expect(await jobOf(t.app, id)).toMatchObject({
      state: 'pending',
      attempt: 1,
      lastCode: 'exception',
      lastError: 'poison',
    })
  })

  test('a fault of our own database spends no attempt, however often, and the job runs when the database is well', async () => {
    await using t = await engine()
    let isWell = false
    const { kind, ran } = recording(async () => {
      if (!isWell) throw databaseUnavailable(new Error('no reply'))
      return { outcome: 'done' }
    })
    const id = await add(t.app, kind, 'x')
    const dispatcher = t.dispatcher([kind])
    for (let n = 0; n < 5; n++) {
      await dispatcher.runDue()
      expect(await jobOf(t.app, id)).toMatchObject({ state: 'pending', attempt: 0, lastCode: 'database_unavailable' })
      t.clock.advance(2 * second)
    }
    isWell = true
    await dispatcher.runDue()
    expect(ran).toHaveLength(6)
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'done', attempt: 1 })
  })

  test.skipIf(remoteDatabase)('nor does a disk that is full while the job writes', async () => {
    await using t = await engine()
    const value = 'x'.repeat(1_000_000)
    const { kind, ran } = recording(async () => {
      await write(t.app, (tx) => putInstallationValue(tx, 'large', value))
      return { outcome: 'done' }
    })
    const id = await add(t.app, kind, 'x')
    const limit = (pages: number) =>
      write(t.app, (tx) => tx.db.values<[number]>(sql.raw(`PRAGMA max_page_count = ${pages}`)))
    const [[pages = 0] = []] = await limit(1)
    // Room for the end of the job, and for nothing else.
    await limit(pages + 50)
    const dispatcher = t.dispatcher([kind])
    for (let n = 0; n < 3; n++) {
      await dispatcher.runDue()
      expect(await jobOf(t.app, id)).toMatchObject({ state: 'pending', attempt: 0, lastCode: 'database_unavailable' })
      t.clock.advance(2 * second)
    }
    await limit(1_000_000)
    await dispatcher.runDue()
    expect(ran).toHaveLength(4)
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'done', attempt: 1 })
  })

  test('a deferral costs no attempt', async () => {
    await using t = await engine()
    const { kind } = recording(async () => ({ outcome: 'defer', code: 'full', detail: '', delayMs: minute }))
    const id = await add(t.app, kind, 'x')
    for (let i = 0; i < 5; i++) {
      await t.dispatcher([kind]).runDue()
      t.clock.advance(minute)
    }
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'pending', attempt: 0, fence: 5 })
  })

  test('a job past its give-up time is dead even with attempts left', async () => {
    await using t = await engine()
    const { kind } = recording(async () => ({ outcome: 'retry', code: '451', detail: 'later' }))
    const giveUpAt = new Date(t.clock.now().getTime() + 10 * second)
    const id = await write(t.app, (tx) => enqueue(tx, kind, { workspaceId: 'ws_a', payload: { name: 'x' }, giveUpAt }))
    await t.dispatcher([kind]).runDue()
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'dead', attempt: 1 })
  })
})

describe('fairness', () => {
  const none = { lane: () => 0, workspace: () => 0, partition: () => 0 }
  const head = (workspaceId: string, partitionKey = '', lane: Lane = 'mail.tx') => ({
    lane,
    workspaceId,
    partitionKey,
    dueAt: 0,
    jobId: `job of ${partitionKey}`,
  })

  test('workspaces take turns of eight inside a lane, and leave some of it to who comes last', () => {
    const lastServed = new Map<Lane, string>()
    const heads = ['a', 'b', 'c', 'd'].map((workspace) => head(workspace))
    const allowance = () =>
      scheduleFairly(heads, 1, none, lastServed).map(({ workspaceId, count }) => `${workspaceId}${count}`)
    expect(allowance()).toEqual(['a16', 'b16', 'c16', 'd14'])
    const webhooks = ['a', 'b', 'c', 'd', 'e'].map((workspace) => head(workspace, '', 'template_job'))
    const jobs = () =>
      scheduleFairly(webhooks, 1, none, lastServed).map(({ workspaceId, count }) => `${workspaceId}${count}`)
    // Of what is less than a turn for each, everybody has as much, and what is left over goes to the next ones.
    expect(jobs()).toEqual(['a2', 'b2', 'c2', 'd1', 'e1'])
    expect(jobs()).toEqual(['d2', 'e2', 'a2', 'b1', 'c1'])
  })

  test('one workspace alone leaves a part of a mail lane free', () => {
    expect(scheduleFairly([head('a')], 1, none, new Map())).toMatchObject([{ count: 57 }])
    const most = { ...none, lane: () => 57, workspace: (_: Lane, id: string) => (id === 'a' ? 57 : 0) }
    expect(scheduleFairly([head('a'), head('b')], 1, most, new Map())).toMatchObject([{ workspaceId: 'b', count: 6 }])
  })

  test('campaign mail is claimed in lots: a partition takes no more before half of what it may have is free', () => {
    const campaign = head('a', 'cmp', 'mail.campaign')
    const running = (count: number) => ({ lane: () => count, workspace: () => count, partition: () => count })
    const taken = (count: number) =>
      scheduleFairly([campaign], 1, running(count), new Map()).map((share) => share.count)
    expect([0, 28, 29, 57].map(taken)).toEqual([[57], [29], [], []])
    const besideIt = { ...running(57), workspace: (_: Lane, id: string) => (id === 'a' ? 57 : 0), partition: () => 0 }
    expect(scheduleFairly([head('b', 'cmp', 'mail.campaign')], 1, besideIt, new Map())).toMatchObject([{ count: 6 }])
  })

  test('a workspace with a flood of jobs does not keep another waiting', async () => {
    await using t = await engine()
    const { kind, ran } = recording()
    for (let i = 0; i < 100; i++) await add(t.app, kind, `flood ${i}`, { workspaceId: 'ws_flood' })
    await add(t.app, kind, 'small', { workspaceId: 'ws_small' })
    await t.dispatcher([kind]).runDue()
    // It is among the first that are claimed.
    expect(ran.indexOf('small')).toBeLessThan(chooseLanes(t.app.database.kind, 1)['mail.tx'].concurrency)
    expect(ran).toHaveLength(101)
  })

  test('a full partition is passed over at no cost, and its workspace has at most its share of the lane', () => {
    const heads = [...'123456789abc'].map((endpoint) => head('a', `whe_${endpoint}`, 'webhook'))
    const busy = { ...none, partition: (_: Lane, __: string, key: string) => (key === 'whe_1' ? 16 : 0) }
    const shares = scheduleFairly(heads, 1, busy, new Map())
    expect(shares.map(({ partitionKey }) => partitionKey)).not.toContain('whe_1')
    expect(shares.every(({ count }) => count <= 16)).toBe(true)
    expect(shares.reduce((sum, { count }) => sum + count, 0)).toBe(64)
  })

  test('transactional mail does not wait behind a campaign', async () => {
    await using t = await engine()
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = recording(() => promise.then(() => ({ outcome: 'done' as const })), {
      kind: 'slow',
      lane: 'mail.campaign',
    })
    const fast = recording(async () => {
      resolve()
      return { outcome: 'done' }
    })
    for (let i = 0; i < 50; i++) await add(t.app, slow.kind, 'campaign')
    await add(t.app, fast.kind, 'password reset')
    await t.dispatcher([slow.kind, fast.kind]).runDue()
    expect(fast.ran).toHaveLength(1)
    expect(slow.ran).toHaveLength(50)
  })
})

describe('cancel, replay, stop, retention', () => {
  test('a running job that was asked to stop, and would be tried again, ends at once', async () => {
    await using t = await engine()
    const kinds: JobKind<never>[] = []
    const { kind } = recording(async ({ id, payload: { name } }) => {
      await write(t.app, (tx) => cancelJobs(tx, kinds, { jobIds: [id] }))
      if (name === 'lost') return { outcome: 'ambiguous', code: 'no_final_reply', detail: 'nobody knows' }
      return { outcome: 'retry', code: '451', detail: 'later' }
    })
    kinds.push(kind)
    const [later, lost] = [await add(t.app, kind, 'later'), await add(t.app, kind, 'lost')]
    await t.dispatcher([kind]).runDue()
    expect(await jobOf(t.app, later)).toMatchObject({
      state: 'cancelled',
      lastCode: 'cancelled',
      finishedAt: t.clock.now(),
    })
    // What may have arrived is not said to be cancelled.
    expect((await jobOf(t.app, lost)).state).toBe('pending')
    expect([await toldOf(t.app, later), await toldOf(t.app, lost)]).toEqual([['cancelled'], ['pending']])
  })

  test('a pending job is cancelled at once; a running one at its hand-over', async () => {
    await using t = await engine()
    const { promise: started, resolve: start } = Promise.withResolvers<string>()
    const { promise: go, resolve: goOn } = Promise.withResolvers<void>()
    const { kind, endings } = recording(
      async (job, control) => {
        start(job.id)
        await go
        await control.handOver()
        return { outcome: 'done' }
      },
      { journals: ({ name }) => name },
    )
    const later = await add(t.app, kind, 'later', { runAt: new Date(t.clock.now().getTime() + hour) })
    const cancel = async (id: string) => (await write(t.app, (tx) => cancelJobs(tx, [kind], { jobIds: [id] }))).get(id)
    expect(await cancel(later)).toBe('cancelled')
    expect(endings).toHaveLength(1)
    await add(t.app, kind, 'now')
    const running = t.dispatcher([kind]).runDue()
    const id = await started
    expect(await cancel(id)).toBe('requested')
    goOn()
    await running
    expect((await jobOf(t.app, id)).state).toBe('cancelled')
    expect(await cancel(id)).toBeUndefined()
  })

  test('a dead job is replayed as a new one that remembers it', async () => {
    await using t = await engine()
    let fail = true
    const { kind } = recording(async () => (fail ? { outcome: 'dead', code: 'no', detail: '' } : { outcome: 'done' }))
    const id = await add(t.app, kind, 'x')
    const dispatcher = t.dispatcher([kind])
    await dispatcher.runDue()
    fail = false
    const again = await write(t.app, (tx) => replayJob(tx, kind, 'ws_a', id))
    await dispatcher.runDue()
    expect(await jobOf(t.app, again ?? '')).toMatchObject({ state: 'done', parentId: id })
    expect(await write(t.app, (tx) => replayJob(tx, kind, 'ws_a', again ?? ''))).toBeNull()
  })

  test('a soft stop lets a running job end; one that outlasts the grace is given back with its attempt', async () => {
    await using t = await engine()
    const { promise: bothRun, resolve: run } = Promise.withResolvers<void>()
    let count = 0
    const { kind } = recording(async (job, control) => {
      if (++count === 2) run()
      if (job.payload.name === 'quick') return { outcome: 'done' }
      await new Promise((resolve) => control.signal.addEventListener('abort', resolve))
      return { outcome: 'defer', code: 'stopped', detail: '', delayMs: 0 }
    })
    const quick = await add(t.app, kind, 'quick')
    const slow = await add(t.app, kind, 'slow')
    const dispatcher = t.dispatcher([kind])
    await dispatcher.start()
    await bothRun
    await dispatcher.stop(20)
    expect((await jobOf(t.app, quick)).state).toBe('done')
    expect(await jobOf(t.app, slow)).toMatchObject({ state: 'pending', attempt: 0 })
    expect(await runningJobs(t.app)).toBe(0)
  })

  test('retention removes finished jobs older than the horizon, a portion at a time, and nothing else', async () => {
    await using t = await engine()
    const { kind } = recording()
    await write(t.app, async (tx) => {
      for (let i = 0; i < 205; i++) await enqueue(tx, kind, { workspaceId: 'ws_a', payload: { name: `${i}` } })
    })
    await t.dispatcher([kind]).runDue()
    t.clock.advance(24 * hour)
    const pending = await add(t.app, kind, 'young', { runAt: new Date(t.clock.now().getTime() + hour) })
    const horizon = new Date(t.clock.now().getTime() - hour)
    const remove = () => write(t.app, (tx) => deleteFinished(tx, horizon))
    expect(await remove()).toBe(200)
    expect(await remove()).toBe(5)
    expect(await remove()).toBe(0)
    expect((await jobOf(t.app, pending)).state).toBe('pending')
    expect(await t.app.db.select().from(outboxAttempts)).toHaveLength(0)
  })
})
