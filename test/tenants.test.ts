// Workspaces by API: who may make them, what their limits refuse and what waits for them, and what stops when one is suspended.

import { describe, expect, test } from 'bun:test'
import { forecast } from '../src/features/forecast/forecast.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { getWorkspace } from '../src/people/workspaces.ts'
import { type Json, type RequestOptions, session, type TestApp, testApp } from './support/app.ts'
import { draft, join, listOf, statsOf } from './support/campaign.ts'
import { type SinkStage, startSink } from './support/smtp-sink.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

const path = '/v1/workspaces'

/** A workspace made by the owner of the first, with its first key. */
async function tenant(t: TestApp, limits: object = {}, slug = 'tenant') {
  const { id } = await t.post(path, { slug, trustLevel: 'M1', limits }, 201, session)
  const { apiKey } = await t.post(`${path}/${id}/api-keys`, { name: 'First' }, 201, session)
  const as: RequestOptions = { as: { apiKey } }
  await t.template({}, as)
  return { id, as, at: `${path}/${id}` }
}

const sendBody = { email: 'ada@example.net', templateId: 'hello' }
const refusedSend = (t: TestApp, as: RequestOptions, body: object = sendBody) =>
  t.request('POST', '/v1/transactional/send', body, as)

describe('who manages workspaces', () => {
  test('a key of the first workspace with that scope does, and opens nothing else', async () => {
    await using t = await testApp()
    const { apiKey } = await t.post('/v1/api-keys', { scopes: ['workspaces.manage'] }, 201, session)
    const as: RequestOptions = { as: { apiKey } }
    const { id } = await t.post(path, { slug: 'acme-shop', name: 'Shop', limits: { mailsPerDay: 5 } }, 201, as)
    expect(await t.get(`${path}/${id}`, 200, as)).toMatchObject({
      slug: 'acme-shop',
      name: 'Shop',
      limits: { mailsPerDay: 5, mailsPerMonth: null, mailsPerSecond: null, contacts: null },
      suspendedAt: null,
    })
    const found = await t.get(`${path}?search=SHOP`, 200, as)
    expect(found.data.map(({ slug }: Json) => slug)).toEqual(['acme-shop'])
    for (const other of ['/v1/contacts', '/v1/workspace', '/v1/installation', '/v1/relays', '/v1/api-keys'])
      expect([other, (await t.request('GET', other, undefined, as)).status]).toEqual([other, 403])
  })

  test.each(['scope of another workspace', 'full key of another workspace', 'member of the first'])(
    'a %s does not',
    async (who) => {
      await using t = await testApp()
      const { apiKey, workspace } = await t.stranger()
      const { as: owner } = await t.person('owner', { email: 'o@other.test', workspace })
      const { as: member } = await t.person('member')
      if (who === 'scope of another workspace') {
        const made = await t.request('POST', '/v1/api-keys', { scopes: ['workspaces.manage'] }, owner)
        expect([made.status, made.body.errors[0].path]).toEqual([422, 'scopes'])
        return
      }
      const as: RequestOptions = who === 'member of the first' ? member : { as: { apiKey } }
      const status = await t.unchanged(async () => (await t.request('POST', path, { slug: 'mine' }, as)).status)
      expect(status).toBe(403)
    },
  )

  test('no key gives the scope, and a key that manages gets into no workspace that has a key, nor into the first', async () => {
    await using t = await testApp()
    expect((await t.request('POST', '/v1/api-keys', { scopes: ['workspaces.manage'] })).status).toBe(403)
    const { at } = await tenant(t)
    const { apiKey } = await t.post('/v1/api-keys', { scopes: ['workspaces.manage'] }, 201, session)
    await t.unchanged(async () => {
      for (const one of [at, `${path}/${t.workspace.id}`])
        expect((await t.request('POST', `${one}/api-keys`, { name: 'More' }, { as: { apiKey } })).status).toBe(409)
    })
  })

  test('a slug that is taken is a conflict, and an unknown workspace is not found', async () => {
    await using t = await testApp()
    await t.post(path, { slug: 'acme' }, 409, session)
    await t.get(`${path}/ws_none`, 404, session)
    await t.patch(`${path}/ws_none`, { name: 'None' }, 404, session)
  })
})

describe('limits', () => {
  test('mails a day: what is beyond is refused as a whole, says what is left and until when, and goes on tomorrow', async () => {
    await using t = await testApp()
    const { as, at } = await tenant(t, { mailsPerDay: 3 })
    await t.mail({}, as)
    const three = ['b@example.net', 'c@example.net', 'd@example.net']
    const refused = await refusedSend(t, as, { templateId: 'hello', to: three })
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { code: 'limit_reached', limit: 'mailsPerDay', left: 2 },
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await t.mail({}, as)
    await t.mail({}, as)
    expect((await refusedSend(t, as)).body).toMatchObject({ code: 'limit_reached', most: 3, left: 0 })
    const { data, totals } = await t.get(`${at}/usage`, 200)
    expect([totals.accepted, data.at(-1)]).toMatchObject([3, { accepted: 3, limitsMet: ['mailsPerDay'] }])
    await t.advance('24h')
    await t.mail({}, as)
    expect((await t.get(`${at}/usage`, 200)).totals).toMatchObject({ accepted: 4, sent: 3 })
  })

  test('concurrent requests never get more than the limit together', async () => {
    await using t = await testApp()
    const { as, at } = await tenant(t, { mailsPerMonth: 7 })
    const all = await Promise.all(Array.from({ length: 20 }, () => refusedSend(t, as)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(all.filter(({ status }) => status === 429)).toHaveLength(13)
    await t.settle()
    expect(await t.sent()).toHaveLength(7)
    expect((await t.get(`${at}/usage`, 200)).totals.accepted).toBe(7)
  })

  test('a batch is refused as a whole, and its neighbours of other workspaces are accepted', async () => {
    await using t = await testApp()
    const { as } = await tenant(t, { mailsPerDay: 2 })
    await t.template()
    const items = Array.from({ length: 3 }, (_, n) => ({ ...sendBody, email: `p${n}@example.net` }))
    const [batch, other] = await Promise.all([
      t.request('POST', '/v1/transactional/send-batch', { messages: items }, as),
      t.mail(),
    ])
    expect([batch.status, other.success]).toEqual([429, true])
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
  })

  test('mails a second: a burst beyond is refused with the time after which more is accepted', async () => {
    await using t = await testApp()
    const { as } = await tenant(t, { mailsPerSecond: 2 })
    await t.mail({}, as)
    await t.mail({}, as)
    const refused = await refusedSend(t, as)
    expect([refused.status, refused.body.limit, refused.headers.get('retry-after')]).toEqual([
      429,
      'mailsPerSecond',
      '1',
    ])
    await t.advance('1s')
    await t.mail({}, as)
  })

  test('contacts: refused with the number that is left, and changing one is no new one', async () => {
    await using t = await testApp()
    const { as } = await tenant(t, { contacts: 1 })
    await t.contact({}, as)
    const refused = await t.request('POST', '/v1/contacts/create', { email: 'b@example.net' }, as)
    expect([refused.status, refused.body]).toMatchObject([429, { limit: 'contacts', most: 1, left: 0, until: null }])
    await t.put('/v1/contacts/update', { email: 'ada@example.net', firstName: 'Ada' }, 200, as)
  })

  test('an import takes as many new contacts as there is room for, and names the rows of the others', async () => {
    await using t = await testApp()
    const { as, at } = await tenant(t, { contacts: 2 })
    await t.contact({}, as)
    const file = 'email,firstName\nada@example.net,Ada\nb@example.net,B\nb@example.net,Bea\nc@example.net,C\n'
    const headers = { 'content-type': 'text/csv' }
    const consent = encodeURIComponent('{"subscribed":true,"statement":"Signed up at the fair."}')
    const { body } = await t.request('POST', `/v1/contacts/import?consent=${consent}`, file, { ...as, headers })
    await t.settle()
    expect(await t.get(`/v1/contact-imports/${body.id}`, 200, as)).toMatchObject({ created: 1, bad: 1 })
    expect((await t.get(`${at}/usage`, 200)).contacts).toBe(2)
  })

  test('a campaign waits for the next day, says so before, and goes on at once when the limit is raised', async () => {
    await using t = await testApp()
    const { list } = await listOf(t, 5)
    const id = await draft(t, list)
    await t.patch(`${path}/${t.workspace.id}`, { limits: { mailsPerDay: 2 } }, 200)
    const before = await t.post(`/v1/campaigns/${id}/send`, { dryRun: true }, 200)
    expect(before).toMatchObject({ capRemaining: 2, limit: { by: 'mailsPerDay' } })
    await t.post(`/v1/campaigns/${id}/send`, {}, 200)
    await t.settle()
    expect(await statsOf(t, id)).toMatchObject({ status: 'sending', sent: 2, queued: 3 })
    await t.advance('24h')
    expect(await statsOf(t, id)).toMatchObject({ status: 'sending', sent: 4, queued: 1 })
    await t.patch(`${path}/${t.workspace.id}`, { limits: { mailsPerDay: 3 } }, 200)
    await t.settle()
    expect(await statsOf(t, id)).toMatchObject({ status: 'sent', sent: 5 })
  })

  test('the mail of a rule waits until the plan allows it', async () => {
    await using t = await testApp()
    const { id, as, at } = await tenant(t, { mailsPerDay: 0 })
    const { as: owner } = await t.person('owner', { email: 'o@tenant.test', workspace: { ...t.workspace, id } })
    const rule = { eventName: 'signedUp', action: 'send_template', templateId: 'hello', purpose: 'transactional' }
    await t.post('/v1/event-rules', rule, 201, owner)
    await t.contact({}, as)
    await t.post('/v1/events/send', { email: 'ada@example.net', eventName: 'signedUp' }, 200, as)
    await t.settle()
    expect(await t.sent()).toHaveLength(0)
    await t.patch(at, { limits: { mailsPerDay: 10 } }, 200)
    await t.advance('1h')
    expect(await t.sent()).toHaveLength(1)
  })
})

describe('a suspended workspace', () => {
  const reason = 'The invoice of April is not paid.'

  test('is refused with the reason, by its keys and by its forms; its people read, and change nothing', async () => {
    await using t = await testApp()
    const { id, as, at } = await tenant(t)
    const workspace = { ...t.workspace, id }
    const { as: owner } = await t.person('owner', { email: 'o@tenant.test', workspace })
    const made = { name: 'Form', mailingListIds: [], allowedOrigins: ['https://tenant.example'] }
    const { id: sourceId } = await t.post('/v1/subscription-sources/create', made, 201, as)
    expect(await t.post(`${at}/suspend`, { reason }, 200)).toMatchObject({ suspendedReason: reason })
    const refused = await refusedSend(t, as)
    expect([refused.status, refused.body]).toMatchObject([403, { code: 'workspace_suspended' }])
    expect(refused.body.detail).toContain(reason)
    expect((await t.request('GET', '/v1/contacts', undefined, as)).status).toBe(403)
    expect((await t.request('GET', `/f/${sourceId}`, undefined, { as: 'nobody' })).status).toBe(403)
    expect((await t.request('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, as)).status).toBe(403)
    const attention = await t.get('/v1/attention', 200, owner)
    expect(attention.data[0]).toMatchObject({ code: 'workspace_suspended', severity: 'urgent', detail: reason })
    const change = await t.request('PATCH', '/v1/workspace', { name: 'Other' }, owner)
    expect([change.status, change.body.code]).toEqual([403, 'workspace_suspended'])
    await t.post('/v1/invitations', { email: 'new@tenant.test', role: 'member' }, 403, owner)
    await t.put('/v1/auth/preferences', { key: 'views', value: 'none' }, 200, owner)
    await t.post(`${at}/resume`, {}, 200)
    await t.mail({}, as)
  })

  test('sends nothing from that moment, and what waited goes on when it is resumed', async () => {
    await using t = await testApp()
    const { as, at } = await tenant(t)
    await t.mail({}, as)
    await t.post(`${at}/suspend`, { reason }, 200)
    await t.advance('3d')
    expect(await t.sent()).toHaveLength(0)
    await t.post(`${at}/resume`, {}, 200)
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
  })

  test('a mail that is composed already does not leave: it is asked at the hand-over, and no attempt is spent', async () => {
    let suspend: () => Promise<unknown> = async () => undefined
    const answer = async (stage: SinkStage) => {
      if (stage === 'rcpt') await suspend()
      return undefined
    }
    await using sink = startSink({ answer })
    await using t = await testApp({ mailer: smtpTransport({ url: sink.url }), isNew: true })
    const { as, at } = await tenant(t)
    const { messageId } = await t.mail({}, as)
    suspend = () => t.post(`${at}/suspend`, { reason }, 200)
    await t.settle()
    suspend = async () => undefined
    await t.post(`${at}/resume`, {}, 200)
    expect(await t.get(`/v1/activity/${messageId}`, 200, as)).toMatchObject({ status: 'queued' })
    await t.advance('1m')
    expect(await t.get(`/v1/activity/${messageId}`, 200, as)).toMatchObject({ status: 'sent', attempts: 1 })
  })

  test('a campaign stops and goes on, and unsubscribing works meanwhile', async () => {
    await using t = await testApp()
    const { id, as, at } = await tenant(t)
    const { list } = await listOf(t, 3, { workspaceId: id })
    await join(t, list, 1, { first: 3 })
    const body = { name: 'July', subject: 'News', mailingListId: list.id, content: [{ type: 'text', text: 'Hi' }] }
    const { id: campaignId } = await t.post('/v1/campaigns', body, 201, as)
    await t.post(`/v1/campaigns/${campaignId}/send`, {}, 200, as)
    const { id: draftId } = await t.post('/v1/campaigns', { ...body, name: 'August' }, 201, as)
    const { as: owner } = await t.person('owner', { email: 'o@tenant.test', workspace: { ...t.workspace, id } })
    const read = async (one: string) => {
      const { status, waitsFor } = await t.get(`/v1/campaigns/${one}`, 200, owner)
      return [status, waitsFor]
    }
    expect(await read(campaignId)).toEqual(['sending', null])
    await t.post(`${at}/suspend`, { reason }, 200)
    await t.settle()
    expect(await t.sent()).toHaveLength(0)
    expect(await read(campaignId)).toEqual(['sending', 'workspace_suspended'])
    expect(await read(draftId)).toEqual(['draft', null])
    const ahead = await forecast(t.app, await getWorkspace(t.app, id), { days: 1 })
    expect(ahead.sources).toMatchObject([{ name: 'July', problem: 'The workspace is suspended.', leaves: 0 }])
    const listed = (await t.get('/v1/campaigns', 200, owner)).data
    expect(listed.map(({ name, waitsFor }: Json) => [name, waitsFor])).toEqual([
      ['August', null],
      ['July', 'workspace_suspended'],
    ])
    await t.post(`${at}/resume`, {}, 200)
    expect(await read(campaignId)).toEqual(['sending', null])
    await t.settle()
    expect(await read(campaignId)).toEqual(['sent', null])
    const mails = await t.sent()
    expect(mails).toHaveLength(4)
    await t.post(`${at}/suspend`, { reason }, 200)
    const link = /^List-Unsubscribe: .*<(https?:\/\/[^>]+)>/im.exec(
      mails[0]?.raw.toString().replaceAll(/\r\n\s+/g, ' ') ?? '',
    )
    const url = new URL(link?.[1] ?? '')
    const left = await t.request('POST', url.pathname + url.search, 'List-Unsubscribe=One-Click', {
      as: 'nobody',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(left.status).toBe(200)
  })

  test('a sequence says that it waits, beside its state and of each person in it', async () => {
    await using t = await testApp()
    const { id, as, at } = await tenant(t)
    const definition = { steps: [{ id: 'rest', type: 'wait', for: { amount: 1, unit: 'd' } }] }
    const made = await t.post('/v1/sequences', { name: 'Welcome', definition }, 201, as)
    const one = `/v1/sequences/${made.id}`
    await t.post(`${one}/publish`, { contentHash: made.contentHash }, 200, as)
    await t.post('/v1/sequences', { name: 'Draft', definition }, 201, as)
    await t.contact({ email: 'ada@example.net' }, as)
    await t.post(`${one}/enrol`, { emails: ['ada@example.net'] }, 200, as)
    const { as: owner } = await t.person('owner', { email: 'o@tenant.test', workspace: { ...t.workspace, id } })
    const read = async () => {
      const [run] = (await t.get(`${one}/runs`, 200, owner)).data
      const { state, waitsFor } = await t.get(one, 200, owner)
      return [state, waitsFor, (await t.get(`${one}/runs/${run.id}`, 200, owner)).why]
    }
    expect(await read()).toEqual(['active', null, expect.stringContaining('at the step rest until')])
    await t.post(`${at}/suspend`, { reason }, 200)
    const why = 'They wait at the step rest, because the workspace is suspended.'
    expect(await read()).toEqual(['active', 'workspace_suspended', why])
    const listed = (await t.get('/v1/sequences', 200, owner)).data
    expect(listed.map(({ name, waitsFor }: Json) => [name, waitsFor])).toEqual([
      ['Draft', null],
      ['Welcome', 'workspace_suspended'],
    ])
    await t.post(`${at}/resume`, {}, 200)
    expect((await read()).slice(0, 2)).toEqual(['active', null])
  })

  test('the first workspace cannot be', async () => {
    await using t = await testApp()
    await t.unchanged(() => t.post(`${path}/${t.workspace.id}/suspend`, { reason }, 409))
  })

  test('it and the first workspace are told of limits once a day, of being suspended, and of going on', async () => {
    await using sink = webhookSink()
    await using t = await testApp({ environment: sinkEnvironment })
    const { id, as, at } = await tenant(t, { mailsPerDay: 0 })
    const { as: owner } = await t.person('owner', { email: 'o@tenant.test', workspace: { ...t.workspace, id } })
    const endpoint = { url: sink.url, eventFilters: ['workspace.*'] }
    await t.endpoint({ ...endpoint, status: 'active' })
    await t.endpoint({ ...endpoint, status: 'active' }, owner)
    await refusedSend(t, as)
    await refusedSend(t, as)
    await t.post(`${at}/suspend`, { reason }, 200)
    await t.post(`${at}/suspend`, { reason: 'Once more' }, 200)
    await t.post(`${at}/resume`, {}, 200)
    await t.settle()
    expect(sink.types().sort()).toEqual(
      ['workspace.limitReached', 'workspace.resumed', 'workspace.suspended'].flatMap((type) => [type, type]),
    )
  })
})
