// Tests of send steps: who gets which variant, who gets nothing and goes on, how the winner is chosen, and who gets that.

import { describe, expect, test } from 'bun:test'
import { sequenceTestCounts } from '../db/tables/sequence-tests.ts'
import { write } from '../src/core/app.ts'
import { checkInvariants } from '../src/core/outbox/invariants.ts'
import { trackingToken } from '../src/features/sending/tracking/links.ts'
import { changeSettings } from '../src/people/campaign-settings.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { join, listOf } from './support/campaign.ts'
import { path, publish, runsOf, templates } from './support/sequences.ts'
import { startSink } from './support/smtp-sink.ts'

const session = { as: 'session' } as const
const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const scanner = { 'user-agent': 'Barracuda scanner' }

const variants = [{ name: 'A' }, { name: 'B', subject: 'Only today, {{contact.firstName|you}}' }]
const byHand = { variants, winner: { by: 'hand' } }
const byClicks = { variants, winner: { by: 'clicks', afterHours: 4 } }
const after = { id: 'after', type: 'webhook' }
const sending = (test: object | null, more: object = {}) => ({
  id: 'offer',
  type: 'send',
  templateId: 'offer',
  ...more,
  test,
})
const offering = (test: object | null, more: object = {}) => ({ steps: [sending(test, more), after] })

/** The templates `offer` and `long`, with a link, and so many people. */
async function prepared(t: TestApp, people: number, limits: object = {}) {
  await templates(t, 'plain')
  for (const id of ['offer', 'long'])
    await t.template({ id, subject: id, content: [{ type: 'button', text: id, href: 'https://shop.example/offer' }] })
  await write(t.app, (tx) => changeSettings(tx, t.workspace.id, { hoursBetween: 0, mailsPerWeek: 0, ...limits }))
  await t.patch('/v1/campaign-settings', { trackClicks: true, trackOpens: true }, 200, session)
  return await listOf(t, people)
}

/** Sends them the step, as far as it goes now. */
async function enrol(t: TestApp, id: string, people: { email: string }[]): Promise<void> {
  await t.post(`${path}/${id}/enrol`, { emails: people.map(({ email }) => email) }, 200)
  await t.settle()
}

/** By address, what the step said of its mail: `tests A`, `gets B`, `held_out`. */
async function toldOf(t: TestApp, id: string, stepId = 'offer'): Promise<Record<string, string>> {
  const told: Record<string, string> = {}
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Json = await t.get(`${path}/${id}/runs?perPage=50${cursor && `&cursor=${cursor}`}`, 200)
    for (const run of page.data) {
      const { path: lines } = await t.get(`${path}/${id}/runs/${run.id}`, 200)
      for (const line of lines) if (line.stepId === stepId) told[run.email] = line.detail
    }
    cursor = page.pagination.nextCursor
  }
  return told
}

/** By address. */
async function mails(t: TestApp): Promise<Record<string, { subject: string; raw: string; id: string }>> {
  return Object.fromEntries(
    (await t.sent()).map(({ to, raw }) => {
      const subject = /^Subject: (.*?)\r?$/m.exec(raw)?.[1] ?? ''
      return [to, { subject, raw, id: /^Message-ID: <(msg_[^@]+)@/im.exec(raw)?.[1] ?? '' }]
    }),
  )
}

async function click(t: TestApp, emails: string[], headers: Record<string, string> = person): Promise<void> {
  const sent = await mails(t)
  for (const email of emails) {
    const reply = await t.request('GET', `/t/c/${trackingToken(t.app, sent[email]?.id ?? '')}/0`, undefined, {
      as: 'nobody',
      headers,
    })
    expect(reply.headers.get('location')).toBe('https://shop.example/offer')
  }
}

/** By the link that the mail names in its head. */
async function unsubscribe(t: TestApp, email: string): Promise<void> {
  const head = ((await mails(t))[email]?.raw ?? '').replaceAll(/\r\n[ \t]+/g, ' ')
  const link = new URL(/^List-Unsubscribe: <([^>]+)>/m.exec(head)?.[1] ?? '').pathname
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await t.request('POST', link, 'List-Unsubscribe=One-Click', { as: 'nobody', headers })
}

const those = (told: Record<string, string>, wanted: string) =>
  Object.keys(told).filter((email) => told[email] === wanted)

const resultOf = async (t: TestApp, id: string): Promise<Json> => (await t.get(`${path}/${id}`, 200)).tests[0]

const choose = (t: TestApp, id: string, variant: string, status = 200) =>
  t.post(`${path}/${id}/steps/offer/winner`, { variant }, status)

async function sound(t: TestApp): Promise<void> {
  expect(await checkInvariants(t.app)).toEqual([])
}

describe('who gets what', () => {
  test('each variant goes to its share, some get no mail and go on, the others get the first', async () => {
    await using t = await testApp()
    const { contacts } = await prepared(t, 400)
    const { id } = await publish(t, offering({ ...byHand, share: 50, holdOut: 10 }))
    await enrol(t, id, contacts)
    const told = await toldOf(t, id)
    const [a, b, rest] = ['tests A', 'tests B', 'gets A'].map((one) => those(told, one))
    const heldOut = those(told, 'held_out')
    for (const part of [a, b]) expect(Math.abs((part?.length ?? 0) - 100)).toBeLessThan(30)
    expect(Math.abs(heldOut.length - 40)).toBeLessThan(20)
    expect(Math.abs((rest?.length ?? 0) - 160)).toBeLessThan(40)
    const sent = await mails(t)
    expect(Object.keys(sent).sort()).toEqual([...(a ?? []), ...(b ?? []), ...(rest ?? [])].sort())
    for (const email of [...(a ?? []), ...(rest ?? [])]) expect(sent[email]?.subject).toBe('offer')
    for (const email of b ?? []) expect(sent[email]?.subject).toMatch(/^Only today, Reader \d+$/)
    const [one] = await runsOf(t, id)
    expect(one?.path.at(-1)).toBe('after: done')
    expect(await resultOf(t, id)).toMatchObject({
      stepId: 'offer',
      version: 1,
      variants: [
        { name: 'A', sent: a?.length },
        { name: 'B', sent: b?.length },
      ],
      winner: null,
      winnerDueAt: null,
    })
    const { steps, people } = await t.get(`${path}/${id}`, 200)
    expect(people.completed).toBe(400)
    expect(steps.find(({ stepId }: Json) => stepId === 'offer')).toMatchObject({
      sent: 400 - heldOut.length,
      skipped: heldOut.length,
    })
    await sound(t)
  })

  test('they get the same again: in a second run, and by an edit that keeps the step', async () => {
    await using t = await testApp()
    const { contacts } = await prepared(t, 60)
    const again = { reEntry: { mode: 'always', key: '{{event.n}}' } }
    const test = { ...byHand, share: 60, holdOut: 10 }
    const { id } = await publish(t, { ...again, start: { event: 'seen' }, ...offering(test) })
    const see = async (n: number) => {
      for (const { email } of contacts)
        await t.post('/v1/events/send', { eventName: 'seen', email, eventProperties: { n } }, 200)
      await t.settle()
      return await toldOf(t, id)
    }
    const first = await see(1)
    const definition = {
      ...again,
      start: { event: 'seen' },
      steps: [sending(test, { next: 'pause' }), { id: 'pause', type: 'wait', for: { amount: 1, unit: 'm' } }, after],
    }
    const { contentHash } = await t.patch(`${path}/${id}`, { definition }, 200)
    await t.post(`${path}/${id}/publish`, { contentHash }, 200)
    expect(await see(2)).toEqual(first)
    const { version, variants: results } = await resultOf(t, id)
    expect(version).toBe(1)
    expect(results.map(({ sent }: Json) => sent)).toEqual(
      ['tests A', 'tests B'].map((one) => 2 * those(first, one).length),
    )
  })

  test('a variant may have a sender and a template of its own', async () => {
    await using t = await testApp()
    const { contacts } = await prepared(t, 60)
    const own = [
      { name: 'A' },
      { name: 'B', templateId: 'long' },
      { name: 'C', fromName: 'Grace', replyTo: 'g@b.test' },
    ]
    const { id } = await publish(t, offering({ ...byHand, variants: own }))
    await enrol(t, id, contacts)
    const [told, sent] = [await toldOf(t, id), await mails(t)]
    const of = (name: string) => those(told, `tests ${name}`).map((email) => sent[email]?.raw ?? '')
    expect(of('A').length + of('B').length + of('C').length).toBe(60)
    for (const raw of of('B')) expect(raw).toContain('Subject: long')
    for (const raw of of('C'))
      for (const head of [/^From: .*Grace/m, /^Reply-To: .*g@b\.test/m]) expect(raw).toMatch(head)
    for (const raw of of('A')) expect(raw).not.toContain('Grace')
  })

  test('whoever may not be mailed leaves as they would without a test', async () => {
    await using t = await testApp()
    const { contacts } = await prepared(t, 30)
    const { id } = await publish(t, offering({ ...byHand, share: 50, holdOut: 50 }))
    for (const { id: contactId } of contacts) await t.patch(`/v1/contacts/${contactId}`, { subscribed: false }, 200)
    await enrol(t, id, contacts)
    const runs = await runsOf(t, id)
    expect([...new Set(runs.map(({ state, reason }) => `${state} ${reason}`))]).toEqual(['exited all_mail'])
    expect(await t.sent()).toEqual([])
  })

  test('a rehearsal says which variant a person would get, and what really happens is that', async () => {
    await using t = await testApp()
    const { contacts } = await prepared(t, 20)
    const definition = offering({ ...byHand, share: 50, holdOut: 20 })
    const { id, contentHash } = await t.post(path, { name: 'Welcome', definition }, 201)
    const emails = contacts.map(({ email }) => email)
    const { data } = await t.unchanged(() => t.post(`${path}/${id}/rehearse`, { emails }, 200))
    const rehearsed = Object.fromEntries(data.map(({ email, path: lines }: Json) => [email, lines[0].detail]))
    expect(new Set(Object.values(rehearsed))).toEqual(new Set(['tests A', 'tests B', 'gets A', 'held_out']))
    await t.post(`${path}/${id}/publish`, { contentHash }, 200)
    await enrol(t, id, contacts)
    expect(await toldOf(t, id)).toEqual(rehearsed)
    await choose(t, id, 'B')
    const later = await t.unchanged(() => t.post(`${path}/${id}/rehearse`, { emails }, 200))
    const outcomes = later.data.map(({ path: lines }: Json) => lines[0].detail)
    expect(new Set(outcomes)).toEqual(new Set(['gets B', 'held_out']))
  })
})

describe('the winner', () => {
  test('is chosen at its time by the clicks of people, and whoever comes later gets it', async () => {
    await using t = await testApp()
    await t.endpoint({ url: 'https://hooks.example.com/', status: 'disabled', eventFilters: ['sequence.winnerChosen'] })
    const { list, contacts } = await prepared(t, 200)
    const { id } = await publish(t, offering({ ...byClicks, holdOut: 5 }))
    await enrol(t, id, contacts.slice(0, 100))
    const { winnerDueAt } = await resultOf(t, id)
    expect(Math.abs(new Date(winnerDueAt).getTime() - t.clock.now().getTime() - 4 * 3_600_000)).toBeLessThan(120_000)
    await t.advance('2h')
    await enrol(t, id, contacts.slice(100))
    expect((await resultOf(t, id)).winnerDueAt).toBe(winnerDueAt)
    const told = await toldOf(t, id)
    const [a, b] = [those(told, 'tests A'), those(told, 'tests B')]
    await t.advance('1m')
    await click(t, a, scanner)
    await click(t, a.slice(0, 5))
    await click(t, b.slice(0, 30))
    await click(t, b.slice(0, 30))
    await unsubscribe(t, a[7] ?? '')
    const before = await resultOf(t, id)
    expect(before).toMatchObject({ winner: null, leader: 'B', sentence: 'B is very likely better (more than 99 %).' })
    await t.advance('2h')
    const { sentence, ...chosen } = await resultOf(t, id)
    expect(chosen).toMatchObject({
      winner: 'B',
      variants: [
        { name: 'A', sent: a.length, clicked: 5, left: 1 },
        { name: 'B', sent: b.length, clicked: 30, left: 0, clickRate: 30 / b.length },
      ],
    })
    const { data } = await t.get('/v1/event-feed?type=sequence.winnerChosen', 200)
    expect(data.map(({ payload }: Json) => payload.data)).toEqual([
      { sequence: { id, name: 'Welcome', version: 1, stepId: 'offer' }, winner: 'B', sentence },
    ])
    // So many that some are held out: of 60, five in a hundred are nobody once in twenty times.
    const late = await join(t, list, 250, { first: 500 })
    await enrol(t, id, late)
    const tellsLate = await toldOf(t, id)
    expect(new Set(late.map(({ email }) => tellsLate[email]))).toEqual(new Set(['gets B', 'held_out']))
    expect((await resultOf(t, id)).variants.map(({ sent }: Json) => sent)).toEqual([a.length, b.length])
    await choose(t, id, 'A', 409)
    await sound(t)
  })

  test('is chosen by hand, also before clicks decide, and once', async () => {
    await using t = await testApp()
    const { contacts } = await prepared(t, 40)
    const { id } = await publish(t, offering(byClicks))
    await enrol(t, id, contacts.slice(0, 20))
    const { errors } = await t.unchanged(() => choose(t, id, 'C', 422))
    expect(errors[0]).toMatchObject({ path: 'variant', code: 'unknown_variant', message: 'must be one of A, B' })
    expect((await choose(t, id, 'A')).tests[0]).toMatchObject({
      winner: 'A',
      sentence: 'Too few clicks to tell; A leads.',
    })
    await t.unchanged(() => choose(t, id, 'B', 409))
    await t.advance('5h')
    await enrol(t, id, contacts.slice(20))
    const told = await toldOf(t, id)
    expect(new Set(contacts.slice(20).map(({ email }) => told[email]))).toEqual(new Set(['gets A']))
    expect((await resultOf(t, id)).winner).toBe('A')
  })

  test('waits for nobody: a paused sequence has it at its time, a stopped one never', async () => {
    await using t = await testApp()
    const { contacts } = await prepared(t, 20)
    const ids = [(await publish(t, offering(byClicks))).id, (await publish(t, offering(byClicks), 'Other')).id]
    for (const id of ids) await enrol(t, id, contacts)
    await t.post(`${path}/${ids[0]}/pause`, {}, 200)
    await t.post(`${path}/${ids[1]}/stop`, {}, 200)
    await t.advance('5h')
    expect((await resultOf(t, ids[0] ?? '')).winner).toBe((await resultOf(t, ids[0] ?? '')).leader)
    expect((await resultOf(t, ids[1] ?? '')).winner).toBe(null)
    await choose(t, ids[1] ?? '', 'A', 409)
    await sound(t)
  })

  test('is of the step as it was published: a step that is changed begins another test', async () => {
    await using t = await testApp()
    const { list, contacts } = await prepared(t, 20)
    const { id } = await publish(t, offering(byHand))
    await enrol(t, id, contacts)
    await choose(t, id, 'B')
    const edit = async (definition: object) => {
      const { contentHash } = await t.patch(`${path}/${id}`, { definition }, 200)
      return await t.post(`${path}/${id}/publish`, { contentHash }, 200)
    }
    expect((await edit({ steps: [sending(byHand), after, { ...after, id: 'end' }] })).tests[0]).toMatchObject({
      version: 1,
      winner: 'B',
    })
    const three = [...variants, { name: 'C', subject: 'Third' }]
    const [fresh] = (await edit(offering({ ...byHand, variants: three }))).tests
    expect(fresh).toMatchObject({ version: 3, winner: null, sentence: 'Nothing was sent yet.' })
    await enrol(t, id, await join(t, list, 20, { first: 100 }))
    expect((await resultOf(t, id)).variants.reduce((sum: number, { sent }: Json) => sum + sent, 0)).toBe(20)
    expect((await edit(offering(null))).tests).toEqual([])
    await choose(t, id, 'B', 409)
    await t.post(`${path}/${id}/steps/none/winner`, { variant: 'B' }, 404)
  })
})

test('what somebody does who has moved on to another version counts for the test that their mail was of', async () => {
  await using t = await testApp()
  const { contacts } = await prepared(t, 12)
  const wait = { id: 'wait', type: 'wait', for: { amount: 1, unit: 'd' } }
  const { id } = await publish(t, { steps: [sending(byHand), wait, after] })
  await enrol(t, id, contacts)
  const other = { ...byHand, variants: [...variants, { name: 'C', subject: 'Third' }] }
  await t.patch(`${path}/${id}`, { definition: { steps: [sending(other), wait, after] } }, 200)
  const { contentHash } = await t.post(`${path}/${id}/moves`, { steps: {} }, 200)
  await t.post(`${path}/${id}/publish`, { contentHash, steps: {} }, 200)
  await t.advance('1m')
  expect(new Set((await runsOf(t, id)).map(({ version }) => version))).toEqual(new Set([2]))
  await click(
    t,
    contacts.map(({ email }) => email),
  )
  await unsubscribe(t, contacts[0]?.email ?? '')
  expect((await resultOf(t, id)).variants.map(({ clicked, left }: Json) => clicked + left)).toEqual([0, 0, 0])
  const rows = await t.app.db.select().from(sequenceTestCounts)
  const figures = rows.map(({ version, name, count }) => [version, name.split(' ')[0], count] as const)
  const sumOf = (figure: string) => figures.reduce((sum, [, name, n]) => sum + (name === figure ? n : 0), 0)
  expect([sumOf('sent'), sumOf('clicked'), sumOf('left')]).toEqual([12, 12, 1])
  expect(new Set(figures.map(([version]) => version))).toEqual(new Set([1]))
  await sound(t)
  await write(t.app, (tx) => tx.db.delete(sequenceTestCounts))
  expect((await checkInvariants(t.app)).join()).toContain('I18f')
  await write(t.app, (tx) => tx.db.insert(sequenceTestCounts).values(rows))
})

test('when the day has no room for all, each variant has its share of it', async () => {
  await using t = await testApp()
  const { contacts } = await prepared(t, 60, { dailyCap: 30 })
  const { id } = await publish(t, offering(byHand))
  await enrol(t, id, contacts)
  const told = await toldOf(t, id)
  const [a, b] = ['tests A', 'tests B'].map((one) => those(told, one).length)
  expect((a ?? 0) + (b ?? 0)).toBe(30)
  expect(Math.min(a ?? 0, b ?? 0)).toBeGreaterThan(5)
})

test('a person who was put off gets the winner that was chosen meanwhile', async () => {
  await using t = await testApp()
  const { contacts } = await prepared(t, 12, { dailyCap: 6 })
  const { id } = await publish(t, offering(byHand))
  await enrol(t, id, contacts)
  expect((await t.sent()).length).toBe(6)
  await choose(t, id, 'B')
  await t.advance('25h')
  const told = await toldOf(t, id)
  expect(those(told, 'gets B')).toHaveLength(6)
  expect(those(told, 'tests A').length + those(told, 'tests B').length).toBe(6)
  await sound(t)
})

describe('what cannot be', () => {
  test('is refused by its place and its limit', async () => {
    await using t = await testApp()
    await prepared(t, 0)
    const [A, B] = variants
    const at = 'definition.steps[0].test'
    const cases: [test: object, path: string, message: string][] = [
      [{ variants: [A] }, `${at}.variants`, '2 to 5'],
      [{ variants: Array.from({ length: 6 }, (_, n) => ({ name: `${n}` })) }, `${at}.variants`, '2 to 5'],
      [{ variants: [A, { name: '' }] }, `${at}.variants[1].name`, '1 to 50'],
      [{ variants: [A, { ...B, name: 'A' }] }, `${at}.variants[1].name`, 'another variant'],
      [{ variants: [A, { name: 'B', subject: 'x'.repeat(501) }] }, `${at}.variants[1].subject`, '1 to 500'],
      [{ variants: [A, { name: 'B', subject: 'a\r\nBcc: x' }] }, `${at}.variants[1].subject`, 'line'],
      [{ variants: [A, { name: 'B', fromEmail: 'nobody' }] }, `${at}.variants[1].fromEmail`, ''],
      [{ variants: [A, { name: 'B', previewText: 'x' }] }, `${at}.variants[1].previewText`, 'does not belong'],
      [{ share: 0 }, `${at}.share`, '1 to 100'],
      [{ share: 60, holdOut: 50 }, `${at}.share`, '110 percent together, of at most 100'],
      [{ holdOut: 51 }, `${at}.holdOut`, '0 to 50'],
      [{ winner: undefined }, `${at}.winner`, 'object'],
      [{ winner: { by: 'opens' } }, `${at}.winner.by`, 'clicks, hand'],
      [{ winner: { by: 'clicks', afterHours: 9_601 } }, `${at}.winner.afterHours`, '1 to 9600'],
      [{ winner: { by: 'hand', afterHours: 1 } }, `${at}.winner.afterHours`, 'does not belong'],
      [{ until: 1 }, `${at}.until`, 'does not belong'],
    ]
    for (const [change, where, message] of cases) {
      const body = { name: 'A', definition: offering({ ...byHand, share: 50, ...change }) }
      const { errors } = await t.unchanged(() => t.post(path, body, 422))
      expect([errors[0].path, errors[0].message]).toEqual([where, expect.stringContaining(message)])
    }
    const wait = { id: 'w', type: 'wait', for: { amount: 1, unit: 'h' }, test: byHand }
    const { errors } = await t.post(path, { name: 'A', definition: { steps: [wait] } }, 422)
    expect(errors[0].path).toBe('definition.steps[0].test')
  })

  test('keeps it from being published, and says why', async () => {
    await using t = await testApp()
    await prepared(t, 0)
    await t.template({ id: 'coded', subject: 'coded', text: '{{code}}' })
    const issuesOf = async (test: object, more: object = {}, purpose = 'marketing') => {
      const { issues } = await t.post(path, { name: 'A', definition: { ...offering(test, more), purpose } }, 201)
      return issues.map(({ path: at, code }: Json) => `${at} ${code}`)
    }
    const second = (fields: object) => ({ ...byHand, variants: [{ name: 'A' }, { name: 'B', ...fields }] })
    const at = 'steps[0].test.variants[1]'
    expect(await issuesOf(second({}))).toEqual([`${at} contradiction`])
    expect(await issuesOf(second({ templateId: 'offer' }))).toEqual([`${at} contradiction`])
    expect(await issuesOf(second({ templateId: 'none' }))).toEqual([`${at}.templateId unknown_template`])
    expect(await issuesOf(second({ templateId: 'coded' }))).toEqual(['steps[0].variables.code missing_variable'])
    expect(await issuesOf(second({ templateId: 'coded' }), { variables: { code: 'x' } })).toEqual([])
    expect(await issuesOf(second({ subject: '{{code}}' }))).toEqual(['steps[0].variables.code missing_variable'])
    expect(await issuesOf(second({ subject: '{{code}}' }), { variables: { code: 'x' } })).toEqual([])
    expect(await issuesOf(byHand, { variables: { other: 'x' } })).toEqual(['steps[0].variables.other unknown_variable'])
    expect(await issuesOf(byClicks, {}, 'transactional')).toEqual(['steps[0].test.winner.by clicks_not_tracked'])
    await t.patch('/v1/campaign-settings', { trackClicks: false }, 200, session)
    expect(await issuesOf(byClicks)).toEqual(['steps[0].test.winner.by clicks_not_tracked'])
  })

  test('a variant does not send from an address that the workspace may not use', async () => {
    await using sink = startSink()
    const environment = { SMTP_URL: sink.url, MAIL_FROM: 'House <hello@house.example>' }
    await using t = await testApp({ environment })
    const { apiKey } = await t.stranger()
    await t.template({ id: 'offer', subject: 'offer', text: 'offer' }, { as: { apiKey } })
    const foreign = [{ name: 'A' }, { name: 'B', fromEmail: 'postmaster@house.example' }]
    const body = { name: 'A', definition: offering({ ...byHand, variants: foreign }) }
    const { id, contentHash } = await t.post(path, body, 201, { as: { apiKey } })
    const refused = await t.unchanged(() => t.post(`${path}/${id}/publish`, { contentHash }, 403, { as: { apiKey } }))
    expect(refused).toMatchObject({
      code: 'domain_not_verified',
      errors: [{ path: 'steps[0].test.variants[1].fromEmail' }],
    })
  })
})
