// Mail that applications hand over by SMTP: who may send as whom, what becomes of a mail, and what hostile clients get.

import { Database as SQLite } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { eq } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { createTransport } from 'nodemailer'
import { contentSources, messages } from '../db/tables/messages.ts'
import { members, rateBuckets } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { readConfig } from '../src/core/config.ts'
import { submission as submissionCheck } from '../src/doors/cli/mail-checks.ts'
import { listenForSubmissions } from '../src/doors/smtp/listen.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { day } from '../src/kit/duration.ts'
import { measures } from '../src/kit/measures.ts'
import { newApiKey } from '../src/kit/token.ts'
import { createApiKey } from '../src/people/access/api-keys.ts'
import { createUser } from '../src/people/access/users.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { certificateFor, selfSigned } from './support/certificate.ts'
import { remoteDatabase } from './support/database.ts'
import { hostileMail } from './support/hostile-mail.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'
import { type SmtpClient, smtpClient } from './support/smtp-client.ts'
import { type Sink, startSink } from './support/smtp-sink.ts'

interface Stage extends AsyncDisposable {
  t: TestApp
  sink: Sink
  /** With STARTTLS, and inside TLS. */
  ports: { plain: number; tls: number }
  files: { cert: string; key: string }
  close(): Promise<void>
}

/** An installation that really sends, for applications on this machine. */
async function stage(environment: Record<string, string> = {}): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'submission-'))
  const files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem') }
  const { cert, key } = selfSigned()
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  const sink = startSink()
  const t = await testApp({
    environment: {
      SMTP_URL: sink.url,
      MAIL_FROM: 'House <hello@house.example>',
      SUBMISSION_PORT: '0',
      SUBMISSIONS_PORT: '0',
      SUBMISSION_TLS_CERT: files.cert,
      SUBMISSION_TLS_KEY: files.key,
      ...environment,
    },
  })
  const listeners = await listenForSubmissions(t.app, '127.0.0.1')
  const close = async () => void (await Promise.all(listeners.map((one) => one.close())))
  return {
    t,
    sink,
    ports: { plain: listeners[0]?.port ?? 0, tls: listeners[1]?.port ?? 0 },
    files,
    close,
    async [Symbol.asyncDispose]() {
      await close()
      await t[Symbol.asyncDispose]()
      sink.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const plain = (password: string) => `AUTH PLAIN ${Buffer.from(`\0anybody\0${password}`).toString('base64')}`

/** A client that may sign in, inside TLS. */
async function atTheDoor(s: Stage): Promise<SmtpClient> {
  const c = await smtpClient(s.ports.plain)
  await c.reply()
  await c.say('EHLO app.example')
  expect(await c.say('STARTTLS')).toStartWith('220')
  await c.upgrade()
  await c.say('EHLO app.example')
  return c
}

/** A client that is signed in. */
async function signedIn(s: Stage, apiKey = s.t.apiKey): Promise<SmtpClient> {
  const c = await atTheDoor(s)
  expect(await c.say(plain(apiKey))).toBe('235 2.7.0 signed in')
  return c
}

const ada = 'ada@example.net'
const largest = '25 MB of empty lines, signed'
const head = 'From: "Shop" <hello@house.example>\r\nTo: Ada <ada@example.net>\r\nSubject: Hi\r\n'
const mail = `${head}\r\nHello\r\n`

/** The reply to the final dot, or to what was refused before. */
async function submit(c: SmtpClient, data: string, recipients = [ada], from = 'hello@house.example'): Promise<string> {
  const sender = await c.say(`MAIL FROM:<${from}> BODY=8BITMIME`)
  if (!sender.startsWith('250')) return sender
  for (const one of recipients) await c.say(`RCPT TO:<${one}>`)
  const go = await c.say('DATA')
  if (!go.startsWith('354')) return go
  c.write(`${data.replace(/^\./gm, '..')}.\r\n`)
  return await c.reply()
}

const idsIn = (reply: string) => reply.match(/msg_[0-9a-f]{32}/g) ?? []

describe('a mail that an application hands over', () => {
  test('is durable when it is answered, passes unchanged but for what is added, and is in the log', async () => {
    await using s = await stage()
    using c = await signedIn(s)
    const dotted = `${mail}..leading\r\n.\x20dots\r\nGr\u00fc\u00dfe`
    const reply = await submit(c, `${dotted}\r\n`)
    expect(reply).toMatch(/^250 2\.0\.0 accepted as msg_[0-9a-f]{32}$/)
    const [id = ''] = idsIn(reply)
    expect(await s.t.app.db.select().from(messages)).toMatchObject([{ id, status: 'queued', email: ada }])
    await s.t.settle()
    expect(await s.t.get(`/v1/activity/${id}`, 200)).toMatchObject({
      status: 'sent',
      content: 'own',
      kind: 'transactional',
      subject: 'Hi',
    })
    const raw = s.sink.received[0]?.raw.toString() ?? ''
    expect(raw).toEndWith(`${dotted}\r\n`)
    expect(raw).toContain(`Message-ID: <${id}@house.example>`)
  })

  test('becomes one message for each recipient, in one transaction; who is suppressed is left out and named', async () => {
    await using s = await stage()
    const { t } = s
    for (const email of ['eve@example.net', 'mallory@example.net'])
      await write(t.app, (tx) => suppress(tx, t.workspace.id, { email, reason: 'manual' }))
    using c = await signedIn(s)
    const three = await submit(c, mail, [ada, 'ADA@example.net', 'eve@example.net', 'bob@example.net'])
    const ids = idsIn(three)
    expect(three).toStartWith('250 2.0.0 accepted as')
    expect(ids).toHaveLength(3)
    await t.settle()
    expect(s.sink.received.map(({ to }) => to[0]?.toLowerCase()).toSorted()).toEqual([ada, 'bob@example.net'])
    const rows = await Promise.all(ids.map((id) => t.get(`/v1/activity/${id}`, 200)))
    expect(rows.map(({ status }: Json) => status)).toEqual(['sent', 'suppressed', 'sent'])
    const refused = await submit(c, mail, ['eve@example.net', 'mallory@example.net'])
    expect(refused).toMatch(/^550 5\.7\.1 The recipient is on the suppression list \(manual\)/)
    expect(await t.app.db.select().from(contentSources)).toHaveLength(1)
  })

  test('has as many recipients as the limit that is named', async () => {
    await using s = await stage()
    using c = await signedIn(s)
    await c.say('MAIL FROM:<hello@house.example>')
    const lines = Array.from({ length: 10_000 }, (_, n) => `RCPT TO:<r${n}@example.net>\r\n`)
    const replies: string[] = []
    for (let at = 0; at < lines.length; at += 500) {
      c.write(lines.slice(at, at + 500).join(''))
      for (let n = 0; n < 500; n++) replies.push(await c.reply())
    }
    expect(replies.filter((reply) => reply.startsWith('250'))).toHaveLength(500)
    expect(replies.at(-1)).toMatch(/^452 4\.5\.3 too many recipients: at most 500/)
    await c.say('DATA')
    c.write(`${mail}.\r\n`)
    const reply = await c.reply()
    expect(reply.split('\n').every((line) => line.length < 510)).toBe(true)
    expect(new Set(idsIn(reply)).size).toBe(500)
    expect(await s.t.app.db.select({ id: messages.id }).from(messages)).toHaveLength(500)
  })

  test('is the same mail when its Message-ID comes again, and is refused with another content', async () => {
    await using s = await stage()
    const { t } = s
    using c = await signedIn(s)
    const known = `Message-ID: <one@shop>\r\n${mail}`
    const first = await submit(c, known)
    expect(await submit(c, known)).toBe(`250 2.0.0 accepted before as ${idsIn(first)[0]}`)
    expect(await submit(c, known.replace('Hello', 'Other'))).toMatch(/^554 5\.6\.0 .*already used with another body/)
    // The rest of the recipients, as a client sends it that splits them.
    const rest = await submit(c, known, [ada, 'bob@example.net'])
    expect(idsIn(rest)).toEqual([idsIn(first)[0] ?? '', expect.any(String)])
    const { apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { name: 'other' }))
    using other = await signedIn(s, apiKey)
    expect(await submit(other, known)).toStartWith('250 2.0.0 accepted as')
    await t.settle()
    expect(s.sink.received.map(({ to }) => to[0]).toSorted()).toEqual([ada, ada, 'bob@example.net'])
    expect(s.sink.received.every(({ raw }) => raw.toString().includes('Message-ID: <one@shop>'))).toBe(true)
    const found = await t.get(`/v1/activity?idempotencyKey=${encodeURIComponent('one@shop')}`, 200)
    expect(found.data).toHaveLength(3)
  })

  test('may name a template to fill instead of its body, and these headers never leave', async () => {
    await using s = await stage()
    const { t } = s
    await t.template({ subject: 'For {{name}}', text: 'Hello {{name}}' })
    using c = await signedIn(s)
    const named = (lines: string) => `${head}${lines}\r\nThe body that is not sent\r\n`
    const good = named(
      'X-Paquebot-Template: hello\r\nX-Paquebot-Variables: {"name":\r\n "Gr\u00fc\u00dfe"}\r\nX-Paquebot-Tags: a, b\r\n',
    )
    const known = `Message-ID: <t@shop>\r\n${good}`
    const reply = await submit(c, known, [ada, 'bob@example.net'])
    const [id = ''] = idsIn(reply)
    expect(await submit(c, known, [ada, 'bob@example.net'])).toStartWith('250 2.0.0 accepted before')
    await t.settle()
    expect(await t.get(`/v1/activity/${id}`, 200)).toMatchObject({
      templateId: 'hello',
      subject: 'For Gr\u00fc\u00dfe',
      tags: ['a', 'b'],
    })
    expect(s.sink.received).toHaveLength(2)
    expect(s.sink.received[0]?.raw.toString()).not.toMatch(/X-Paquebot|not sent/i)
    const tagged = await submit(c, named('X-Paquebot-Tags: c\r\n'))
    await t.settle()
    expect(await t.get(`/v1/activity/${idsIn(tagged)[0]}`, 200)).toMatchObject({ tags: ['c'], content: 'own' })
    expect(s.sink.received[2]?.raw.toString()).not.toContain('X-Paquebot')
    const refused: [string, RegExp][] = [
      ['X-Paquebot-Template: nope\r\n', /no active template/],
      ['X-Paquebot-Template: hello\r\n', /name/],
      ['X-Paquebot-Template: hello\r\nX-Paquebot-Variables: [1]\r\n', /X-Paquebot-Variables.* JSON object/],
      ['X-Paquebot-Template: hello\r\nX-Paquebot-Variables: {"name":"x","company_name":"y"}\r\n', /company_name/],
      ['X-Paquebot-Variables: {}\r\n', /needs an X-Paquebot-Template/],
      ['X-Paquebot-Template: hello\r\nx-paquebot-template: hello\r\n', /may be there once/],
      ['X-Paquebot-Templates: hello\r\n', /is not known/],
    ]
    for (const [lines, says] of refused) {
      const answer = await t.unchanged(() => submit(c, named(lines)))
      expect(answer, lines).toMatch(/^554 5\.6\.0 /)
      expect(answer, lines).toMatch(says)
    }
  })

  test('cannot break out of a header by a variable', async () => {
    await using s = await stage()
    const { t } = s
    await t.template({ subject: 'For {{name}}', text: 'Hello {{name}}' })
    using c = await signedIn(s)
    const variables = JSON.stringify({ name: 'x\r\nBcc: eve@example.net\r\n\r\n<script>' })
    await submit(c, `${head}X-Paquebot-Template: hello\r\nX-Paquebot-Variables: ${variables}\r\n\r\n`)
    await t.settle()
    for (const { raw, to } of s.sink.received) {
      expect(to).toEqual([ada])
      expect(raw.toString().split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/m)
    }
  })

  test('of 24 MB blocks nobody, and one beyond 25 MB is refused before it comes', async () => {
    await using s = await stage()
    using c = await signedIn(s)
    expect(await c.say(`MAIL FROM:<hello@house.example> SIZE=${25 * 1024 * 1024 + 1}`)).toStartWith('552 5.3.4')
    const line = `${'0123456789abcdef'.repeat(4)}\r\n`
    const large = mail + line.repeat(Math.floor((24 * 1024 * 1024) / line.length))
    const taken = await longestBlock('taking 24 MB', () => submit(c, large))
    expect(taken.result).toStartWith('250')
    expect(taken.blockMs).toBeLessThan(maxBlockMs)
  })
})

describe('who hands over', () => {
  test('signs in inside TLS only, with a key that may send', async () => {
    await using s = await stage()
    const { t } = s
    using c = await smtpClient(s.ports.plain)
    await c.reply()
    const offers = await c.say('EHLO app.example')
    expect(offers).toContain('STARTTLS')
    expect(offers).not.toContain('AUTH')
    expect(await c.say(plain(t.apiKey))).toStartWith('538 5.7.11')
    expect(await c.say('MAIL FROM:<hello@house.example>')).toStartWith('530 5.7.0 STARTTLS first')
    await c.say('STARTTLS')
    await c.upgrade()
    const inside = await c.say('EHLO app.example')
    expect(inside).toContain('AUTH PLAIN LOGIN')
    for (const one of ['SIZE 26214400', '8BITMIME', 'PIPELINING', 'ENHANCEDSTATUSCODES']) expect(inside).toContain(one)
    expect(inside).not.toMatch(/STARTTLS|SMTPUTF8/)
    expect(await c.say('MAIL FROM:<hello@house.example>')).toStartWith('530 5.7.0 AUTH first')
    expect(await c.say('AUTH CRAM-MD5')).toStartWith('504 5.5.4')
    expect(await c.say('AUTH PLAIN ???')).toStartWith('501 5.5.2')
    expect(await c.say('AUTH LOGIN')).toBe(`334 ${Buffer.from('Username:').toString('base64')}`)
    expect(await c.say('*')).toStartWith('501')
    await c.say('AUTH LOGIN')
    await c.say(Buffer.from('anybody').toString('base64'))
    expect(await c.say(Buffer.from(t.apiKey).toString('base64'))).toBe('235 2.7.0 signed in')
    expect(await c.say(plain(t.apiKey))).toStartWith('503')
    expect(await submit(c, mail)).toStartWith('250')
    const { apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { scopes: ['contacts.read'] }))
    using d = await atTheDoor(s)
    expect(await d.say(plain(apiKey))).toMatch(/^535 5\.7\.8 .*lacks the scope transactional\.send/)
    expect(await d.say(plain('wrong'))).toMatch(/^535 5\.7\.8 /)
    d.write(`${plain('wrong')}\r\n`)
    expect(await d.closed).toContain('421 4.7.0 too many failed sign-ins')
  })

  test('is limited by network where keys are wrong, and no application beside it is', async () => {
    await using s = await stage()
    const { t } = s
    const failures = () => t.app.db.select().from(rateBuckets)
    for (let session = 0; session < 3; session++) {
      using c = await atTheDoor(s)
      for (let n = 0; n < 2; n++)
        expect(await c.say(plain('wrong'))).toMatch(
          session === 2 && n === 1 ? /^454 4\.7\.0 .*try again in 60 s/ : /^535/,
        )
    }
    const before = await failures()
    using c = await atTheDoor(s)
    expect(await c.say(plain(newApiKey(t.app)))).toStartWith('454')
    // A flood writes nothing.
    expect(await failures()).toEqual(before)
    using d = await signedIn(s)
    expect(await submit(d, mail)).toStartWith('250')
    t.clock.advance(60_000)
    using e = await atTheDoor(s)
    expect(await e.say(plain('wrong'))).toStartWith('535')
  })

  test('is told when the key may only read, and may again with the role', async () => {
    await using s = await stage()
    const { t } = s
    const { userId, apiKey } = await write(t.app, async (tx) => {
      const user = await createUser(tx, t.workspace, { email: 'eve@acme.test', passwordHash: null, role: 'viewer' })
      const grantor = { userId: user.id, role: 'member' } as const
      return { userId: user.id, ...(await createApiKey(tx, t.workspace.id, { grantor })) }
    })
    const says = '535 5.7.8 this API key may only read: its creator is a viewer, and sending requires a member'
    using c = await atTheDoor(s)
    expect(await c.say(plain(apiKey))).toBe(says)
    await write(t.app, (tx) => tx.db.update(members).set({ role: 'owner' }).where(eq(members.userId, userId)))
    expect(await c.say(plain(apiKey))).toStartWith('235')
    await write(t.app, (tx) => tx.db.update(members).set({ role: 'viewer' }).where(eq(members.userId, userId)))
    expect(await c.say('MAIL FROM:<hello@house.example>')).toStartWith('535 5.7.8')
  })

  test('is refused with the key of an agent that is behind the airlock', async () => {
    await using s = await stage()
    const given = { scopes: ['full'], airlock: true }
    const { apiKey } = await write(s.t.app, (tx) => createApiKey(tx, s.t.workspace.id, given))
    using c = await atTheDoor(s)
    expect(await c.say(plain(apiKey))).toMatch(/^535 5\.7\.8 /)
  })

  test('sends as an address of its workspace, in the envelope and in From', async () => {
    await using s = await stage()
    const { t } = s
    const stranger = await t.stranger()
    await t.post('/v1/sending-domains', { domain: 'theirs.example' }, 201, { as: { apiKey: stranger.apiKey } })
    using c = await signedIn(s)
    const from = (address: string) => mail.replace('hello@house.example', address)
    const before = () => t.app.db.select({ id: messages.id }).from(messages)
    expect(await submit(c, mail, [ada], 'a@theirs.example')).toMatch(/^553 5\.7\.1 theirs\.example is not known to be/)
    expect(await submit(c, from('a@theirs.example'))).toMatch(/^550 5\.7\.1 theirs\.example is not known to be/)
    expect(await submit(c, mail.replace('Subject', 'Sender: a@theirs.example\r\nSubject'))).toMatch(/^550 5\.7\.1/)
    for (const field of ['Resent-From: a@theirs.example', 'Resent-Sender: B <a@theirs.example>'])
      for (const fields of [field, `Resent-From: hello@house.example\r\n${field}`])
        expect(await submit(c, mail.replace('Subject', `${fields}\r\nSubject`)), fields).toMatch(/^550 5\.7\.1/)
    expect(await submit(c, `${from('a@theirs.example').split('\r\n')[0]}\r\n${mail}`)).toMatch(/^554 .*2 From headers/)
    expect(await submit(c, mail.replace('"Shop"', 'a@theirs.example,'))).toMatch(/^554 .*exactly one mailbox/)
    expect(await submit(c, mail, [ada], '"a b"@house.example')).toStartWith('501')
    expect(await submit(c, mail.replace('Hello', 'x'.repeat(999)))).toMatch(/^554 .*998 characters/)
    expect(await before()).toEqual([])
    expect(await submit(c, from('other@house.example'), [ada], '')).toStartWith('250')
    expect(await before()).toHaveLength(1)
  })

  test('of a foreign sender is taken in capture mode, and stays here', async () => {
    await using s = await stage({ SMTP_URL: '' })
    const { t } = s
    const stranger = await t.stranger()
    await t.post('/v1/sending-domains', { domain: 'theirs.example' }, 201, { as: { apiKey: stranger.apiKey } })
    using c = await signedIn(s)
    const foreign = mail.replace('hello@house.example', 'a@theirs.example')
    expect(await submit(c, foreign, [ada], 'a@theirs.example')).toStartWith('250 2.0.0 accepted as')
    const sender = foreign.replace('Subject', 'Sender: b@elsewhere.example\r\nSubject')
    expect(await submit(c, sender, ['bob@example.net'], 'c@nobody.example')).toStartWith('250 2.0.0 accepted as')
    await t.settle()
    expect(s.sink.received).toEqual([])
    const { data } = await t.get('/v1/activity/captured', 200)
    // They leave beside each other, so either may be the first.
    expect(data.map(({ to, from }: Json) => [to, from]).sort()).toEqual([
      [ada, expect.stringContaining('a@theirs.example')],
      ['bob@example.net', expect.stringContaining('a@theirs.example')],
    ])
  })

  test('a name in UTF-8 is encoded as a subject is, in every header of mailboxes', async () => {
    await using s = await stage()
    using c = await signedIn(s)
    const named = [
      'From: "Größe & Söhne, GmbH" <hello@house.example>',
      'To: Zoë <ada@example.net>, =?UTF-8?B?QsO2Yg==?= <bob@example.net>, carl@example.net',
      'Reply-To: Jürgen <help@house.example>',
      'Subject: Grüße',
    ].join('\r\n')
    expect(await submit(c, `${named}\r\n\r\nHello\r\n`)).toStartWith('250')
    await s.t.settle()
    const raw = s.sink.received[0]?.raw.toString() ?? ''
    expect(raw).toMatch(/^[\x00-\x7f]*$/)
    const read = await simpleParser(raw)
    expect([read.from?.text, read.replyTo?.text, read.subject]).toEqual([
      '"Größe & Söhne, GmbH" <hello@house.example>',
      '"Jürgen" <help@house.example>',
      'Grüße',
    ])
    expect([read.to].flat().flatMap((one) => one?.value.map(({ name, address }) => [name, address]))).toEqual([
      ['Zoë', 'ada@example.net'],
      ['Böb', 'bob@example.net'],
      ['', 'carl@example.net'],
    ])
    for (const wrong of ['From: a <größe@house.example>', 'From: hello@house.example (Größe)', 'From: Größe'])
      expect(await submit(c, `${wrong}\r\nSubject: x\r\n\r\nx\r\n`)).toMatch(/^554 /)
  })

  test('an address in UTF-8 is refused where it is named: no recipient is guessed, and the others get the mail', async () => {
    await using s = await stage()
    using c = await signedIn(s)
    expect(await c.say('MAIL FROM:<hello@house.example> SMTPUTF8')).toMatch(/^555 5\.6\.7 .*SMTPUTF8/)
    expect(await c.say('MAIL FROM:<hello@h\u00fcuse.example>')).toStartWith('553 5.6.7')
    await c.say('MAIL FROM:<hello@house.example>')
    for (const address of ['ada@m\u00fcnchen.example', 'm\u00fcller@example.net'])
      expect(await c.say(`RCPT TO:<${address}>`)).toStartWith('553 5.6.7')
    expect(await c.say('RCPT TO:<ada@xn--mnchen-3ya.example>')).toStartWith('250')
    await c.say('DATA')
    c.write(`${mail}.\r\n`)
    expect(await c.reply()).toStartWith('250')
    const rows = await s.t.app.db.select({ email: messages.email }).from(messages)
    expect(rows).toEqual([{ email: 'ada@xn--mnchen-3ya.example' }])
  })

  test('is held to API_RATE_LIMIT, and is out when its key is revoked', async () => {
    await using s = await stage({ API_RATE_LIMIT: '2' })
    const { t } = s
    const { row, apiKey } = await write(t.app, (tx) => createApiKey(tx, t.workspace.id, { name: 'app' }))
    using c = await signedIn(s, apiKey)
    await c.say('MAIL FROM:<hello@house.example>')
    const replies: string[] = []
    for (const one of [ada, 'b@example.net', 'c@example.net']) replies.push(await c.say(`RCPT TO:<${one}>`))
    expect(replies).toEqual(['250 2.1.5 OK', '250 2.1.5 OK', '450 4.7.1 too many requests; try again in 1 s'])
    await c.say('RSET')
    t.clock.advance(5_000)
    await t.delete(`/v1/api-keys/${row.id}`, undefined, 200)
    expect(await submit(c, mail)).toMatch(/^535 5\.7\.8/)
  })

  test('speaks TLS from the first byte on the other port, and plain text on loopback only without a certificate', async () => {
    await using s = await stage()
    const transport = createTransport({
      host: '127.0.0.1',
      port: s.ports.tls,
      secure: true,
      tls: { rejectUnauthorized: false },
      auth: { user: 'x', pass: s.t.apiKey },
    })
    const sent = await transport.sendMail({
      from: 'hello@house.example',
      to: [ada, 'b@example.net'],
      subject: 'Grüße',
      html: '<p>Hi</p>',
    })
    transport.close()
    expect(sent.response).toStartWith('250 2.0.0 accepted as msg_')
    await s.t.settle()
    expect(s.sink.received).toHaveLength(2)
    const bare = { SUBMISSION_PORT: '0' }
    expect(readConfig({ ...bare, HOST: '127.0.0.1' }).submission).toMatchObject({ port: 0, tls: undefined })
    expect(() => readConfig({ ...bare, HOST: '0.0.0.0' })).toThrow(/SUBMISSION_TLS_CERT/)
    expect(() => readConfig({ SUBMISSIONS_PORT: '465' })).toThrow(/SUBMISSION_TLS_CERT/)
    expect(() => readConfig({ SUBMISSION_TLS_CERT: s.files.cert, SUBMISSION_TLS_KEY: s.files.cert })).toThrow(/PEM/)
    expect(() => readConfig({ SUBMISION_PORT: '1' })).toThrow(/SUBMISSION_PORT/)
  })
})

describe('a hostile client', () => {
  test('cannot smuggle a second mail, or a command into TLS', async () => {
    await using s = await stage()
    for (const end of ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r']) {
      using c = await signedIn(s)
      await c.say('MAIL FROM:<hello@house.example>')
      await c.say(`RCPT TO:<${ada}>`)
      await c.say('DATA')
      c.write(`${mail}x${end}MAIL FROM:<hello@house.example>\r\nRCPT TO:<eve@example.net>\r\nDATA\r\n${mail}.\r\n`)
      expect(await c.closed, JSON.stringify(end)).toStartWith('550 5.6.11')
    }
    using c = await smtpClient(s.ports.plain)
    await c.reply()
    await c.say('EHLO app.example')
    c.write(`STARTTLS\r\n${plain(s.t.apiKey)}\r\n`)
    expect(await c.closed).toContain('554 5.5.0')
    expect(await s.t.app.db.select().from(messages)).toEqual([])
  })

  test('holds nobody up with a mail that is built to hold a reader, neither taking it nor passing it on', async () => {
    await using s = await stage()
    await s.t.post('/v1/sending-domains', { domain: 'house.example' }, 201)
    using c = await signedIn(s)
    const blocks: string[] = []
    let accepted = 0
    for (const { name, raw } of hostileMail()) {
      // What is large is large in the same few ways.
      if (raw.length > 300_000 && name !== largest) continue
      const mail = raw.toString('latin1').replace('From: Eve <eve@example.net>', 'From: Eve <hello@house.example>')
      const taken = await longestBlock(`taking ${name}`, async () => {
        const reply = await submit(c, mail)
        expect(reply, name).toMatch(/^(250|554) /)
        if (reply.startsWith('250')) accepted++
      })
      const sent = await longestBlock(`sending ${name}`, () => s.t.settle())
      if (Math.max(taken.blockMs, sent.blockMs) > maxBlockMs) blocks.push(name)
    }
    expect(blocks).toEqual([])
    expect(accepted).toBeGreaterThan(5)
    expect(s.sink.count()).toBe(accepted)
  })

  test('does not keep the server from stopping', async () => {
    await using s = await stage()
    using c = await signedIn(s)
    await s.close()
    expect(await c.closed).toContain('421 4.3.2 shutting down')
  })
})

test.skipIf(remoteDatabase)('a database that is locked is 451, and the same mail works later', async () => {
  await using s = await stage()
  using c = await signedIn(s)
  const other = new SQLite(s.t.app.config.databaseUrl.slice('file:'.length))
  other.run('BEGIN IMMEDIATE')
  expect(await submit(c, mail)).toMatch(/^451 4\.3\.0 /)
  other.run('COMMIT')
  other.close()
  expect(await submit(c, mail)).toStartWith('250')
  expect(await s.t.app.db.select({ id: messages.id }).from(messages)).toHaveLength(1)
})

test('doctor names the ports and the end of the certificate, and metrics count the mails', async () => {
  await using s = await stage()
  const { config } = s.t.app
  const end = Date.parse(new X509Certificate(selfSigned().cert).validTo)
  const checkedAt = (at: number) => submissionCheck({ config, clock: { ...s.t.clock, now: () => new Date(at) } })[0]
  expect(checkedAt(end - 15 * day)).toMatchObject({ ok: true, detail: expect.stringContaining('port 0 (TLS); the') })
  expect(checkedAt(end - 15 * day)?.warning).toBeUndefined()
  expect(checkedAt(end - day)).toMatchObject({ ok: true, warning: true })
  expect(checkedAt(end + day)).toMatchObject({ ok: false })
  using c = await signedIn(s)
  await submit(c, mail)
  await submit(c, 'nonsense\r\n')
  const lines = Object.values(s.t.app.own(measures)).flatMap((one) => one.lines())
  expect(lines).toContain('paquebot_smtp_submissions_total{code="250"} 1')
  expect(lines).toContain('paquebot_smtp_submissions_total{code="554"} 1')
  expect(lines).toContain('paquebot_smtp_sign_ins_total{outcome="ok"} 1')
})

test('a certificate that is replaced is used from the next connection on; broken files leave the former one', async () => {
  await using s = await stage()
  const subject = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connectTls({ port: s.ports.tls, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(String(socket.getPeerCertificate().subject.CN))
        socket.destroy()
      })
      socket.once('error', reject)
    })
  expect(await subject()).toBe('127.0.0.1')
  writeFileSync(s.files.cert, '-----BEGIN CERTIFICATE-----\nbroken')
  expect(await subject()).toBe('127.0.0.1')
  expect(s.t.logged.filter((line) => line.includes('the former ones stay'))).toHaveLength(1)
  const next = certificateFor('mail.example')
  writeFileSync(s.files.cert, next.cert)
  // The key is not there yet: both belong together.
  expect(await subject()).toBe('127.0.0.1')
  writeFileSync(s.files.key, next.key)
  expect(await subject()).toBe('mail.example')
  expect(await subject()).toBe('mail.example')
})
