// Tests of campaigns: who gets which variant, who gets nothing, how the winner is chosen, and who gets that.

import { describe, expect, test } from 'bun:test'
import { checkInvariants } from '../src/core/outbox/invariants.ts'
import { judge } from '../src/features/ab-tests/significance.ts'
import { trackingToken } from '../src/features/sending/tracking/links.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { drafted, sendCampaign, statsOf } from './support/campaign.ts'
import { startSink } from './support/smtp-sink.ts'

const session = { as: 'session' } as const
const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const scanner = { 'user-agent': 'Barracuda scanner' }
const content = [{ type: 'button', text: 'Offer', href: 'https://shop.example/offer' }]

const variants = [{ name: 'A' }, { name: 'B', subject: 'Only today' }]
const byHand = { variants, share: 50, holdOut: 10, winner: { by: 'hand' } }
const byClicks = { variants, share: 60, holdOut: 0, winner: { by: 'clicks', afterHours: 4 } }

async function testing(t: TestApp, people: number, test: object, fields: object = {}) {
  await t.patch('/v1/campaign-settings', { trackClicks: true }, 200, session)
  return await drafted(t, people, { subject: 'News', content, test, ...fields })
}

async function ledgerOf(t: TestApp, id: string): Promise<Json[]> {
  const rows: Json[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Json = await t.get(`/v1/campaigns/${id}/recipients?perPage=50${cursor && `&cursor=${cursor}`}`, 200)
    rows.push(...page.data)
    cursor = page.pagination.nextCursor
  }
  return rows
}

const inVariant = (rows: Json[], name: string | null) =>
  rows.filter(({ variant, state }) => variant === name && state === 'sent')

async function click(t: TestApp, rows: Json[], headers: Record<string, string>): Promise<void> {
  for (const { messageId } of rows)
    await t.request('GET', `/t/c/${trackingToken(t.app, messageId)}/0`, undefined, { as: 'nobody', headers })
}

/** By the link that the mail of this recipient names in its head. */
async function leave(t: TestApp, row: Json | undefined): Promise<void> {
  const mail = (await t.sent()).find(({ raw }) => raw.includes(row?.['messageId']))
  const head = mail?.raw.replaceAll(/\r\n[ \t]+/g, ' ') ?? ''
  const path = new URL(/^List-Unsubscribe: <([^>]+)>/m.exec(head)?.[1] ?? '').pathname
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await t.request('POST', path, 'List-Unsubscribe=One-Click', { as: 'nobody', headers })
}

async function subjects(t: TestApp): Promise<Record<string, string>> {
  const sent = await t.sent()
  return Object.fromEntries(
    sent.map(({ raw }) => [/^To: .*?([^\s<]+@[^\s>]+)/m.exec(raw)?.[1], /^Subject: (.*?)\r?$/m.exec(raw)?.[1] ?? '']),
  )
}

const resultOf = async (t: TestApp, id: string) => (await t.get(`/v1/campaigns/${id}`, 200)).testResult

async function sound(t: TestApp): Promise<void> {
  expect(await checkInvariants(t.app)).toEqual([])
}

describe('who gets what', () => {
  test('each variant goes to its share, some get nothing, the rest waits for the one that is chosen by hand', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 400, byHand)
    const dry = await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200))
    await sendCampaign(t, id)
    const rows = await ledgerOf(t, id)
    const [a, b] = [inVariant(rows, 'A'), inVariant(rows, 'B')]
    // Five standard deviations of a draw with these chances: ids differ in each run.
    for (const part of [a, b]) expect(Math.abs(part.length - 100)).toBeLessThan(5 * Math.sqrt(400 * 0.25 * 0.75))
    const heldOut = rows.filter(({ state }) => state === 'held_out')
    expect(Math.abs(heldOut.length - 40)).toBeLessThan(5 * Math.sqrt(400 * 0.1 * 0.9))
    expect(dry).toMatchObject({ recipients: 400 - heldOut.length, skipped: { held_out: heldOut.length } })
    const waiting = rows.filter(({ state }) => state === 'queued')
    expect(waiting.length).toBe(400 - a.length - b.length - heldOut.length)
    expect(waiting.every(({ sendAfter, variant }) => sendAfter === null && variant === null)).toBe(true)
    const { data } = await t.get(`/v1/campaigns/${id}/why`, 200)
    expect(data.find(({ code }: Json) => code === 'awaits_winner')?.detail).toBe(`${waiting.length} wait`)
    await sound(t)
    await t.advance('30d')
    expect((await t.sent()).length).toBe(a.length + b.length)

    await t.post(`/v1/campaigns/${id}/winner`, { variant: 'B' }, 200)
    await t.settle()
    const sent = await subjects(t)
    const subjectsOf = (some: Json[]) => [...new Set(some.map(({ email }) => sent[email]))]
    expect([subjectsOf(a), subjectsOf(b), subjectsOf(waiting)]).toEqual([['News'], ['Only today'], ['Only today']])
    expect(subjectsOf(heldOut)).toEqual([undefined])
    expect((await t.sent()).length).toBe(400 - heldOut.length)
    expect(await statsOf(t, id)).toEqual({
      status: 'sent',
      audience: 400,
      sent: 400 - heldOut.length,
      held_out: heldOut.length,
    })
    expect((await resultOf(t, id)).variants).toMatchObject([
      { name: 'A', sent: a.length },
      { name: 'B', sent: b.length },
    ])
    await sound(t)
  })

  test('whoever is held out or waits is told so, one by one', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 60, { ...byHand, holdOut: 30 })
    const { data } = await t.get(`/v1/campaigns/${id}/audience?outcome=held_out&perPage=50`, 200)
    await sendCampaign(t, id)
    const rows = await ledgerOf(t, id)
    expect(data.map(({ contactId }: Json) => contactId)).toEqual(
      rows.filter(({ state }) => state === 'held_out').map(({ contactId }) => contactId),
    )
    const found = async (state: string) => {
      const row = rows.find((one) => one.state === state)
      const { objection, checks } = await t.get(`/v1/campaigns/${id}/recipients/${row?.['contactId']}`, 200)
      return [objection?.outcome ?? null, checks.find(({ check }: Json) => check === 'test')]
    }
    expect(await found('held_out')).toEqual(['held_out', { check: 'test', ok: false, value: 'held out' }])
    expect(await found('queued')).toEqual([null, { check: 'test', ok: false, value: 'waiting for the winner' }])
  })

  test('all are held out: nobody gets anything, and it ends', async () => {
    await using t = await testApp()
    const test = { variants, share: 50, holdOut: 50, winner: null }
    const isHeldOut = async ({ id }: Json) =>
      (await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)).recipients === 0
    const { id, list } = await testing(t, 1, test)
    let campaign: Json = { id }
    while (!(await isHeldOut(campaign)))
      campaign = await t.post('/v1/campaigns', { name: 'C', subject: 'C', mailingListId: list.id, content, test }, 201)
    await sendCampaign(t, campaign['id'])
    expect(await statsOf(t, campaign['id'])).toEqual({ status: 'sent', audience: 1, held_out: 1 })
    expect((await resultOf(t, campaign['id'])).sentence).toBe('Nothing was sent yet.')
    await sound(t)
  })

  test('all are tested: nobody waits, and it ends', async () => {
    await using t = await testApp()
    const three = [...variants, { name: 'C', fromName: 'Ada' }]
    const { id } = await testing(t, 90, { variants: three, share: 100, holdOut: 0, winner: null })
    await sendCampaign(t, id)
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 90, sent: 90 })
    const rows = await ledgerOf(t, id)
    const sizes = ['A', 'B', 'C'].map((name) => inVariant(rows, name).length)
    expect(sizes.every((size) => size > 15)).toBe(true)
    expect((await t.sent()).filter(({ raw }) => /^From: .*Ada/m.test(raw)).length).toBe(sizes[2] ?? 0)
    const refusal = await t.post(`/v1/campaigns/${id}/winner`, { variant: 'A' }, 409)
    expect(refusal.code).toBe('invalid_state_transition')
  })

  test('a variant with a template sends that as it was when the campaign began', async () => {
    await using t = await testApp()
    const said = (text: string) => [{ type: 'text', text }]
    await t.template({ id: 'long', subject: 'A template', content: said('The long one') })
    const test = { ...byHand, variants: [{ name: 'A' }, { name: 'B', templateId: 'long', subject: 'Long' }] }
    const { id } = await testing(t, 40, test)
    await sendCampaign(t, id)
    await t.template({ id: 'short', content: said('The short one') })
    await t.post(`/v1/campaigns/${id}/winner`, { variant: 'B' }, 200)
    await t.settle()
    const long = (await t.sent()).filter(({ raw }) => raw.includes('The long one'))
    const tested = inVariant(await ledgerOf(t, id), 'A').length
    const heldOut = (await statsOf(t, id))['held_out']
    expect(long.length).toBe(40 - tested - heldOut)
    expect(long.every(({ raw }) => raw.includes('Subject: Long'))).toBe(true)
  })
})

describe('the winner', () => {
  test('is chosen at its time by the clicks of people: scanners do not count', async () => {
    await using t = await testApp()
    await t.endpoint({ url: 'https://hooks.example.com/', status: 'disabled', eventFilters: ['campaign.winnerChosen'] })
    const { id } = await testing(t, 300, byClicks)
    await sendCampaign(t, id)
    const rows = await ledgerOf(t, id)
    const [a, b] = [inVariant(rows, 'A'), inVariant(rows, 'B')]
    await t.advance('1m')
    await click(t, a, scanner)
    await click(t, a.slice(0, 5), person)
    await click(t, b.slice(0, 30), person)
    await leave(t, a[0])
    const before = await resultOf(t, id)
    expect(before).toMatchObject({ winner: null, leader: 'B', sentence: 'B is very likely better (more than 99 %).' })
    const begun = new Date(before.winnerDueAt).getTime() - 4 * 3_600_000
    expect(Math.abs(begun - t.clock.now().getTime())).toBeLessThan(120_000)
    await t.advance('3h')
    expect((await t.sent()).length).toBe(a.length + b.length)
    await t.advance('1h')
    const after = await resultOf(t, id)
    expect(after).toMatchObject({
      winner: 'B',
      variants: [
        { name: 'A', sent: a.length, clicked: 5, left: 1 },
        { name: 'B', sent: b.length, clicked: 30, left: 0, clickRate: 30 / b.length },
      ],
    })
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 300 })
    const { data } = await t.get('/v1/event-feed?type=campaign.winnerChosen', 200)
    const { sentence } = after
    expect(data.map(({ payload }: Json) => payload.data)).toEqual([
      { campaignId: id, name: 'July', winner: 'B', sentence },
    ])
    await sound(t)
  })

  test('without clicks is the first, and the sentence says that nobody can tell', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 40, byClicks)
    await sendCampaign(t, id)
    await t.advance('5h')
    expect(await resultOf(t, id)).toMatchObject({ winner: 'A', sentence: 'Too few clicks to tell; A leads.' })
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 40, sent: 40 })
  })

  test('by hand comes first; clicks decide nothing after it', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 40, byClicks)
    await sendCampaign(t, id)
    const unknown = await t.unchanged(() => t.post(`/v1/campaigns/${id}/winner`, { variant: 'C' }, 422))
    expect(unknown.errors[0]).toMatchObject({ path: 'variant', message: 'must be one of A, B' })
    await t.post(`/v1/campaigns/${id}/winner`, { variant: 'B' }, 200)
    await t.advance('5h')
    expect((await resultOf(t, id)).winner).toBe('B')
    await t.post(`/v1/campaigns/${id}/winner`, { variant: 'A' }, 409)
  })

  test('chosen while paused, it is what the others get when it is resumed', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 40, byClicks)
    await sendCampaign(t, id)
    const tested = (await t.sent()).length
    await t.post(`/v1/campaigns/${id}/pause`, {}, 200)
    await t.advance('5h')
    expect((await resultOf(t, id)).winner).toBe('A')
    expect((await t.sent()).length).toBe(tested)
    await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
    await t.settle()
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 40, sent: 40 })
    await sound(t)
  })

  test('paused and resumed before its time, it still waits for it', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 40, byClicks)
    await sendCampaign(t, id)
    const { winnerDueAt } = await resultOf(t, id)
    await t.post(`/v1/campaigns/${id}/pause`, {}, 200)
    await t.advance('1h')
    await t.post(`/v1/campaigns/${id}/resume`, {}, 200)
    await t.settle()
    expect(await resultOf(t, id)).toMatchObject({ winner: null, winnerDueAt })
    await t.advance('4h')
    expect(await statsOf(t, id)).toEqual({ status: 'sent', audience: 40, sent: 40 })
  })

  test('cancelled, those who wait get nothing, and no winner is chosen', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 40, byClicks)
    await sendCampaign(t, id)
    const tested = (await t.sent()).length
    await t.post(`/v1/campaigns/${id}/cancel`, {}, 200)
    await t.advance('5h')
    expect(await statsOf(t, id)).toEqual({ status: 'cancelled', audience: 40, sent: tested, cancelled: 40 - tested })
    expect((await resultOf(t, id)).winner).toBe(null)
    await t.post(`/v1/campaigns/${id}/winner`, { variant: 'A' }, 409)
    await sound(t)
  })

  test('quiet hours and consent are asked again when it leaves', async () => {
    await using t = await testApp()
    const { id, list } = await testing(t, 40, byHand)
    await sendCampaign(t, id)
    const [first] = (await ledgerOf(t, id)).filter(({ state }) => state === 'queued')
    await t.put('/v1/contacts/update', { email: first?.['email'], mailingLists: { [list.id]: false } }, 200)
    const tested = (await t.sent()).length
    const hours = { from: '11:00', to: '15:00' }
    await t.patch('/v1/campaign-settings', { quietHours: hours }, 200, session)
    await t.post(`/v1/campaigns/${id}/winner`, { variant: 'B' }, 200)
    await t.settle()
    expect((await t.sent()).length).toBe(tested)
    await t.advance('4h')
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', unsubscribed: 1 })
  })
})

describe('what cannot be', () => {
  test('is refused by the name of its field', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 1, byHand)
    const refused = async (test: object) => {
      const { errors } = await t.unchanged(() => t.patch(`/v1/campaigns/${id}`, { test }, 422))
      return [errors[0].path, errors[0].message]
    }
    const cases: [change: object, path: string, message: string][] = [
      [{ share: 60, holdOut: 50 }, 'test.share', '110 percent together, of at most 100'],
      [{ winner: null }, 'test.winner', 'the other 40 percent'],
      [{ share: 90 }, 'test.winner', 'must be null'],
      [{ variants: [{ name: 'A' }, { name: 'A', subject: 'x' }] }, 'test.variants.1.name', 'another variant'],
      [{ variants: [{ name: 'A' }, { name: 'B' }] }, 'test.variants.1', 'the same as A'],
      [{ variants: [{ name: 'A' }, { name: 'B', subject: 'News' }] }, 'test.variants.1', 'the same as A'],
      [{ variants: [{ name: 'A' }] }, 'test.variants', '2'],
      [{ variants: [{ name: 'A' }, { name: 'B', subject: 'a\r\nBcc: x' }] }, 'test.variants.1.subject', 'line'],
      [{ variants: [{ name: 'A' }, { name: 'B', fromEmail: 'nobody' }] }, 'test.variants.1.fromEmail', ''],
      [
        { variants: [{ name: 'A' }, { name: 'B', fromEmail: 'a@other.test' }] },
        'test.variants.1.fromEmail',
        'must be at',
      ],
      [{ variants: [{ name: 'A' }, { name: 'B', templateId: 'none' }] }, 'test.variants.1.templateId', 'no active'],
      [{ variants: [{ name: 'A' }, { name: 'B', subject: '{{code}}' }] }, 'test.variants.1', 'nothing fills code'],
    ]
    for (const [change, path, message] of cases) {
      const [at, words] = await refused({ ...byHand, ...change })
      expect(at).toBe(path)
      expect(words).toContain(message)
    }
    await t.patch('/v1/campaign-settings', { trackClicks: false }, 200, session)
    expect((await refused(byClicks))[0]).toBe('test.winner.by')
  })

  test('clicks that are not counted any more decide nothing: it does not begin', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 3, byClicks)
    await t.patch('/v1/campaign-settings', { trackClicks: false }, 200, session)
    const { errors } = await t.unchanged(() => t.post(`/v1/campaigns/${id}/send`, {}, 422))
    expect(errors[0]).toMatchObject({ path: 'test.winner.by', code: 'clicks_not_tracked' })
    const local = { scheduledAt: '2030-01-01T09:00', inRecipientZone: true }
    expect((await t.post(`/v1/campaigns/${id}/schedule`, local, 422)).errors[0].path).toBe('inRecipientZone')
  })

  test('an approval is of all variants: a change of any is another campaign', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 40, byHand)
    const hashOf = async (test: object | null) => (await t.patch(`/v1/campaigns/${id}`, { test }, 200)).contentHash
    const [A, B] = variants
    const hashes = [
      await hashOf(null),
      await hashOf(byHand),
      await hashOf({ ...byHand, variants: [A, { ...B, subject: 'Only tomorrow' }] }),
      await hashOf({ ...byHand, variants: [A, { ...B, fromName: 'Ada' }] }),
      await hashOf({ ...byHand, share: 40 }),
      await hashOf({ ...byHand, holdOut: 20 }),
    ]
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(await hashOf(byHand)).toBe(hashes[1])
    const { contents } = await t.get(`/v1/approvals/${id}`, 200, session)
    expect(contents.map(({ variant, subject }: Json) => [variant, subject])).toEqual([
      [null, 'News'],
      ['A', 'News'],
      ['B', 'Only today'],
    ])
    const { contentHash } = await t.get(`/v1/campaigns/${id}`, 200)
    await t.post(`/v1/campaigns/${id}/approve`, { contentHash }, 200, session)
    await t.patch('/v1/campaign-settings', { agentsNeedApproval: true }, 200, session)
    await sendCampaign(t, id)
    await t.post(`/v1/campaigns/${id}/winner`, { variant: 'B' }, 200)
    await t.settle()
    expect((await statsOf(t, id)).status).toBe('sent')
  })

  test('a variant does not send from an address that the workspace may not use', async () => {
    await using sink = startSink()
    const environment = { SMTP_URL: sink.url, MAIL_FROM: 'House <hello@house.example>' }
    await using t = await testApp({ environment })
    const { apiKey } = await t.stranger()
    const list = await t.post('/v1/mailing-lists', { name: 'News' }, 201, { as: { apiKey } })
    const foreign = [{ name: 'A' }, { name: 'B', fromEmail: 'postmaster@house.example' }]
    const body = { name: 'C', subject: 'C', mailingListId: list.id, content, test: { ...byHand, variants: foreign } }
    const refused = await t.unchanged(() => t.post('/v1/campaigns', body, 403, { as: { apiKey } }))
    expect(refused).toMatchObject({ code: 'domain_not_verified', errors: [{ path: 'test.variants.1.fromEmail' }] })
  })

  test('a variant is previewed as it would be sent', async () => {
    await using t = await testApp()
    const { id } = await testing(t, 1, byHand)
    const subjectOf = async (body: object) => (await t.post(`/v1/campaigns/${id}/preview`, body, 200)).subject
    expect([await subjectOf({}), await subjectOf({ variant: 'B' })]).toEqual(['News', 'Only today'])
    const { errors } = await t.post(`/v1/campaigns/${id}/preview`, { variant: 'C' }, 422)
    expect(errors[0].path).toBe('variant')
  })
})

test('how sure it is, is said in words', () => {
  const of = (...results: [sent: number, clicked: number][]) =>
    judge(results.map(([sent, clicked], index) => ({ name: 'ABCDE'[index] ?? '', sent, clicked }))).sentence
  expect(of([0, 0], [0, 0])).toBe('Nothing was sent yet.')
  expect(of([100, 4], [100, 5])).toBe('Too few clicks to tell; B leads.')
  expect(of([1000, 100], [1000, 100])).toBe('Too close to call; A leads.')
  expect(of([1000, 100], [1000, 112])).toBe('B is probably better (80 %).')
  expect(of([1000, 100], [1000, 126])).toBe('B is very likely better (96 %).')
  expect(of([1000, 100], [1000, 126], [1000, 100])).toBe('B is probably better (93 %).')
  expect(of([1000, 100], [1000, 200])).toBe('B is very likely better (more than 99 %).')
  expect(of([10, 10], [10, 10])).toBe('Too close to call; A leads.')
  // Mails whose end nobody knows are not sent, and were clicked.
  expect(of([10, 2], [3, 12])).toBe('B is very likely better (more than 99 %).')
})
