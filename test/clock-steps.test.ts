// A machine's clock that is set back or forward while work waits, and a stop while the database is gone.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { outboxJobs } from '../db/tables/outbox.ts'
import { type App, createApp, write } from '../src/core/app.ts'
import { Dispatcher } from '../src/core/outbox/dispatcher.ts'
import { enqueue } from '../src/core/outbox/enqueue.ts'
import { defineJob, type Job, type JobResult } from '../src/core/outbox/job.ts'
import { EndpointThrottle } from '../src/features/webhooks/throttle.ts'
import { hour, minute, second } from '../src/kit/duration.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { jobKinds } from '../src/operator/jobs.ts'
import { testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'
import { engine } from './support/engine.ts'
import { startSink } from './support/smtp-sink.ts'

type Payload = { name: string }

/** A kind of which each run is told; those named `fails` are tried again after a minute. */
function watched() {
  const ran: string[] = []
  const waiting = new Map<string, () => void>()
  const kind = defineJob<Payload>({
    kind: 'test',
    lane: 'mail.tx',
    timeoutMs: minute,
    attemptsMax: 3,
    retryDelaysMs: [minute],
    run: async (_app: App, { payload }: Job<Payload>): Promise<JobResult> => {
      ran.push(payload.name)
      return payload.name === 'fails' ? { outcome: 'retry', code: 'failed', detail: '' } : { outcome: 'done' }
    },
    ended: async (_tx, ended) => {
      for (const { job } of ended) waiting.get(job.payload.name)?.()
    },
  })
  const whenEnded = (name: string) => new Promise<void>((resolve) => waiting.set(name, resolve))
  return { kind, ran, whenEnded }
}

test.skipIf(!remoteDatabase)(
  'R12: a process whose clock is an hour behind that of the others keeps no mail waiting',
  async () => {
    const by = (ms: number) => ({
      now: () => new Date(performance.timeOrigin + performance.now() + ms),
      virtual: false,
    })
    await using t = await testApp({ clock: by(0) })
    await t.template({ id: 'hi' })
    await t.mail({ email: 'a@example.net', templateId: 'hi' })
    const behind = await createApp(t.app.config, { clock: by(-hour) })
    expect(await new Dispatcher(behind, { kinds: jobKinds, alone: false, version: 'test' }).runDue()).toBe(1)
    await behind.close()
    expect(await t.sent()).toHaveLength(1)
  },
)

describe('the clock is set', () => {
  const dueOf = async (app: App, id: string) => {
    const [row] = await app.db.select().from(outboxJobs).where(eq(outboxJobs.id, id))
    return (row?.dueAt.getTime() ?? 0) - app.clock.now().getTime()
  }

  test('back an hour while the server runs: retries wait as long as they had to, and what a caller timed stays', async () => {
    await using t = await engine()
    const { kind } = watched()
    const add = (name: string, runAt?: Date) =>
      write(t.app, (tx) => enqueue(tx, kind, { workspaceId: 'ws_a', payload: { name }, ...(runAt && { runAt }) }))
    const id = await add('fails')
    const noon = t.clock.now().getTime()
    const timed = await add('timed', new Date(noon + hour))
    await t.dispatcher([kind]).runDue()
    const dispatcher = t.dispatcher([kind])
    await dispatcher.start()
    t.clock.advance(-hour)
    await dispatcher.renew()
    expect(await dueOf(t.app, id)).toBeWithin(30 * second, 90 * second)
    expect(await dueOf(t.app, timed)).toBe(2 * hour)
    await dispatcher.renew()
    expect(await dueOf(t.app, id)).toBeWithin(30 * second, 90 * second)
    expect(t.logged.filter((line) => line.includes('the clock was set back'))).toHaveLength(1)
    await dispatcher.stop(0)
  })

  test('back an hour while the server was down: what was to run at once runs at the start', async () => {
    await using t = await engine()
    const { kind, ran, whenEnded } = watched()
    const before = t.dispatcher([kind])
    await before.start()
    await before.stop(0)
    await write(t.app, (tx) => enqueue(tx, kind, { workspaceId: 'ws_a', payload: { name: 'now' } }))
    t.clock.advance(-hour)
    const ended = whenEnded('now')
    const after = t.dispatcher([kind])
    await after.start()
    await ended
    expect(ran).toEqual(['now'])
    await after.stop(0)
  })

  test('forward an hour: no process takes the jobs of another that lives, whose lease now looks over', async () => {
    let aheadMs = 0
    const clock = { now: () => new Date(performance.timeOrigin + performance.now() + aheadMs), virtual: false }
    await using t = await engine({ clock })
    const started = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    const kind = defineJob<Payload>({
      ...watched().kind,
      run: async () => {
        started.resolve()
        await over.promise
        return { outcome: 'done' }
      },
    })
    const shared = () => new Dispatcher(t.app, { kinds: [kind], alone: false, version: 'test' })
    const [one, other] = [shared(), shared()]
    await one.start()
    await write(t.app, (tx) => enqueue(tx, kind, { workspaceId: 'ws_a', payload: { name: 'long' } }))
    await started.promise
    aheadMs = hour
    expect(await other.rescue()).toBe(0)
    expect(await other.rescue()).toBe(0)
    over.resolve()
    await one.stop(second)
    expect((await t.app.db.select().from(outboxJobs)).map(({ state, fence }) => [state, fence])).toEqual([['done', 1]])
  })

  test('back an hour: an endpoint at its rate, or left alone, and mail that is held, wait no hour more', async () => {
    const throttle = new EndpointThrottle()
    const head = { lane: 'webhook', workspaceId: 'ws_a', partitionKey: 'whe_1', dueAt: 0, jobId: 'j' } as const
    for (let n = 0; n < 10; n++) throttle.end(throttle.begin('ws_a', 'whe_1', 2 * hour), 'failed', 2 * hour)
    expect(throttle.allowance(2 * hour).capacity(head)).toBe(0)
    expect(throttle.allowance(hour).capacity(head)).toBe(1)

    await using sink = startSink({
      answer: (stage) => (stage === 'mail' ? '530 5.7.0 Authentication required' : undefined),
    })
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }) })
    await t.template({ id: 'hi' })
    for (let n = 0; n < 6; n++) await t.mail({ email: `p${n}@example.net`, templateId: 'hi' })
    await t.settle()
    const capacity = () => t.app.mailer.capacity({ workspaceId: t.workspace.id, isUrgent: true }, () => undefined)
    expect(capacity()).toBe(0)
    t.clock.advance(-hour)
    expect(capacity()).toBe(1)
  })
})
