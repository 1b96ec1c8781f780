// What comes to people of a sequence at the same moment, or while its work is under way, counts in the order in which it was answered.

import { expect, test } from 'bun:test'
import { checkInvariants } from '../src/core/outbox/invariants.ts'
import type { Job } from '../src/core/outbox/job.ts'
import { sequencePage, sequenceSignalsJob } from '../src/features/sequences/page.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { path, publish, runsOf, subjects, tell, templates, welcoming } from './support/sequences.ts'
import { type Answer, startSink } from './support/smtp-sink.ts'

const start = { event: 'signup' }
const day = { amount: 1, unit: 'd' }

/** Executes the work of a sequence now, before any other job; `between` its transactions. */
async function work(t: TestApp, sequenceId: string, between: () => Promise<unknown> = async () => {}): Promise<void> {
  await sequencePage.run(t.app, jobOf(t, { sequenceId }), {
    ...control,
    progressed: async () => void (await between()),
  })
}

async function takeSignals(t: TestApp): Promise<void> {
  await sequenceSignalsJob.run(t.app, jobOf(t, {}), control)
}

const control = { signal: new AbortController().signal, handOver: async () => null, progressed: async () => {} }

const jobOf = <P>(t: TestApp, payload: P) => ({ workspaceId: t.workspace.id, payload }) as Job<P>

test('who leaves right after they began is not mailed', async () => {
  await using t = await testApp()
  await templates(t)
  const { id } = await publish(t, { ...welcoming, exits: [{ event: 'left' }] })
  await tell(t, 'signup')
  await tell(t, 'left')
  await t.settle()
  expect(await subjects(t)).toEqual([])
  expect(await runsOf(t, id)).toMatchObject([{ state: 'exited', reason: 'event:left', stepId: 'welcome' }])
})

test('who leaves and comes again at the same moment begins again', async () => {
  await using t = await testApp()
  const steps = [{ id: 'wait', type: 'wait', for: day }]
  const { id } = await publish(t, { start, steps, exits: [{ event: 'left' }], reEntry: { mode: 'afterExit' } })
  for (const name of ['signup', 'left', 'signup', 'signup', 'left', 'signup']) await tell(t, name)
  await t.settle()
  expect((await runsOf(t, id)).map(({ state }) => state)).toEqual(['exited', 'exited', 'waiting'])
  for (const name of ['left', 'signup']) await tell(t, name)
  await t.settle()
  expect((await runsOf(t, id)).map(({ state }) => state)).toEqual(['exited', 'exited', 'exited', 'waiting'])
})

test('an exit that was answered comes before the step that is due', async () => {
  await using t = await testApp()
  const steps = [
    { id: 'pause', type: 'wait', for: day },
    { id: 'say', type: 'webhook' },
  ]
  const { id } = await publish(t, { start, steps, exits: [{ event: 'left' }] })
  await tell(t, 'signup')
  await t.settle()
  t.clock.advance(25 * 3_600_000)
  await tell(t, 'left')
  await work(t, id)
  expect(await runsOf(t, id)).toMatchObject([{ state: 'exited', path: [] }])
})

test('an event that came in time counts, also when the time is up before it is looked at', async () => {
  await using t = await testApp()
  const { id } = await publish(t, { start, steps: [{ id: 'order', type: 'event', event: 'ordered', atMost: day }] })
  await tell(t, 'signup')
  await t.settle()
  await tell(t, 'ordered')
  t.clock.advance(25 * 3_600_000)
  await work(t, id)
  expect(await runsOf(t, id)).toMatchObject([{ path: ['order: came'] }])
})

test('who begins a version that is published while the work of another goes on stays in it', async () => {
  await using t = await testApp()
  const steps = [
    { id: 'say', type: 'webhook' },
    { id: 'wait', type: 'wait', for: day },
  ]
  const { id } = await publish(t, { start, steps })
  await tell(t, 'signup')
  await takeSignals(t)
  let isFirst = true
  await work(t, id, async () => {
    if (!isFirst) return
    isFirst = false
    const { contentHash } = await t.patch(`${path}/${id}`, { definition: { start, steps: steps.toReversed() } }, 200)
    await t.post(`${path}/${id}/publish`, { contentHash }, 200)
    await t.contact({ email: 'bob@example.net' })
    await t.post(`${path}/${id}/enrol`, { emails: ['bob@example.net'] }, 200)
    t.clock.advance(25 * 3_600_000)
  })
  await t.settle()
  expect((await runsOf(t, id)).map(({ version, path }) => [version, path])).toEqual([
    [1, ['say: done', 'wait: waited']],
    [2, ['wait: waited', 'say: done']],
  ])
})

test('mail that was prepared is held by a pause, and cancelled by a stop', async () => {
  await using t = await testApp()
  await templates(t)
  const { id } = await publish(t, welcoming)
  await tell(t, 'signup')
  await takeSignals(t)
  await work(t, id)
  await t.post(`${path}/${id}/pause`, {}, 200)
  await t.settle()
  expect(await checkInvariants(t.app)).toEqual([])
  expect(await runsOf(t, id)).toMatchObject([{ state: 'sending', why: expect.stringContaining('paused') }])
  await t.post(`${path}/${id}/stop`, {}, 200)
  await t.settle()
  expect(await subjects(t)).toEqual([])
  expect(await runsOf(t, id)).toMatchObject([{ state: 'exited', reason: 'stopped', stepId: 'welcome' }])
})

test('an event that came for one step is none for the step that its person is moved to', async () => {
  await using t = await testApp()
  const until = (id: string, event: string) => ({ id, type: 'event', event, atMost: day })
  const { id } = await publish(t, { start, steps: [until('order', 'ordered')] })
  await tell(t, 'signup')
  await t.settle()
  await tell(t, 'ordered')
  await takeSignals(t)
  const definition = { start, steps: [until('visit', 'visited')] }
  await t.patch(`${path}/${id}`, { definition }, 200)
  const steps = { order: 'visit' }
  const { contentHash } = await t.post(`${path}/${id}/moves`, { steps }, 200)
  await t.post(`${path}/${id}/publish`, { contentHash, steps }, 200)
  await t.settle()
  expect(await runsOf(t, id)).toMatchObject([{ state: 'waiting', stepId: 'visit' }])
  await t.advance('1d')
  expect(await runsOf(t, id)).toMatchObject([{ state: 'completed', path: ['visit: did_not_come'] }])
})

test('a move that goes on is not ended by another version, unless that moves people, too', async () => {
  await using t = await testApp()
  const steps = (id: string) => [{ id, type: 'wait', for: day }]
  const { id } = await publish(t, { start, steps: steps('one') })
  await tell(t, 'signup')
  await t.settle()
  const draft = async (name: string) =>
    await t.patch(`${path}/${id}`, { definition: { start, steps: steps(name) } }, 200)
  const moving = async (map: object) => ({ ...(await t.post(`${path}/${id}/moves`, { steps: map }, 200)), steps: map })
  const send = ({ contentHash, steps }: Json, status: number) =>
    t.post(`${path}/${id}/publish`, { contentHash, ...(steps && { steps }) }, status)
  await draft('two')
  await send(await moving({ one: 'two' }), 200)
  const { contentHash } = await draft('three')
  expect(await send({ contentHash }, 409)).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('version 2'),
  })
  await send(await moving({ one: 'three' }), 200)
  await t.settle()
  expect(await runsOf(t, id)).toMatchObject([{ version: 3, stepId: 'three' }])
  await send({ contentHash: (await draft('four')).contentHash }, 200)
})

test('who is erased with a mail on its way gets none, and the counts of the others stay right', async () => {
  await using t = await testApp()
  await templates(t)
  const { id } = await publish(t, { ...welcoming, reEntry: { mode: 'always' } })
  const contact = await t.contact()
  await tell(t, 'signup')
  await tell(t, 'signup', { email: 'bob@example.net' })
  await t.settle()
  await tell(t, 'signup')
  await takeSignals(t)
  await work(t, id)
  await t.delete(`/v1/contacts/${contact.id}/data`, undefined, 200)
  expect(await checkInvariants(t.app)).toEqual([])
  await t.advance('4d')
  // What was captured of them is gone, too.
  expect(await subjects(t)).toEqual(['hello', 'tips'])
  expect((await t.get(`${path}/${id}`, 200)).people).toMatchObject({ waiting: 0, sending: 0, completed: 1 })
})

test('a mail that learned of a pause leaves when the sequence has gone on meanwhile', async () => {
  let id = ''
  let isPaused = false
  const answer = async (stage: string): Promise<Answer | undefined> => {
    if (stage === 'data' && !isPaused) {
      await t.post(`${path}/${id}/pause`, {}, 200)
      isPaused = true
    }
    return undefined
  }
  await using sink = startSink({ answer })
  await using t = await testApp({ mailer: smtpTransport({ url: sink.url }), isNew: true })
  await templates(t)
  ;({ id } = await publish(t, welcoming))
  const { writer } = t.app.database
  let later = 0
  // The first transaction after the pause is that of the hand-over, the second the end of the job.
  const write: typeof writer.write = async (unit, durability) => {
    if (isPaused && ++later === 2) await t.post(`${path}/${id}/resume`, {}, 200)
    return await writer.write(unit, durability)
  }
  Object.assign(t.app.database, { writer: { committed: writer.committed, write, close: () => writer.close() } })
  await tell(t, 'signup')
  await t.settle()
  await t.settle()
  Object.assign(t.app.database, { writer })
  expect(await runsOf(t, id)).toMatchObject([{ state: 'waiting', path: ['welcome: sent'] }])
})
