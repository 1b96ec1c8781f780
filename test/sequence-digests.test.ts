// A digest gathers what happens to a person and sends one mail about it. Each event is in exactly one, whatever comes while one is sent, and
// whoever dies meanwhile.

import { describe, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { enqueue } from '../src/core/outbox/enqueue.ts'
import { checkInvariants } from '../src/core/outbox/invariants.ts'
import type { Job } from '../src/core/outbox/job.ts'
import { sequenceDatesJob } from '../src/features/sequences/dates.ts'
import { sequencePage, sequenceSignalsJob } from '../src/features/sequences/page.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { trust } from './support/campaign.ts'
import { path, publish, runsOf, tell } from './support/sequences.ts'
import { type Answer, type SinkOptions, startSink } from './support/smtp-sink.ts'

const hour = { amount: 1, unit: 'h' }
const start = { event: 'commented' }
const digest = (more: object = {}) => ({
  id: 'comments',
  type: 'digest',
  event: 'commented',
  for: hour,
  templateId: 'comments',
  ...more,
})
const again = { start, reEntry: { mode: 'afterExit' }, steps: [digest()] }

async function templates(t: TestApp): Promise<void> {
  await trust(t, 'M1')
  await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { hoursBetween: 0, mailsPerWeek: 0 }))
  const items = [
    { type: 'text', text: '[{{item.text}}] by {{item.author.name|somebody}}' },
    { type: 'link', text: 'Open {{item.text}}', href: '{{item.url}}' },
  ]
  await t.template({
    id: 'comments',
    subject: '{{digest.count}} comments',
    content: [
      { type: 'list', itemsVariable: 'digest.items', items },
      { type: 'text', text: 'And {{digest.more}} more' },
      { type: 'footer' },
    ],
  })
}

/** `comment(t, 'a', 'b')`: two events, one after the other. */
async function comment(t: TestApp, ...texts: string[]): Promise<void> {
  for (const text of texts)
    await tell(t, 'commented', { eventProperties: { text, url: `https://acme.test/${text}`, author: { name: 'Bob' } } })
}

/** What each mail says, as `3 comments: a b c`. */
const inWords = (raw: string) => {
  const shown = raw.matchAll(/\[(\w+)\] by/g).map(([, text]) => text)
  return `${/^Subject: (.*?)\r?$/m.exec(raw)?.[1]}: ${[...new Set(shown)].join(' ')}`
}
const mails = async (t: TestApp) => (await t.sent()).map(({ raw }) => inWords(raw))

const control = { signal: new AbortController().signal, handOver: async () => null, progressed: async () => {} }
const jobOf = <P>(t: TestApp, payload: P) => ({ workspaceId: t.workspace.id, payload, attempt: 1 }) as Job<P>
const takeSignals = (t: TestApp) => sequenceSignalsJob.run(t.app, jobOf(t, {}), control)
/** Executes the work of a sequence now, before any other job. */
const work = (t: TestApp, sequenceId: string) => sequencePage.run(t.app, jobOf(t, { sequenceId }), control)

describe('a digest', () => {
  test('sends one mail with what came, the event that began it first', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, { ...again, steps: [digest({ order: 'oldest' })] })
    await comment(t, 'a')
    await t.settle()
    await t.advance('20m')
    await comment(t, 'b', 'c')
    expect((await runsOf(t, id))[0]).toMatchObject({ state: 'waiting', gathered: 1 })
    await t.settle()
    expect((await runsOf(t, id))[0]).toMatchObject({ state: 'waiting', gathered: 3 })
    await t.advance('39m')
    expect(await mails(t)).toEqual([])
    await t.advance('1m')
    expect(await mails(t)).toEqual(['3 comments: a b c'])
    const { raw = '' } = (await t.sent())[0] ?? {}
    expect(raw).toContain('[a] by Bob')
    expect(raw).toContain('https://acme.test/c')
    expect(raw).toContain('And 0 more')
    expect(raw).toContain('List-Unsubscribe-Post')
    const [run] = (await t.get(`${path}/${id}/runs`, 200)).data
    const { path: lines } = await t.get(`${path}/${id}/runs/${run.id}`, 200)
    expect(lines).toMatchObject([{ stepId: 'comments', outcome: 'sent', detail: 'gathered 3' }])
    await comment(t, 'd')
    await t.advance('1h')
    await t.advance('1h')
    expect(await mails(t)).toEqual(['3 comments: a b c', '1 comments: d'])
    expect(await checkInvariants(t.app)).toEqual([])
  })

  test('is for one person: each has their own', async () => {
    await using t = await testApp()
    await templates(t)
    await publish(t, again)
    await comment(t, 'a')
    await tell(t, 'commented', { email: 'bob@example.net', eventProperties: { text: 'z' } })
    await t.advance('1h')
    await t.advance('1h')
    expect((await t.sent()).map(({ to, raw }) => `${to} ${inWords(raw)}`).sort()).toEqual([
      'ada@example.net 1 comments: a',
      'bob@example.net 1 comments: z',
    ])
  })

  test('that has nothing to tell is not sent, and the run goes on', async () => {
    await using t = await testApp()
    await templates(t)
    await t.contact()
    const { id } = await publish(t, { steps: [digest({ next: null })] })
    await t.post(`${path}/${id}/enrol`, { emails: ['ada@example.net'] }, 200)
    await t.advance('1h')
    expect(await mails(t)).toEqual([])
    expect(await runsOf(t, id)).toMatchObject([{ state: 'completed', path: ['comments: nothing_gathered'] }])
  })

  test('shows as many as it says, the newest or the oldest, and counts all', async () => {
    await using t = await testApp()
    await templates(t)
    await publish(t, { ...again, steps: [digest({ items: 2 })] })
    await publish(t, { ...again, steps: [digest({ items: 50, order: 'oldest' })] })
    const texts = Array.from({ length: 160 }, (_, n) => `n${n}`)
    const half = texts.length / 2
    await comment(t, ...texts.slice(0, half))
    await t.settle()
    await comment(t, ...texts.slice(half))
    await t.advance('1h')
    await t.settle()
    expect((await mails(t)).sort()).toEqual([
      `160 comments: ${texts.slice(0, 50).join(' ')}`,
      '160 comments: n159 n158',
    ])
    expect((await t.sent()).some(({ raw }) => raw.includes('And 110 more'))).toBe(true)
  })

  test('has no more to show than an event may have, and says how many more there are', async () => {
    await using t = await testApp()
    await templates(t)
    await publish(t, again)
    const properties = (n: number) => ({ text: `n${n}`, url: 'x'.repeat(9_000) })
    for (let n = 0; n < 20; n++) await tell(t, 'commented', { eventProperties: properties(n) })
    await t.advance('1h')
    await t.advance('1h')
    expect(await mails(t)).toEqual(['20 comments: n19 n18 n17 n16 n15 n14 n13'])
    expect((await t.sent())[0]?.raw).toContain('And 13 more')
  })

  test('gathers by conditions, and only what has the key of the run', async () => {
    await using t = await testApp()
    await templates(t)
    const filter = [{ property: 'text', operator: 'notEquals', value: 'spam' }]
    const key = '{{event.post}}'
    await publish(t, { start, reEntry: { mode: 'afterExit', key }, steps: [digest({ filter })] })
    for (const [text, post] of ['a1', 'b2', 'spam1', 'c1', 'd2'].map((one) => [one.slice(0, -1), one.slice(-1)]))
      await tell(t, 'commented', { eventProperties: { text, post } })
    await t.advance('1h')
    await t.advance('1h')
    expect((await mails(t)).sort()).toEqual(['2 comments: c a', '2 comments: d b'])
  })

  test('holds what came since the run began: also before the step was reached', async () => {
    await using t = await testApp()
    await templates(t)
    const wait = { id: 'wait', type: 'wait', for: hour }
    const { id } = await publish(t, { start: { event: 'joined' }, steps: [wait, digest()] })
    await comment(t, 'early')
    await tell(t, 'joined')
    await t.settle()
    await comment(t, 'a')
    await t.advance('1h')
    await comment(t, 'b')
    await t.advance('1h')
    expect(await mails(t)).toEqual(['2 comments: b a'])
    expect(await runsOf(t, id)).toMatchObject([{ state: 'completed', path: ['wait: waited', 'comments: sent'] }])
  })

  test('waits until a time of day where the person is, and begins anew when it leads to itself', async () => {
    await using t = await testApp()
    await templates(t)
    await t.contact({ timezone: 'Asia/Tokyo' })
    await publish(t, { start, steps: [digest({ at: '09:00', next: 'comments' })] })
    await comment(t, 'a')
    await t.advance('11h')
    expect(await mails(t)).toEqual([])
    await t.advance('1h')
    expect(await mails(t)).toEqual(['1 comments: a'])
    await t.advance('24h')
    await comment(t, 'b', 'c')
    await t.advance('24h')
    expect(await mails(t)).toEqual(['1 comments: a', '2 comments: c b'])
  })

  test('that is put off has what came meanwhile', async () => {
    await using t = await testApp()
    await templates(t)
    await t.patch('/v1/campaign-settings', { quietHours: { from: '12:30', to: '20:00' } }, 200, { as: 'session' })
    await publish(t, again)
    await comment(t, 'a')
    await t.advance('1h')
    await t.advance('1h')
    expect(await mails(t)).toEqual([])
    await comment(t, 'b')
    await t.advance('8h')
    expect(await mails(t)).toEqual(['2 comments: b a'])
  })

  test('asks for consent, and an exit ends it with all that it has gathered', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, { ...again, exits: [{ event: 'left' }] })
    await t.contact({ subscribed: false })
    await comment(t, 'a')
    await t.advance('1h')
    await tell(t, 'commented', { email: 'bob@example.net' })
    await t.settle()
    await tell(t, 'left', { email: 'bob@example.net' })
    await t.advance('1h')
    expect(await mails(t)).toEqual([])
    expect((await runsOf(t, id)).map(({ state, reason, gathered }) => [state, reason, gathered])).toEqual([
      ['exited', 'all_mail', 0],
      ['exited', 'event:left', 0],
    ])
  })

  test('knows nothing of an event that was erased with its person', async () => {
    await using t = await testApp()
    await templates(t)
    const contact = await t.contact()
    const { id } = await publish(t, again)
    await comment(t, 'a')
    await t.settle()
    await t.delete(`/v1/contacts/${contact.id}/data`, undefined, 200)
    const rows = await t.app.db.all<Json>(sql`SELECT gathered FROM sequence_runs WHERE gathered IS NOT NULL`)
    expect(rows).toEqual([])
    await t.advance('2h')
    expect(await runsOf(t, id)).toEqual([])
    expect(await mails(t)).toEqual([])
  })

  test('is shown by a rehearsal', async () => {
    await using t = await testApp()
    await templates(t)
    await t.contact()
    const { id } = await t.post(path, { name: 'Comments', definition: again }, 201)
    const events = [{ event: 'commented', after: { amount: 10, unit: 'm' }, properties: { text: 'b' } }]
    const { data } = await t.unchanged(() =>
      t.post(`${path}/${id}/rehearse`, { emails: ['ada@example.net'], properties: { text: 'a' }, events }, 200),
    )
    expect(data).toMatchObject([
      {
        state: 'completed',
        path: [{ stepId: 'comments', outcome: 'sent', detail: 'gathered 2', at: '2026-01-15T13:00:00.000Z' }],
      },
    ])
  })
})

describe('at its edge', () => {
  test('what comes when the time is up is in it, and what comes once it is prepared in the next', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, again)
    await comment(t, 'a')
    await t.settle()
    t.clock.advance(3_600_000)
    await comment(t, 'b')
    await work(t, id)
    await comment(t, 'c')
    await takeSignals(t)
    await comment(t, 'd')
    const [row] = await t.app.db.all<{ gathered: string }>(sql`SELECT gathered FROM sequence_runs`)
    const anEvent = expect.stringMatching(/^evt_/)
    expect(JSON.parse(row?.gathered ?? '')).toEqual([
      { event: 'commented', count: 2, ids: [anEvent, anEvent], mailed: true },
      { event: 'commented', count: 1, ids: [anEvent], mailed: false },
    ])
    await t.settle()
    expect(await mails(t)).toEqual(['2 comments: b a'])
    expect(await runsOf(t, id)).toMatchObject([{ state: 'waiting', gathered: 2, path: ['comments: sent'] }])
    await t.advance('1h')
    expect(await mails(t)).toEqual(['2 comments: b a', '2 comments: d c'])
    expect(await runsOf(t, id)).toMatchObject([{ state: 'completed', path: ['comments: sent', 'comments: sent'] }])
  })

  /** What comes at that moment of the hand-over. */
  async function during(stage: 'mail' | 'dot', answer: string | undefined) {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const { promise: told, resolve: goOn } = Promise.withResolvers<Answer | undefined>()
    const options: SinkOptions = {
      answer: (at, nth) => {
        if (at !== stage || nth > 0) return undefined
        reach()
        return told
      },
    }
    await using sink = startSink(options)
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }) })
    await templates(t)
    await publish(t, again)
    await comment(t, 'a')
    await t.settle()
    t.clock.advance(3_600_000)
    const running = t.settle()
    await reached
    await comment(t, 'b')
    goOn(answer)
    await running
    await t.settle()
    for (let hours = 0; hours < 8; hours++) await t.advance('1h')
    return sink.received.map(({ raw }) => inWords(raw.toString()))
  }

  test.each(['mail', 'dot'] as const)(
    'what comes while the server takes the mail (%s) is in the next',
    async (stage) => {
      expect(await during(stage, undefined)).toEqual(['1 comments: a', '1 comments: b'])
    },
  )

  test('what comes while the server puts the mail off is in the next, and the mail is sent as it was', async () => {
    expect(await during('mail', '451 4.3.0 later')).toEqual(['1 comments: a', '1 comments: b'])
  })

  test('a mail that was refused is tried again with what came meanwhile', async () => {
    let refuses = true
    await using sink = startSink({ answer: (stage) => (stage === 'dot' && refuses ? '554 5.7.1 no' : undefined) })
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }) })
    await templates(t)
    const { id } = await publish(t, again)
    await comment(t, 'a')
    await t.settle()
    await t.advance('1h')
    await comment(t, 'b')
    await t.settle()
    const [failed] = await runsOf(t, id)
    expect(failed).toMatchObject({ state: 'failed', gathered: 1 })
    refuses = false
    await t.post(`${path}/${id}/runs/${failed?.id}/retry`, {}, 200)
    await t.settle()
    expect(sink.received.map(({ raw }) => inWords(raw.toString()))).toEqual(['2 comments: b a'])
    expect((await runsOf(t, id))[0]).toMatchObject({ state: 'completed', path: ['comments: sent'] })
  })

  test('one that is skipped takes along what it was about, and what came later waits for the next', async () => {
    await using sink = startSink({
      answer: (stage, nth) => (stage === 'dot' && nth === 0 ? '554 5.7.1 no' : undefined),
    })
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }) })
    await templates(t)
    const { id } = await publish(t, again)
    await comment(t, 'a')
    await t.settle()
    await t.advance('1h')
    await comment(t, 'b')
    await t.settle()
    const [failed] = await runsOf(t, id)
    await t.post(`${path}/${id}/runs/${failed?.id}/skip`, {}, 200)
    await t.advance('1h')
    expect(sink.received.map(({ raw }) => inWords(raw.toString()))).toEqual(['1 comments: b'])
    expect((await runsOf(t, id))[0]).toMatchObject({ path: ['comments: skipped', 'comments: sent'] })
  })

  test('one that is skipped before its time takes along all', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, again)
    await comment(t, 'a')
    await t.settle()
    const [run] = await runsOf(t, id)
    await t.post(`${path}/${id}/runs/${run?.id}/skip`, {}, 200)
    await t.advance('2h')
    expect(await mails(t)).toEqual([])
    expect((await runsOf(t, id))[0]).toMatchObject({ state: 'completed', gathered: 0, path: ['comments: skipped'] })
  })

  test('of two runs of one person, one tells it', async () => {
    await using t = await testApp()
    await templates(t)
    await t.post('/api/v1/contacts/properties', { name: 'renewal', type: 'date' }, 200)
    await t.contact({ renewal: '2026-01-16' })
    const { id } = await publish(t, {
      start: { date: 'renewal' },
      steps: [digest({ for: { amount: 5, unit: 'd' } })],
    })
    const begin = async () => {
      await write(t.app, (tx) => enqueue(tx, sequenceDatesJob, { workspaceId: '', payload: {} }))
      await t.settle()
    }
    await begin()
    await t.put('/v1/contacts/update', { email: 'ada@example.net', renewal: '2026-01-17' }, 200)
    await t.advance('1d')
    await begin()
    await comment(t, 'a', 'b')
    await t.settle()
    expect((await runsOf(t, id)).map(({ state, gathered }) => [state, gathered])).toEqual([
      ['waiting', 2],
      ['waiting', 0],
    ])
    expect(await checkInvariants(t.app)).toEqual([])
    const store = (gathered: SQL) =>
      write(t.app, (tx) => tx.db.run(sql`UPDATE sequence_runs SET gathered = ${gathered}`))
    await store(sql`(SELECT max(gathered) FROM sequence_runs)`)
    expect((await checkInvariants(t.app)).join()).toContain('I18e')
    await store(sql`NULL`)
  })

  test('who is paused gathers on', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, again)
    await comment(t, 'a')
    await t.settle()
    await t.post(`${path}/${id}/pause`, {}, 200)
    await comment(t, 'b')
    await t.advance('2h')
    await comment(t, 'c')
    expect(await mails(t)).toEqual([])
    await t.post(`${path}/${id}/resume`, {}, 200)
    await t.settle()
    expect(await mails(t)).toEqual(['3 comments: c b a'])
  })

  test('who is moved to another version takes along what they have', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, again)
    await comment(t, 'a')
    await t.settle()
    const definition = { ...again, steps: [digest({ id: 'daily', for: { amount: 1, unit: 'd' } })] }
    await t.patch(`${path}/${id}`, { definition }, 200)
    const steps = { comments: 'daily' }
    const { contentHash, moves } = await t.post(`${path}/${id}/moves`, { steps }, 200)
    expect(moves).toMatchObject([{ to: 'daily', nextMail: 'daily' }])
    await t.post(`${path}/${id}/publish`, { contentHash, steps }, 200)
    await t.settle()
    await comment(t, 'b')
    await t.advance('2h')
    expect(await mails(t)).toEqual([])
    await t.advance('22h')
    await t.advance('1h')
    expect(await mails(t)).toEqual(['2 comments: b a'])
  })
})

describe('is refused', () => {
  const refused: [string, object, string][] = [
    ['without an event', digest({ event: undefined }), 'definition.steps[0].event'],
    ['without a time', digest({ for: undefined }), 'definition.steps[0]'],
    ['with weekdays alone', digest({ weekdays: [1] }), 'definition.steps[0].weekdays'],
    ['until a date', digest({ date: 'birthday' }), 'definition.steps[0].date'],
    ['with too many items', digest({ items: 51 }), 'definition.steps[0].items'],
    ['in another order', digest({ order: 'random' }), 'definition.steps[0].order'],
    ['around itself at once', digest({ for: { amount: 1, unit: 'm' }, next: 'comments' }), 'definition.steps[0]'],
  ]
  test.each(refused)('%s', async (_, step, at) => {
    await using t = await testApp()
    const definition = { ...again, steps: [step] }
    const answer = await t.unchanged(() => t.post(path, { name: 'Comments', definition }, 422))
    expect(answer.errors[0].path).toBe(at)
  })

  test('where it cannot do what it says, with the path of the step', async () => {
    await using t = await testApp()
    await templates(t)
    await t.template({ id: 'other', subject: '{{digest.items}}', text: '{{digest.people}}' })
    const filter = [{ property: 'text', operator: 'exists' }]
    const steps = [
      digest({ templateId: 'gone' }),
      digest({ id: 'second', templateId: 'other' }),
      digest({ id: 'third', filter, variables: { 'digest.count': 3 } }),
      { id: 'mail', type: 'send', templateId: 'comments' },
    ]
    const definition = { start, reEntry: { mode: 'always' }, steps }
    const { issues } = await t.post(path, { name: 'Comments', definition }, 201)
    expect(issues.map(({ path: at, code }: Json) => `${at} ${code}`).sort()).toEqual([
      'steps[0].event unreachable',
      'steps[0].templateId unknown_template',
      'steps[1].event unreachable',
      'steps[1].templateId invalid_type',
      'steps[1].variables.digest.people missing_variable',
      'steps[2].event unreachable',
      'steps[2].filter conflicting_fields',
      'steps[2].variables.digest.count unknown_variable',
      'steps[3].variables.digest.count missing_variable',
      'steps[3].variables.digest.items missing_variable',
      'steps[3].variables.digest.more missing_variable',
    ])
  })
})
