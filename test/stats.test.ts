// Figures over time: they are those of the mails, whatever happened to them; they are asked for in many ways; and they are kept as long
// as they should be.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { figures } from '../db/tables/figures.ts'
import { messages } from '../db/tables/messages.ts'
import { installation } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { noteReport } from '../src/features/campaigns/feedback.ts'
import { applyFeedback, type Feedback } from '../src/features/sending/feedback/bounces.ts'
import { catchUp } from '../src/features/sending/stats/catch-up.ts'
import { deleteOldFigures } from '../src/features/sending/stats/keep.ts'
import { trackingToken } from '../src/features/sending/tracking/links.ts'
import type { MailOutcome } from '../src/mail/mailer.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { draft, drafted, join, listOf, sendCampaign } from './support/campaign.ts'
import { askApp, miscounted } from './support/figures.ts'

const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const content = [{ type: 'button', text: 'Offer', href: 'https://shop.example/offer' }]
const outcomes: MailOutcome[] = [
  { outcome: 'accepted', reply: '250 ok' },
  { outcome: 'accepted', reply: '250 ok' },
  { outcome: 'accepted', reply: '250 ok' },
  { outcome: 'refused', permanent: true, stage: 'rcpt', code: 550, enhanced: '5.1.1', reply: 'no such user' },
  { outcome: 'refused', permanent: true, stage: 'rcpt', code: 552, enhanced: '5.2.2', reply: 'mailbox full' },
  { outcome: 'refused', permanent: false, stage: 'rcpt', code: 451, enhanced: '4.3.0', reply: 'later' },
  { outcome: 'uncertain', detail: 'cut after the final dot' },
]
const reports: Feedback[] = [
  { kind: 'delivered' },
  { kind: 'hard', code: '5.1.1', detail: null },
  { kind: 'soft', code: '4.2.2', detail: null },
  { kind: 'complaint', detail: 'abuse' },
]

/** 0, 1, 2 … below `most`, the same in each run. */
function dice(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

const send = (t: TestApp, email: string, templateId = 'hello', status = 200) =>
  t.post('/v1/transactional/send', { email, templateId }, status)

const total = (answer: Json) => Object.fromEntries(Object.entries(answer.totals).filter(([, mails]) => mails !== 0))

test('figures are the count of their mails after a storm of mails, reports, opens and clicks, over hours and months', async () => {
  const roll = dice(7)
  const pick = <T>(list: T[]) => list[roll(list.length)] as T
  await using t = await testApp({
    mailer: {
      kind: 'smtp',
      async send(_, { beforeFinalDot }) {
        const outcome = pick(outcomes)
        const goes = outcome.outcome === 'refused' || (await beforeFinalDot())
        return goes ? outcome : { outcome: 'withheld' }
      },
      close: async () => {},
    },
  })
  await t.patch('/v1/campaign-settings', { trackOpens: true, trackClicks: true, hoursBetween: 0 }, 200, {
    as: 'session',
  })
  const templates = ['hello', 'bye']
  for (const id of templates) await t.template({ id, content })
  const { list } = await listOf(t, 0)
  t.clock.set(new Date('2026-01-31T20:30:00Z'))
  for (let round = 0, people = 0; round < 5; round++) {
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const email = `r${roll(40)}@${pick(['example.net', 'Example.ORG', 'd.example'])}`
        await t.request('POST', '/v1/transactional/send', { email, templateId: pick(templates) })
      }),
    )
    await join(t, list, 6, { first: people })
    people += 6
    const campaignId = await draft(t, list, { content })
    await t.post(`/v1/campaigns/${campaignId}/send`, {}, 200)
    await t.advance(pick(['1h', '90m', '5h']))
    t.clock.advance(60_000)
    const sent = await t.app.db.select({ id: messages.id }).from(messages).where(sql`status IN ('sent', 'delivered')`)
    for (const { id } of sent.filter(() => roll(2) === 0)) {
      const token = trackingToken(t.app, id)
      for (const path of [`/t/o/${token}`, `/t/c/${token}/0`])
        await t.request('GET', path, undefined, { as: 'nobody', headers: pick([person, { 'user-agent': 'curl/8' }]) })
      await write(t.app, (tx) => applyFeedback(tx, { messageId: id }, pick(reports), noteReport))
    }
  }
  await t.advance('2d')
  expect(await miscounted(askApp(t.app))).toEqual([])
  const { totals, groups } = await t.get('/v1/stats?bucket=hour&groupBy=campaign&from=2026-01-31', 200)
  for (const name of ['sent', 'delivered', 'bounced', 'complained', 'failed', 'opened', 'machineOpened', 'clicked'])
    expect([name, totals[name] > 0]).toEqual([name, true])
  expect(groups.length).toBeGreaterThan(1)
  const byMonth = await t.get('/v1/stats?bucket=month', 200)
  expect(byMonth.data.slice(-2).map(({ sent }: Json) => sent > 0)).toEqual([true, true])
  expect(byMonth.totals).toEqual(totals)
})

describe('what is asked for', () => {
  test('every bucket of the time is there, in UTC, from its beginning to the end of the last', async () => {
    await using t = await testApp()
    await t.template({ content })
    await send(t, 'ada@example.net')
    await t.settle()
    const answer = await t.get('/v1/stats?bucket=hour&from=2026-01-15T11:59:00Z&to=2026-01-15T15:00:00%2B01:00', 200)
    expect(answer).toMatchObject({ from: '2026-01-15T11:00:00.000Z', to: '2026-01-15T14:00:00.000Z', complete: true })
    expect(answer.data.map(({ at, sent, bounced }: Json) => [at, sent, bounced])).toEqual([
      ['2026-01-15T11:00:00.000Z', 0, 0],
      ['2026-01-15T12:00:00.000Z', 1, 0],
      ['2026-01-15T13:00:00.000Z', 0, 0],
    ])
    expect((await t.get('/v1/stats', 200)).data.length).toBe(30)
    const months = await t.get('/v1/stats?bucket=month', 200)
    expect([months.data[0].at, months.data.length, months.to]).toEqual([
      '2025-02-01T00:00:00.000Z',
      12,
      '2026-02-01T00:00:00.000Z',
    ])
    expect(total(await t.get('/v1/stats?from=2026-01-15&to=2026-01-16', 200))).toEqual({ sent: 1 })
    expect(total(await t.get('/v1/stats?from=2026-01-14&to=2026-01-15', 200))).toEqual({})
  })

  test('of a template, a campaign, a receiving domain, or of those that most was sent of', async () => {
    await using t = await testApp()
    await t.template({ id: 'welcome', content })
    await t.template({ id: 'goodbye', content })
    for (const [to, templateId] of [
      ['a@one.example', 'welcome'],
      ['b@ONE.example', 'welcome'],
      ['c@two.example', 'goodbye'],
    ] as const)
      await send(t, to, templateId)
    const { id: campaignId } = await drafted(t, 3)
    await sendCampaign(t, campaignId)
    const sent = async (query: string) => (await t.get(`/v1/stats?${query}`, 200)).totals.sent
    expect(await sent('')).toBe(6)
    expect(await sent('templateId=welcome')).toBe(2)
    expect(await sent('templateId=nothing')).toBe(0)
    expect(await sent(`campaignId=${campaignId}`)).toBe(3)
    expect(await sent('domain=One.example')).toBe(2)
    const groups = async (query: string) =>
      (await t.get(`/v1/stats?${query}`, 200)).groups.map(({ group, totals }: Json) => [group, totals.sent])
    expect(await groups('groupBy=template&bucket=hour')).toEqual([
      ['welcome', 2],
      ['goodbye', 1],
    ])
    expect(await groups('groupBy=campaign')).toEqual([[campaignId, 3]])
    expect(await groups('groupBy=domain&limit=2')).toEqual([
      ['example.net', 3],
      ['one.example', 2],
    ])
    const { apiKey } = await t.stranger()
    expect(total(await t.get('/v1/stats?groupBy=domain', 200, { as: { apiKey } }))).toEqual({})
  })

  test('what cannot be answered is refused, naming the field and the limit', async () => {
    await using t = await testApp()
    const refusals: [query: string, path: string, words: string][] = [
      ['from=yesterday', 'from', '2027-01-15'],
      ['from=2026-01-15&to=2026-01-15', 'from', 'before to'],
      ['bucket=hour&from=2025-01-01', 'from', '1000 buckets'],
      ['bucket=hour&from=0001-01-01T00:00:00Z', 'from', '2027-01-15'],
      ['from=1970-01-01&to=9999-12-31', 'from', '1000 buckets'],
      ['groupBy=template&from=2025-01-01', 'from', '100 buckets'],
      ['groupBy=domain&bucket=hour', 'bucket', 'must be day'],
      ['domain=a.example&bucket=month', 'bucket', 'must be day'],
      ['groupBy=domain&templateId=x', 'groupBy', 'cannot be combined'],
      ['campaignId=x&templateId=x', 'campaignId', 'cannot be combined'],
      ['limit=21', 'limit', '1 to 20'],
      ['bucket=week', 'bucket', ''],
    ]
    for (const [query, path, words] of refusals) {
      const { errors, detail } = await t.get(`/v1/stats?${query}`, 422)
      expect([query, errors[0].path, detail.includes(words)]).toEqual([query, path, true])
    }
  })
})

describe('what is kept', () => {
  test('test mails are not counted, and a suppressed recipient is', async () => {
    await using t = await testApp()
    await t.template({ content })
    await t.post('/v1/suppressions', { email: 'no@example.net' }, 201)
    await send(t, 'no@example.net', 'hello', 422)
    await t.post('/v1/transactional/hello/test', { email: 'owner@example.com' }, 200, { as: 'session' })
    await t.settle()
    expect(total(await t.get('/v1/stats', 200))).toEqual({ suppressed: 1 })
    expect(await miscounted(askApp(t.app))).toEqual([])
  })

  test('a day has rows for 250 domains; mails to others are counted together', async () => {
    await using t = await testApp()
    await t.template({ content })
    await send(t, 'a@first.example')
    await t.settle()
    const [first] = await t.app.db.select().from(figures).where(sql`dimension = 'domain'`)
    if (!first) throw new Error('nothing was counted')
    const others = Array.from({ length: 248 }, (_, n) => ({ ...first, value: `d${n}.example` }))
    await write(t.app, (tx) =>
      tx.db
        .insert(figures)
        .values(others)
        .then(() => undefined),
    )
    for (const domain of ['last', 'beyond', 'more', 'first']) {
      await send(t, `a@${domain}.example`)
      await t.settle()
    }
    const sent = async (domain: string) => (await t.get(`/v1/stats?domain=${domain}`, 200)).totals.sent
    expect(await Promise.all(['first', 'last', 'beyond'].map((one) => sent(`${one}.example`)))).toEqual([2, 1, 0])
    const { groups } = await t.get('/v1/stats?groupBy=domain&limit=2', 200)
    expect(groups.map(({ group }: Json) => group).sort()).toEqual(['first.example', 'other'])
    await t.advance('1d')
    await send(t, 'a@beyond.example')
    await t.settle()
    expect(await sent('beyond.example')).toBe(1)
  })

  test('hours stay for a month, days for a year and a bit, months for ever', async () => {
    await using t = await testApp()
    await t.template({ content })
    await send(t, 'ada@example.net')
    await t.settle()
    const kept = async () =>
      (await t.app.db.all<{ bucket: string }>(sql`SELECT DISTINCT bucket FROM figures ORDER BY bucket`)).map(
        (row) => row.bucket,
      )
    const later = async (days: number) => {
      t.clock.advance(days * 86_400_000)
      while ((await write(t.app, deleteOldFigures)) > 0);
      return await kept()
    }
    expect(await later(30)).toEqual(['day', 'hour', 'month'])
    expect(await later(2)).toEqual(['day', 'month'])
    expect(await later(360)).toEqual(['day', 'month'])
    expect(await later(10)).toEqual(['month'])
    expect(total(await t.get('/v1/stats?bucket=month&from=2026-01-01', 200))).toEqual({ sent: 1 })
  })

  test('an erasure takes the figures of a domain that may be one person’s, and no others', async () => {
    await using t = await testApp()
    await t.template({ content })
    const { id } = await t.contact({ email: 'ada@lovelace.example' })
    await send(t, 'ada@lovelace.example')
    await send(t, 'bob@large.example')
    await t.settle()
    await write(t.app, (tx) =>
      tx.db
        .update(figures)
        .set({ sent: 2_000 })
        .where(sql`value = 'large.example'`)
        .then(() => undefined),
    )
    await t.delete(`/v1/contacts/${id}/data`, undefined, 200)
    const { groups, totals } = await t.get('/v1/stats?groupBy=domain', 200)
    expect(groups.map(({ group }: Json) => group)).toEqual(['large.example'])
    expect(totals.sent).toBe(2)
  })

  test('what was sent before there were figures is counted afterwards, in slices, once', async () => {
    await using t = await testApp()
    await t.patch('/v1/campaign-settings', { trackOpens: true, trackClicks: true }, 200, { as: 'session' })
    await t.template({ content })
    for (let n = 0; n < 120; n++) await send(t, `a${n}@d${n % 5}.example`)
    const { list } = await listOf(t, 4)
    await t.post(`/v1/campaigns/${await draft(t, list, { content })}/send`, {}, 200)
    await t.settle()
    await t.advance('1h')
    const open = async () => {
      for (const { id } of await t.app.db
        .select({ id: messages.id })
        .from(messages)
        .where(sql`campaign_id IS NOT NULL LIMIT 2`))
        await t.request('GET', `/t/c/${trackingToken(t.app, id)}/0`, undefined, { as: 'nobody', headers: person })
    }
    await open()
    const counted = await t.get('/v1/stats?groupBy=domain', 200)
    // As the migration leaves a database that has mails.
    t.clock.advance(1)
    const value = JSON.stringify({ before: t.clock.now().getTime(), after: '' })
    await write(t.app, async (tx) => {
      await tx.db.delete(figures)
      await tx.db.insert(installation).values({ name: 'figures_behind', value, updatedAt: tx.now })
    })
    await send(t, 'new@d1.example')
    await t.settle()
    expect(total(await t.get('/v1/stats', 200))).toEqual({ sent: 1 })
    const steps: number[] = []
    do steps.push(await write(t.app, catchUp))
    while (steps.at(-1) !== 0)
    expect(steps).toEqual([100, 25, 0])
    expect(await miscounted(askApp(t.app))).toEqual([])
    const after = await t.get('/v1/stats?groupBy=domain', 200)
    expect([after.complete, after.totals.clicked, after.totals.sent]).toEqual([true, 2, counted.totals.sent + 1])
  })
})
