// Jobs of a process that died or stood still: who takes them over, and what is known of the mail that they were handing over.

import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { outboxAttempts, outboxJobs, sendJournal } from '../db/tables/outbox.ts'
import { type App, write } from '../src/core/app.ts'
import { completeJobs } from '../src/core/outbox/complete.ts'
import { Dispatcher } from '../src/core/outbox/dispatcher.ts'
import { handOver } from '../src/core/outbox/hand-over.ts'
import { type Job, type JobKind, LostJob } from '../src/core/outbox/job.ts'
import type { Lane } from '../src/core/outbox/lanes.ts'
import { resolveAmbiguous } from '../src/core/outbox/replay.ts'
import { renewLeases } from '../src/core/outbox/rescue.ts'
import { minute, second } from '../src/kit/duration.ts'
import { engine } from './support/engine.ts'
import { add, claimAsDead, jobOf, type Payload, recording, toldOf } from './support/recorded-jobs.ts'

describe('crashes and fences', () => {
  test('a job left running by a dead process is rescued and runs again', async () => {
    await using t = await engine()
    const { kind, ran } = recording()
    const id = await add(t.app, kind, 'x')
    await claimAsDead(t.app)
    const dispatcher = t.dispatcher([kind])
    expect(await dispatcher.rescue()).toBe(1)
    await dispatcher.runDue()
    expect(ran).toEqual(['x'])
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'done', attempt: 2, fence: 2 })
    const attempts = await t.app.db.select().from(outboxAttempts).where(eq(outboxAttempts.jobId, id))
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['retry', 'done'])
  })

  test('R11: a job that kills its process is dead after its last attempt', async () => {
    await using t = await engine()
    const { kind, ran } = recording()
    const id = await add(t.app, kind, 'killer')
    const dispatcher = t.dispatcher([kind])
    for (let crash = 0; crash < 3; crash++) {
      await claimAsDead(t.app)
      await dispatcher.rescue()
    }
    await dispatcher.runDue()
    expect(ran).toEqual([])
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'dead', attempt: 3, lastCode: 'crashed' })
  })

  test('R11: failures before a job got on count no more: not if its process dies, nor if it throws', async () => {
    await using t = await engine()
    const { kind } = recording(async (_job, { progressed }) => {
      await progressed()
      throw new Error('after a part of the work')
    })
    const id = await add(t.app, kind, 'long')
    const dispatcher = t.dispatcher([kind])
    for (let n = 0; n < 3; n++) {
      await claimAsDead(t.app)
      await dispatcher.rescue()
      await dispatcher.runDue()
      expect(await jobOf(t.app, id)).toMatchObject({ state: 'pending', attempt: 1, lastCode: 'exception' })
      t.clock.advance(2 * minute)
    }
  })

  test('R5: who lost a job cannot finish it: an old fence changes nothing', async () => {
    await using t = await engine()
    const { kind } = recording()
    const id = await add(t.app, kind, 'x')
    const [zombie] = await claimAsDead(t.app)
    if (!zombie) throw new Error('nothing was claimed')
    const dispatcher = t.dispatcher([kind])
    await dispatcher.rescue()
    await dispatcher.runDue()
    const before = await jobOf(t.app, id)
    const told = await toldOf(t.app, id)
    const job = { ...zombie, payload: { name: 'x' } }
    const result = { outcome: 'dead', code: 'zombie', detail: '' } as const
    expect(await write(t.app, (tx) => completeJobs(tx, kind, [{ job, result }]))).toEqual([job.id])
    expect(await jobOf(t.app, id)).toEqual(before)
    expect(await toldOf(t.app, id)).toEqual(told)
  })

  test('among processes that share a database, a job is taken over only when its lease is over', async () => {
    await using t = await engine()
    const { kind, ran } = recording()
    const id = await add(t.app, kind, 'x')
    await claimAsDead(t.app)
    const other = new Dispatcher(t.app, { kinds: [kind], alone: false, version: 'test' })
    expect(await other.rescue()).toBe(0)
    t.clock.advance(29 * second)
    expect(await other.rescue()).toBe(0)
    await write(t.app, (tx) => renewLeases(tx, { bootId: 'dead', leaseMs: 30 * second, jobIds: [id] }))
    t.clock.advance(2 * second)
    expect(await other.rescue()).toBe(0)
    t.clock.advance(29 * second)
    expect(await other.rescue()).toBe(1)
    await other.runDue()
    expect(ran).toEqual(['x'])
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'done', fence: 2 })
  })

  test('R5: dispatchers that share a database run each job once', async () => {
    await using t = await engine()
    const { kind, ran } = recording()
    for (let i = 0; i < 200; i++) await add(t.app, kind, `job ${i}`)
    const shared = () => new Dispatcher(t.app, { kinds: [kind], alone: false, version: 'test' })
    await Promise.all([shared(), shared(), shared(), shared()].map((dispatcher) => dispatcher.runDue()))
    expect(ran).toHaveLength(200)
    expect(new Set(ran).size).toBe(200)
  })

  test('R5: a process that stood still longer than its lease changes nothing of what others have done since', async () => {
    await using t = await engine()
    const thaw = Promise.withResolvers<void>()
    const frozen = recording(async () => {
      await thaw.promise
      return { outcome: 'dead', code: 'zombie', detail: '' }
    })
    const { kind, ran } = recording()
    const ids: string[] = []
    for (let i = 0; i < 50; i++) ids.push(await add(t.app, kind, `job ${i}`))
    const shared = (of: JobKind<Payload>) => new Dispatcher(t.app, { kinds: [of], alone: false, version: 'test' })
    const zombie = shared(frozen.kind).runDue()
    while (frozen.ran.length === 0) await new Promise(setImmediate)
    const taken = frozen.ran.length
    t.clock.advance(35 * second)
    const other = shared(kind)
    expect(await other.rescue()).toBe(taken)
    await other.runDue()
    thaw.resolve()
    await zombie
    expect(ran.toSorted()).toEqual(ids.map((_, i) => `job ${i}`).toSorted())
    for (const id of ids) expect((await jobOf(t.app, id)).state).toBe('done')
    const told = await Promise.all(ids.map((id) => toldOf(t.app, id)))
    expect(told.flat()).not.toContain('dead')
    expect(t.logged.filter((line) => line.includes('finished by somebody else'))).toHaveLength(taken)
  })

  test('a finished job never changes again', async () => {
    await using t = await engine()
    const { kind } = recording()
    const id = await add(t.app, kind, 'x')
    await t.dispatcher([kind]).runDue()
    expect(
      write(t.app, (tx) => tx.db.update(outboxJobs).set({ state: 'pending' }).where(eq(outboxJobs.id, id))),
    ).rejects.toThrow()
    expect((await jobOf(t.app, id)).state).toBe('done')
  })
})

describe('hand-over', () => {
  const journals = ({ name }: Payload) => name
  const handingOver = (lane: Lane) => recording(async () => ({ outcome: 'done' }), { lane, journals })

  /** A process dies after its journal says `handing_over`. */
  async function dieHandingOver(app: App, kind: JobKind<Payload>) {
    const jobs = await claimAsDead(app)
    const handingOver = jobs.map((job) => ({ job: job as Job<Payload>, relayId: null, receiver: null }))
    await write(app, (tx) => handOver(tx, kind, handingOver))
  }

  test('the journal knows a mail from its hand-over: handing_over, then accepted', async () => {
    await using t = await engine()
    const phases: (string | undefined)[] = []
    const phase = async () => phases.push((await t.app.db.select().from(sendJournal))[0]?.phase)
    const { kind } = recording(
      async (_job, control) => {
        await phase()
        await control.handOver()
        await phase()
        return { outcome: 'done', detail: '250 ok' }
      },
      { journals },
    )
    await add(t.app, kind, 'msg_1')
    await t.dispatcher([kind]).runDue()
    await phase()
    expect(phases).toEqual([undefined, 'handing_over', 'accepted'])
  })

  test('retry: after a crash while handing over the mail is sent again, and the journal counts it', async () => {
    await using t = await engine()
    const { kind, ran, endings } = handingOver('mail.tx')
    await add(t.app, kind, 'msg_1')
    await dieHandingOver(t.app, kind)
    const dispatcher = t.dispatcher([kind])
    await dispatcher.rescue()
    expect(endings.at(-1)).toMatchObject({ state: 'pending', mayHaveArrived: true })
    await dispatcher.runDue()
    expect(ran).toEqual(['msg_1'])
    expect((await t.app.db.select().from(sendJournal))[0]).toMatchObject({ phase: 'accepted', ambiguousRetries: 1 })
  })

  test('park: after a crash while handing over the mail waits for an operator', async () => {
    await using t = await engine()
    const { kind, ran } = handingOver('mail.campaign')
    const id = await add(t.app, kind, 'msg_1')
    await dieHandingOver(t.app, kind)
    const dispatcher = t.dispatcher([kind])
    await dispatcher.rescue()
    await dispatcher.runDue()
    expect(ran).toEqual([])
    expect(await jobOf(t.app, id)).toMatchObject({ state: 'ambiguous', lastCode: 'crashed_while_handing_over' })
  })

  test('an operator resolves a parked job: it arrived, or it is sent again as a new job', async () => {
    await using t = await engine()
    const { kind, ran, endings } = handingOver('mail.campaign')
    const ids = [await add(t.app, kind, 'msg_1'), await add(t.app, kind, 'msg_2')]
    await dieHandingOver(t.app, kind)
    const dispatcher = t.dispatcher([kind])
    await dispatcher.rescue()
    const resolve = (jobId: string, verdict: 'done' | 'resend', workspaceId = 'ws_a') =>
      write(t.app, (tx) => resolveAmbiguous(tx, kind, { workspaceId, jobId, verdict }))
    expect(await resolve(ids[0] ?? '', 'done', 'ws_other')).toEqual({ outcome: 'not_found' })
    expect(await resolve(ids[0] ?? '', 'done')).toEqual({ outcome: 'done' })
    expect(endings.at(-1)).toMatchObject({ state: 'done', code: 'resolved_done' })
    expect(await resolve(ids[1] ?? '', 'resend')).toMatchObject({ outcome: 'resent' })
    expect(await resolve(ids[1] ?? '', 'resend')).toEqual({ outcome: 'not_found' })
    await dispatcher.runDue()
    expect(ran).toEqual(['msg_2'])
  })

  test('a crash before the hand-over is retried freely', async () => {
    await using t = await engine()
    const { kind, ran, endings } = handingOver('mail.campaign')
    await add(t.app, kind, 'msg_1')
    await claimAsDead(t.app)
    const dispatcher = t.dispatcher([kind])
    await dispatcher.rescue()
    expect(endings.at(-1)).toMatchObject({ state: 'pending', mayHaveArrived: false })
    await dispatcher.runDue()
    expect(ran).toEqual(['msg_1'])
  })

  test('a job fenced off while it ran may not hand over', async () => {
    await using t = await engine()
    let refused: unknown
    const { kind } = recording(
      async (job, control) => {
        await write(t.app, (tx) =>
          tx.db.update(outboxJobs).set({ fence: sql`fence + 1` }).where(eq(outboxJobs.id, job.id)),
        )
        await write(t.app, (tx) => tx.db.update(outboxAttempts).set({ fence: sql`fence + 1` }))
        await control.handOver().catch((error) => {
          refused = error
        })
        throw refused
      },
      { journals },
    )
    await add(t.app, kind, 'msg_1')
    await t.dispatcher([kind]).runDue()
    expect(refused).toBeInstanceOf(LostJob)
    expect(await t.app.db.select().from(sendJournal)).toEqual([])
  })
})
