// The official client of Amazon SES, unchanged but for its endpoint, against the running server; and what its signatures keep out.

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { GetSendQuotaCommand, SESClient, SendEmailCommand as SendEmailOfV1 } from '@aws-sdk/client-ses'
import { GetAccountCommand, SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2'
import { write } from '../src/core/app.ts'
import { ses } from '../src/doors/compat/ses.ts'
import { rewriteHtml } from '../src/features/content/rendering/own-html/write.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { createApiKey, findKeyById, signingSecret } from '../src/people/access/api-keys.ts'
import { vouchFor } from '../src/people/domain-owners.ts'
import { createWorkspace } from '../src/people/workspaces.ts'
import { type TestApp, testApp } from './support/app.ts'

interface Access {
  accessKeyId: string
  secretAccessKey: string
}

async function accessOf(t: TestApp, workspaceId = t.workspace.id, scopes = ['transactional.send']): Promise<Access> {
  const { row } = await write(t.app, (tx) => createApiKey(tx, workspaceId, { scopes }))
  const key = await findKeyById(t.app, row.id)
  return { accessKeyId: row.id, secretAccessKey: key ? signingSecret(t.app, key) : '' }
}

function clientOf(t: TestApp, credentials: Access, offsetMs = 0) {
  const systemClockOffset = t.clock.now().getTime() - Date.now() + offsetMs
  return new SESv2Client({
    endpoint: `${t.url}/compat/ses`,
    region: 'eu-west-1',
    credentials,
    systemClockOffset,
    maxAttempts: 1,
  })
}

const mail: SendEmailCommandInput = {
  FromEmailAddress: 'Shop <shop@example.com>',
  Destination: { ToAddresses: ['Ada <ada@example.net>'], BccAddresses: ['eve@example.net'] },
  EmailTags: [{ Name: 'order', Value: '4711' }],
  Content: {
    Simple: {
      Subject: { Data: 'Your order ✓' },
      Body: { Html: { Data: '<p>Hello</p>', Charset: 'UTF-8' }, Text: { Data: 'Hello' } },
      Attachments: [{ RawContent: Buffer.from('hi'), FileName: 'a.txt' }],
    },
  },
}
const simple = mail.Content?.Simple

test('SES: simple, raw and templated mail', async () => {
  await using t = await testApp()
  await t.template({ id: 'welcome', subject: 'Hi {{name}}', text: 'Hello {{name}}' })
  const access = await accessOf(t)
  // A client follows the clock of the answers, which is not that of the app.
  const send = (input: SendEmailCommandInput) => clientOf(t, access).send(new SendEmailCommand(input))
  const { MessageId = '' } = await send(mail)
  expect(await t.get(`/v1/activity/${MessageId}`, 200)).toMatchObject({ content: 'own', metadata: { order: '4711' } })
  const raw = [
    'From: shop@example.com',
    'To: grace@example.net',
    'Subject: Raw',
    'X-Mine: 1',
    '',
    'As it is.',
    '',
  ].join('\r\n')
  await send({ Content: { Raw: { Data: Buffer.from(raw) } } })
  // A file has other line ends than a mail.
  const ofFile = Buffer.from(raw.replaceAll('\r\n', '\n').replace('Raw', 'Lines').replace('As it', 'As\nit'))
  await send({ Content: { Raw: { Data: ofFile } } })
  await expect(send({ Content: { Raw: { Data: Buffer.from('From: a@b.c\r\rx') } } })).rejects.toThrow('CRLF')
  const Template = { TemplateName: 'welcome', TemplateData: '{"name":"Ada"}' }
  await send({ Destination: { ToAddresses: ['ada@example.net'] }, Content: { Template } })
  await t.settle()
  const sent = await t.sent()
  expect(sent.map(({ to }) => to).sort()).toEqual([
    'ada@example.net',
    'ada@example.net',
    'eve@example.net',
    'grace@example.net',
    'grace@example.net',
  ])
  expect(sent.find(({ raw }) => raw.includes('Subject: Lines'))?.raw).toContain('As\r\nit is.')
  expect(sent.find(({ to }) => to === 'grace@example.net')?.raw).toContain('X-Mine: 1')
  expect(sent.filter(({ raw }) => raw.includes('Subject: Hi Ada'))).toHaveLength(1)

  const refused: Record<string, SendEmailCommandInput> = {
    ConfigurationSetName: { ...mail, ConfigurationSetName: 'x' },
    ListManagementOptions: { ...mail, ListManagementOptions: { ContactListName: 'x' } },
    FeedbackForwardingEmailAddress: { ...mail, FeedbackForwardingEmailAddress: 'x@example.com' },
    ToAddresses: { ...mail, Destination: { ToAddresses: ['nobody'] } },
    ReplyToAddresses: { ...mail, ReplyToAddresses: ['a@example.com', 'b@example.com'] },
    FromEmailAddress: { FromEmailAddress: 'else@example.com', Content: { Raw: { Data: Buffer.from(raw) } } },
    TemplateData: {
      Destination: { ToAddresses: ['ada@example.net'] },
      Content: { Template: { ...Template, TemplateData: '[]' } },
    },
  }
  for (const [field, input] of Object.entries(refused)) {
    const error = await t.unchanged(() => send(input).catch((thrown: unknown) => thrown))
    expect(error, field).toMatchObject({ name: 'BadRequestException', message: expect.stringContaining(field) })
  }
})

test('SES: a raw mail that also says to be of somebody else is refused, wherever it says so', async () => {
  await using t = await testApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'shop@example.com' } })
  const other = await t.stranger()
  await write(t.app, (tx) => vouchFor(tx, { workspaceId: other.workspace.id, domain: 'theirs.example' }))
  const access = await accessOf(t)
  const send = (...fields: string[]) => {
    const head = ['From: shop@example.com', ...fields, 'To: grace@example.net', 'Subject: Hi']
    const Data = Buffer.from([...head, '', 'Hello', ''].join('\r\n'))
    return clientOf(t, access).send(new SendEmailCommand({ Content: { Raw: { Data } } }))
  }
  const ours = 'Resent-From: shop@example.com'
  const refused = [
    ['Resent-From: a@theirs.example'],
    ['resent-from: "shop@example.com" <a@theirs.example>'],
    ['Resent-From:', ' a@theirs.example'],
    [ours, 'Resent-From: a@theirs.example'],
    [ours, 'Resent-Sender: B <a@theirs.example>'],
    ['Sender: a@theirs.example'],
    ['Sender: =?utf-8?Q?shop=40example.com?= <a@theirs.example>'],
    ['Resent-From: shop@example.com, a@theirs.example', 'Resent-Sender: shop@example.com'],
    ['Resent-From: shop@example.com (a comment) , Group: a@theirs.example;'],
  ]
  for (const fields of refused) {
    const error = await t.unchanged(() => send(...fields).catch((thrown: unknown) => thrown))
    expect(error, fields.join()).toMatchObject({ $metadata: { httpStatusCode: 400 } })
  }
  const { MessageId = '' } = await send(ours, 'Resent-To: bob@example.net')
  const { data } = await t.get('/v1/activity?email=grace@example.net', 200)
  expect(data.map(({ messageId }: { messageId: string }) => messageId)).toEqual([MessageId])
})

test('SES: HTML leaves as we write it, and a raw mail is taken apart for it', async () => {
  await using t = await testApp()
  const access = await accessOf(t)
  const send = (input: SendEmailCommandInput) => clientOf(t, access).send(new SendEmailCommand(input))
  const attack = '<p>Hello</p><script>steal()</script><img alt="" src="cid:logo@x">'
  const html = rewriteHtml(attack)
  const leaves = 'html' in html ? html.html.trim() : ''
  const png = Buffer.from('iVBORw0KGgo=', 'base64').toString('base64')
  const file = (type: string, more: string[], data: string) =>
    ['--b', `Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', ...more, '', data].join('\r\n')
  const raw = (...files: string[]) =>
    [
      'From: =?utf-8?Q?Sh=C3=B6p?= <shop@example.com>',
      'To: =?utf-8?Q?Gr=C3=A4ce?= <grace@example.net>, bob@example.net',
      'Reply-To: help@example.com',
      'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
      'Date: Thu, 01 Jan 1970 00:00:00 +0000',
      'Message-ID: <theirs@example.com>',
      'X-Mine: 1',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ['--b', 'Content-Type: text/html; charset=utf-8', '', attack].join('\r\n'),
      ...files,
      '--b--',
      '',
    ].join('\r\n')
  const logo = file('image/png; name=logo.png', ['Content-ID: <logo@x>', 'Content-Disposition: inline'], png)
  const bill = file(
    'application/pdf; name=bill.pdf',
    ['Content-ID: <bill>', 'Content-Disposition: attachment'],
    Buffer.from('%PDF-1').toString('base64'),
  )
  const simple = { Subject: { Data: 'Hi' }, Body: { Html: { Data: '<p>Hello</p><script>steal()</script>' } } }
  await send({ ...mail, Content: { Simple: simple } })
  await send({ Content: { Raw: { Data: Buffer.from(raw(logo, bill)) } } })
  await t.settle()
  const sent = await t.sent()
  for (const { raw } of sent) expect(raw).not.toContain('steal')
  const found = sent.find(({ to }) => to === 'grace@example.net')
  const { mail: read } = await t.app.mailReader.read(await toRawMail([Buffer.from(found?.raw ?? '')]))
  expect(read).toMatchObject({ subject: 'Grüße', html: expect.stringContaining(leaves) })
  expect(read.attachments.map(({ filename }) => filename)).toEqual(['logo.png', 'bill.pdf'])
  expect(found?.raw).toContain('X-Mine: 1')
  expect(found?.raw).toContain('Reply-To: help@example.com')
  expect(found?.raw).toContain('bob@example.net')
  expect(found?.raw).not.toContain('theirs@example.com')
  const { data } = await t.get('/v1/activity?email=grace@example.net', 200)
  const { warnings } = await t.get(`/v1/messages/${data[0].messageId}/content`, 200)
  expect(warnings).toEqual([{ path: 'html', code: 'left_out', message: 'The element <script> was left out.' }])
  const refused = [raw(file('application/zip; name=a.zip', ['Content-Disposition: attachment'], 'UEs=')), raw()]
  for (const one of refused) {
    const error = await t.unchanged(() =>
      send({ Content: { Raw: { Data: Buffer.from(one) } } }).catch((thrown: unknown) => thrown),
    )
    expect(error).toMatchObject({ name: 'BadRequestException' })
  }
})

test('SES: a signature that is missing, wrong, old, of another body or of a key without the scope opens nothing', async () => {
  await using t = await testApp()
  const access = await accessOf(t)
  const errorOf = (client: SESv2Client) =>
    t.unchanged(() =>
      client.send(new SendEmailCommand(mail)).then(
        () => null,
        (error: unknown) => error,
      ),
    )
  const wrong = { ...access, secretAccessKey: `${access.secretAccessKey.slice(1)}0` }
  expect(await errorOf(clientOf(t, wrong))).toMatchObject({ name: 'SignatureDoesNotMatch' })
  expect(await errorOf(clientOf(t, { ...access, accessKeyId: 'key_unknown' }))).toMatchObject({
    name: 'UnrecognizedClientException',
  })
  expect(await errorOf(clientOf(t, access, -16 * 60_000))).toMatchObject({ name: 'SignatureDoesNotMatch' })
  const narrow = await accessOf(t, t.workspace.id, ['mcp'])
  expect(await errorOf(clientOf(t, narrow))).toMatchObject({ name: 'AccessDeniedException' })
  const other = await write(t.app, (tx) => createWorkspace(tx, { slug: 'other', trustLevel: 'M1' }))
  const theirs = await accessOf(t, other.id)
  const { MessageId = '' } = await clientOf(t, theirs).send(new SendEmailCommand(mail))
  await t.get(`/v1/activity/${MessageId}`, 404)

  // What the client sends, as it is and changed on its way.
  const path = '/compat/ses/v2/email/outbound-emails'
  const { headers, body } = await signedRequest(t, access)
  const post = (changed: string, more: Record<string, string | null> = {}) => {
    const all = Object.entries({ ...headers, ...more }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value]],
    )
    return fetch(t.url + path, { method: 'POST', headers: Object.fromEntries(all), body: changed })
  }
  // Whoever caught it may repeat it, and gets the first answer: nothing is sent again, for as long as the signature is good.
  const again = await Promise.all([1, 2, 3].map(() => t.unchanged(() => post(body))))
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(await Promise.all(again.map((one) => one.text()))).size).toBe(1)
  const attempts = {
    body: () => post(body.replace('eve@', 'mallory@')),
    unsigned: () => post(body, { authorization: null }),
    bearer: () => post(body, { authorization: `Bearer ${t.apiKey}` }),
    unsignedPayload: () => post(body, { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }),
    date: () => post(body, { 'x-amz-date': '20260115T120001Z' }),
  }
  for (const [name, attempt] of Object.entries(attempts)) expect((await t.unchanged(attempt)).status, name).toBe(403)
  await t.delete(`/v1/api-keys/${access.accessKeyId}`, undefined, 200)
  expect((await t.unchanged(() => post(body))).status).toBe(403)
})

async function signedRequest(
  t: TestApp,
  access: Access,
  input: SendEmailCommandInput = { ...mail, Content: { Simple: simple } },
): Promise<{ headers: Record<string, string>; body: string }> {
  const client = clientOf(t, access)
  let seen: { headers: Record<string, string>; body: string } | null = null
  client.middlewareStack.add(
    (next) => async (args) => {
      seen = args.request as { headers: Record<string, string>; body: string }
      return await next(args)
    },
    { step: 'deserialize' },
  )
  await client.send(new SendEmailCommand(input))
  if (seen === null) throw new Error('nothing was sent')
  return seen
}

test('SES: a client of API v1 reads what is wrong in its own XML, with what to use instead', async () => {
  await using t = await testApp()
  const access = await accessOf(t)
  const given = { ToAddresses: ['ada@example.net'] }
  const Message = { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'Hello' } } }
  const errorOf = (credentials: Access) => {
    const systemClockOffset = t.clock.now().getTime() - Date.now()
    const endpoint = `${t.url}/compat/ses`
    const client = new SESClient({ endpoint, region: 'eu-west-1', credentials, systemClockOffset, maxAttempts: 1 })
    const calls = [
      () => client.send(new SendEmailOfV1({ Source: 'shop@example.com', Destination: given, Message })),
      () => client.send(new GetSendQuotaCommand({})),
    ]
    return t.unchanged(() => Promise.all(calls.map((call) => call().catch((error: unknown) => error))))
  }
  for (const error of await errorOf(access)) {
    const { name, message, $metadata } = Object(error)
    expect([name, $metadata?.httpStatusCode]).toEqual(['NotImplementedException', 501])
    expect(message).toEndWith('Use API v2 of SES, "sesv2" in its SDKs, or POST /v1/transactional/send.')
  }
  const wrong = { ...access, secretAccessKey: `${access.secretAccessKey.slice(1)}0` }
  for (const error of await errorOf(wrong)) expect(error).toMatchObject({ name: 'SignatureDoesNotMatch' })
})

test('SES: an operation of API v2 that is not here is 501, with what to use instead', async () => {
  await using t = await testApp()
  const schemas = join(import.meta.dir, '../node_modules/@aws-sdk/client-sesv2/dist-es/schemas/schemas_0.js')
  const calls = (await Bun.file(schemas).text()).matchAll(/\["(GET|POST|PUT|DELETE|PATCH)", ?"(\/v2[^"?]+)/g)
  const wanted = [...calls].map(([, method, path]) => `${method} ${path}`)
  expect(wanted.length).toBeGreaterThan(90)
  const ours = Object.keys((await t.get('/openapi.json', 200, { as: 'nobody' })).paths)
  for (const call of wanted.filter((one) => one !== 'POST /v2/email/outbound-emails')) {
    const use = ses.absent.find(([, calls]) => calls.test(call))?.[0] ?? ''
    const named = [...use.matchAll(/\/v1\/[\w{}/-]+/g)].map(([path]) => path)
    expect([call, named.length > 0, named.filter((path) => !ours.includes(path))]).toEqual([call, true, []])
  }
  const client = clientOf(t, await accessOf(t))
  const { name, message } = Object(
    await t.unchanged(() => client.send(new GetAccountCommand({})).catch((error: unknown) => error)),
  )
  expect([name, message]).toEqual(['NotImplementedException', expect.stringContaining('/v1/workspace')])
})

test('SES: a signed request counts once, another one with the same words again', async () => {
  await using t = await testApp()
  await t.template({ id: 'welcome', subject: 'Hi' })
  const access = await accessOf(t)
  for (const Content of [{ Simple: simple }, { Template: { TemplateName: 'welcome' } }]) {
    // A template has a sender of its own.
    const { FromEmailAddress: _, ...named } = mail
    const input: SendEmailCommandInput = 'Simple' in Content ? { ...mail, Content } : { ...named, Content }
    const before = (await t.sent()).length
    const { headers, body } = await signedRequest(t, access, input)
    for (let minutes = 0; minutes < 14; minutes++) {
      t.clock.advance(60_000)
      await fetch(`${t.url}/compat/ses/v2/email/outbound-emails`, { method: 'POST', headers, body })
    }
    await t.settle()
    expect((await t.sent()).length - before).toBe(2)
    await signedRequest(t, access, input)
    await t.settle()
    expect((await t.sent()).length - before).toBe(4)
  }
})

test('SES: a client that does not say the digest of its body is verified by the body', async () => {
  await using t = await testApp()
  const access = await accessOf(t)
  const body =
    '{"FromEmailAddress":"shop@example.com","Destination":{"ToAddresses":["ada@example.net"]},"Content":{"Simple":{"Subject":{"Data":"x"},"Body":{"Text":{"Data":"x"}}}}}'
  const { host } = new URL(t.url)
  const time = t.clock
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, '')
  const scope = `${time.slice(0, 8)}/eu-west-1/ses/aws4_request`
  const path = '/compat/ses/v2/email/outbound-emails'
  const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
  const hmac = (key: string | Buffer, text: string) => new Bun.CryptoHasher('sha256', key).update(text).digest()
  const request = ['POST', path, '', `host:${host}`, `x-amz-date:${time}`, '', 'host;x-amz-date', sha256(body)].join(
    '\n',
  )
  const key = scope
    .split('/')
    .reduce<string | Buffer>((made, part) => Buffer.from(hmac(made, part)), `AWS4${access.secretAccessKey}`)
  const signature = Buffer.from(hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n'))).toString(
    'hex',
  )
  const authorization = `AWS4-HMAC-SHA256 Credential=${access.accessKeyId}/${scope}, SignedHeaders=host;x-amz-date, Signature=${signature}`
  const headers = { authorization, 'x-amz-date': time, 'content-type': 'application/json' }
  const post = (text: string) => fetch(t.url + path, { method: 'POST', headers, body: text })
  expect((await post(body)).status).toBe(200)
  expect((await t.unchanged(() => post(body.replace('ada@', 'eve@')))).status).toBe(403)
})
