// Jobs that are held: not claimed, whatever the time, until they are released or cancelled. A paused campaign holds its mails.

import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { outboxAttempts, outboxJobs } from '../db/tables/outbox.ts'
import { type App, write } from '../src/core/app.ts'
import { outboxDepth } from '../src/core/outbox/depth.ts'
import { nextJobs } from '../src/core/outbox/due-jobs.ts'
import { enqueue, enqueueMany } from '../src/core/outbox/enqueue.ts'
import { defineJob, type JobResult } from '../src/core/outbox/job.ts'
import { cancelJobs, hold, release } from '../src/core/outbox/waiting.ts'
import { hour } from '../src/kit/duration.ts'
import type { Mailer, MailOutcome } from '../src/mail/mailer.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { drafted, sendCampaign, statsOf } from './support/campaign.ts'
import { engine } from './support/engine.ts'

const held = { lane: 'mail.tx', workspaceId: 'ws_a', partitionKey: 'held' }
const other = { ...held, partitionKey: 'other' }

function recording(result: JobResult = { outcome: 'done' }) {
  const ran: string[] = []
  const ended: string[] = []
  const kind = defineJob<string>({
    kind: 'test',
    lane: 'mail.tx',
    timeoutMs: hour,
    attemptsMax: 3,
    retryDelaysMs: [],
    async run(_app, { payload }) {
      ran.push(payload)
      return result
    },
    async ended(_tx, list) {
      for (const { job, ending } of list) ended.push(`${job.payload} ${ending.state}`)
    },
  })
  return { kind, ran, ended }
}

const stateOf = async (app: App, id: string) => {
  const [row] = await app.db.select().from(outboxJobs).where(eq(outboxJobs.id, id))
  return { state: row?.state, dueAt: row?.dueAt }
}

describe('in the outbox', () => {
  test('a held partition runs nothing, and is not looked at; released, each job is due when it was', async () => {
    await using t = await engine()
    const { kind, ran } = recording()
    const now = t.clock.now()
    const later = new Date(now.getTime() + 3 * hour)
    const jobs = [
      { ...held, payload: 'now' },
      { ...held, payload: 'later', runAt: later },
    ]
    const [first = '', second = ''] = await write(t.app, (tx) => enqueueMany(tx, kind, jobs))
    await write(t.app, (tx) => enqueue(tx, kind, { ...other, payload: 'other' }))
    await write(t.app, (tx) => hold(tx, held))
    expect(await stateOf(t.app, first)).toEqual({ state: 'held', dueAt: now })
    expect(await stateOf(t.app, second)).toEqual({ state: 'held', dueAt: later })
    expect((await nextJobs(t.app)).map(({ partitionKey }) => partitionKey)).toEqual(['other'])
    expect(await outboxDepth(t.app)).toContainEqual({ lane: 'mail.tx', state: 'held', count: 2 })
    const dispatcher = t.dispatcher([kind])
    await dispatcher.runDue()
    t.clock.advance(hour)
    await dispatcher.runDue()
    expect(ran).toEqual(['other'])
    await write(t.app, (tx) => release(tx, held))
    expect(await stateOf(t.app, first)).toEqual({ state: 'pending', dueAt: t.clock.now() })
    expect(await stateOf(t.app, second)).toEqual({ state: 'pending', dueAt: later })
    await dispatcher.runDue()
    t.clock.advance(2 * hour)
    await dispatcher.runDue()
    expect(ran).toEqual(['other', 'now', 'later'])
  })

  test('a job that finds itself held gives its attempt back and waits', async () => {
    await using t = await engine()
    const { kind, ran, ended } = recording({ outcome: 'hold', code: 'halted', detail: 'paused' })
    const id = await write(t.app, (tx) => enqueue(tx, kind, { ...held, payload: 'a' }))
    const dispatcher = t.dispatcher([kind])
    await dispatcher.runDue()
    const [row] = await t.app.db.select().from(outboxJobs).where(eq(outboxJobs.id, id))
    expect(row).toMatchObject({ state: 'held', attempt: 0, fence: 1, lastCode: 'halted', finishedAt: null })
    expect(await t.app.db.select().from(outboxAttempts)).toMatchObject([{ fence: 1, outcome: 'hold' }])
    t.clock.advance(hour)
    await dispatcher.runDue()
    expect([ran, ended]).toEqual([['a'], ['a held']])
    await write(t.app, (tx) => release(tx, held, id))
    await dispatcher.runDue()
    expect(ran).toEqual(['a', 'a'])
  })

  test('a partition is cancelled in portions, held or not, of the kinds named, and each end is told', async () => {
    await using t = await engine()
    const { kind, ran, ended } = recording()
    const stranger = { ...recording().kind, kind: 'stranger' }
    const add = (payload: string, of = held, as = kind) => write(t.app, (tx) => enqueue(tx, as, { ...of, payload }))
    await add('a')
    await add('b')
    await write(t.app, (tx) => hold(tx, held))
    await add('c')
    await add('d', other)
    await add('e', held, stranger)
    const cancel = async () => (await write(t.app, (tx) => cancelJobs(tx, [kind], { ...held, limit: 2 }))).size
    expect([await cancel(), await cancel(), await cancel()]).toEqual([2, 1, 0])
    expect(ended.toSorted()).toEqual(['a cancelled', 'b cancelled', 'c cancelled'])
    await t.dispatcher([kind]).runDue()
    expect(ran).toEqual(['d'])
  })
})

describe('of a paused campaign', () => {
  const busy: MailOutcome = {
    outcome: 'refused',
    stage: 'rcpt',
    permanent: false,
    code: 450,
    enhanced: null,
    reply: '450',
  }
  const taken: MailOutcome = { outcome: 'accepted', reply: '250 ok' }

  /** A campaign to five people whose mails wait for another try when it is paused. */
  async function paused() {
    const answer = { next: busy }
    const send: Mailer['send'] = async (_, { beforeFinalDot }) => {
      const goes = answer.next !== taken || (await beforeFinalDot())
      return goes ? answer.next : { outcome: 'withheld' }
    }
    const t = await testApp({ mailer: { kind: 'capture', send, close: async () => {} } })
    const { id } = await drafted(t, 5)
    await sendCampaign(t, id)
    const due = await dueTimes(t)
    await t.post(`/v1/campaigns/${id}/pause`, {}, 200)
    return { t, id, due, answer }
  }

  const jobsIn = async (t: TestApp, state: string): Promise<Json[]> =>
    (await t.get(`/v1/jobs?kind=deliver-campaign-mail&state=${state}`, 200)).data
  const dueTimes = async (t: TestApp) => (await jobsIn(t, 'pending')).map(({ jobId, dueAt }) => `${jobId} ${dueAt}`)

  test('its mails are listed as held with the times they had, counted, and go on from there', async () => {
    const { t, id, due, answer } = await paused()
    await using _ = t
    expect((await jobsIn(t, 'held')).map(({ jobId, dueAt }) => `${jobId} ${dueAt}`)).toEqual(due)
    expect(due).toHaveLength(5)
    expect(await outboxDepth(t.app)).toContainEqual({ lane: 'mail.campaign', state: 'held', count: 5 })
    answer.next = taken
    await t.advance('2d')
    expect(await statsOf(t, id)).toEqual({ status: 'paused', audience: 5, delayed: 5 })
    await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
    await t.settle()
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 5, sent: 5 })
    expect(await jobsIn(t, 'held')).toEqual([])
  })

  test('an operator cancels one of them, or all; cancelling the campaign ends the rest', async () => {
    const { t, id } = await paused()
    await using _ = t
    const [first] = await jobsIn(t, 'held')
    expect((await t.post(`/v1/jobs/${first?.jobId}/cancel`, {}, 200)).outcome).toBe('cancelled')
    expect(await statsOf(t, id)).toEqual({ status: 'paused', audience: 5, cancelled: 1, delayed: 4 })
    await t.unchanged(() => t.post(`/v1/jobs/${first?.jobId}/cancel`, {}, 409))
    const second = (await jobsIn(t, 'held'))[0]?.jobId
    await t.unchanged(() => t.post(`/v1/jobs/${second}/retry`, {}, 409))
    expect((await t.post('/v1/jobs/cancel', { jobIds: [second] }, 200)).results).toEqual([
      { jobId: second, outcome: 'cancelled' },
    ])
    expect((await t.post('/v1/jobs/cancel', { lane: 'mail.campaign' }, 200)).results).toHaveLength(3)
    expect(await statsOf(t, id)).toEqual({ status: 'paused', audience: 5, cancelled: 5 })
    const again = await paused()
    await using __ = again.t
    await again.t.post(`/v1/campaigns/${again.id}/cancel`, {}, 200)
    await again.t.settle()
    expect(await statsOf(again.t, again.id)).toEqual({ status: 'cancelled', audience: 5, cancelled: 5 })
  })

  test('a person who is erased leaves no held mail', async () => {
    const { t, id } = await paused()
    await using _ = t
    const { data } = await t.get('/v1/contacts?perPage=10', 200)
    await t.delete(`/v1/contacts/${data[0].id}/data`, undefined, 200)
    expect(await jobsIn(t, 'held')).toHaveLength(4)
    expect(await statsOf(t, id)).toMatchObject({ status: 'paused', cancelled: 1, delayed: 4 })
    const rows = await t.app.db.all<{ n: number }>(sql`SELECT count(*) AS n FROM outbox_attempts WHERE job_id NOT IN (
      SELECT id FROM outbox_jobs)`)
    expect(rows).toEqual([{ n: 0 }])
  })
})
