// The official packages of other services, unchanged but for their address, against the running server.

import { expect, test } from 'bun:test'
import sendgridMail from '@sendgrid/mail'
import { ServerClient } from 'postmark'
import { Resend } from 'resend'
import { write } from '../src/core/app.ts'
import { createApiKey } from '../src/people/access/api-keys.ts'
import { createWorkspace } from '../src/people/workspaces.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { greeting } from './support/arrange.ts'

const html = '<!doctype html>\n<p style="color:#123">Hello <b>Ada</b> &amp; {{grace}}</p>\n'
/** As it is written by us. */
const page = `<!doctype html>
<html>
<head>
<meta charset="utf-8">
</head>
<body><p style="color:#123">Hello <b>Ada</b> &amp; {{grace}}</p></body>
</html>
`
const from = 'Shop <shop@example.com>'

function resendOf(t: TestApp, key = t.apiKey) {
  return new Resend(key, { baseUrl: `${t.url}/compat/resend` })
}

function postmarkOf(t: TestApp, key = t.apiKey) {
  return new ServerClient(key, { useHttps: false, requestHost: `${t.url.slice('http://'.length)}/compat/postmark` })
}

/** There is one client for all; setting a key sets its address, too. */
function sendgridOf(t: TestApp, key = t.apiKey) {
  const client = sendgridMail as typeof sendgridMail & {
    client: { setDefaultRequest(name: string, value: string): void }
  }
  const { warn } = console
  console.warn = () => {}
  client.setApiKey(key)
  console.warn = warn
  client.client.setDefaultRequest('baseUrl', `${t.url}/compat/sendgrid`)
  return client
}

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

test('Resend: a mail is sent, once for its key, and is found again', async () => {
  await using t = await testApp()
  const resend = resendOf(t)
  const mail = {
    from,
    to: ['Ada <ada@example.net>'],
    cc: 'grace@example.net',
    bcc: ['eve@example.net'],
    replyTo: 'help@example.com',
    subject: 'Your order ✓',
    html,
    text: 'Hello Ada',
    headers: { 'X-Order': '4711' },
    tags: [{ name: 'kind', value: 'order' }],
    attachments: [{ filename: 'a.txt', content: Buffer.from('hi') }],
  }
  const first = await resend.emails.send(mail, { idempotencyKey: 'order-1' })
  expect(first.error).toBeNull()
  expect((await resend.emails.send(mail, { idempotencyKey: 'order-1' })).data).toEqual(first.data)
  const another = await resend.emails.send({ ...mail, subject: 'Another' }, { idempotencyKey: 'order-1' })
  expect(another.error).toMatchObject({ statusCode: 422, name: 'invalid_idempotent_request' })
  await t.settle()
  const sent = await t.sent()
  expect(sent.map(({ to }) => to).sort()).toEqual(['ada@example.net', 'eve@example.net', 'grace@example.net'])
  for (const { raw } of sent) {
    expect(raw).toContain('To: Ada <ada@example.net>\r\nCc: grace@example.net\r\n')
    expect(raw).not.toContain('eve@')
    expect(raw).toContain('X-Order: 4711')
  }
  const id = first.data?.id ?? ''
  const got = await resend.emails.get(id)
  expect(got.data).toMatchObject({
    id,
    from,
    to: ['ada@example.net'],
    cc: ['grace@example.net'],
    bcc: ['eve@example.net'],
    reply_to: ['help@example.com'],
    subject: 'Your order ✓',
    html: page,
    text: 'Hello Ada',
    last_event: 'sent',
    tags: [{ name: 'kind', value: 'order' }],
  })
  const { content, captured } = await t.get(`/v1/activity/${id}`, 200)
  expect([content, captured.html.trim()]).toEqual(['own', page.trim()])
})

test('Resend: a batch is whole or nothing, a template is filled, and what cannot be honoured is refused by name', async () => {
  await using t = await testApp()
  await t.template({ ...greeting, id: 'welcome' })
  const resend = resendOf(t)
  const one = { from, to: 'ada@example.net', subject: 'One', text: '1' }
  const batch = await resend.batch.send([one, { ...one, to: 'grace@example.net', subject: 'Two' }])
  expect(batch.data?.data).toHaveLength(2)
  const template = { id: 'welcome', variables: { name: 'Ada' } }
  expect((await resend.emails.send({ to: 'ada@example.net', template })).error).toBeNull()
  const later = await resend.emails.send({ ...one, scheduledAt: '2027-01-01T00:00:00Z' }).then(({ error }) => error)
  expect(later).toBeNull()
  await t.settle()
  expect((await t.sent()).map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1]).sort()).toEqual([
    'Hi Ada',
    'One',
    'Two',
  ])

  const refused: Record<string, () => Promise<{ error: unknown }>> = {
    topic_id: () => resend.emails.send({ ...one, topicId: 'x' }),
    path: () => resend.emails.send({ ...one, attachments: [{ filename: 'a.txt', path: 'https://a.test/a.txt' }] }),
    scheduled_at: () => resend.emails.send({ ...one, scheduledAt: 'in 1 min' }),
    reply_to: () => resend.emails.send({ ...one, replyTo: ['a@example.com', 'b@example.com'] }),
    'headers.List-Unsubscribe': () =>
      resend.emails.send({ ...one, headers: { 'List-Unsubscribe': '<http://a.test>' } }),
    'headers.List-Unsubscribe-Post': () =>
      resend.emails.send({ ...one, headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } }),
    '[1]: to': () => resend.batch.send([one, { ...one, to: 'nobody' }]),
    subject: () => resend.emails.send({ to: 'ada@example.net', template, subject: 'Mine' } as never),
  }
  for (const [field, call] of Object.entries(refused)) {
    const { error } = await t.unchanged(call)
    expect(error, field).toMatchObject({ statusCode: 422, message: expect.stringContaining(field) })
  }
  expect((await resend.broadcasts.list()).error).toMatchObject({
    statusCode: 501,
    message: expect.stringContaining('Resend'),
  })
  expect((await resend.emails.get('msg_x')).error).toMatchObject({ statusCode: 404, name: 'not_found' })
  expect((await resendOf(t, 'pqk_wrong').emails.get('msg_x')).error).toMatchObject({ name: 'invalid_api_key' })
})

test('Resend: a mail that waits is moved or cancelled, for all of its recipients', async () => {
  await using t = await testApp()
  const resend = resendOf(t)
  const mail = { from, to: ['ada@example.net', 'grace@example.net'], subject: 'Later', text: 'x' }
  const [moved, cancelled] = await Promise.all(
    [1, 2].map(() =>
      resend.emails.send({ ...mail, scheduledAt: '2026-03-01T00:00:00Z' }).then(({ data }) => data?.id ?? ''),
    ),
  )
  const now = t.clock.now().toISOString()
  expect((await resend.emails.update({ id: moved ?? '', scheduledAt: now })).data).toEqual({
    object: 'email',
    id: moved ?? '',
  })
  expect((await resend.emails.cancel(cancelled ?? '')).data).toEqual({ object: 'email', id: cancelled ?? '' })
  await t.settle()
  expect(await t.sent()).toHaveLength(2)
  expect((await resend.emails.get(cancelled ?? '')).data).toMatchObject({ last_event: 'canceled' })
  expect((await resend.emails.cancel(moved ?? '')).error).toMatchObject({ statusCode: 409, name: 'validation_error' })
  expect((await resend.emails.cancel('msg_x')).error).toMatchObject({ statusCode: 404 })
})

test('Resend: contacts, audiences and domains', async () => {
  await using t = await testApp()
  const resend = resendOf(t)
  const audience = (await resend.audiences.create({ name: 'News' })).data
  const audienceId = audience?.id ?? ''
  const email = 'ada@example.net'
  const made = await resend.contacts.create({ audienceId, email, firstName: 'Ada', properties: { plan: 'pro' } })
  expect(made.data).toEqual({ object: 'contact', id: expect.stringMatching(/^con_/) })
  const id = made.data?.id ?? ''
  expect((await resend.contacts.get({ email })).data).toMatchObject({
    id,
    email,
    first_name: 'Ada',
    unsubscribed: false,
    properties: { plan: { type: 'string', value: 'pro' } },
  })
  await resend.contacts.create({ email: 'bob@example.net' })
  expect((await resend.contacts.list({ limit: 1 })).data).toMatchObject({ has_more: true, data: [{}] })
  expect((await resend.contacts.list({ audienceId })).data).toMatchObject({ has_more: false, data: [{ id }] })
  expect((await resend.contacts.update({ id, unsubscribed: true, firstName: null })).error).toBeNull()
  expect((await resend.contacts.get(id)).data).toMatchObject({ unsubscribed: true, first_name: null })
  expect((await resend.audiences.get(audienceId)).data).toMatchObject({ name: 'News' })
  expect((await resend.audiences.list()).data?.data).toHaveLength(1)
  expect((await resend.contacts.remove({ audienceId, email })).error).toBeNull()
  expect((await resend.contacts.list({ audienceId })).data?.data).toEqual([])
  expect((await resend.contacts.remove({ email })).data).toMatchObject({ contact: id, deleted: true })
  expect((await resend.contacts.get({ email })).error).toMatchObject({ statusCode: 404 })
  const topics = await resend.contacts.create({ email, topics: [{ id: 'x', subscription: 'opt_in' }] })
  expect(topics.error).toMatchObject({ message: expect.stringContaining('topics') })
  expect((await resend.audiences.remove(audienceId)).error).toBeNull()

  const { id: domainId } = await t.post('/v1/sending-domains', { domain: 'mail.example.com' }, 201)
  expect((await resend.domains.list()).data?.data).toMatchObject([{ id: domainId, name: 'mail.example.com' }])
  expect((await resend.domains.get(domainId)).data?.records.length).toBeGreaterThan(1)
})

test('Resend: lists of mails and suppressions go on where a page ended; a contact joins and leaves a segment', async () => {
  await using t = await testApp()
  const resend = resendOf(t)
  const mail = { from, to: ['Ada <ada@example.net>', 'bob@example.net'], subject: 'Two', text: 'x' }
  await resend.emails.send(mail)
  await resend.emails.send({ ...mail, to: 'eve@example.net', subject: 'One' })
  const first = (await resend.emails.list({ limit: 2 })).data
  expect(first).toMatchObject({ has_more: true, data: [{ subject: 'One', to: ['eve@example.net'] }, {}] })
  const rest = (await resend.emails.list({ limit: 2, after: first?.data[1]?.id ?? '' })).data
  const both = { from, to: ['ada@example.net', 'bob@example.net'], subject: 'Two', last_event: 'queued' }
  expect(rest).toMatchObject({ has_more: false, data: [both] })
  expect(JSON.stringify(first)).not.toContain('"html"')
  const { error } = await resend.emails.list({ before: 'msg_x' })
  expect(error).toMatchObject({ statusCode: 422, message: expect.stringContaining('before') })

  const emails = ['a@example.net', 'b@example.net']
  const added = (await resend.suppressions.batch.add({ emails })).data?.data.map(({ id }) => id) ?? []
  const page = (await resend.suppressions.list({ limit: 1 })).data
  expect(page).toMatchObject({ has_more: true, data: [{ origin: 'manual', source_id: null }] })
  const next = (await resend.suppressions.list({ limit: 1, after: page?.data[0]?.id ?? '' })).data
  expect([page, next].flatMap((one) => one?.data.map(({ email }) => email) ?? []).sort()).toEqual(emails)
  expect((await resend.suppressions.get(added[0] ?? '')).data).toMatchObject({ email: 'a@example.net' })
  expect((await resend.suppressions.remove(added[0] ?? '')).data).toMatchObject({ id: added[0], deleted: true })
  expect((await resend.suppressions.get('a@example.net')).error).toMatchObject({ statusCode: 404 })
  const byOrigin = await resend.suppressions.list({ origin: 'bounce' })
  expect(byOrigin.error).toMatchObject({ statusCode: 422, message: expect.stringContaining('origin') })

  const segmentId = (await resend.segments.create({ name: 'News' })).data?.id ?? ''
  const email = 'ada@example.net'
  await resend.contacts.create({ email })
  const segments = async () => (await resend.contacts.segments.list({ email })).data?.data.map(({ id }) => id)
  expect(await segments()).toEqual([])
  await resend.contacts.segments.add({ email, segmentId })
  expect(await segments()).toEqual([segmentId])
  await resend.contacts.segments.remove({ email, segmentId })
  expect(await segments()).toEqual([])
  expect((await resend.contacts.segments.add({ email, segmentId: 'lst_x' })).error).toMatchObject({ statusCode: 404 })
})

test('Postmark: counts are those of the workspace, by day', async () => {
  await using t = await testApp()
  const postmark = postmarkOf(t)
  const send = async (...to: string[]) => {
    for (const To of to) await postmark.sendEmail({ From: from, To, Subject: 'Hi', TextBody: 'Hello' })
    await t.settle()
  }
  await send('a@example.net', 'b@example.net', 'complaint@simulator.paquebot.test', 'bounce@simulator.paquebot.test')
  await t.advance('2d')
  await send('c@example.net')
  const { data, totals } = await t.get('/v1/stats?from=2026-01-15&to=2026-01-18', 200)
  expect([totals.sent, totals.complained, totals.bounced]).toEqual([5, 1, 1])
  const days = data.flatMap(({ at, sent }: Json) => (sent === 0 ? [] : [{ Date: at.slice(0, 10), Sent: sent }]))
  expect(await postmark.getSentCounts()).toEqual({ Days: days, Sent: 5 })
  expect(await postmark.getSentCounts({ toDate: '2026-01-15' })).toMatchObject({ Sent: 4 })
  expect(await postmark.getSentCounts({ fromDate: '2026-01-16' })).toMatchObject({ Sent: 1 })
  expect(await postmark.getSpamComplaintsCounts()).toEqual({
    Days: [{ Date: '2026-01-15', SpamComplaint: 1 }],
    SpamComplaint: 1,
  })
  const rates = { BounceRate: 20, SpamComplaintsRate: 20 }
  expect<Json>(await postmark.getOutboundOverview()).toEqual({ Sent: 5, Bounced: 1, SpamComplaints: 1, ...rates })
  const stranger = await t.stranger()
  expect<Json>(await postmarkOf(t, stranger.apiKey).getSentCounts()).toEqual({ Days: [], Sent: 0 })
  for (const filter of [
    { tag: 'x' },
    { fromDate: 'yesterday' },
    { fromDate: '2020-01-01' },
    { fromDate: '2027-01-01' },
  ])
    expect(await caught(postmark.getSentCounts(filter))).toMatchObject({ statusCode: 422 })
})

test('Postmark: single mails, batches, templates and suppressions', async () => {
  await using t = await testApp()
  await t.template({ ...greeting, id: 'welcome' })
  const postmark = postmarkOf(t)
  const mail = {
    From: from,
    To: '"Ada, Countess" <ada@example.net>, grace@example.net',
    Subject: 'Receipt',
    HtmlBody: html,
    TextBody: 'Hello',
    Tag: 'receipt',
    Metadata: { order: '4711' },
    TrackOpens: false,
    MessageStream: 'outbound',
    Attachments: [{ Name: 'a.csv', Content: 'YQ==', ContentType: 'text/csv', ContentID: null }],
  }
  const sent = await postmark.sendEmail(mail)
  expect(sent).toMatchObject({ ErrorCode: 0, Message: 'OK', To: mail.To })
  const record = await t.get(`/v1/activity/${sent.MessageID}`, 200)
  expect(record).toMatchObject({ content: 'own', tags: ['receipt'], metadata: { order: '4711' } })

  await postmark.createSuppressions('outbound', { Suppressions: [{ EmailAddress: 'eve@example.net' }] })
  expect(await postmark.getSuppressions('outbound')).toMatchObject({
    Suppressions: [{ EmailAddress: 'eve@example.net', SuppressionReason: 'ManualSuppression', Origin: 'Customer' }],
  })
  const batch = await postmark.sendEmailBatch([
    { ...mail, To: 'ada@example.net' },
    { ...mail, To: 'eve@example.net' },
    { ...mail, To: 'nobody' },
  ])
  expect(batch).toMatchObject([{ ErrorCode: 0 }, { ErrorCode: 406 }, { ErrorCode: 300 }])
  expect(await caught(postmark.sendEmail({ ...mail, To: 'eve@example.net' }))).toMatchObject({
    code: 406,
    statusCode: 422,
  })
  const gone = await postmark.deleteSuppressions('outbound', { Suppressions: [{ EmailAddress: 'eve@example.net' }] })
  expect(gone.Suppressions).toMatchObject([{ Status: 'Deleted' }])

  const templated = {
    From: t.app.config.mailFrom.address,
    To: 'ada@example.net',
    TemplateAlias: 'welcome',
    TemplateModel: { name: 'Ada' },
  }
  expect(await postmark.sendEmailWithTemplate(templated)).toMatchObject({ ErrorCode: 0 })
  const several = await postmark.sendEmailBatchWithTemplates([templated, { ...templated, TemplateAlias: 'unknown' }])
  expect(several).toMatchObject([{ ErrorCode: 0 }, { ErrorCode: 1101 }])

  const path = '/compat/postmark/email/batch'
  const headers = { 'x-postmark-server-token': t.apiKey, 'idempotency-key': 'batch-1' }
  const list = [1, 2].map((n) => ({ From: from, To: `k${n}@example.net`, Subject: 'x', TextBody: 'x' }))
  const first = await t.post(path, list, 200, { as: 'nobody', headers })
  expect(await t.unchanged(() => t.post(path, list, 200, { as: 'nobody', headers }))).toMatchObject(
    first.map(({ MessageID }: { MessageID: string }) => ({ MessageID })),
  )

  const refused: Record<string, () => Promise<unknown>> = {
    TrackOpens: () => postmark.sendEmail({ ...mail, TrackOpens: true }),
    TrackLinks: () => postmark.sendEmail({ ...mail, TrackLinks: 'HtmlOnly' as never }),
    MessageStream: () => postmark.sendEmail({ ...mail, MessageStream: 'broadcast' }),
    ReplyTo: () => postmark.sendEmail({ ...mail, ReplyTo: 'a@example.com, b@example.com' }),
    TemplateId: () => postmark.sendEmailWithTemplate({ ...templated, TemplateId: 1 }),
    From: () => postmark.sendEmailWithTemplate({ ...templated, From: 'else@example.org' }),
    To: () => postmark.sendEmail({ ...mail, To: 'nobody' }),
  }
  for (const [field, call] of Object.entries(refused)) {
    const error = await t.unchanged(() => caught(call()))
    expect(error, field).toMatchObject({ statusCode: 422, message: expect.stringContaining(field) })
  }
  expect(await caught(postmark.getBounceCounts())).toMatchObject({ statusCode: 501 })
  expect(await caught(postmarkOf(t, 'wrong').sendEmail(mail))).toMatchObject({ statusCode: 401, code: 10 })
})

test('Postmark: bounces are listed, found by their numbers and activated; a complaint stays', async () => {
  await using t = await testApp()
  const postmark = postmarkOf(t)
  const at = (name: string) => `${name}@simulator.paquebot.test`
  const hard = at('bounce+Ada')
  const mail = { From: from, Subject: 'Receipt', TextBody: 'Hello', Tag: 'receipt' }
  for (const name of ['delivered', 'bounce+Ada', 'soft-bounce', 'complaint+eve'])
    await postmark.sendEmail({ ...mail, To: at(name) })
  await t.settle()

  const { TotalCount, Bounces } = await postmark.getBounces()
  expect([TotalCount, Bounces.map(({ Type, TypeCode }) => [Type, TypeCode])]).toEqual([
    3,
    [
      ['SpamComplaint', 100_001],
      ['SoftBounce', 4_096],
      ['HardBounce', 1],
    ],
  ])
  const [complaint, soft, bounce] = Bounces
  if (!complaint || !soft || !bounce) throw new Error('no bounces')
  expect(bounce).toMatchObject({
    RecordType: 'Bounce',
    Tag: 'receipt',
    Email: hard,
    From: 'shop@example.com',
    Subject: 'Receipt',
    Details: expect.stringContaining('550 5.1.1'),
    MessageStream: 'outbound',
    Inactive: true,
    CanActivate: true,
  })
  expect([complaint.Inactive, complaint.CanActivate, soft.Inactive]).toEqual([true, false, false])
  expect(await postmark.getBounce(bounce.ID)).toEqual(bounce)
  expect(await postmark.getDeliveryStatistics()).toEqual({
    InactiveMails: 2,
    Bounces: expect.arrayContaining([
      { Name: 'All', Count: 3 },
      { Type: 'HardBounce', Name: 'Hard bounce', Count: 1 },
    ]),
  })

  const day = bounce.BouncedAt.slice(0, 10)
  const filters: [query: object, ids: number[]][] = [
    [{ count: 1, offset: 1 }, [soft.ID]],
    [{ type: 'HardBounce' }, [bounce.ID]],
    [{ inactive: true }, [complaint.ID, bounce.ID]],
    [{ emailFilter: 'bounce+ada' }, [bounce.ID]],
    [{ messageID: soft.MessageID }, [soft.ID]],
    [{ tag: 'other' }, []],
    [{ fromDate: day, toDate: day, messageStream: 'outbound' }, [complaint.ID, soft.ID, bounce.ID]],
    [{ toDate: '2001-01-01' }, []],
  ]
  for (const [query, ids] of filters) {
    const found = await postmark.getBounces(query)
    expect(
      found.Bounces.map(({ ID }) => ID),
      JSON.stringify(query),
    ).toEqual(ids)
  }
  const refused = { type: 'VirusNotification', count: 501, fromDate: 'yesterday', inactive: 'no', messageStream: 'x' }
  for (const [field, value] of Object.entries(refused))
    expect(await caught(postmark.getBounces({ [field]: value }) as never), field).toMatchObject({ statusCode: 422 })

  expect(await t.unchanged(() => caught(postmark.activateBounce(complaint.ID)))).toMatchObject({
    statusCode: 422,
    message: expect.stringContaining('a complaint'),
  })
  const active = await postmark.activateBounce(bounce.ID)
  expect(active).toMatchObject({ Message: 'OK', Bounce: { ID: bounce.ID, Inactive: false, CanActivate: false } })
  expect(await t.get(`/v1/contacts/suppression-status?email=${encodeURIComponent(hard)}`, 200)).toMatchObject({
    isSuppressed: false,
  })
  await t.unchanged(() => postmark.activateBounce(bounce.ID))
  await postmark.createSuppressions('outbound', { Suppressions: [{ EmailAddress: hard }] })
  expect(await t.unchanged(() => caught(postmark.activateBounce(bounce.ID)))).toMatchObject({ statusCode: 422 })

  expect(await caught(postmark.getBounce(bounce.ID + 1_000))).toMatchObject({ statusCode: 422, code: 407 })
  expect(await caught(postmark.getBounceDump(bounce.ID))).toMatchObject({ statusCode: 501 })
  const { apiKey } = await t.stranger('other')
  const strange = postmarkOf(t, apiKey)
  expect((await strange.getBounces()).TotalCount).toBe(0)
  expect(await caught(strange.getBounce(bounce.ID))).toMatchObject({ code: 407 })
  expect(await t.unchanged(() => caught(strange.activateBounce(bounce.ID)))).toMatchObject({ code: 407 })
})

test('SendGrid: each personalization is a mail, a template is filled, and settings that are on are refused', async () => {
  await using t = await testApp()
  await t.template({ ...greeting, id: 'd-welcome' })
  const sendgrid = sendgridOf(t)
  const mail = { from, subject: 'Hello', html, text: 'Hello', categories: ['news'], customArgs: { order: '4711' } }
  const personalizations = [
    { to: [{ email: 'ada@example.net', name: 'Ada' }], cc: [{ email: 'grace@example.net' }] },
    { to: [{ email: 'eve@example.net' }], subject: 'For Eve', headers: { 'X-For': 'Eve' } },
  ]
  const [response] = await sendgrid.send({ ...mail, personalizations })
  expect(response.statusCode).toBe(202)
  const id = response.headers['x-message-id']
  expect(await t.get(`/v1/activity/${id}`, 200)).toMatchObject({
    content: 'own',
    tags: ['news'],
    metadata: { order: '4711' },
  })
  await sendgrid.sendMultiple({ ...mail, to: ['a@example.net', 'b@example.net'] })
  const house = t.app.config.mailFrom.address
  const templated = {
    templateId: 'd-welcome',
    personalizations: [{ to: 'ada@example.net', dynamicTemplateData: { name: 'Ada' } }],
  }
  await sendgrid.send({ from: house, ...templated } as never)
  await t.settle()
  const sent = await t.sent()
  expect(sent.filter(({ raw }) => raw.includes('Subject: Hi Ada'))).toHaveLength(1)
  expect(sent.find(({ to }) => to === 'eve@example.net')?.raw).toContain('X-For: Eve')
  expect(sent.find(({ to }) => to === 'grace@example.net')?.raw).toContain(
    'To: Ada <ada@example.net>\r\nCc: grace@example.net',
  )

  const refused: Record<string, object> = {
    asm: { asm: { groupId: 1 } },
    ip_pool_name: { ipPoolName: 'x' },
    batch_id: { batchId: 'x' },
    sections: { sections: { a: 'b' } },
    open_tracking: { trackingSettings: { openTracking: { enable: true } } },
    sandbox_mode: { mailSettings: { sandboxMode: { enable: true } } },
    reply_to_list: { replyToList: [{ email: 'a@example.com' }] },
  }
  // The second is beyond all that a date can say.
  const late = [4_000_000_000, 9_000_000_000_000_000].map((sendAt): [string, object] => ['send_at', { sendAt }])
  for (const [field, more] of [...Object.entries(refused), ...late]) {
    const error = await t.unchanged(() => caught(sendgrid.send({ ...mail, to: 'ada@example.net', ...more })))
    expect(error, field).toMatchObject({ code: 400 })
    expect(JSON.stringify((error as { response: { body: unknown } }).response.body), field).toContain(field)
  }
  expect(await caught(sendgridOf(t, 'wrong').send({ ...mail, to: 'ada@example.net' }))).toMatchObject({ code: 401 })
})

test('no key reaches another workspace, or further than its scopes, by the words of another service', async () => {
  await using t = await testApp()
  const resend = resendOf(t)
  const sent = await resend.emails.send({ from, to: 'ada@example.net', subject: 'Ours', text: 'x' })
  const email = sent.data?.id ?? ''
  const contact = (await resend.contacts.create({ email: 'ada@example.net' })).data?.id ?? ''
  const list = (await resend.audiences.create({ name: 'News' })).data?.id ?? ''
  const { id: domain } = await t.post('/v1/sending-domains', { domain: 'mail.example.com' }, 201)
  await postmarkOf(t).createSuppressions('outbound', { Suppressions: [{ EmailAddress: 'eve@example.net' }] })
  const other = await write(t.app, (tx) => createWorkspace(tx, { slug: 'other', trustLevel: 'M1' }))
  const theirs = await write(t.app, (tx) => createApiKey(tx, other.id, { scopes: ['full'] }))
  const strange = resendOf(t, theirs.apiKey)
  const calls = {
    email: () => strange.emails.get(email),
    cancel: () => strange.emails.cancel(email),
    move: () => strange.emails.update({ id: email, scheduledAt: '2027-01-01T00:00:00Z' }),
    contact: () => strange.contacts.get(contact),
    byAddress: () => strange.contacts.get({ email: 'ada@example.net' }),
    change: () => strange.contacts.update({ id: contact, unsubscribed: true }),
    remove: () => strange.contacts.remove(contact),
    join: () => strange.contacts.create({ audienceId: list, email: 'grace@example.net' }),
    list: () => strange.audiences.get(list),
    archive: () => strange.audiences.remove(list),
    members: () => strange.contacts.list({ audienceId: list }),
    domain: () => strange.domains.get(domain),
    verify: () => strange.domains.verify(domain),
    removeDomain: () => strange.domains.remove(domain),
    rename: () => strange.segments.update(list, { name: 'Theirs' }),
    segments: () => strange.contacts.segments.list({ contactId: contact }),
    addTo: () => strange.contacts.segments.add({ contactId: contact, segmentId: list }),
    suppression: () => strange.suppressions.get('eve@example.net'),
    unsuppress: () => strange.suppressions.remove('eve@example.net'),
  }
  for (const [name, call] of Object.entries(calls)) {
    const { error } = await t.unchanged<{ error: { statusCode: number | null } | null }>(call)
    expect([404, 422], name).toContain(error?.statusCode ?? 0)
  }
  expect((await strange.contacts.list()).data?.data).toEqual([])
  expect((await strange.domains.list()).data?.data).toEqual([])
  expect((await strange.emails.list()).data?.data).toEqual([])
  expect((await strange.suppressions.list()).data?.data).toEqual([])
  expect((await postmarkOf(t, theirs.apiKey).getSuppressions('outbound')).Suppressions).toEqual([])

  const { apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { scopes: ['mcp'] }))
  const mail = { from, to: 'ada@example.net', subject: 'x', text: 'x' }
  expect((await resendOf(t, apiKey).emails.send(mail)).error).toMatchObject({ name: 'restricted_api_key' })
  expect(await caught(postmarkOf(t, apiKey).getSuppressions('outbound'))).toMatchObject({ statusCode: 401, code: 10 })
  expect(await caught(sendgridOf(t, apiKey).send(mail))).toMatchObject({ code: 403 })
})

test('a sender whose domain is not of the workspace is refused in the words of each service', async () => {
  await using t = await testApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } })
  const mail = { from: 'shop@example.org', to: 'ada@example.net', subject: 'x', text: 'x' }
  expect((await resendOf(t).emails.send(mail)).error).toMatchObject({ name: 'invalid_from_address' })
  const theirs = { From: mail.from, To: mail.to, Subject: 'x', TextBody: 'x' }
  expect(await caught(postmarkOf(t).sendEmail(theirs))).toMatchObject({ code: 400, statusCode: 422 })
  expect(await caught(sendgridOf(t).send(mail))).toMatchObject({ code: 403 })
})

test('List-Unsubscribe of a caller leaves as it is given, where one can leave by it, and is signed', async () => {
  await using t = await testApp()
  await t.post('/v1/sending-domains', { domain: 'example.com' }, 201)
  const headers = {
    'List-Unsubscribe': '<https://shop.example/leave?u=1>, <mailto:leave@shop.example>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  const pairs = Object.entries(headers).map(([Name, Value]) => ({ Name, Value }))
  const [To, Subject] = ['ada@example.net', 'News']
  const calls: (() => Promise<unknown>)[] = [
    () => resendOf(t).emails.send({ from, to: To, subject: Subject, text: 'x', headers }),
    () => postmarkOf(t).sendEmail({ From: from, To, Subject, TextBody: 'x', Headers: pairs }),
    () => sendgridOf(t).send({ from: 'shop@example.com', to: To, subject: Subject, text: 'x', headers }),
  ]
  for (const call of calls) await call()
  await t.settle()
  const sent = await t.sent()
  expect(sent).toHaveLength(calls.length)
  for (const { raw } of sent) {
    const unfolded = raw.replaceAll(/\r\n[ \t]+/g, ' ')
    for (const [name, value] of Object.entries(headers)) expect(unfolded).toContain(`\r\n${name}: ${value}\r\n`)
    const signed = [...unfolded.matchAll(/^DKIM-Signature: .*?h=([^;]+);/gm)].map(([, names = '']) =>
      names.replaceAll(' ', '').split(':'),
    )
    expect(signed).toHaveLength(2)
    for (const names of signed) for (const name of Object.keys(headers)) expect(names).toContain(name.toLowerCase())
  }
  // A mail from a template has ours, and takes no other.
  await t.template({ ...greeting, id: 'welcome' })
  const body = { email: To, templateId: 'welcome', dataVariables: { name: 'Ada' }, headers }
  await t.unchanged(() => t.post('/v1/transactional/send', body, 422))
})
