// Pictures that a mail brings along and its HTML shows (`cid:`, RFC 2392): in templates and own content, one by one, in batches and as the
// SDKs of others send them; and what is refused instead of shown as a broken picture.

import { expect, test } from 'bun:test'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { simpleParser } from 'mailparser'
import { ServerClient } from 'postmark'
import { Resend } from 'resend'
import { write } from '../src/core/app.ts'
import { contentIdsIn } from '../src/kit/content-id.ts'
import { fillMessage, type MessageAttachment, wireBytes } from '../src/mail/mime.ts'
import { createApiKey, findKeyById, signingSecret } from '../src/people/access/api-keys.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\nlogo', 'latin1')
const data = png.toString('base64')
const picture = (contentId: string) => ({ filename: `${contentId}.png`, contentType: 'image/png', data, contentId })
const file = { filename: 'a.txt', contentType: 'text/plain', data: Buffer.from('hi').toString('base64') }

const content = [
  { type: 'image', src: 'cid:logo@example.com', alt: 'Acme' },
  { type: 'text', text: 'Hello' },
]
const create = (t: TestApp, more: object = {}) =>
  t.template({ id: 'welcome', name: 'Welcome', subject: 'Hi', content, ...more })
const send = (t: TestApp, attachments: object[], status = 200) =>
  t.post('/v1/transactional/send', { email: 'ada@example.net', templateId: 'welcome', attachments }, status)

/** The types of the parts, from outside to inside, and the pictures. */
async function shapeOf(raw: string) {
  const types = [...raw.matchAll(/^Content-Type: ([\w/]+)/gm)].map(([, type]) => type)
  const { attachments } = await simpleParser(raw)
  const pictures = attachments.filter(({ related }) => related).map(({ cid, content }) => [cid, content.equals(png)])
  return { types, pictures, raw }
}

async function lastMail(t: TestApp) {
  await t.settle()
  return await shapeOf((await t.sent()).at(-1)?.raw ?? '')
}

const inHtml = ['multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png']

test('a template shows a picture that each send attaches, beside other files, alone and in a batch', async () => {
  await using t = await testApp()
  const { warnings } = await create(t)
  expect(warnings).toMatchObject([{ path: 'content', code: 'picture_of_the_send' }])
  await send(t, [picture('logo@example.com')])
  const alone = await lastMail(t)
  expect(alone).toMatchObject({ types: inHtml, pictures: [['logo@example.com', true]] })
  expect(alone.raw).toContain('\r\nContent-ID: <logo@example.com>\r\nContent-Disposition: inline;\r\n')
  expect(alone.raw).toContain('multipart/related;\r\n boundary="=_paquebot_related";\r\n type="text/html"\r\n')

  const { filename: name, contentType: content_type, contentId: content_id } = picture('logo@example.com')
  const { messageId } = await send(t, [file, { name, content_type, content: data, content_id }])
  const mixed = ['multipart/mixed', ...inHtml, 'text/plain']
  expect(await lastMail(t)).toMatchObject({ types: mixed, pictures: [['logo@example.com', true]] })

  const one = { email: 'ada@example.net', templateId: 'welcome' }
  const messages = [{ ...one, attachments: [picture('logo@example.com')] }, one]
  const { results } = await t.post('/v1/transactional/send-batch', { messages }, 200)
  expect(results).toMatchObject([{ success: true }, { success: false, errors: [{ code: 'not_attached' }] }])
  expect(await lastMail(t)).toMatchObject({ pictures: [['logo@example.com', true]] })

  t.clock.advance(1_000)
  await t.post(`/v1/messages/${messageId}/resend`, {}, 200)
  expect(await lastMail(t)).toMatchObject({ types: mixed, pictures: [['logo@example.com', true]] })
})

test('what would be a broken picture is refused by its place, and nothing is written', async () => {
  await using t = await testApp()
  await create(t)
  const errorOf = async (attachments: object[]): Promise<Json> =>
    (await t.unchanged(() => send(t, attachments, 422))).errors[0]
  const logo = picture('logo@example.com')
  expect(await errorOf([])).toMatchObject({ path: 'attachments', code: 'not_attached' })
  expect(await errorOf([picture('Logo@example.com')])).toMatchObject({ path: 'attachments', code: 'not_attached' })
  expect(await errorOf([logo, logo])).toMatchObject({ path: 'attachments[1].contentId', code: 'duplicate' })
  for (const contentId of ['cid:logo', '<logo>', 'a b', 'x\r\nBcc: eve@example.net', ''])
    expect(await errorOf([{ ...logo, contentId }])).toMatchObject({ path: 'attachments[0].contentId' })
  // Pictures count as any file.
  expect(await errorOf([logo, file, file, file])).toMatchObject({ code: 'too_many_attachments' })
  expect(await errorOf([logo, ...[0, 1, 2].map((index) => picture(`p${index}`))])).toMatchObject({
    code: 'too_many_attachments',
    message: 'at most 3 attachments, not 4',
  })
  await send(t, [logo, picture('other'), file])

  const bad = [{ type: 'image', src: 'cid:{{logo}}', alt: 'Acme' }]
  const { errors } = await t.post(
    '/v1/transactional/create',
    { id: 'bad', name: 'Bad', subject: 'Hi', content: bad },
    422,
  )
  expect(errors).toMatchObject([{ path: 'content[0].src', code: 'invalid_url' }])
  const list = await t.mailingList()
  const campaign = { name: 'News', subject: 'News', mailingListId: list.id, content }
  const refused = await t.post('/v1/campaigns', campaign, 422)
  expect(refused.errors).toMatchObject([{ path: 'content[0].src', code: 'invalid_url' }])
})

test('the SDKs of Resend, Postmark, SendGrid and SES send pictures as they always did', async () => {
  await using t = await testApp()
  const html = '<p>Hi</p><img alt="" src="cid:logo">'
  const expected = { types: inHtml.filter((type) => type !== 'text/plain'), pictures: [['logo', true]] }
  const resend = new Resend(t.apiKey, { baseUrl: `${t.url}/compat/resend` })
  const mail = { from: 'shop@example.com', to: 'ada@example.net', subject: 'Hi', html }
  const attached = { filename: 'logo.png', content: png, contentId: 'logo' }
  expect((await resend.emails.send({ ...mail, attachments: [attached] })).error).toBeNull()
  expect(await lastMail(t)).toMatchObject(expected)
  const { error } = await resend.emails.send(mail)
  expect(error).toMatchObject({ statusCode: 422, message: expect.stringContaining('html shows cid:logo') })

  const requestHost = `${t.url.slice('http://'.length)}/compat/postmark`
  const Attachments = [{ Name: 'logo.png', Content: data, ContentType: 'image/png', ContentID: 'cid:logo' }]
  await new ServerClient(t.apiKey, { useHttps: false, requestHost }).sendEmail({
    From: 'shop@example.com',
    To: 'ada@example.net',
    Subject: 'Hi',
    HtmlBody: html,
    Attachments,
  })
  expect(await lastMail(t)).toMatchObject(expected)

  const sendgrid = (attachment: object, status: number) =>
    t.post(
      '/compat/sendgrid/v3/mail/send',
      {
        personalizations: [{ to: [{ email: 'ada@example.net' }] }],
        from: { email: 'shop@example.com' },
        subject: 'Hi',
        content: [{ type: 'text/html', value: html }],
        attachments: [{ content: data, filename: 'logo.png', type: 'image/png', ...attachment }],
      },
      status,
    )
  await sendgrid({ disposition: 'inline', content_id: 'logo' }, 202)
  expect(await lastMail(t)).toMatchObject(expected)
  expect((await sendgrid({ disposition: 'inline' }, 400)).errors[0].field).toBe('attachments[0].content_id')

  const { row } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { scopes: ['transactional.send'] }))
  const key = await findKeyById(t.app, row.id)
  const ses = new SESv2Client({
    endpoint: `${t.url}/compat/ses`,
    region: 'eu-west-1',
    credentials: { accessKeyId: row.id, secretAccessKey: key ? signingSecret(t.app, key) : '' },
    systemClockOffset: t.clock.now().getTime() - Date.now(),
    maxAttempts: 1,
  })
  const ContentDisposition = 'INLINE' as const
  await ses.send(
    new SendEmailCommand({
      FromEmailAddress: 'shop@example.com',
      Destination: { ToAddresses: ['ada@example.net'] },
      Content: {
        Simple: {
          Subject: { Data: 'Hi' },
          Body: { Html: { Data: html } },
          Attachments: [{ RawContent: png, FileName: 'logo.png', ContentId: 'logo', ContentDisposition }],
        },
      },
    }),
  )
  expect(await lastMail(t)).toMatchObject(expected)
})

test('without HTML a picture is a file like others; ids are found where HTML shows them, and nowhere else', async () => {
  const attachments: MessageAttachment[] = [
    { filename: 'a.png', contentType: 'image/png', contentId: 'logo', lines: [Buffer.from(`${data}\r\n`)] },
  ]
  const fields = { from: { name: null, address: 'a@example.com' }, to: [], replyTo: null, subject: 'Hi' }
  const values = { headers: {}, htmlValues: [], textValues: [], attachments }
  const more = { messageId: '1@example.com', date: new Date(0), ...values }
  const mail = fillMessage({ html: null, text: [] }, { ...fields, ...more })
  const raw = Buffer.concat(wireBytes(mail).pieces).toString('latin1')
  expect(await shapeOf(raw)).toMatchObject({
    types: ['multipart/mixed', 'multipart/alternative', 'text/plain', 'image/png'],
    pictures: [],
  })
  const html = `<img src = 'cid:a'><td background=cid:b@c.d style="background:url(&quot;cid:e%2Bf&quot;)">
    <style>p { background: url('cid:g') }</style> your cid:no, <a href="https://x.example/?cid:no">cid:no</a>`
  expect(contentIdsIn(html)).toEqual(['a', 'b@c.d', 'e+f', 'g'])
})
