// Several processes on one libSQL server: each takes its share of the work, and what one has lost it does not finish.

import { describe, expect, test } from 'bun:test'
import { createApp, write } from '../src/core/app.ts'
import { keyOf, takeStored } from '../src/core/http/rate-limit.ts'
import { Dispatcher } from '../src/core/outbox/dispatcher.ts'
import { checkInvariants } from '../src/core/outbox/invariants.ts'
import { chooseByHand } from '../src/features/campaigns/winner.ts'
import { chooseStepWinnerByHand } from '../src/features/sequences/winner.ts'
import { day, hour, second } from '../src/kit/duration.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { jobKinds } from '../src/operator/jobs.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, listOf } from './support/campaign.ts'
import { remoteDatabase } from './support/database.ts'
import { path, publish, tell, templates, welcoming } from './support/sequences.ts'
import { type Answer, type Sink, startSink } from './support/smtp-sink.ts'

/** Another process on the database of `t`, with a mail server of its own. */
async function beside(t: TestApp, sink: Sink) {
  const app = await createApp(t.app.config, {
    clock: t.clock,
    log: t.app.log,
    mailer: smtpTransport({ url: sink.url }),
  })
  const dispatcher = new Dispatcher(app, { kinds: jobKinds, alone: false, version: 'test' })
  return {
    app,
    dispatcher,
    async [Symbol.asyncDispose]() {
      await dispatcher.stop(0)
      await app.close()
    },
  }
}

/** Until nothing is due any more: the other looks again and again, as it would every moment. */
async function settleBoth(t: TestApp, { dispatcher }: { dispatcher: Dispatcher }): Promise<void> {
  let isOver = false
  const settled = t.settle().finally(() => {
    isOver = true
  })
  while (!isOver) await dispatcher.runDue()
  await settled
}

/** Two sinks of which neither answers its first mail before the other has one: each process has a share of the work for certain. */
function startSinksThatMeet(): [Sink, Sink] {
  const both = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()] as const
  const start = (mine: number) =>
    startSink({
      answer: (stage) => {
        if (stage !== 'mail') return undefined
        both[mine]?.resolve(undefined)
        return both[1 - mine]?.promise
      },
    })
  return [start(0), start(1)]
}

async function mails(t: TestApp, many: number): Promise<string[]> {
  await t.template()
  const emails = Array.from({ length: many }, (_, n) => `a${n}@domain${n}.example`)
  await Promise.all(emails.map((email) => t.mail({ email })))
  return emails
}

const recipientsOf = (...sinks: Sink[]) => sinks.flatMap(({ received }) => received.flatMap(({ to }) => to)).sort()

describe.skipIf(!remoteDatabase)('several processes on one libSQL server', () => {
  test('each takes its share, and nothing is sent twice', async () => {
    const [one, another] = startSinksThatMeet()
    await using here = one
    await using there = another
    await using t = await testApp({ mailer: smtpTransport({ url: here.url }), alone: false })
    await using other = await beside(t, there)
    const emails = await mails(t, 200)
    await settleBoth(t, other)
    expect(recipientsOf(here, there)).toEqual(emails.sort())
  })

  test('one that stood still for longer than its lease sends nothing that another has taken over', async () => {
    const { promise: frozen, resolve: goOn } = Promise.withResolvers<Answer | undefined>()
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const answer = (stage: string) => {
      if (stage !== 'mail') return undefined
      reach()
      return frozen
    }
    await using here = startSink({ answer })
    await using there = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: here.url }), alone: false })
    await using other = await beside(t, there)
    const emails = await mails(t, 3)
    const running = t.settle()
    await reached
    t.clock.advance(31 * second)
    expect(await other.dispatcher.rescue()).toBe(3)
    await other.dispatcher.runDue()
    expect(recipientsOf(there)).toEqual(emails.sort())
    goOn(undefined)
    await running
    expect(here.count()).toBe(0)
    expect((await t.get('/v1/activity?status=sent&limit=1', 200)).pagination.totalResults).toBe(3)
  })

  test('the cap of a workspace holds for all of them together, with several campaigns', async () => {
    await using here = startSink()
    await using there = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: here.url }), alone: false })
    await using other = await beside(t, there)
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { dailyCap: 25 }))
    const lists = [await listOf(t, 20), await listOf(t, 20, { first: 100 }), await listOf(t, 20, { first: 200 })]
    for (const { list } of lists) await t.post(`/v1/campaigns/${await draft(t, list)}/send`, {}, 200)
    const both = () => settleBoth(t, other)
    await both()
    const first = recipientsOf(here, there)
    expect([first.length, new Set(first).size]).toEqual([25, 25])
    for (let step = 0; step < 5; step++) {
      t.clock.advance(25 * hour)
      await both()
    }
    const all = recipientsOf(here, there)
    expect([all.length, new Set(all).size]).toEqual([60, 60])
  })

  test('they move the people of one sequence without mailing anybody twice, and what happens in a pause counts', async () => {
    await using here = startSink()
    await using there = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: here.url }), alone: false })
    await using other = await beside(t, there)
    await templates(t)
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { hoursBetween: 0 }))
    const order = { id: 'order', type: 'event', event: 'ordered', atMost: { amount: 2, unit: 'd' }, otherwise: null }
    const [hello, wait, tips] = welcoming.steps
    const { id } = await publish(t, { exits: [{ event: 'left' }], steps: [hello, order, wait, tips] })
    const emails = (await listOf(t, 300)).contacts.map(({ email }) => email)
    const all = (name: string, list: string[]) => Promise.all(list.map((email) => tell(t, name, { email })))
    const both = () => settleBoth(t, other)
    await t.post(`${path}/${id}/enrol`, { emails }, 200)
    await both()
    expect(recipientsOf(here, there)).toEqual(emails.toSorted())
    await t.post(`${path}/${id}/pause`, {}, 200)
    const [gone, ordered] = [emails.slice(0, 20), emails.slice(20, 50)]
    await Promise.all([all('left', gone), all('ordered', ordered), both()])
    t.clock.advance(3 * day)
    await both()
    await t.post(`${path}/${id}/resume`, {}, 200)
    await both()
    t.clock.advance(4 * day)
    await both()
    expect(recipientsOf(here, there)).toEqual([...emails, ...ordered].sort())
    expect((await t.get(`${path}/${id}`, 200)).people).toMatchObject({ waiting: 0, completed: 280, exited: 20 })
  })

  test('the winner of a test is chosen once, and everybody gets one mail', async () => {
    await using here = startSink()
    await using there = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: here.url }), alone: false })
    await using other = await beside(t, there)
    const { list, contacts } = await listOf(t, 120)
    const variants = [{ name: 'A' }, { name: 'B', subject: 'Other news' }]
    const id = await draft(t, list, { test: { variants, share: 40, holdOut: 0, winner: { by: 'hand' } } })
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    const both = () => settleBoth(t, other)
    await both()
    const choices = ['A', 'B', 'A', 'B'].map((variant, n) =>
      write(n % 2 === 0 ? t.app : other.app, (tx) => chooseByHand(tx, t.workspace.id, id, variant)),
    )
    const chosen = await Promise.allSettled(choices)
    expect(chosen.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await both()
    expect(recipientsOf(here, there)).toEqual(contacts.map(({ email }) => email).sort())
    expect((await t.get(`/v1/campaigns/${id}`, 200)).status).toBe('sent')
    expect(await checkInvariants(t.app)).toEqual([])
  })

  test('the winner of a test of a step is chosen once, and the same people get the same wherever they are moved on', async () => {
    await using here = startSink()
    await using there = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: here.url }), alone: false })
    await using other = await beside(t, there)
    await templates(t)
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { hoursBetween: 0, trackClicks: true }))
    const test = { variants: [{ name: 'A' }, { name: 'B', subject: 'Other' }], winner: { by: 'clicks', afterHours: 2 } }
    const steps = ['hello', 'tips'].map((id) => ({ id, type: 'send', templateId: id, test }))
    const { id } = await publish(t, { steps })
    const emails = (await listOf(t, 200)).contacts.map(({ email }) => email)
    const both = () => Promise.all([t.settle(), other.dispatcher.runDue()])
    await t.post(`${path}/${id}/enrol`, { emails: emails.slice(0, 150) }, 200)
    await both()
    const counted = async () => (await t.get(`${path}/${id}`, 200)).tests
    for (const { variants } of await counted()) expect(variants[0].sent + variants[1].sent).toBe(150)
    const byHand = ['A', 'B', 'A', 'B'].map((variant, n) =>
      write(n % 2 === 0 ? t.app : other.app, (tx) =>
        chooseStepWinnerByHand(tx, t.workspace.id, { sequenceId: id, stepId: 'hello', variant }),
      ),
    )
    expect((await Promise.allSettled(byHand)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    t.clock.advance(3 * hour)
    await both()
    const [hello, tips] = await counted()
    expect([hello.winner === null, tips.winner]).toEqual([false, 'A'])
    await t.post(`${path}/${id}/enrol`, { emails: emails.slice(150) }, 200)
    await both()
    expect(recipientsOf(here, there)).toEqual([...emails, ...emails].sort())
    expect((await counted()).map(({ variants }: Json) => variants)).toEqual([hello.variants, tips.variants])
    expect(await checkInvariants(t.app)).toEqual([])
  })

  test('an event is told by one digest, whoever gathers it and whoever sends it', async () => {
    await using here = startSink()
    await using there = startSink()
    await using t = await testApp({ mailer: smtpTransport({ url: here.url }), alone: false })
    await using other = await beside(t, there)
    await templates(t)
    await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { hoursBetween: 0, mailsPerWeek: 0 }))
    const list = { type: 'list', itemsVariable: 'digest.items', items: ['[{{item.n}}]'] }
    await t.template({ id: 'digest', subject: 'What was said', content: [list] })
    const step = { id: 'digest', type: 'digest', event: 'said', for: { amount: 1, unit: 'h' }, templateId: 'digest' }
    await publish(t, { start: { event: 'said' }, reEntry: { mode: 'afterExit' }, steps: [step] })
    const both = () => settleBoth(t, other)
    const said: string[] = []
    const say = async (round: number) => {
      for (let n = 0; n < 40; n++) {
        said.push(`${round}-${n}`)
        await tell(t, 'said', { email: `a${n % 10}@example.net`, eventProperties: { n: said.at(-1) } })
      }
    }
    for (let round = 0; round < 4; round++) {
      // Also while the mails of the round before leave.
      await Promise.all([say(round), both()])
      t.clock.advance(hour)
    }
    for (let hours = 0; hours < 4; hours++) {
      await both()
      t.clock.advance(hour)
    }
    const told = [here, there].flatMap(({ received }) =>
      received.flatMap(({ raw }) => [...new Set(raw.toString().match(/(?<=\[)\d+-\d+(?=\])/g))]),
    )
    expect(told.sort()).toEqual(said.sort())
  })

  test('a limit holds for all of them together, whoever is overtaken', async () => {
    await using sink = startSink()
    await using t = await testApp({ alone: false })
    await using other = await beside(t, sink)
    const rate = { burst: 10, perSecond: 0.001 }
    const takes = Array.from({ length: 40 }, (_, n) =>
      write(n % 2 === 0 ? t.app : other.app, (tx) => takeStored(tx, keyOf.id('a', 'limit'), rate)),
    )
    expect((await Promise.all(takes)).filter(({ allowed }) => allowed)).toHaveLength(10)
  })
})
