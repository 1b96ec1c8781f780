// Messages whose content is their caller's own: kept as it is sent, its HTML written anew, by SMTP passed on unchanged, signed, and gone with retention and erasure.

import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { contentSources, messageContents } from '../db/tables/messages.ts'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import {
  type Content,
  deleteOldContents,
  forgetContent,
  mimeContent,
  type OwnParts,
  partsContent,
} from '../src/features/sending/own-content.ts'
import { queueOwn } from '../src/features/sending/queue-own.ts'
import { chooseSender } from '../src/features/sending/sender.ts'
import { AppError } from '../src/kit/error.ts'
import { newId } from '../src/kit/id.ts'
import { toRawMail } from '../src/mail/raw-mail.ts'
import { type Json, type TestApp, type TestAppOptions, testApp } from './support/app.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

const ada = 'ada@example.net'

/** The app with its SMTP_URL at a sink. */
async function product(options: TestAppOptions = {}): Promise<AsyncDisposable & { t: TestApp; sink: Sink }> {
  const sink = startSink()
  const environment = { SMTP_URL: sink.url, MAIL_FROM: 'House <hello@house.example>', ...options.environment }
  const t = await testApp({ ...options, environment })
  return {
    t,
    sink,
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]()
      sink.stop()
    },
  }
}

/** The ids of the messages, one for each address, all of one content. */
async function queue(t: TestApp, content: Content, emails = [ada], more: object = {}): Promise<string[]> {
  const sender = await chooseSender(t.app, t.workspace, { fromName: null, fromEmail: null, replyTo: null }, {})
  return await write(t.app, async (tx) => {
    const list = emails.map((email) => ({
      id: newId(tx, 'msg', tx.now),
      workspaceId: t.workspace.id,
      email,
      contactId: null,
      locale: 'en',
      fromName: sender.name,
      fromEmail: sender.email,
      replyTo: sender.replyTo,
      content,
      ...more,
    }))
    await queueOwn(tx, list)
    return list.map(({ id }) => id)
  })
}

const mime = async (t: TestApp, text: string | Buffer) => mimeContent(t.app, await toRawMail([Buffer.from(text)]))

/** The body after the headers, as text. */
const bodyOf = (raw: Buffer) => raw.toString('latin1').split('\r\n\r\n').slice(1).join('\r\n\r\n')

const whole = [
  'From: "Ada, Countess" <hello@house.example>',
  'To: Everybody <list@example.org>',
  'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
  'Bcc: secret@example.org',
  'Return-Path: <other@example.org>',
  'List-Unsubscribe: <https://example.org/u>',
  'X-Folded: one',
  '\ttwo',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: 8bit',
  '',
  'Grüße  aus  Kiel  ',
  '.hidden',
  '',
].join('\r\n')

describe('content of the caller', () => {
  test('as parts is kept as it is sent, built into a mail, and marked in the log', async () => {
    await using p = await product()
    const { t, sink } = p
    const html = `<p style="color:red">Grüße\u{1F600}</p>${'<b>x</b>'.repeat(20_000)}`
    const content = await partsContent(t.app, { kind: 'parts', subject: 'Grüße', html, text: 'Grüße' })
    const [messageId] = await queue(t, content, [ada], { headers: { 'X-Mine': 'yes' }, tags: ['tag'] })
    await t.settle()
    expect(await t.get(`/v1/activity/${messageId}`, 200)).toMatchObject({
      status: 'sent',
      kind: 'transactional',
      content: 'own',
      subject: 'Grüße',
      tags: ['tag'],
    })
    const [received] = sink.received
    expect(received?.to).toEqual([ada])
    const raw = received?.raw ?? Buffer.alloc(0)
    const parsed = await t.app.mailReader.read(await toRawMail([raw]))
    expect(parsed.mail).toMatchObject({ subject: 'Grüße', html: expect.stringContaining(html), text: 'Grüße\n' })
    expect(raw.toString()).toContain('X-Mine: yes')
    const page = `<html>\n<head>\n<meta charset="utf-8">\n</head>\n<body>${html}</body>\n</html>\n`
    const shown = { subject: 'Grüße', html: page, text: 'Grüße', warnings: [] }
    expect(await t.get(`/v1/messages/${messageId}/content`, 200)).toEqual({ messageId, ...shown })
    const { id: contactId } = await t.contact({ email: ada })
    const { messages } = await t.get(`/v1/contacts/${contactId}/export`, 200)
    expect(messages).toMatchObject([{ messageId, content: 'own', ownContent: shown }])
    await write(t.app, (tx) => deleteOldContents(tx, new Date(t.clock.now().getTime() + 1)))
    await t.get(`/v1/messages/${messageId}/content`, 404)
  })

  test('as parts may be only HTML or only text', async () => {
    await using p = await product()
    await queue(p.t, await partsContent(p.t.app, { kind: 'parts', subject: 'A', html: '<p>A</p>' }))
    await p.t.settle()
    await queue(p.t, await partsContent(p.t.app, { kind: 'parts', subject: 'B', text: 'B' }))
    await p.t.settle()
    const types = p.sink.received.map(({ raw }) => raw.toString().match(/text\/\w+/g))
    expect(types).toEqual([['text/html'], ['text/plain']])
  })

  test('as a whole mail passes unchanged but for what must not leave and what is missing, and is signed', async () => {
    await using p = await product()
    const { t, sink } = p
    await t.post('/v1/sending-domains', { domain: 'house.example' }, 201)
    const content = await mime(t, whole)
    expect(content.head).toMatchObject({
      from: { name: 'Ada, Countess', address: 'hello@house.example' },
      subject: 'Grüße',
      messageId: null,
    })
    const [messageId] = await queue(t, content)
    await t.settle()
    const [received] = sink.received
    expect(received?.to).toEqual([ada])
    const raw = received?.raw.toString('utf8') ?? ''
    const [head = ''] = raw.split('\r\n\r\n')
    expect(head.match(/^DKIM-Signature:/gm)).toHaveLength(2)
    expect(head).toContain(`Message-ID: <${messageId}@house.example>`)
    expect(head).toMatch(/^Date: /m)
    expect(head).not.toMatch(/^(bcc|return-path):/im)
    const kept = whole.split('\r\n').filter((line) => !/^(Bcc|Return-Path):/.test(line))
    expect(raw).toEndWith(kept.join('\r\n'))
    const keys = await t.app.db.all<{ selector: string; rsa: string; ed: string }>(
      'SELECT selector, rsa_public_key AS rsa, ed25519_public_key AS ed FROM sending_domains',
    )
    const resolve = async (name: string) => {
      const row = keys[0]
      const isRsa = name.startsWith(`${row?.selector}r.`)
      return [[`v=DKIM1; k=${isRsa ? 'rsa' : 'ed25519'}; p=${isRsa ? row?.rsa : row?.ed}`]]
    }
    const { dkimVerify } = await import('mailauth/lib/dkim/verify.js')
    const verified = await dkimVerify(received?.raw ?? Buffer.alloc(0), { resolver: resolve })
    expect(verified.results.map((one: Json) => one.status.result)).toEqual(['pass', 'pass'])
  })

  test('keeps the Message-ID and Date of a whole mail, and encodes a subject that was not', async () => {
    await using p = await product()
    const dated = 'From: hello@house.example\r\nDate: Mon, 1 Jan 2024 00:00:00 +0000\r\nMessage-ID: <mine@x>\r\n'
    await queue(p.t, await mime(p.t, `${dated}Subject: Grüße\r\n\r\nno last line end`))
    await p.t.settle()
    const raw = p.sink.received[0]?.raw.toString() ?? ''
    expect(raw).toStartWith(dated)
    expect(raw).toContain('Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n')
    expect(raw.match(/^(Message-ID|Date):/gm)).toHaveLength(2)
    expect(bodyOf(Buffer.from(raw))).toBe('no last line end\r\n')
  })

  const from = 'From: hello@house.example\r\n'
  const refused: [why: string, mail: string | Buffer, says: RegExp][] = [
    ['a line that ends with LF alone', `${from}\r\nsmuggled\n.\r\n`, /line 3 does not end with CRLF/],
    ['a CR alone', `${from}\r\na\rb\r\n`, /line 3 does not end with CRLF/],
    ['a CR at its end', `${from}\r\na\r`, /line 3 does not end with CRLF/],
    ['a zero byte', `${from}\r\na\0b\r\n`, /a zero byte/],
    ['a line without an end', `${from}\r\n${'x'.repeat(999)}`, /line 3 has more than 998 characters/],
    ['no From', 'Subject: x\r\n\r\nhi', /no From header/],
    ['nothing', '', /no From header/],
    ['two From headers', `${from}from: other@example.org\r\n\r\nhi`, /2 From headers/],
    ['two Subjects', `${from}Subject: a\r\nSubject: b\r\n\r\nhi`, /2 Subject headers/],
    ['two people in From', 'From: a@house.example, b@example.org\r\n\r\nhi', /From must have exactly one mailbox/],
    ['a group in From', 'From: all: a@house.example;\r\n\r\nhi', /From must have exactly one mailbox/],
    ['two addresses in From', 'From: <a@house.example> <b@example.org>\r\n\r\nhi', /From must have exactly one/],
    ['an address beyond ASCII', 'From: a <größe@house.example>\r\n\r\nhi', /From has characters beyond ASCII/],
    ['bytes of another charset', Buffer.from(`${from}Subject: Gr\xfc\r\n\r\n`, 'latin1'), /Subject has bytes that/],
    ['no colon', `${from}hello there\r\n\r\nhi`, /line 2 of the header is not a header/],
    ['a line of spaces in the header', `${from} \r\nX-A: b\r\n\r\nhi`, /line 2 of the header is not a header/],
    ['a space before the colon', `${from}Subject : a\r\n\r\nhi`, /line 2 of the header is not a header/],
    ['a control character', `${from}Subject: a\x07\r\n\r\nhi`, /Subject has a control character/],
    ['what steers a relay', `${from}X-SMTPAPI: {"to":["x@y.z"]}\r\n\r\nhi`, /X-SMTPAPI may not be set/],
    ['an endless header', `${from}X-A: ${'b\r\n '.repeat(2_000)}\r\n\r\nhi`, /more than 1000 lines/],
  ]
  test('that is malformed is refused by name, and nothing is kept', async () => {
    await using p = await product()
    for (const [why, mail, says] of refused) {
      const error = await p.t.unchanged(() => mime(p.t, mail)).catch((thrown: unknown) => thrown)
      expect(error, why).toBeInstanceOf(AppError)
      expect(String(error), why).toMatch(says)
    }
    const parts: [OwnParts, RegExp][] = [
      [{ kind: 'parts', subject: 'a\r\nBcc: x@y.z', text: 'a' }, /subject/],
      [{ kind: 'parts', subject: 'a' }, /html/],
      [{ kind: 'parts', subject: 'a', html: 'x'.repeat(2_000_001) }, /html/],
    ]
    for (const [one, says] of parts) expect(partsContent(p.t.app, one)).rejects.toThrow(says)
  })

  test('of several recipients is kept once, and not for one who is suppressed', async () => {
    await using p = await product()
    const { t, sink } = p
    await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: 'eve@example.net', reason: 'manual' }))
    const ids = await queue(t, await mime(t, whole), [ada, 'eve@example.net', 'bob@example.net'])
    expect(await t.app.db.select().from(contentSources)).toHaveLength(1)
    expect(await t.app.db.select().from(messageContents)).toHaveLength(2)
    await t.settle()
    // Which of them leaves first is open.
    expect(sink.received.map(({ to }) => to[0]).toSorted()).toEqual([ada, 'bob@example.net'])
    const statuses = await Promise.all(ids.map(async (id) => (await t.get(`/v1/activity/${id}`, 200)).status))
    expect(statuses).toEqual(['sent', 'suppressed', 'sent'])
  })

  test('goes 30 days after it was sent, and with the person', async () => {
    await using p = await product()
    const { t } = p
    const kept = async () => [
      (await t.app.db.select().from(messageContents)).length,
      (await t.app.db.select().from(contentSources)).length,
    ]
    const { id } = await t.contact({ email: ada })
    await queue(t, await mime(t, whole), [ada, 'bob@example.net'])
    await queue(t, await mime(t, whole), ['bob@example.net'])
    const runAt = new Date(t.clock.now().getTime() + 60 * 86_400_000)
    const [later] = await queue(t, await mime(t, whole), ['bob@example.net'], { runAt })
    await t.settle()
    expect(await kept()).toEqual([4, 3])
    await t.delete(`/v1/contacts/${id}/data`, undefined, 200)
    expect(await kept()).toEqual([2, 2])
    await t.advance('31d')
    await t.cleanUp()
    expect(await t.app.db.select().from(messageContents)).toMatchObject([{ messageId: later }])
    expect(await kept()).toEqual([1, 1])
    await t.advance('30d')
    expect((await t.get(`/v1/activity/${later}`, 200)).status).toBe('sent')
  })

  test('that is large is stored ahead, blocks nobody, and is swept when it is never queued', async () => {
    await using p = await product()
    const { t, sink } = p
    const line = `${randomBytes(54).toString('base64')}\r\n`
    const large = Buffer.from(
      `${from}Subject: large\r\n\r\n${line.repeat(Math.floor((24 * 1024 * 1024) / line.length))}`,
    )
    const raw = await toRawMail([large])
    const checked = await longestBlock('reading 24 MB', () => mimeContent(t.app, raw))
    const forgotten = await mimeContent(t.app, raw)
    await forgetContent(t.app, forgotten)
    const pieces = (await t.app.db.select({ id: contentSources.sourceId }).from(contentSources)).map(({ id }) => id)
    expect(new Set(pieces)).toEqual(new Set([checked.result.id]))
    await queue(t, checked.result)
    const sent = await longestBlock('sending 24 MB', () => t.settle())
    expect(sink.received[0]?.raw.subarray(-large.length).equals(large)).toBe(true)
    expect([checked.blockMs, sent.blockMs].filter((ms) => ms > maxBlockMs)).toEqual([])
    await expect(mime(t, Buffer.alloc(25 * 1024 * 1024 + 1))).rejects.toThrow(/25 MB/)
  })
})
