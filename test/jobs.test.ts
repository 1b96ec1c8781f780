// Jobs over REST: what is listed, and what an operator can do about a job in each state, one and in bulk.

import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { outboxJobs } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import type { Mailer, MailOutcome } from '../src/mail/mailer.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'

const path = '/v1/jobs'

const jobsOf = (t: TestApp) => t.app.db.select().from(outboxJobs).orderBy(outboxJobs.id).all()
const jobOf = async (t: TestApp, id: string) =>
  (await t.app.db.select().from(outboxJobs).where(eq(outboxJobs.id, id)).all())[0]

/** A mail that waits for a day. Returns its job and its message. */
async function scheduled(t: TestApp, email = 'ada@example.net'): Promise<{ jobId: string; messageId: string }> {
  const scheduledAt = new Date(t.clock.now().getTime() + 24 * 3_600_000).toISOString()
  const { messageId } = await t.mail({ email, dataVariables: { name: 'Ada' }, scheduledAt })
  const job = (await jobsOf(t)).find(({ payload }) => (payload as Json).messageId === messageId)
  return { jobId: job?.id ?? '', messageId }
}

/** A mailer that does what the test says. */
function mailer(outcome: { next: MailOutcome }): Mailer {
  return {
    kind: 'capture',
    send: async (_, { beforeFinalDot }) => ((await beforeFinalDot()) ? outcome.next : { outcome: 'withheld' }),
    close: async () => {},
  }
}

const refused: MailOutcome = {
  outcome: 'refused',
  stage: 'dot',
  permanent: true,
  code: 554,
  enhanced: null,
  reply: '554 no',
}
const accepted: MailOutcome = { outcome: 'accepted', reply: '250 ok' }

describe('the list', () => {
  test('shows jobs with what they are about, latest due first, by lane, state and kind, in pages', async () => {
    await using t = await testApp()
    await t.template({ text: 'Hi {{name}}' })
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.unshift((await scheduled(t, `${name}@example.net`)).jobId)
    const first = await t.get(`${path}?perPage=2`, 200)
    expect(first.pagination).toMatchObject({ totalResults: 3, returnedResults: 2 })
    expect(first.data[0]).toEqual({
      jobId: ids[0],
      lane: 'mail.tx',
      kind: 'deliver-message',
      state: 'pending',
      dueAt: '2026-01-16T12:00:00.000Z',
      attempt: 0,
      attemptsMax: expect.any(Number),
      code: null,
      detail: null,
      parentId: null,
      retriedAs: null,
      payload: { messageId: expect.stringMatching(/^msg_/) },
      createdAt: '2026-01-15T12:00:00.000Z',
      finishedAt: null,
    })
    const second = await t.get(`${path}?perPage=2&cursor=${first.pagination.nextCursor}`, 200)
    expect([...first.data, ...second.data].map(({ jobId }: Json) => jobId)).toEqual(ids)
    const count = async (query: string) => (await t.get(`${path}?${query}`, 200)).pagination.totalResults
    expect(await count('state=pending')).toBe(3)
    expect(await count('state=pending&lane=mail.tx')).toBe(3)
    expect(await count('lane=template_job')).toBe(0)
    expect(await count('kind=deliver-message')).toBe(3)
    for (const state of ['running', 'done', 'dead', 'cancelled', 'ambiguous'])
      expect(await count(`state=${state}`)).toBe(0)
    await t.advance('1d')
    expect(await count('state=done')).toBe(3)
    for (const wrong of ['state=lost', 'lane=nothing']) await t.get(`${path}?${wrong}`, 422)
  })

  test('reads each state from its index, however many jobs there are', async () => {
    await using t = await testApp()
    const plan = async (where: string) => {
      const rows = await t.app.db.all<{ detail: string }>(
        sql.raw(`EXPLAIN QUERY PLAN SELECT id FROM outbox_jobs WHERE workspace_id = 'x' AND ${where} LIMIT 10`),
      )
      return rows.map(({ detail }) => detail).join(' ')
    }
    expect(await plan("state = 'done' AND finished_at IS NOT NULL ORDER BY id DESC")).toContain('outbox_jobs_finished')
    expect(await plan("state = 'dead' AND state IN ('held', 'dead', 'ambiguous') ORDER BY id DESC")).toContain(
      'outbox_jobs_stuck',
    )
    expect(await plan("state = 'held' AND state IN ('held', 'dead', 'ambiguous') ORDER BY id DESC")).toContain(
      'outbox_jobs_stuck',
    )
    expect(await plan("state = 'pending' AND lane = 'mail.tx'")).toContain('outbox_jobs_due')
    expect(await plan("state = 'held' AND lane = 'mail.tx' AND partition_key = 'p'")).toContain('outbox_jobs_held')
  })
})

describe('retry', () => {
  test('runs a dead job again as a new one, once: its message is on its way again', async () => {
    const outcome: { next: MailOutcome } = { next: refused }
    await using t = await testApp({ mailer: mailer(outcome) })
    await t.template({ text: 'Hi {{name}}' })
    const { jobId, messageId } = await scheduled(t)
    await t.advance('1d')
    expect(await t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({ status: 'failed' })
    const answer = await t.post(`${path}/${jobId}/retry`, {}, 200)
    expect(answer).toMatchObject({ success: true, jobId, outcome: 'retried' })
    expect(answer.newJobId).toMatch(/^job_/)
    expect(await jobOf(t, answer.newJobId)).toMatchObject({ parentId: jobId, state: 'pending' })
    const [dead] = (await t.get(`${path}?state=dead`, 200)).data
    expect(dead).toMatchObject({ jobId, retriedAs: answer.newJobId })
    expect(await t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({ status: 'queued' })
    const again = await t.unchanged(() => t.post(`${path}/${jobId}/retry`, {}, 409))
    expect(again.code).toBe('invalid_state_transition')
    outcome.next = accepted
    await t.settle()
    expect(await t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({ status: 'sent' })
    await t.unchanged(() => t.post(`${path}/${answer.newJobId}/retry`, {}, 409))
  })

  test('of 20 operators at once is one mail', async () => {
    const outcome: { next: MailOutcome } = { next: refused }
    await using t = await testApp({ mailer: mailer(outcome) })
    await t.template({ text: 'Hi {{name}}' })
    const { jobId } = await scheduled(t)
    await t.advance('1d')
    const replies = await Promise.all(Array.from({ length: 20 }, () => t.request('POST', `${path}/${jobId}/retry`, {})))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19)
    expect(await jobsOf(t)).toHaveLength(2)
  })

  test('of many: those named, or all of a lane or kind; each is told by itself', async () => {
    const outcome: { next: MailOutcome } = { next: refused }
    await using t = await testApp({ mailer: mailer(outcome) })
    await t.template({ text: 'Hi {{name}}' })
    const ids = await Promise.all(['a', 'b', 'c'].map(async (name) => (await scheduled(t, `${name}@x.test`)).jobId))
    await t.advance('1d')
    const pending = (await scheduled(t, 'd@x.test')).jobId
    const { apiKey } = await t.stranger()
    const foreign = await t.unchanged(() => t.post(`${path}/retry`, { jobIds: ids }, 200, { as: { apiKey } }))
    expect(foreign.results).toEqual(ids.map((jobId) => ({ jobId, outcome: 'refused', code: 'not_found' })))
    const { results } = await t.post(`${path}/retry`, { jobIds: [ids[0], pending, 'job_unknown'] }, 200)
    expect(results).toEqual([
      { jobId: ids[0], outcome: 'retried', newJobId: expect.any(String) },
      { jobId: pending, outcome: 'refused', code: 'invalid_state_transition' },
      { jobId: 'job_unknown', outcome: 'refused', code: 'not_found' },
    ])
    const all = await t.post(`${path}/retry`, { lane: 'mail.tx' }, 200)
    expect(all.results.map(({ jobId, outcome }: Json) => [jobId, outcome]).sort()).toEqual(
      ids
        .slice(1)
        .map((jobId) => [jobId, 'retried'])
        .sort(),
    )
    expect((await t.post(`${path}/retry`, { kind: 'deliver-template' }, 200)).results).toEqual([])
  })
})

describe('cancel', () => {
  test('ends a pending job at once, with what it was for', async () => {
    await using t = await testApp()
    await t.template({ text: 'Hi {{name}}' })
    const { jobId, messageId } = await scheduled(t)
    expect(await t.post(`${path}/${jobId}/cancel`, {}, 200)).toMatchObject({ jobId, outcome: 'cancelled' })
    expect(await t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({ status: 'cancelled' })
    await t.unchanged(() => t.post(`${path}/${jobId}/cancel`, {}, 409))
    await t.advance('2d')
    expect(await t.sent()).toEqual([])
    const { newJobId } = await t.post(`${path}/${jobId}/retry`, {}, 200)
    await t.settle()
    expect(await jobOf(t, newJobId)).toMatchObject({ state: 'done' })
    expect(await t.sent()).toHaveLength(1)
  })

  test('of many', async () => {
    await using t = await testApp()
    await t.template({ text: 'Hi {{name}}' })
    for (let n = 0; n < 70; n++) await scheduled(t, `r${n}@example.net`)
    const { results } = await t.post(`${path}/cancel`, { lane: 'mail.tx', kind: 'deliver-message' }, 200)
    expect(results).toHaveLength(70)
    expect(new Set((await jobsOf(t)).map(({ state }) => state))).toEqual(new Set(['cancelled']))
  })
})

describe('resolve', () => {
  async function ambiguous(t: TestApp) {
    await t.template({ text: 'Hi {{name}}' })
    const { jobId, messageId } = await scheduled(t)
    await write(t.app, async (tx) => {
      await tx.db.run(sql`UPDATE outbox_jobs SET state = 'ambiguous' WHERE id = ${jobId}`)
      await tx.db.run(sql`UPDATE messages SET status = 'uncertain' WHERE id = ${messageId}`)
    })
    return { jobId, messageId }
  }

  test('says that it did arrive', async () => {
    await using t = await testApp()
    const { jobId, messageId } = await ambiguous(t)
    await t.unchanged(() => t.post(`${path}/${jobId}/retry`, {}, 409))
    expect(await t.post(`${path}/${jobId}/resolve`, { verdict: 'done' }, 200)).toMatchObject({
      success: true,
      jobId,
      outcome: 'done',
    })
    expect(await t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({ status: 'sent' })
    await t.unchanged(() => t.post(`${path}/${jobId}/resolve`, { verdict: 'resend' }, 409))
    await t.advance('2d')
    expect(await t.sent()).toEqual([])
  })

  test('sends it again, with the same Message-ID', async () => {
    await using t = await testApp()
    const { jobId, messageId } = await ambiguous(t)
    const { results } = await t.post(`${path}/resolve`, { verdict: 'resend', lane: 'mail.tx' }, 200)
    expect(results).toEqual([{ jobId, outcome: 'resent', newJobId: expect.any(String) }])
    await t.settle()
    expect((await t.sent()).map((mail) => mail.messageId)).toEqual([`${messageId}@paquebot.localhost`])
  })
})

const refusals: [route: string, body: Json, status: number, at: string][] = [
  ['retry', {}, 422, 'jobIds'],
  ['cancel', { jobIds: [] }, 422, 'jobIds'],
  ['cancel', { jobIds: 'job_x' }, 422, 'jobIds'],
  ['cancel', { lane: 'nothing' }, 422, 'lane'],
  ['resolve', { jobIds: ['job_x'] }, 422, 'verdict'],
  ['resolve', { verdict: 'maybe', lane: 'webhook' }, 422, 'verdict'],
  ['job_unknown/resolve', {}, 422, 'verdict'],
  ['job_unknown/resolve', { verdict: 'done' }, 404, ''],
  ['job_unknown/retry', {}, 404, ''],
  ['job_unknown/cancel', {}, 404, ''],
]
test.each(refusals)('POST /v1/jobs/%s with %j is %i', async (route, body, status, at) => {
  await using t = await testApp()
  const { errors } = await t.unchanged(() => t.post(`${path}/${route}`, body, status))
  if (at !== '') expect(errors.map((issue: Json) => issue.path)).toContain(at)
})
