// Who gets the mails of a sequence, who later, who not; and what pausing, editing and acts of a person do to people who are in one.

import { describe, expect, test } from 'bun:test'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { type Json, testApp } from './support/app.ts'
import { listOf } from './support/campaign.ts'
import { path, publish, runsOf, subjects, tell, templates, welcoming } from './support/sequences.ts'

const start = { event: 'signup' }
const send = (templateId: string, more: object = {}) => ({ id: templateId, type: 'send', templateId, ...more })

describe('a mail of a sequence', () => {
  test('can be unsubscribed from, and who did gets no more', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, welcoming)
    await tell(t, 'signup')
    await t.settle()
    const [mail] = await t.sent()
    expect(mail?.raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const link = /^List-Unsubscribe: <([^>]+)>/m.exec(mail?.raw ?? '')?.[1] ?? ''
    await t.request('POST', new URL(link).pathname, 'List-Unsubscribe=One-Click', {
      as: 'nobody',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await t.advance('4d')
    expect(await subjects(t)).toEqual(['hello'])
    expect((await runsOf(t, id))[0]).toMatchObject({ state: 'exited', reason: 'all_mail', stepId: 'tips' })
  })

  test('is refused in words of a sequence, and not of a rule', async () => {
    await using t = await testApp()
    await templates(t)
    const steps = [
      { ...send('hello'), variables: { 'contact.email': 'x', plan: '{{plan}}', unknown: 1 } },
      { id: 'set', type: 'update', properties: { email: 'x', plan: '{{plan}}' } },
    ]
    const { id, contentHash, issues } = await t.post(path, { name: 'A', definition: { start, steps } }, 201)
    expect(issues.length).toBeGreaterThan(3)
    const definition = { start, steps: [send('hello')], purpose: 'transactional' }
    await t.post(`${path}/${id}/publish`, { contentHash }, 422)
    const draft = await t.patch(`${path}/${id}`, { definition }, 200)
    const { message } = await t.post(`${path}/${id}/publish`, { contentHash: draft.contentHash }, 403)
    for (const said of [message, ...issues.map((one: Json) => one.message)]) expect(said).not.toMatch(/\brules?\b/)
    expect(message).toContain('A sequence with transactional mail')
  })

  test('needs consent, unless it is transactional', async () => {
    await using t = await testApp()
    await templates(t)
    const marketing = await publish(t, { start, steps: [send('hello')] })
    const definition = { start, steps: [send('hello')], purpose: 'transactional' }
    const { id, contentHash } = await t.post(path, { name: 'Receipts', definition }, 201)
    await t.post(`${path}/${id}/publish`, { contentHash }, 403)
    await t.post(`${path}/${id}/publish`, { contentHash }, 200, { as: 'session' })
    await t.contact({ subscribed: false })
    await tell(t, 'signup')
    await t.settle()
    expect(await subjects(t)).toEqual(['hello'])
    expect((await runsOf(t, marketing.id))[0]).toMatchObject({ state: 'exited', reason: 'all_mail' })
    expect((await runsOf(t, id))[0]).toMatchObject({ state: 'completed' })
  })

  test('goes to whoever is on its list', async () => {
    await using t = await testApp()
    await templates(t)
    const mailingListId = (await t.mailingList()).id
    const { id } = await publish(t, { start, steps: [send('hello')], mailingListId })
    await t.contact({ mailingLists: { [mailingListId]: true } })
    await tell(t, 'signup')
    await tell(t, 'signup', { email: 'bob@example.net' })
    await t.settle()
    expect(await subjects(t)).toEqual(['hello'])
    expect((await runsOf(t, id)).map(({ state, reason }) => [state, reason])).toEqual([
      ['completed', null],
      ['exited', 'left_list'],
    ])
  })

  test('is not sent to a suppressed address, however late that is known', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, welcoming)
    await tell(t, 'signup')
    await t.settle()
    await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: 'ada@example.net', reason: 'manual' }))
    await t.advance('4d')
    expect(await subjects(t)).toEqual(['hello'])
    expect((await runsOf(t, id))[0]).toMatchObject({ state: 'exited', reason: 'manual' })
  })

  test('is put off by the limit of frequency, and skipped when that takes too long', async () => {
    await using t = await testApp()
    await templates(t)
    const steps = [send('hello'), send('tips')]
    const patient = await publish(t, { start, steps })
    await tell(t, 'signup')
    await t.settle()
    expect((await runsOf(t, patient.id))[0]).toMatchObject({ state: 'waiting', stepId: 'tips', reason: 'too_often' })
    await t.advance('17h')
    expect(await subjects(t)).toEqual(['hello', 'tips'])
    await t.post(`${path}/${patient.id}/stop`, {}, 200)
    const hasty = await publish(t, { start, steps, postponeAtMost: { amount: 1, unit: 'h' } })
    await tell(t, 'signup', { email: 'bob@example.net' })
    await t.settle()
    expect((await runsOf(t, hasty.id))[0]?.path).toEqual(['hello: sent', 'tips: skipped'])
  })

  test('waits for the end of the quiet hours of the person', async () => {
    await using t = await testApp()
    await templates(t)
    await t.patch('/v1/campaign-settings', { quietHours: { from: '20:00', to: '08:00' } }, 200, { as: 'session' })
    const { id } = await publish(t, { start, steps: [send('hello')], postponeAtMost: { amount: 1, unit: 'h' } })
    await tell(t, 'signup', { timezone: 'Asia/Tokyo' })
    await tell(t, 'signup', { email: 'bob@example.net' })
    await t.settle()
    expect((await t.sent()).map(({ to }) => to)).toEqual(['bob@example.net'])
    const waiting = (await runsOf(t, id)).find(({ state }) => state === 'waiting')
    expect(waiting).toMatchObject({ reason: 'quiet_hours', dueAt: expect.stringMatching(/^2026-01-15T23:0\d/) })
    await t.advance('12h')
    expect(await subjects(t)).toEqual(['hello', 'hello'])
  })

  test('fails where it cannot be filled, and is tried again by hand', async () => {
    await using t = await testApp()
    await templates(t)
    await t.template({ id: 'named', subject: 'named', text: 'Dear {{event.name}}' })
    const { id } = await publish(t, { start, steps: [send('named')] })
    await tell(t, 'signup')
    await t.settle()
    const [failed] = await runsOf(t, id)
    expect(failed).toMatchObject({ state: 'failed', stepId: 'named' })
    const at = `${path}/${id}/runs/${failed?.id}`
    await t.post(`${at}/retry`, {}, 200)
    await t.settle()
    expect((await t.get(at, 200)).state).toBe('failed')
    await t.post(`${at}/skip`, {}, 200)
    expect((await t.get(at, 200)).state).toBe('completed')
    await t.post(`${at}/exit`, {}, 409)
  })

  test('pauses the sequence when its template is gone', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, welcoming)
    await tell(t, 'signup')
    await t.settle()
    await t.put('/v1/transactional/update', { id: 'tips', status: 'archived' }, 200)
    await t.advance('4d')
    const paused = await t.get(`${path}/${id}`, 200)
    expect(paused).toMatchObject({ state: 'paused', pauseReason: expect.stringContaining('tips') })
    await t.put('/v1/transactional/update', { id: 'tips', status: 'active' }, 200)
    await t.post(`${path}/${id}/resume`, {}, 200)
    await t.settle()
    expect(await subjects(t)).toEqual(['hello', 'tips'])
  })
})

test('a link that somebody opens is counted at its step, and asked by a branch', async () => {
  await using t = await testApp()
  await templates(t)
  await t.template({
    id: 'offer',
    subject: 'offer',
    content: [{ type: 'button', text: 'Look', href: 'https://example.com/offer' }],
  })
  await t.patch('/v1/campaign-settings', { trackClicks: true, trackOpens: true }, 200, { as: 'session' })
  const { id } = await publish(t, {
    start,
    steps: [
      send('offer'),
      { id: 'pause', type: 'wait', for: { amount: 1, unit: 'd' } },
      { id: 'split', type: 'branch', branches: [{ if: { clicked: 'offer' }, next: 'yes' }], next: 'no' },
      { id: 'yes', type: 'webhook', next: null },
      { id: 'no', type: 'webhook' },
    ],
  })
  for (const email of ['ada@example.net', 'bob@example.net', 'eve@example.net']) await tell(t, 'signup', { email })
  await t.settle()
  const mails = await t.sent()
  t.clock.advance(60_000)
  const agents = ['Mozilla/5.0 (X11; Linux) Firefox/140', 'safelinks scanner']
  for (const [n, agent] of agents.entries()) {
    const plain = mails[n]?.raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=') ?? ''
    expect(plain).toContain('/u/')
    const link = /href="[^"]*(\/t\/c\/[^"]+)"/.exec(plain)?.[1] ?? ''
    const reply = await t.request('GET', link, undefined, { as: 'nobody', headers: { 'user-agent': agent } })
    expect(reply.headers.get('location')).toBe('https://example.com/offer')
  }
  await t.advance('1d')
  const clicked = mails[0]?.to
  expect((await runsOf(t, id)).map(({ email, stepId }) => [email, stepId]).sort()).toEqual(
    ['ada@example.net', 'bob@example.net', 'eve@example.net'].map((email) => [email, email === clicked ? 'yes' : 'no']),
  )
  const { steps } = await t.get(`${path}/${id}`, 200)
  expect(steps.find(({ stepId }: Json) => stepId === 'offer')).toMatchObject({ sent: 3, opened: 0, clicked: 1 })
  const { data } = await t.get('/v1/activity?email=ada@example.net', 200)
  expect(data[0]).toMatchObject({ kind: 'sequence', sequenceId: id })
})

describe('people who are in a sequence', () => {
  test('stay where they are while it is paused, and leave when it is stopped', async () => {
    await using t = await testApp()
    await templates(t)
    const { id } = await publish(t, welcoming)
    await tell(t, 'signup')
    await t.settle()
    await t.post(`${path}/${id}/pause`, {}, 200)
    await tell(t, 'signup', { email: 'bob@example.net' })
    await t.advance('5d')
    expect(await subjects(t)).toEqual(['hello'])
    await t.post(`${path}/${id}/resume`, {}, 200)
    await t.settle()
    expect((await subjects(t)).sort()).toEqual(['hello', 'hello', 'tips'])
    await t.post(`${path}/${id}/stop`, {}, 200)
    await t.advance('5d')
    expect(await subjects(t)).toHaveLength(3)
    expect((await runsOf(t, id)).map(({ state, reason }) => [state, reason])).toEqual([
      ['completed', null],
      ['exited', 'stopped'],
    ])
  })

  test('stay in their version, or move as was shown', async () => {
    await using t = await testApp()
    await templates(t, 'hello', 'tips', 'offer')
    const { id } = await publish(t, welcoming)
    await tell(t, 'signup')
    await t.settle()
    const steps = [send('hello'), { id: 'rest', type: 'wait', for: { amount: 1, unit: 'd' } }, send('offer')]
    await t.patch(`${path}/${id}`, { definition: { start, steps } }, 200)
    const plan = await t.post(`${path}/${id}/moves`, { steps: { pause: 'rest' } }, 200)
    expect(plan.moves).toEqual([{ version: 1, stepId: 'pause', people: 1, to: 'rest', moves: true, nextMail: 'offer' }])
    const stay = await t.post(`${path}/${id}/moves`, {}, 200)
    expect(stay.moves).toMatchObject([{ to: 'pause', moves: false, nextMail: 'tips' }])
    await t.post(`${path}/${id}/publish`, { contentHash: stay.contentHash, steps: { pause: 'rest' } }, 409)
    await t.post(`${path}/${id}/publish`, { contentHash: plan.contentHash, steps: { pause: 'rest' } }, 200)
    await t.settle()
    await t.advance('25h')
    expect(await subjects(t)).toEqual(['hello', 'offer'])
    expect((await runsOf(t, id))[0]).toMatchObject({ version: 2, state: 'completed' })
    const { steps: counts } = await t.get(`${path}/${id}`, 200)
    expect(counts.every(({ here }: Json) => here === 0)).toBe(true)
  })

  test('move, however many they are', async () => {
    await using t = await testApp()
    await templates(t, 'offer')
    const wait = { type: 'wait', for: { amount: 1, unit: 'd' } }
    const { id } = await publish(t, { steps: [{ ...wait, id: 'pause' }] })
    const { contacts } = await listOf(t, 600)
    await t.post(`${path}/${id}/enrol`, { emails: contacts.map(({ email }) => email) }, 200)
    await t.settle()
    await t.patch(`${path}/${id}`, { definition: { steps: [{ ...wait, id: 'rest' }] } }, 200)
    const plan = await t.post(`${path}/${id}/moves`, { steps: { pause: 'rest' } }, 200)
    expect(plan.moves).toMatchObject([{ people: 600, to: 'rest' }])
    await t.post(`${path}/${id}/publish`, { contentHash: plan.contentHash, steps: { pause: 'rest' } }, 200)
    await t.settle()
    const { steps: counts } = await t.get(`${path}/${id}`, 200)
    expect(counts.filter(({ here }: Json) => here > 0)).toMatchObject([{ version: 2, stepId: 'rest', here: 600 }])
  })
})
