// The mail that a rule sends: now or later, with the clock moved by a year, over a change to summer time and past 2038.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { contacts } from '../db/tables/contacts.ts'
import { eventRules, ruleRuns } from '../db/tables/events.ts'
import { outboxJobs } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { mailing, makeRule, owner, path, tell, welcome } from './support/event-rules.ts'
import { makeList } from './support/lists.ts'

const runsOf = (t: TestApp) => t.app.db.select().from(ruleRuns).all()
const jobOf = async (t: TestApp, jobId: string) =>
  (await t.app.db.select().from(outboxJobs).where(eq(outboxJobs.id, jobId)).all())[0]
const textsOf = async (t: TestApp) =>
  Promise.all((await t.sent()).map(async ({ raw }) => (await simpleParser(raw)).text?.trim()))

describe('the mail that a rule sends', () => {
  test('is filled from constants, the event and the contact as it then is', async () => {
    await using t = await testApp()
    await t.template({ id: 'welcome', text: '{{name}} | {{plan}} | {{event.seats}} | {{contact.city|nowhere}}' })
    const variables = { name: 'Dear {{contact.first_name|friend}}', plan: '{{event.plan}}' }
    await makeRule(t, { variables })
    await tell(t, { eventProperties: { plan: 'pro', seats: 3 } })
    await tell(t, { eventName: 'else', firstName: 'Ada', city: 'Paris' })
    await t.advance('1d')
    expect(await textsOf(t)).toEqual(['Dear Ada | pro | 3 | Paris'])
  })

  test('shows a list of the event', async () => {
    await using t = await testApp()
    const content = [{ type: 'list', itemsVariable: 'lines', items: ['{{item.name}}'] }]
    await t.template({ id: 'order', content })
    await makeRule(t, { templateId: 'order', variables: { lines: '{{event.lines}}' }, delay: null })
    await tell(t, { eventProperties: { lines: [{ name: 'cards' }, { name: 'pens' }] } })
    await t.settle()
    expect((await textsOf(t)).join()).toMatch(/cards[\s\S]*pens/)
  })

  test('never reads a value as a template', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await makeRule(t, { variables: { name: '{{event.name}}' }, delay: null })
    await tell(t, { eventProperties: { name: '{{contact.email}} <b>' } })
    await t.settle()
    expect(await textsOf(t)).toEqual(['Hi {{contact.email}} <b>'])
    expect((await t.sent())[0]?.raw).toContain('&lt;b&gt;')
  })

  test('is in the locale of the contact', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await t.put('/v1/transactional/welcome/content/fr', { content: [{ type: 'text', text: 'Salut {{name}}' }] }, 200)
    await makeRule(t, { delay: null })
    await tell(t, { locale: 'fr-CA' })
    await t.settle()
    expect(await textsOf(t)).toEqual(['Salut you'])
  })

  const delays: [amount: number, unit: string, start: string, due: string][] = [
    [0, 'm', '2026-01-15T12:00:00.000Z', '2026-01-15T12:00:00.000Z'],
    [90, 'm', '2026-01-15T23:00:00.000Z', '2026-01-16T00:30:00.000Z'],
    [5, 'h', '2026-01-15T12:00:00.000Z', '2026-01-15T17:00:00.000Z'],
    [365, 'd', '2027-06-01T00:00:00.000Z', '2028-05-31T00:00:00.000Z'],
    [525_600, 'm', '2026-01-15T12:00:00.000Z', '2027-01-15T12:00:00.000Z'],
    // Over the change to summer time in the workspace's zone (29 March 2026, 01:00 UTC) a day is still 24 hours.
    [1, 'd', '2026-03-28T12:00:00.000Z', '2026-03-29T12:00:00.000Z'],
    [1, 'd', '2026-10-24T23:30:00.000Z', '2026-10-25T23:30:00.000Z'],
    // Past the last second of 32 bits (2038-01-19T03:14:07Z).
    [365, 'd', '2037-06-01T00:00:00.000Z', '2038-06-01T00:00:00.000Z'],
  ]
  for (const [amount, unit, start, due] of delays) {
    test(`R12: waits ${amount} ${unit} from ${start}, and not less`, async () => {
      await using t = await testApp()
      await t.template(welcome)
      await t.patch('/v1/workspace', { timeZone: 'Europe/Paris' }, 200)
      await makeRule(t, { delay: { amount, unit } })
      t.clock.set(new Date(start))
      const { jobs } = await tell(t)
      expect(jobs).toMatchObject([{ runAt: due }])
      if (amount > 0) {
        t.clock.set(new Date(Date.parse(due) - 1))
        await t.settle()
        expect(await t.sent()).toEqual([])
      }
      t.clock.set(new Date(due))
      await t.settle()
      expect(await t.sent()).toHaveLength(1)
    })
  }

  test('R12: leaves once when the clock jumps to and fro', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await makeRule(t)
    await tell(t)
    for (const hours of [23, -5, 2, 30, -48, 60]) {
      t.clock.advance(hours * 3_600_000)
      await t.settle()
    }
    expect(await t.sent()).toHaveLength(1)
  })

  type Before = (t: TestApp, rule: string) => Promise<unknown>
  const changes: [what: string, before: Before, reason: string, status: string][] = [
    ['the contact has unsubscribed', (t) => tell(t, { eventName: 'x', subscribed: false }), 'unsubscribed', 'skipped'],
    [
      'the address is suppressed',
      (t) => write(t.app, (tx) => suppress(tx, t.workspace.id, { email: 'ada@example.net', reason: 'manual' })),
      'suppressed',
      'skipped',
    ],
    ['the contact is deleted', (t) => write(t.app, (tx) => tx.db.delete(contacts)), 'contact_deleted', 'skipped'],
    [
      'the rule is disabled',
      (t, rule) => t.patch(`${path}/${rule}`, { enabled: false }, 200),
      'rule_disabled',
      'skipped',
    ],
    ['the rule is deleted', (t, rule) => t.delete(`${path}/${rule}`, undefined, 200), 'rule_deleted', 'skipped'],
    ['a cancelling event came', (t) => tell(t, { eventName: 'left' }), 'cancelled', 'cancelled'],
  ]
  for (const [what, before, reason, status] of changes) {
    test(`is not sent when ${what} in the meantime`, async () => {
      await using t = await testApp()
      await t.template(welcome)
      const rule = await makeRule(t, { cancelOn: ['left', 'gone'] })
      const { jobs } = await tell(t)
      await before(t, rule)
      await t.advance('1d')
      expect(await t.sent()).toEqual([])
      expect(await jobOf(t, jobs[0].jobId)).toMatchObject({ state: 'cancelled', lastCode: reason })
      expect(await runsOf(t)).toMatchObject([{ status, reason }])
    })
  }

  test('a suppressed address is in Email Activity, as for any other mail', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await makeRule(t, { delay: null })
    await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: 'ada@example.net', reason: 'complaint' }))
    await tell(t)
    await t.settle()
    const [run] = await runsOf(t)
    expect(await t.get(`/v1/activity/${run?.messageId}`, 200)).toMatchObject({ kind: 'rule', status: 'suppressed' })
  })

  test('goes only to who is subscribed, unless it is transactional; to nobody who is suppressed', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await makeRule(t, { delay: null })
    const transactional = { delay: null, purpose: 'transactional', eventName: 'paymentFailed', reEligible: true }
    const ruleId = await makeRule(t, transactional)
    await t.contact({ subscribed: false })
    await tell(t)
    const { eventId } = await tell(t, { eventName: 'paymentFailed' })
    await t.settle()
    const [mail, ...others] = await t.sent()
    expect(others).toEqual([])
    expect(mail?.raw).not.toContain('List-Unsubscribe')
    const { data } = await t.get('/v1/activity', 200)
    expect(data).toMatchObject([{ kind: 'rule', ruleId, email: 'ada@example.net' }])
    expect((await t.get('/v1/contacts/find?email=ada@example.net', 200))[0].subscribed).toBe(false)
    const tried = async () => (await t.post(`${path}/${ruleId}/try`, { eventId }, 200)).checks.at(-2)
    expect(await tried()).toEqual({ check: 'contact', ok: true, value: 'may be mailed' })
    for (const reason of ['unsubscribe', 'manual', 'hardBounce', 'complaint'] as const) {
      const email = `${reason.toLowerCase()}@example.net`
      await t.contact({ email, subscribed: false })
      await write(t.app, (tx) => suppress(tx, t.workspace.id, { email, reason }))
      await tell(t, { eventName: 'paymentFailed', email })
    }
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
    await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: 'ada@example.net', reason: 'complaint' }))
    expect(await tried()).toEqual({ check: 'contact', ok: false, value: 'suppressed' })
  })

  test('is transactional only by an owner’s word, which the audit log has, and never from a template that is marketing', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await t.template({ id: 'letter', text: 'Hi {{name}}. [Leave]({{unsubscribe_url}})' })
    await t.template({ id: 'offer', text: 'Hi {{name|you}}' })
    const { as: member } = await t.person('member')
    const send = (method: string, to: string, body: object, as = {}) => t.request(method, to, body, as)
    const transactional = { ...mailing, purpose: 'transactional' }
    const refusals: [body: object, as: object, status: number, code: string][] = [
      [transactional, member, 403, 'insufficient_role'],
      [transactional, {}, 403, 'insufficient_role'],
      [{ ...transactional, templateId: 'letter' }, owner, 422, 'marketing_template'],
      [{ ...transactional, templateId: 'offer' }, owner, 422, 'marketing_template'],
      [{ eventName: 'x', action: 'subscribe', purpose: 'transactional' }, owner, 422, 'not_allowed'],
      [{ ...mailing, purpose: 'service' }, {}, 422, 'pattern'],
    ]
    const listId = await makeList(t)
    const offer = { name: 'Sale', mailingListId: listId, templateId: 'offer', subject: 'Sale' }
    await t.post('/v1/campaigns', offer, 201)
    for (const [body, as, status, code] of refusals) {
      const reply = await t.unchanged(() => send('POST', path, body, as))
      const codes = [reply.body.code, ...(reply.body.errors ?? []).map((one: Json) => one.code)]
      expect([reply.status, codes.includes(code)], reply.text).toEqual([status, true])
    }
    expect(await t.post(path, mailing, 201)).toMatchObject({ purpose: 'marketing' })
    const ruleId = await makeRule(t, { purpose: 'transactional', eventName: 'paid' })
    const change = (body: object) => send('PATCH', `${path}/${ruleId}`, body, member)
    for (const body of [{ name: 'Mine' }, { templateId: 'offer' }, { enabled: true }]) {
      expect((await t.unchanged(() => change(body))).status, JSON.stringify(body)).toBe(403)
      await t.unchanged(() => t.patch(`${path}/${ruleId}`, body, 403))
    }
    expect((await change({ enabled: false })).status).toBe(200)
    expect((await t.unchanged(() => change({ enabled: true }))).status).toBe(403)
    await t.patch(`${path}/${ruleId}`, { purpose: 'marketing' }, 200)
    await t.patch(`${path}/${ruleId}`, { purpose: 'transactional', enabled: true }, 200, owner)
    const [line] = (await t.get('/v1/audit?operation=updateRule', 200, { as: 'session' })).data
    expect(line.changes).toMatchObject([{ before: { purpose: 'marketing' }, after: { purpose: 'transactional' } }])
    // What becomes marketing after it was scheduled does not leave.
    await tell(t, { eventName: 'paid' })
    const content = [{ type: 'text', text: 'Hi {{name}}, {{unsubscribe_url}}' }]
    const { warnings } = await t.put('/v1/transactional/welcome/content/en', { content }, 200)
    expect(warnings.map(({ code }: Json) => code)).toContain('marketing_template')
    await t.advance('1d')
    expect(await t.sent()).toEqual([])
    const [job] = (await t.get('/v1/jobs?state=dead', 200)).data
    expect(job.detail).toContain('the template is marketing')
  })

  test('a template that goes to people who agreed to nothing is no campaign’s, in whatever order they come', async () => {
    await using t = await testApp()
    await t.template({ id: 'welcome', text: 'Hi {{name|you}}' })
    await t.template({ id: 'other', text: 'News' })
    const ruleId = await makeRule(t, { purpose: 'transactional', variables: {} })
    const sale = { name: 'Sale', mailingListId: await makeList(t), templateId: 'welcome', subject: 'Sale' }
    const refused = async (work: () => Promise<Json>) => {
      const { errors } = await t.unchanged(work)
      expect(errors).toMatchObject([{ path: 'templateId', code: 'transactional_template' }])
      expect(errors[0].message).toContain(ruleId)
    }
    await refused(() => t.post('/v1/campaigns', sale, 422))
    const { id } = await t.post('/v1/campaigns', { ...sale, templateId: 'other' }, 201)
    await refused(() => t.patch(`/v1/campaigns/${id}`, { templateId: 'welcome' }, 422))
    await t.patch(`/v1/campaigns/${id}`, { name: 'Sale 2' }, 200)
    const body = [{ type: 'text', text: 'Hello {{name|you}}' }]
    const { warnings } = await t.put('/v1/transactional/welcome/content/en', { content: body }, 200)
    expect(warnings).toMatchObject([{ code: 'transactional_template' }])
    expect(warnings[0].message).toContain(ruleId)

    // Switched off, the rule leaves it to campaigns; a rule that is on beside one, as an earlier version allowed, sends nothing.
    await t.patch(`${path}/${ruleId}`, { enabled: false }, 200)
    await t.patch(`/v1/campaigns/${id}`, { templateId: 'welcome' }, 200)
    const again = await t.unchanged(() => t.patch(`${path}/${ruleId}`, { enabled: true }, 422, owner))
    expect(again.errors).toMatchObject([{ path: 'purpose', code: 'marketing_template' }])
    await write(t.app, (tx) => tx.db.update(eventRules).set({ enabled: true }).where(eq(eventRules.id, ruleId)))
    await tell(t)
    await t.advance('1d')
    expect(await t.sent()).toEqual([])
    const [job] = (await t.get('/v1/jobs?state=dead', 200)).data
    expect(job.detail).toContain(`campaigns send it (${id})`)
  })

  test('a cancelling event of somebody else cancels nothing; one that also starts it begins anew', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await makeRule(t, { cancelOn: ['left', 'signup'] })
    await tell(t)
    await tell(t, { eventName: 'left', email: 'bob@example.net' })
    await t.advance('12h')
    expect((await tell(t)).jobs).toHaveLength(1)
    await t.advance('12h')
    expect(await t.sent()).toEqual([])
    await t.advance('12h')
    expect(await t.sent()).toHaveLength(1)
    expect((await runsOf(t)).map(({ status }) => status).sort()).toEqual(['cancelled', 'done'])
  })

  test('a change of the rule is a change of what it has scheduled', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await t.template({ id: 'other', text: 'Other {{thing}}' })
    const id = await makeRule(t)
    await tell(t)
    await t.patch(`${path}/${id}`, { templateId: 'other', variables: { thing: 'text' } }, 200)
    await t.advance('1d')
    expect(await textsOf(t)).toEqual(['Other text'])
  })

  test('a template that fails ends as a dead job that says why, leaves the event alone, and can be retried', async () => {
    await using t = await testApp()
    await t.template(welcome)
    const id = await makeRule(t, { variables: { name: '{{event.name}}' } })
    const { eventId, jobs } = await tell(t)
    const { jobId } = jobs[0]
    await t.advance('1d')
    const [dead] = (await t.get('/v1/jobs?state=dead', 200)).data
    expect(dead).toMatchObject({
      jobId,
      kind: 'deliver-template',
      code: 'missing_variable',
      attempt: 1,
      payload: { eventId },
    })
    expect(dead.detail).toContain('name')
    expect(await runsOf(t)).toMatchObject([{ status: 'failed', reason: 'missing_variable' }])
    await t.patch(`${path}/${id}`, { variables: { name: '{{event.name|you}}' } }, 200)
    const { newJobId } = await t.post(`/v1/jobs/${jobId}/retry`, {}, 200)
    expect(await runsOf(t)).toMatchObject([{ status: 'scheduled', jobId: newJobId }])
    await t.settle()
    expect(await textsOf(t)).toEqual(['Hi you'])
    expect(await runsOf(t)).toMatchObject([{ status: 'done', jobId: newJobId }])
  })

  test('a failure of the database while it is accepted is tried again, and sends one mail', async () => {
    await using t = await testApp()
    await t.template(welcome)
    await makeRule(t, { delay: null })
    const { jobs } = await tell(t)
    await write(t.app, (tx) =>
      tx.db.run("CREATE TRIGGER broken BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'broken'); END"),
    )
    await t.settle()
    expect(await jobOf(t, jobs[0].jobId)).toMatchObject({ state: 'pending', attempt: 1, lastCode: 'exception' })
    expect(await runsOf(t)).toMatchObject([{ status: 'scheduled', messageId: null }])
    await write(t.app, (tx) => tx.db.run('DROP TRIGGER broken'))
    await t.advance('2m')
    expect(await t.sent()).toHaveLength(1)
  })
})
