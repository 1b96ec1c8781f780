// Sending through the whole product: every form of a request and what its mail then holds, repeats, refusals, Email Activity,
// and what an attacker may try with headers, addresses, bodies and attachments.

import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { type ParsedMail, simpleParser } from 'mailparser'
import { contacts, suppressions } from '../db/tables/contacts.ts'
import { outboxJobs } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { contactOfRecipient } from '../src/features/contacts/contacts.ts'
import { checkSizes, readAttachments } from '../src/features/sending/attachments.ts'
import { parseMail } from '../src/mail/parse-mime.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { greeting } from './support/arrange.ts'
import type { CapturedMail } from './support/captured-mail.ts'
import { ranOnFile, remoteDatabase } from './support/database.ts'
import { longestBlock, maxBlockMs } from './support/loop-monitor.ts'
import { startSink } from './support/smtp-sink.ts'

/** What a mail looks like, and what is refused, is the same on any database. */
const once = test.skipIf(ranOnFile)

const path = '/v1/transactional/send'
const hello = { email: 'ada@example.net', templateId: 'hello', dataVariables: { name: 'Ada' } }

type ContactRow = typeof contacts.$inferSelect

async function addContact(t: TestApp, email: string, more: Partial<ContactRow> = {}): Promise<ContactRow> {
  return write(t.app, async (tx) => {
    const { id } = await contactOfRecipient(tx, t.workspace.id, { email, locale: null })
    const [row] = await tx.db.update(contacts).set(more).where(eq(contacts.id, id)).returning()
    if (!row) throw new Error('the contact was not made')
    return row
  })
}

const suppressNow = (t: TestApp, email: string) =>
  write(t.app, (tx) => suppress(tx, t.workspace.id, { email, reason: 'manual' }))

const contactsOf = (t: TestApp) => t.app.db.select().from(contacts).all()
const jobsOf = (t: TestApp) => t.app.db.select().from(outboxJobs).all()

const activityOf = (t: TestApp, messageId: string): Promise<Json> => t.get(`/v1/activity/${messageId}`, 200)

/** The mails that left, in the order in which they were accepted: they leave side by side. */
async function sentInOrder(t: TestApp): Promise<CapturedMail[]> {
  await t.settle()
  return (await t.sent()).sort((one, other) => (one.messageId < other.messageId ? -1 : 1))
}

const parsedInOrder = async (t: TestApp) => Promise.all((await sentInOrder(t)).map(({ raw }) => simpleParser(raw)))

/** The one mail that left, read by a parser that is not ours. */
async function onlyMail(t: TestApp): Promise<ParsedMail> {
  await t.settle()
  const sent = await t.sent()
  expect(sent).toHaveLength(1)
  return simpleParser(sent[0]?.raw ?? '')
}

/** Header names and unfolded values, in order. */
function headersOf(raw: string): [string, string][] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  return head.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
}

describe('what is accepted', () => {
  test('the answer is a message id and nothing more, and the mail goes to one recipient', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const answer = await t.post(path, hello, 200)
    expect(answer).toEqual({
      success: true,
      messageId: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      warnings: [],
    })
    const { subject, from, text, html } = await onlyMail(t)
    expect([subject, from?.value, text]).toEqual([
      'Hi Ada',
      [{ name: 'Paquebot', address: 'paquebot@paquebot.localhost' }],
      'Hello Ada\n',
    ])
    expect(html).toContain('Hello Ada')
    const [mail] = await t.sent()
    expect(mail).toMatchObject({ to: 'ada@example.net', from: 'paquebot@paquebot.localhost' })
    expect(mail?.messageId).toBe(`${answer.messageId}@paquebot.localhost`)
    expect(headersOf(mail?.raw ?? '')).toEqual([
      ['From', 'Paquebot <paquebot@paquebot.localhost>'],
      ['To', 'ada@example.net'],
      ['Subject', 'Hi Ada'],
      ['Date', 'Thu, 15 Jan 2026 12:00:00 +0000'],
      ['Message-ID', `<${answer.messageId}@paquebot.localhost>`],
      ['MIME-Version', '1.0'],
      ['Content-Type', expect.stringContaining('multipart/alternative')],
    ])
  })

  const { email: _, templateId: __, ...rest } = hello
  const forms: [what: string, body: object, to: string][] = [
    ['email', { email: 'ada@example.net', templateId: 'hello' }, 'ada@example.net'],
    ['to', { to: 'ada@example.net', templateId: 'hello' }, 'ada@example.net'],
    ['transactionalId', { email: 'ada@example.net', transactionalId: 'hello' }, 'ada@example.net'],
    ['userId', { userId: 'user-1', templateId: 'hello' }, 'known@example.net'],
    ['email before userId', { email: 'ada@example.net', userId: 'user-1', templateId: 'hello' }, 'ada@example.net'],
    ['a domain in capitals', { email: 'Ada@EXAMPLE.net', templateId: 'hello' }, 'Ada@example.net'],
    ['a domain of another script', { email: 'ada@bücher.example', templateId: 'hello' }, 'ada@xn--bcher-kva.example'],
    ['a full-width homoglyph', { email: 'ada@ｅxample.net', templateId: 'hello' }, 'ada@example.net'],
    ['odd but valid', { email: "o'brien+x=y@example.net", templateId: 'hello' }, "o'brien+x=y@example.net"],
  ]
  for (const [what, body, to] of forms) {
    once(`the recipient and the template by ${what}`, async () => {
      await using t = await testApp()
      await t.template(greeting)
      await addContact(t, 'known@example.net', { userId: 'user-1' })
      const { messageId } = await t.post(path, { ...rest, ...body }, 200)
      await t.settle()
      expect((await t.sent()).map((mail) => mail.to)).toEqual([to])
      expect(await activityOf(t, messageId)).toMatchObject({ email: to, templateId: 'hello', status: 'sent' })
    })
  }

  test('the paths that clients of the family use', async () => {
    await using t = await testApp()
    await t.template(greeting)
    for (const alias of ['/api/v1/transactional', '/api/v1/transactional/send']) {
      expect(await t.post(alias, hello, 200), alias).toMatchObject({ success: true })
    }
    await t.settle()
    expect(await t.sent()).toHaveLength(2)
  })

  once('sender name and answer address: request before template, template before brand', async () => {
    await using t = await testApp()
    await t.template(greeting)
    await t.template({ ...greeting, id: 'named', fromName: 'Of the template', replyTo: 'template@acme.test' })
    const sender = async (body: object) => {
      await t.post(path, { ...hello, ...body }, 200)
      const mail = (await parsedInOrder(t)).at(-1)
      if (!mail) throw new Error('nothing was sent')
      return [mail.from?.value[0]?.name, mail.replyTo?.text]
    }
    expect(await sender({ templateId: 'hello' })).toEqual(['Paquebot', undefined])
    await t.patch('/v1/workspace', { brand: { senderName: 'Of the brand' } }, 200)
    expect(await sender({ templateId: 'hello' })).toEqual(['Of the brand', undefined])
    expect(await sender({ templateId: 'named' })).toEqual(['Of the template', 'template@acme.test'])
    const asked = { fromName: 'Ada, "Countess" of Lovelace ✉', replyTo: 'request@acme.test' }
    expect(await sender({ templateId: 'named', ...asked })).toEqual([asked.fromName, asked.replyTo])
  })

  test('tags and metadata stay with the message; headers leave with the mail', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const tags = ['shop', 'späti']
    const metadata = { order: 'secret-4711', empty: '' }
    const headers = {
      'X-Order': '4711',
      'X-Name': 'Käse',
      References: '<a@b.test> <c@d.test>',
      'List-Id': '<shop.acme.test>',
    }
    const { messageId } = await t.post(path, { ...hello, tags, metadata, headers }, 200)
    const mail = await onlyMail(t)
    expect(mail.headers.get('x-order')).toBe('4711')
    expect(mail.headers.get('x-name')).toBe(`=?UTF-8?B?${base64('Käse')}?=`)
    expect(mail.references).toEqual(['<a@b.test>', '<c@d.test>'])
    expect((await t.sent())[0]?.raw).not.toContain('secret-4711')
    expect(await activityOf(t, messageId)).toMatchObject({ tags, metadata })
  })

  const schedules: [at: string, after: string][] = [
    ['2026-01-15T13:00:00Z', '1h'],
    ['2026-01-15T13:00:00.250Z', '3600250ms'],
    ['2026-01-15T15:00:00+02:00', '1h'],
    ['2026-01-15T13:00Z', '1h'],
    ['2027-01-15T12:00:00Z', '365d'],
  ]
  for (const [scheduledAt, after] of schedules) {
    once(`scheduledAt ${scheduledAt} leaves then, and not before`, async () => {
      await using t = await testApp()
      await t.template(greeting)
      const { messageId } = await t.post(path, { ...hello, scheduledAt }, 200)
      const due = new Date(scheduledAt)
      t.clock.set(new Date(due.getTime() - 1))
      await t.settle()
      expect(await t.sent()).toEqual([])
      expect(await activityOf(t, messageId)).toMatchObject({
        status: 'queued',
        attempts: 0,
        events: [{ status: 'queued' }],
      })
      await t.advance('1ms')
      expect(await t.sent()).toHaveLength(1)
      expect(due.getTime() - Date.parse('2026-01-15T12:00:00Z'), after).toBeGreaterThan(0)
    })
  }

  once('a time that has passed means now', async () => {
    await using t = await testApp()
    await t.template(greeting)
    await t.post(path, { ...hello, scheduledAt: '2020-01-01T00:00:00Z' }, 200)
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
  })

  once('what is doubtful is a warning: variables and fields that nobody reads', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const dataVariables = { name: 'Ada', colour: 'red', constructor: 'x' }
    const body = { ...hello, dataVariables, html: '<p>', subject: 'mine', workspaceId: 'ws_x' }
    const { success, warnings } = await t.post(path, body, 200)
    expect(success).toBe(true)
    expect(warnings.map(({ path, code }: Json) => `${path} ${code}`)).toEqual([
      'dataVariables.colour unused_variable',
      'dataVariables.constructor unused_variable',
      'html unknown_field',
      'subject unknown_field',
      'workspaceId unknown_field',
    ])
    for (const { message } of warnings) expect(message).toBeTruthy()
    expect((await onlyMail(t)).subject).toBe('Hi Ada')
  })

  once('values of every kind are shown, and null is no value', async () => {
    await using t = await testApp()
    const text = '{{string}} {{number}} {{boolean}} [{{nothing|none}}]'
    const list = { type: 'list', itemsVariable: 'lines', items: ['{{item.count}} {{item.name}}'] }
    await t.template({ ...greeting, subject: 'Hi', content: [{ type: 'text', text }, list] })
    const lines = [
      { count: 2, name: 'cards' },
      { count: 1, name: null },
    ]
    const dataVariables = { string: 'é', number: 1.5, boolean: false, nothing: null, lines }
    expect((await t.post(path, { ...hello, dataVariables }, 200)).warnings).toEqual([])
    const { text: shown } = await onlyMail(t)
    expect(shown).toContain('é 1.5 false [none]')
    expect(shown).toContain('2 cards')
  })
})

describe('the recipient as a contact', () => {
  test('addToContact gives a contact the language that the request named, and no other', async () => {
    await using t = await testApp()
    await t.template(greeting)
    await t.put('/v1/transactional/hello/content/de', { content: [{ type: 'text', text: 'Hallo' }] }, 200)
    const known = await addContact(t, 'known@example.net', { firstName: 'Kay' })
    await addContact(t, 'french@example.net', { locale: 'fr' })
    const send = (email: string, more: object) => t.post(path, { ...hello, email, addToContact: true, ...more }, 200)
    await send('new@example.net', {})
    await send('new-de@example.net', { locale: 'de-at' })
    await send('known@example.net', {})
    const localeOf = async (email: string) => (await t.get(`/v1/contacts/find?email=${email}`, 200))[0].locale
    expect([await localeOf('new@example.net'), await localeOf('known@example.net')]).toEqual([null, null])
    await send('known@example.net', { locale: 'de' })
    await send('french@example.net', { locale: 'de' })
    expect(await localeOf('new-de@example.net')).toBe('de-AT')
    expect(await localeOf('known@example.net')).toBe('de')
    expect(await localeOf('french@example.net')).toBe('fr')
    const now = (await contactsOf(t)).find(({ id }) => id === known.id)
    expect({ ...now, updatedAt: 0 }).toEqual({ ...known, locale: 'de', updatedAt: 0 })
  })

  test('addToContact makes one that has agreed to nothing; its alias too; without it nobody is made', async () => {
    await using t = await testApp()
    await t.template(greeting)
    await t.post(path, { ...hello, email: 'no@example.net' }, 200)
    await t.post(path, { ...hello, email: 'not@example.net', addToContact: false }, 200)
    expect(await contactsOf(t)).toEqual([])
    for (const [alias, email] of [
      ['addToContact', 'Ada@example.net'],
      ['addToAudience', 'grace@example.net'],
    ] as const) {
      const { messageId } = await t.post(path, { ...hello, email, [alias]: true, locale: 'de' }, 200)
      const contact = (await contactsOf(t)).find((one) => one.email === email)
      expect(contact).toMatchObject({ subscribed: false, optInStatus: null, source: 'transactional', properties: {} })
      expect((await activityOf(t, messageId)).contactId).toBe(contact?.id)
    }
    await t.post(path, { ...hello, email: 'ADA@example.net', addToContact: true }, 200)
    expect(await contactsOf(t)).toHaveLength(2)
  })

  test('a known contact stays as it is, whatever it has agreed to', async () => {
    await using t = await testApp()
    await t.template(greeting)
    await addContact(t, 'in@example.net', { subscribed: true, optInStatus: 'accepted', locale: 'fr', firstName: 'I' })
    await addContact(t, 'out@example.net', { subscribed: false, optInStatus: 'rejected', locale: 'en' })
    const before = await contactsOf(t)
    t.clock.advance(1_000)
    for (const { email, id } of before) {
      const { messageId } = await t.post(path, { ...hello, email, locale: 'en', addToContact: true }, 200)
      expect((await activityOf(t, messageId)).contactId).toBe(id)
    }
    expect(await contactsOf(t)).toEqual(before)
  })

  test('a contact that cannot be stored does not fail the send', async () => {
    await using t = await testApp()
    await t.template(greeting)
    await write(t.app, (tx) =>
      tx.db.run(sql`CREATE TRIGGER no_contacts BEFORE INSERT ON contacts BEGIN SELECT RAISE(ABORT, 'full'); END`),
    )
    const { messageId } = await t.post(path, { ...hello, addToContact: true }, 200)
    await t.settle()
    expect(await activityOf(t, messageId)).toMatchObject({ status: 'sent', contactId: null })
    expect(t.logged.join()).toContain('a recipient could not be added as a contact')
    await write(t.app, (tx) => tx.db.run(sql`DROP TRIGGER no_contacts`))
  })

  test('a contact fills contact.*, an unknown recipient the fallback', async () => {
    await using t = await testApp()
    await t.template({
      ...greeting,
      subject: 'Dear {{contact.first_name|friend}}',
      content: [{ type: 'text', text: '{{contact.plan|none}}' }],
    })
    await addContact(t, 'ada@example.net', { firstName: 'Ada', properties: { plan: 'gold' } })
    for (const email of ['ada@example.net', 'unknown@example.net']) {
      await t.post(path, { email, templateId: 'hello' }, 200)
    }
    const mails = await parsedInOrder(t)
    expect(mails.map(({ subject, text }) => [subject, text])).toEqual([
      ['Dear Ada', 'gold\n'],
      ['Dear friend', 'none\n'],
    ])
  })
})

describe('the locale', () => {
  type Case = [what: string, brand: string, contact: string | null, asked: string | undefined, shown: string]
  const cases: Case[] = [
    ['exact', 'fr', null, 'pt-BR', 'pt-BR'],
    ['exact, however it is written', 'fr', null, 'PT_br', 'pt-BR'],
    ['base', 'fr', null, 'pt-PT', 'pt'],
    ['base of a script', 'fr', null, 'zh-Hant-TW', 'zh-Hant'],
    ['brand', 'de', null, 'ja', 'de'],
    ['base of the brand, when nobody says', 'de-AT', null, undefined, 'de'],
    ['English, when the brand has none', 'fr', null, 'ja', 'en'],
    ['of the contact', 'de', 'pt-BR', undefined, 'pt-BR'],
    ['base of the contact’s', 'de', 'pt-PT', undefined, 'pt'],
    ['brand, when the contact’s is unknown', 'de', 'ja', undefined, 'de'],
    ['request before contact', 'de', 'pt-BR', 'en-GB', 'en'],
    ['brand, when nobody says', 'de', null, undefined, 'de'],
  ]
  for (const [what, primaryLocale, contact, locale, shown] of cases) {
    once(
      `${what}: ${locale ?? 'none'} asked, ${contact ?? 'none'} of the contact, ${primaryLocale} of the brand -> ${shown}`,
      async () => {
        await using t = await testApp()
        await t.template({ ...greeting, primaryLocale: 'en' })
        for (const tag of ['pt', 'pt-BR', 'de', 'zh-Hant']) {
          const content = [{ type: 'text', text: `in ${tag} {{locale}}` }]
          await t.put(`/v1/transactional/hello/content/${tag}`, { content, subject: tag }, 200)
        }
        await t.patch('/v1/workspace', { primaryLocale }, 200)
        if (contact !== null) await addContact(t, hello.email, { locale: contact })
        const body = { ...hello, ...(locale === undefined ? {} : { locale }) }
        const { messageId } = await t.post(path, body, 200)
        const mail = await onlyMail(t)
        expect(mail.subject).toBe(shown === 'en' ? 'Hi Ada' : shown)
        expect(mail.html).toContain(`lang="${shown}"`)
        if (shown !== 'en') expect(mail.text).toBe(`in ${shown} ${shown}\n`)
        expect((await activityOf(t, messageId)).locale).toBe(shown)
      },
    )
  }
})

const pdf = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
  Buffer.from('\r\n.\r\n%%EOF'),
])
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from([0, 255, 13, 10, 46])])
const jpeg = Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(100, 0x2e)])
const csv = Buffer.from('naïve;1\r\n.\r\nx\n"a,b",✉')
const base64 = (data: Buffer | string) => Buffer.from(data).toString('base64')

describe('attachments', () => {
  const attached: [filename: string, contentType: string, data: Buffer][] = [
    ['a.pdf', 'application/pdf', pdf],
    ['b.png', 'image/png', png],
    ['c.jpg', 'image/jpeg', jpeg],
    ['d.csv', 'text/csv', csv],
    ['e.txt', 'text/plain', Buffer.from('x')],
  ]
  for (const first of [0, 2]) {
    test(`arrive byte for byte, in order (${attached.slice(first, first + 3).map(([name]) => name)})`, async () => {
      await using sink = startSink()
      await using t = await testApp({ environment: { SMTP_URL: sink.url } })
      await t.template(greeting)
      const given = attached.slice(first, first + 3)
      const attachments = given.map(([filename, contentType, data]) => ({ filename, contentType, data: base64(data) }))
      await t.post(path, { ...hello, attachments }, 200)
      await t.settle()
      expect(sink.received).toHaveLength(1)
      const mail = await simpleParser(sink.received[0]?.raw ?? '')
      const got = mail.attachments.map(({ filename, contentType, content }) => [
        filename,
        contentType,
        content.toString('hex'),
      ])
      expect(got).toEqual(given.map(([filename, contentType, data]) => [filename, contentType, data.toString('hex')]))
      expect(mail.text?.trim()).toBe('Hello Ada')
    })
  }

  once('by every alias', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const attachments = [{ name: 'a.txt', content_type: 'text/plain', content: base64('hello') }]
    const { messageId } = await t.post(path, { ...hello, attachments }, 200)
    const { attachments: got } = await onlyMail(t)
    expect(got.map(({ filename, content }) => [filename, content.toString()])).toEqual([['a.txt', 'hello']])
    const { captured } = await activityOf(t, messageId)
    expect(captured.attachments).toEqual([{ filename: 'a.txt', contentType: 'text/plain', sizeBytes: 5 }])
  })

  const kept = [
    'résumé.TXT',
    'Rechnung für Ödön (März) – 2026.pdf',
    '請求書 2026年1月.pdf',
    'a;b=c.csv',
    'x "quoted" \'one\'.txt',
    '100% sure = yes?.txt',
    'תוכנית.txt',
    '🧾.txt',
    '.htaccess',
    'CON',
    'é'.repeat(120),
    `${'n'.repeat(250)}.txt`,
  ]

  once('a file name arrives as it was given, in any script, with a fallback in ASCII', async () => {
    await using sink = startSink()
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    await t.template(greeting)
    for (const filename of kept) {
      const attachments = [{ filename, contentType: 'text/plain', data: base64('x') }]
      await t.post(path, { ...hello, attachments }, 200)
      await t.settle()
      const raw = sink.received.at(-1)?.raw ?? Buffer.alloc(0)
      expect(raw.toString('latin1')).not.toMatch(/[^\x00-\x7f]/)
      const [theirs, ours] = [await simpleParser(raw), await parseMail(raw)]
      expect(theirs.attachments.map((one) => one.filename)).toEqual([filename])
      expect(ours.attachments.map((one) => one.filename)).toEqual([filename])
      // What knows nothing of RFC 2231 reads the plain parameter.
      const plain = raw.toString('latin1').match(/filename="([^"]*)"/)?.[1] ?? ''
      expect(plain).toMatch(/^[\x20-\x7e]+$/)
      expect(plain.length).toBe([...filename.normalize('NFKD').replace(/\p{M}/gu, '')].length)
    }
  })

  once('a file name that could be read as something else is refused, and the field is named (M06)', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const names = [
      '../../etc/passwd',
      '..\\..\\boot.ini',
      'a\0.txt',
      'x.txt\r\nContent-Type: text/html',
      'a\nb',
      'a\tb',
      '\u202Etxt.exe',
      'a\u2066b',
      'a\u2028b',
      'a\x7fb',
      '',
      'é'.repeat(130),
    ]
    await t.unchanged(async () => {
      for (const filename of names) {
        const attachments = [{ filename, contentType: 'text/plain', data: base64('x') }]
        const { errors } = await t.post(path, { ...hello, attachments }, 422)
        expect(errors, filename).toMatchObject([{ path: 'attachments[0].filename', code: 'invalid_filename' }])
      }
    })
  })

  once('content types in any case and with parameters, text in any charset, and empty files', async () => {
    await using sink = startSink()
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    await t.template(greeting)
    const latin1 = Buffer.from('name;größe\n', 'latin1')
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a,b\n', 'utf16le')])
    const files: [given: string, data: Buffer, sent: string][] = [
      ['TEXT/PLAIN', Buffer.from('x'), 'text/plain; charset=utf-8'],
      ['text/plain; charset=UTF-8', Buffer.from('é'), 'text/plain; charset=utf-8'],
      ['Text/Csv;charset="ISO-8859-1"; header=present', latin1, 'text/csv; charset=iso-8859-1'],
      ['text/csv', latin1, 'text/csv'],
      ['text/csv', utf16, 'text/csv'],
      ['text/csv', Buffer.alloc(0), 'text/csv'],
      ['application/PDF; x=1', pdf, 'application/pdf'],
      ['image/png', Buffer.alloc(0), 'image/png'],
    ]
    for (const [contentType, data, sent] of files) {
      const attachments = [{ filename: 'a', contentType, data: data.toString('base64') }]
      await t.post(path, { ...hello, attachments }, 200)
      await t.settle()
      const raw = sink.received.at(-1)?.raw.toString('latin1') ?? ''
      expect(raw, contentType).toContain(`\r\nContent-Type: ${sent};\r\n name="a"\r\n`)
      const [file] = (await simpleParser(raw)).attachments
      expect(file?.content.toString('hex'), contentType).toBe(data.toString('hex'))
    }
    const wrong: [contentType: string, data: Buffer, field: string][] = [
      ['text/plain; charset=utf-8', latin1, 'data'],
      ['text/plain; charset', Buffer.from('x'), 'contentType'],
      ['text/plain; charset="a\r\nX: y"', Buffer.from('x'), 'contentType'],
      ['text/plain; charset=a b', Buffer.from('x'), 'contentType'],
    ]
    await t.unchanged(async () => {
      for (const [contentType, data, field] of wrong) {
        const attachments = [{ filename: 'a', contentType, data: data.toString('base64') }]
        const { errors } = await t.post(path, { ...hello, attachments }, 422)
        expect(errors, contentType).toMatchObject([{ path: `attachments[0].${field}` }])
      }
    })
  })

  const mebibyte = 1024 * 1024
  test('10 MB decoded is the edge of one, three of them in number, 20 MB of all (M09)', async () => {
    await using sink = startSink()
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    await t.template(greeting)
    const text = (size: number) => ({
      filename: 'a.txt',
      contentType: 'text/plain',
      data: base64(Buffer.alloc(size, 'a')),
    })
    const tooLarge = async (attachments: object[], status: number) =>
      t.unchanged(() => t.post(path, { ...hello, attachments }, status))
    const over = await tooLarge([text(1), text(10 * mebibyte + 1)], 413)
    expect([over.code, over.errors[0].path]).toEqual(['attachment_too_large', 'attachments[1].data'])
    expect((await tooLarge([text(7 * mebibyte), text(7 * mebibyte), text(7 * mebibyte)], 413)).code).toBe(
      'payload_too_large',
    )
    const many = await tooLarge([text(1), text(1), text(1), text(1)], 422)
    expect([many.code, many.errors[0].path]).toEqual(['too_many_attachments', 'attachments'])
    const given = [
      Buffer.alloc(10 * mebibyte, 'a\u00e9 no period of a piece'),
      Buffer.from('b'),
      Buffer.alloc(3 * mebibyte, 'c'),
    ]
    const files = given.map((data) => ({ filename: 'a.txt', contentType: 'text/plain', data: base64(data) }))
    await t.post(path, { ...hello, attachments: files }, 200)
    await t.settle()
    const { attachments } = await simpleParser(sink.received[0]?.raw ?? '')
    expect(attachments.map(({ content }, index) => content.equals(given[index] ?? Buffer.alloc(0)))).toEqual([
      true,
      true,
      true,
    ])
    // As base64, 20 MB are more than the 25 MB of a request; their own limit is checked all the same.
    expect(() => checkSizes([10 * mebibyte, 10 * mebibyte])).not.toThrow()
    expect(() => checkSizes([10 * mebibyte, 10 * mebibyte, 1])).toThrow('20 MB')
  })
})

describe('Idempotency-Key', () => {
  const keyed = (key = 'order-1') => ({ headers: { 'idempotency-key': key } })

  test('a repeat gets the first answer and sends nothing, also after the template is gone', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const body = { ...hello, dataVariables: { name: 'Ada', extra: 1 }, addToContact: true }
    const first = await t.request('POST', path, body, keyed())
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
    await t.settle()
    await t.post('/v1/transactional/delete', { id: 'hello' }, 200)
    const { dataVariables, ...others } = body
    for (const same of [body, { dataVariables, ...others }]) {
      for (const address of [path, '/api/v1/transactional']) {
        const again = await t.unchanged(() => t.request('POST', address, same, keyed()))
        expect([again.status, again.text]).toEqual([200, first.text])
        expect(again.headers.get('idempotency-replayed')).toBe('true')
      }
    }
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
  })

  test('another body with it is 422, another key or workspace is another send', async () => {
    await using t = await testApp()
    const other = { as: await t.stranger(), ...keyed() }
    await t.template(greeting)
    await t.template({ name: 'x', subject: 'x', text: 'x' }, other)
    const mine = await t.post(path, hello, 200, keyed())
    const refused = await t.unchanged(() => t.post(path, { ...hello, email: 'eve@example.net' }, 422, keyed()))
    expect(refused.code).toBe('idempotency_key_mismatch')
    const second = await t.post(path, hello, 200, keyed('order-2'))
    const theirs = await t.post(path, hello, 200, other)
    expect(new Set([mine, second, theirs].map(({ messageId }) => messageId)).size).toBe(3)
  })

  test('R14: 50 equal requests at once are one mail and 50 equal answers', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const body = { ...hello, addToContact: true }
    const replies = await Promise.all(Array.from({ length: 50 }, () => t.request('POST', path, body, keyed())))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    expect(replies.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1)
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
    expect(await jobsOf(t)).toHaveLength(1)
    expect((await t.get('/v1/activity?idempotencyKey=order-1', 200)).data).toHaveLength(1)
  })

  test('50 different requests at once with one key are one mail and 49 refusals', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const bodies = Array.from({ length: 50 }, (_, i) => ({ ...hello, email: `a${i}@example.net` }))
    const replies = await Promise.all(bodies.map((body) => t.request('POST', path, body, keyed())))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of replies)
      if (status !== 200) expect(['idempotency_key_mismatch', 'idempotency_key_in_use']).toContain(body.code)
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
  })

  test('what is refused frees the key', async () => {
    await using t = await testApp()
    await t.unchanged(() => t.post(path, hello, 404, keyed()))
    await t.template(greeting)
    for (const body of [{ ...hello, dataVariables: {} }, { ...hello, email: 'nobody' }, { email: 5 }]) {
      await t.unchanged(() => t.post(path, body, 422, keyed()))
    }
    await t.post(path, hello, 200, keyed())
    await t.unchanged(() => t.post(path, { ...hello, dataVariables: {} }, 422, keyed()))
  })

  once('has 1 to 256 printable ASCII characters', async () => {
    await using t = await testApp()
    await t.template(greeting)
    for (const key of ['', 'a'.repeat(257), 'clé']) {
      const refused = await t.unchanged(() => t.post(path, hello, 422, keyed(key)))
      expect([refused.code, refused.errors[0].path], key).toEqual(['validation_failed', 'Idempotency-Key'])
    }
    await t.post(path, hello, 200, keyed('a'.repeat(256)))
  })
})

describe('a suppressed recipient', () => {
  test('is 422 with the id of the message that logs it, however the address is written', async () => {
    await using t = await testApp()
    await t.template(greeting)
    await addContact(t, 'Eve@example.net', { userId: 'eve' })
    await suppressNow(t, 'Eve@example.net')
    const recipients: [body: object, at: string][] = [
      [{ email: 'eve@example.net' }, 'email'],
      [{ email: 'EVE@EXAMPLE.NET' }, 'email'],
      [{ email: undefined, to: 'eve@example.net' }, 'to'],
      [{ email: undefined, userId: 'eve' }, 'userId'],
    ]
    for (const [body, at] of recipients) {
      const refused = await t.post(path, { ...hello, ...body, addToContact: true }, 422)
      expect([refused.code, refused.success]).toEqual(['recipient_suppressed', false])
      expect(refused.messageId).toMatch(/^msg_[0-9a-f]{32}$/)
      expect(refused.errors).toMatchObject([{ path: at, code: 'recipient_suppressed' }])
      const record = await activityOf(t, refused.messageId)
      expect(record).toMatchObject({ status: 'suppressed', attempts: 0, templateId: 'hello', subject: 'Hi Ada' })
      expect(record.events).toEqual([
        {
          status: 'suppressed',
          at: '2026-01-15T12:00:00.000Z',
          code: 'manual',
          detail: expect.stringContaining('suppression list'),
        },
      ])
    }
    expect(await jobsOf(t)).toEqual([])
    await t.settle()
    expect(await t.sent()).toEqual([])
    expect((await t.get('/v1/activity?status=suppressed', 200)).data).toHaveLength(4)
  })

  test('gets the same refusal for a repeat, and is found by the key', async () => {
    await using t = await testApp()
    await t.template(greeting)
    await suppressNow(t, hello.email)
    const headers = { 'idempotency-key': 'k' }
    const first = await t.post(path, hello, 422, { headers })
    await write(t.app, (tx) => tx.db.delete(suppressions))
    const again = await t.unchanged(() => t.request('POST', path, hello, { headers }))
    expect([again.status, again.body.messageId, again.headers.get('idempotency-replayed')]).toEqual([
      422,
      first.messageId,
      'true',
    ])
    const { data } = await t.get('/v1/activity?idempotencyKey=k', 200)
    expect(data).toMatchObject([{ messageId: first.messageId, status: 'suppressed' }])
    await t.post(path, hello, 200)
  })

  test('of one workspace is not one of another', async () => {
    await using t = await testApp()
    const { workspace } = await t.stranger()
    await t.template(greeting)
    await write(t.app, (tx) => suppress(tx, workspace.id, { email: hello.email, reason: 'complaint' }))
    await t.post(path, hello, 200)
  })
})

describe('Email Activity', () => {
  test('one message with its history and, in capture mode, its mail', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const { messageId } = await t.post(path, { ...hello, tags: ['a'] }, 200)
    const record = {
      messageId,
      kind: 'transactional',
      email: hello.email,
      contactId: null,
      templateId: 'hello',
      subject: 'Hi Ada',
      locale: 'en',
      tags: ['a'],
      metadata: {},
    }
    const at = '2026-01-15T12:00:00.000Z'
    const queued = {
      ...record,
      status: 'queued',
      attempts: 0,
      createdAt: at,
      updatedAt: at,
      events: [{ status: 'queued', at }],
      attemptLog: [],
    }
    expect(await activityOf(t, messageId)).toEqual(queued)
    await t.advance('1s')
    const later = '2026-01-15T12:00:01.000Z'
    const sent = await activityOf(t, messageId)
    expect(sent).toMatchObject({ ...record, status: 'sent', attempts: 1, createdAt: at, updatedAt: later })
    expect(sent.events).toEqual([
      { status: 'queued', at },
      { status: 'sending', at: later },
      { status: 'sent', at: later, code: '250', detail: expect.any(String) },
    ])
    expect(sent.captured).toMatchObject({ to: hello.email, subject: 'Hi Ada', attachments: [] })
    expect(sent.captured.text.trim()).toBe('Hello Ada')
    expect(sent.captured.html).toContain('Hello Ada')
    expect(sent.captured.source).toBe((await t.sent())[0]?.raw)
    expect((await t.get('/v1/activity', 200)).data[0].captured).toBeUndefined()
  })

  test('the list is newest first, filtered, and cut into pages', async () => {
    await using t = await testApp()
    await t.template(greeting)
    await suppressNow(t, 'eve@example.net')
    const ids: string[] = []
    for (let i = 0; i < 12; i++) {
      const headers = { 'idempotency-key': `k-${i}` }
      ids.push((await t.post(path, { ...hello, email: `a${i % 3}@example.net` }, 200, { headers })).messageId)
    }
    const { messageId: refused } = await t.post(path, { ...hello, email: 'eve@example.net' }, 422)
    const listed = async (query: string) =>
      (await t.get(`/v1/activity?${query}`, 200)).data.map((one: Json) => one.messageId)
    const newest = [refused, ...ids.toReversed()]
    expect(await listed('')).toEqual(newest)
    expect(await listed('idempotencyKey=k-7')).toEqual([ids[7]])
    for (const key of ['k-', 'k-77', 'k-7%25', '%27%20OR%201=1--'])
      expect(await listed(`idempotencyKey=${key}`)).toEqual([])
    expect(await listed('status=suppressed')).toEqual([refused])
    expect(await listed('status=queued&email=a1@example.net')).toEqual([ids[10], ids[7], ids[4], ids[1]])
    expect(await listed('email=EVE@example.net')).toEqual([refused])
    const seen: string[] = []
    for (let next: string | null = '/v1/activity?perPage=10&status=queued'; next; ) {
      const { pagination, data } = await t.get(next, 200)
      expect(pagination).toMatchObject({ totalResults: 12, perPage: 10, totalPages: 2, returnedResults: data.length })
      seen.push(...data.map((one: Json) => one.messageId))
      next = pagination.nextPage === null ? null : pagination.nextPage.slice(t.app.config.baseUrl.length)
    }
    expect(seen).toEqual(newest.slice(1))
    for (const query of ['status=gone', 'perPage=x']) await t.get(`/v1/activity?${query}`, 422)
    await t.get('/v1/activity?cursor=x', 400)
  })

  test('what is not in this workspace is 404 or not in the list', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const headers = { 'idempotency-key': 'k' }
    const { messageId } = await t.post(path, hello, 200, { headers })
    const other = { as: await t.stranger() }
    for (const id of [messageId, 'msg_0', '%00', '*']) await t.get(`/v1/activity/${id}`, 404, other)
    for (const query of ['', 'idempotencyKey=k', `email=${hello.email}`]) {
      const { data, pagination } = await t.get(`/v1/activity?${query}`, 200, other)
      expect([data, pagination.totalResults]).toEqual([[], 0])
    }
  })
})

describe.skipIf(ranOnFile)('what an attacker may try', () => {
  test('a value with line breaks makes no new header; a long subject is folded at whole characters (M02)', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const values = [
      'a\r\nBcc: evil@example.net',
      'a\nb\rc\0d\u0085e\u2028f',
      `${'😀é漢'.repeat(60)}`,
      'x'.repeat(9_000),
      '=?UTF-8?Q?Bcc:?=',
    ]
    for (const name of values) await t.post(path, { ...hello, dataVariables: { name } }, 200)
    await addContact(t, 'c@example.net', { firstName: 'C\r\nBcc: evil@example.net' })
    await t.template({ ...greeting, id: 'contact', subject: 'Dear {{contact.firstName}}' })
    await t.post(path, { ...hello, templateId: 'contact', email: 'c@example.net' }, 200)
    const mails = await sentInOrder(t)
    const usual = ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type']
    for (const { raw } of mails) {
      expect(headersOf(raw).map(([name]) => name)).toEqual(usual)
      for (const [, encoded = ''] of raw.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)) {
        expect(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'))).not.toThrow()
      }
    }
    const subjects = await Promise.all(mails.map(async ({ raw }) => (await simpleParser(raw)).subject))
    expect(subjects).toEqual([
      'Hi a Bcc: evil@example.net',
      'Hi a b c d e f',
      `Hi ${values[2]}`,
      `Hi ${values[3]}`,
      `Hi ${values[4]}`,
      'Dear C Bcc: evil@example.net',
    ])
  })

  test('a body that looks like the end of the mail is one mail, without a bare CR or LF or a long line (M05)', async () => {
    await using sink = startSink()
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    await t.template(greeting)
    const command = 'MAIL FROM:<evil@example.net>\r\nRCPT TO:<z@example.net>\r\nDATA\r\nSubject: smuggled\r\n\r\nx'
    const ends = ['\r\n.\r\n', '\n.\n', '\r.\r', '\n.\r\n', '\r\n.\n', '\r\n\0.\r\n']
    for (const end of ends) await t.post(path, { ...hello, dataVariables: { name: `a${end}${command}${end}` } }, 200)
    const csvData = base64(ends.map((end) => end.replace('\0', '') + command).join(''))
    const attachments = [{ filename: 'a.csv', contentType: 'text/csv', data: csvData }]
    await t.post(path, { ...hello, dataVariables: { name: 'é'.repeat(5_000) }, attachments }, 200)
    await t.settle()
    expect(sink.received).toHaveLength(ends.length + 1)
    for (const { raw, to } of sink.received) {
      expect(to).toEqual(['ada@example.net'])
      const bytes = raw.toString('latin1')
      expect(bytes.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
      expect(Math.max(...bytes.split('\r\n').map(({ length }) => length))).toBeLessThan(999)
      expect(headersOf(bytes).filter(([name]) => name === 'Subject')).toHaveLength(1)
    }
    // They leave side by side, in no order.
    const texts = await Promise.all(sink.received.map(async ({ raw }) => (await simpleParser(raw)).text))
    expect(texts.filter((text) => text?.includes('.\nMAIL FROM:<evil@example.net>')).length).toBeGreaterThan(1)
  })

  test('values are escaped by their place (M11)', async () => {
    await using t = await testApp()
    const content = [
      { type: 'text', text: '{{v}}' },
      { type: 'image', src: 'https://acme.test/a.png?x={{v}}', alt: '{{v}}' },
      { type: 'button', text: '{{v}}', href: 'https://acme.test/?x={{v}}' },
    ]
    await t.template({ ...greeting, content, subject: '{{v}}' })
    const v = `<script>alert(1)</script>"'><img onerror=x></style>&quot;`
    await t.post(path, { ...hello, dataVariables: { v } }, 200)
    const { html, text, subject } = await onlyMail(t)
    expect(html).not.toMatch(/<script|<img onerror|"'>|alert\(1\)<\/script/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;')
    expect(html).toContain('&amp;quot;')
    expect(html).toContain(`https://acme.test/?x=${encodeURIComponent('<script>').replaceAll('&', '&amp;')}`)
    expect(text).toContain(v)
    expect(subject).toBe(v)
  })

  test('a link made by a value is http, https, mailto or tel, or it is "#" (M12)', async () => {
    await using t = await testApp()
    await t.template({ ...greeting, content: [{ type: 'button', text: 'Go', href: '{{url}}' }], subject: 'x' })
    const bad = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      '&#106;avascript:alert(1)',
      ' javascript:x',
      'data:text/html,x',
      'vbscript:x',
      '//evil.example',
      'file:///etc/passwd',
    ]
    const good = ['https://acme.test/a?b=c', 'http://acme.test', 'mailto:a@acme.test', 'tel:+4412345']
    for (const url of [...bad, ...good]) await t.post(path, { ...hello, dataVariables: { url } }, 200)
    const links = (await parsedInOrder(t)).map(({ html }) => {
      const found = new Set([...(html || '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href))
      return [...found].join()
    })
    expect(links).toEqual([...bad.map(() => '#'), ...good])
  })

  test('a value is never read as a template, and no name reaches a prototype (M13)', async () => {
    await using t = await testApp()
    const text = '{{a}} [{{b|}}] [{{toString|}}] [{{contact.constructor|}}]'
    await t.template({ ...greeting, content: [{ type: 'text', text }], subject: '{{a}}' })
    await addContact(t, hello.email, { firstName: 'Secret' })
    const dataVariables = { a: '{{b}} {{contact.firstName}} {{company_name}}', b: 'second' }
    await t.post(path, { ...hello, dataVariables }, 200)
    const { subject, text: shown } = await onlyMail(t)
    expect(subject).toBe(dataVariables.a)
    expect(shown?.trim()).toBe(`${dataVariables.a} [second] [] []`)
  })

  test('a sending domain signs the mail from it (M15)', async () => {
    await using t = await testApp()
    const { id } = await t.post('/v1/sending-domains', { domain: 'mine.example' }, 201)
    await t.template({ ...greeting, fromEmail: 'me@mine.example' })
    const { messageId } = await t.post(path, hello, 200)
    await t.settle()
    const [mail] = await t.sent()
    expect(id).toMatch(/^dom_/)
    expect(mail).toMatchObject({ from: 'me@mine.example', messageId: `${messageId}@mine.example` })
    const signatures = headersOf(mail?.raw ?? '').filter(([name]) => name.toLowerCase() === 'dkim-signature')
    expect(signatures.map(([, value]) => /\bd=([^;]+)/.exec(value)?.[1])).toEqual(['mine.example', 'mine.example'])
  })
})

const steering = [
  'X-SMTPAPI',
  'X-SG-EID',
  'X-MC-BccAddress',
  'X-Mailgun-Variables',
  'X-PM-Message-Stream',
  'X-Postmark-Tag',
  'x-ses-source-arn',
  'X-SES-CONFIGURATION-SET',
  'X-MSYS-API',
  'X-MJ-CustomID',
  'X-Mailjet-TrackOpen',
  'X-Mailin-Tag',
  'X-SIB-API',
  'X-MT-Category',
  'X-MailerSend-Tags',
  'X-ElasticEmail-Pool',
  'X-xsMailingId',
  'X-APIHEADER',
  'X-TM-TRACKING',
  'X-Virtual-MTA',
  'X-Job',
  'X-GreenArrow-MtaID',
  'X-MQ-Pool',
  'X-MS-Exchange-Organization-AuthAs',
  'X-Bcc',
  'X-Rcpt-To',
  'X-Original-To',
]
const ownHeaders = ['X-Order', 'X-Priority', 'X-Entity-Ref-ID', 'X-Auto-Response-Suppress', 'X-Msystem', 'X-Smart']

once('no header steers a provider; the caller’s own X- headers are sent', async () => {
  await using sink = startSink()
  await using t = await testApp({ environment: { SMTP_URL: sink.url } })
  await t.template(greeting)
  await t.unchanged(async () => {
    for (const header of steering.flatMap((name) => [name, name.toLowerCase()])) {
      const refused = await t.post(path, { ...hello, headers: { [header]: 'x' } }, 422)
      expect(refused.errors, header).toMatchObject([{ path: `headers.${header}`, code: 'not_allowed' }])
    }
  })
  await t.post(path, { ...hello, headers: Object.fromEntries(ownHeaders.map((name) => [name, 'mine'])) }, 200)
  await t.settle()
  const sent = headersOf(sink.received[0]?.raw.toString('latin1') ?? '')
  for (const name of ownHeaders) expect(sent.filter(([one]) => one === name)).toEqual([[name, 'mine']])
})

describe('what is refused changes nothing', () => {
  type Case = [what: string, body: unknown, status: number, code: string, at: string | undefined]
  const invalid = (what: string, body: object, at: string, code = 'validation_failed'): Case => [
    what,
    { ...hello, ...body },
    422,
    code,
    at,
  ]
  const file = (more: object) => ({
    attachments: [{ filename: 'a.txt', contentType: 'text/plain', data: base64('x'), ...more }],
  })
  const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 60)
  const controls = ['a\r\nBcc: e@x.test', 'a\nb', 'a\rb', 'a\0b', 'a\u0085b', 'a\u2028b', 'a\u2029b', 'a\x7fb']
  const badAddresses = [
    ...controls.map((text) => `${text}@x.test`),
    '',
    ' ',
    'nobody',
    '@x.test',
    'a@',
    'a@@x.test',
    'a@x.test, b@x.test',
    'a@x.test;b@x.test',
    'a@x.test\r\nBcc: e@x.test',
    'a@x.test\nRCPT TO:<e@z.test>',
    '<a@x.test>',
    'A <a@x.test>',
    'G: a@x.test;',
    '"a b"@x.test',
    '(x)a@x.test',
    'a@x.test (x)',
    'a@[127.0.0.1]',
    'a@1.2.3.4',
    'a@x.test.',
    '.a@x.test',
    'a..b@x.test',
    'ü@x.test',
    'a@-x.test',
    'a@x..test',
    `${'a'.repeat(65)}@x.test`,
    `a@${'x'.repeat(64)}.test`,
    `a@${'x.'.repeat(126)}test`,
  ]
  const badNames: [name: string, code?: string][] = [
    ['Bcc'],
    ['To'],
    ['From'],
    ['Subject'],
    ['Sender'],
    ['Message-ID'],
    ['Content-Type'],
    ['DKIM-Signature'],
    ['Received'],
    ['Return-Path'],
    ['X-Mailer'],
    ['x-PAQUEBOT-id'],
    ['constructor'],
  ]
  const badBase64 = [
    'eA',
    'eA=',
    '=',
    '====',
    'eA==\n',
    ' eA==',
    'e A==',
    'eA==eA==',
    '-_-_',
    'eB==',
    'data:text/plain;base64,eA==',
    'eA==junk',
    'ех==',
  ]
  const wrongContent: [type: string, data: Buffer | string][] = [
    ['application/pdf', 'MZ\x90'],
    ['application/pdf', 'PK\x03\x04'],
    ['application/pdf', '<html>'],
    ['application/pdf', ' %PDF-1.7'],
    ['application/pdf', png],
    ['image/png', pdf],
    ['image/png', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['image/jpeg', png],
    ['text/plain', png],
    ['text/plain', 'a\0b'],
    ['text/csv; charset=utf-8', Buffer.from([0xc3, 0x28])],
  ]
  const badTypes = ['image/svg+xml', 'text/html', 'text/plain, text/html', '', 'application/zip', 'toString']

  const cases: Case[] = [
    ['no body', undefined, 422, 'missing_required_field', undefined],
    ['a list', [hello], 422, 'validation_failed', undefined],
    ['no recipient', { templateId: 'hello' }, 422, 'missing_required_field', 'email'],
    ['no template', { email: hello.email }, 422, 'missing_required_field', 'templateId'],
    ['an unknown template', { ...hello, templateId: 'unknown' }, 404, 'not_found', undefined],
    ['a template of a prototype', { ...hello, templateId: 'constructor' }, 404, 'not_found', undefined],
    ['a draft', { ...hello, templateId: 'draft' }, 404, 'not_found', undefined],
    ['another workspace’s template', { ...hello, templateId: 'foreign' }, 404, 'not_found', undefined],
    ['an unknown userId', { templateId: 'hello', userId: 'nobody' }, 422, 'validation_failed', 'userId'],
    ['no content in any locale', { ...hello, templateId: 'japanese', locale: 'ko' }, 422, 'no_content', 'locale'],
    ['a number as an address', { ...hello, email: 5 }, 422, 'validation_failed', 'email'],
    ['two recipients', { ...hello, email: ['a@x.test', 'b@x.test'] }, 422, 'validation_failed', 'email'],
    ...badAddresses.flatMap((address): Case[] => [
      invalid(`email ${shown(address)}`, { email: address }, 'email'),
      ...(address.endsWith('<a@x.test>')
        ? []
        : [invalid(`to ${shown(address)}`, { email: undefined, to: address }, 'to')]),
      invalid(`replyTo ${shown(address)}`, { replyTo: address }, 'replyTo'),
    ]),
    ...controls.map((fromName) => invalid(`fromName ${shown(fromName)}`, { fromName }, 'fromName')),
    ...controls.map((text) => invalid(`a header ${shown(text)}`, { headers: { 'X-A': text } }, 'headers.X-A')),
    ...badNames.map(([name]) => invalid(`the header ${name}`, { headers: { [name]: 'x' } }, `headers.${name}`)),
    invalid('a header name with a colon', { headers: { 'X-A: b': 'x' } }, 'headers.X-A: b'),
    invalid('a header name with a line break', { headers: { 'X-A\r\nBcc': 'x' } }, 'headers.X-A\r\nBcc'),
    invalid('a long header', { headers: { 'X-A': 'x'.repeat(901) } }, 'headers.X-A'),
    invalid('a header that is a number', { headers: { 'X-A': 5 } }, 'headers.X-A'),
    invalid(
      '21 headers',
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-${i}`, 'x'])) },
      'headers',
    ),
    invalid(
      'an auto variable',
      { dataVariables: { name: 'x', company_name: 'Evil' } },
      'dataVariables.company_name',
      'auto_variable_not_allowed',
    ),
    invalid(
      'another auto variable',
      { dataVariables: { name: 'x', unsubscribe_url: 'x' } },
      'dataVariables.unsubscribe_url',
      'auto_variable_not_allowed',
    ),
    invalid(
      'a field of the contact',
      { dataVariables: { name: 'x', 'contact.firstName': 'x' } },
      'dataVariables.contact.firstName',
      'auto_variable_not_allowed',
    ),
    invalid(
      'the contact',
      { dataVariables: { name: 'x', contact: 'x' } },
      'dataVariables.contact',
      'auto_variable_not_allowed',
    ),
    invalid(
      'the workspace',
      { dataVariables: { name: 'x', workspace: 'x' } },
      'dataVariables.workspace',
      'auto_variable_not_allowed',
    ),
    invalid('no variables', { dataVariables: undefined }, 'dataVariables.name', 'missing_variable'),
    invalid('a missing variable', { dataVariables: { nam: 'x' } }, 'dataVariables.name', 'missing_variable'),
    invalid('null for a variable', { dataVariables: { name: null } }, 'dataVariables.name', 'missing_variable'),
    invalid('an object as a variable', { dataVariables: { name: { a: 1 } } }, 'dataVariables.name'),
    invalid('a list as a variable', { dataVariables: { name: [{ a: 1 }] } }, 'dataVariables.name'),
    invalid('a list of texts', { dataVariables: { name: 'x', other: ['a'] } }, 'dataVariables.other[0]'),
    invalid('a long value', { dataVariables: { name: 'x'.repeat(10_001) } }, 'dataVariables.name'),
    invalid('variables that are a list', { dataVariables: ['x'] }, 'dataVariables'),
    invalid('variables that are a text', { dataVariables: 'x' }, 'dataVariables'),
    ...['no locale', 'x', 'en-', '../en', '', 'toolonglanguage'].map((locale) =>
      invalid(`the locale ${shown(locale)}`, { locale }, 'locale'),
    ),
    ...[
      '',
      'tomorrow',
      '2027-01-15T12:00:00.001Z',
      '2026-13-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '1',
      '01/02/2026',
      'Jan 16 2026',
      '2026-01-16',
      '2026-01-16T12:00:00',
      '2026-01-16 12:00:00Z',
    ].map((scheduledAt) => invalid(`scheduledAt ${shown(scheduledAt)}`, { scheduledAt }, 'scheduledAt')),
    invalid('scheduledAt as a number', { scheduledAt: 1_800_000_000 }, 'scheduledAt'),
    invalid('addToContact as a text', { addToContact: 'yes' }, 'addToContact'),
    invalid('an empty tag', { tags: ['a', ''] }, 'tags[1]'),
    invalid('21 tags', { tags: Array.from({ length: 21 }, () => 'a') }, 'tags'),
    invalid('a long tag', { tags: ['x'.repeat(101)] }, 'tags[0]'),
    invalid('metadata that is a number', { metadata: { a: 1 } }, 'metadata.a'),
    invalid('long metadata', { metadata: { a: 'x'.repeat(501) } }, 'metadata.a'),
    invalid('a long fromName', { fromName: 'x'.repeat(201) }, 'fromName'),
    invalid('attachments that are no list', { attachments: {} }, 'attachments'),
    invalid(
      'an attachment without a name',
      file({ filename: undefined }),
      'attachments[0].filename',
      'missing_required_field',
    ),
    invalid(
      'an attachment without a type',
      file({ contentType: undefined }),
      'attachments[0].contentType',
      'missing_required_field',
    ),
    invalid('an attachment without data', file({ data: undefined }), 'attachments[0].data', 'missing_required_field'),
    invalid('an attachment with a long name', file({ filename: 'x'.repeat(501) }), 'attachments[0].filename'),
    ...badTypes.map((contentType) =>
      invalid(
        `the type ${shown(contentType)}`,
        file({ contentType }),
        'attachments[0].contentType',
        'attachment_type_not_allowed',
      ),
    ),
    ...wrongContent.map(([contentType, data]) =>
      invalid(
        `${contentType} that is not`,
        file({ contentType, data: base64(data) }),
        'attachments[0].data',
        'attachment_type_not_allowed',
      ),
    ),
    ...badBase64.map((data) => invalid(`the base64 ${shown(data)}`, file({ data }), 'attachments[0].data')),
    invalid(
      '13 MB of base64 with a fault at its end',
      file({ data: `${'A'.repeat(13_000_000 - 4)}A A=` }),
      'attachments[0].data',
    ),
    [
      '24 MB of "A"',
      { ...hello, ...file({ data: 'A'.repeat(24_000_000) }) },
      413,
      'attachment_too_large',
      'attachments[0].data',
    ],
    ['40 MB of "A"', { ...hello, ...file({ data: 'A'.repeat(40_000_000) }) }, 413, 'payload_too_large', undefined],
  ]

  once(`all ${cases.length} of them, by status, code and path`, async () => {
    await using t = await testApp()
    await t.template(greeting)
    await t.template({ ...greeting, id: 'draft', content: undefined })
    await t.template({ ...greeting, id: 'japanese', primaryLocale: 'ja' })
    await t.patch('/v1/workspace', { primaryLocale: 'fr' }, 200)
    await t.template({ id: 'foreign', name: 'x', subject: 'x', text: 'x' }, { as: await t.stranger() })
    const wrong: string[] = []
    for (const [what, body, status, code, at] of cases) {
      const reply = await t.unchanged(() => t.request('POST', path, body)).catch((error: Error) => error)
      if (reply instanceof Error) {
        wrong.push(`${what}: ${reply.message}`)
        continue
      }
      const got = [reply.status, reply.body.code, reply.body.errors?.[0]?.path]
      const expected = [status, code, at ?? (Array.isArray(body) || body === undefined ? got[2] : undefined)]
      if (JSON.stringify(got) !== JSON.stringify(expected))
        wrong.push(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`)
    }
    expect(wrong).toEqual([])
    await t.settle()
    expect(await t.sent()).toEqual([])
  })

  once('base64 with a fault at its end costs no square of its length (M10)', async () => {
    // A square of this length would not end.
    const data = `${'A'.repeat(12_000_000 - 4)}A A=`
    const inputs = [{ filename: 'a', contentType: 'text/plain', data }]
    const { blockMs } = await longestBlock('12 MB of base64 with a fault at its end', async () => {
      await expect(readAttachments({ attachmentTypes: null, maxAttachments: null }, inputs)).rejects.toThrow('base64')
    })
    expect(blockMs).toBeLessThanOrEqual(maxBlockMs)
  })

  once('a brand that would break a header, a link or a style', async () => {
    await using t = await testApp()
    const bad: [name: string, values: string[]][] = [
      ['senderName', controls],
      ['companyName', controls],
      ['companyAddress', ['a\0b', 'a\rb']],
      ['website', ['javascript:alert(1)', '//evil.example', 'data:text/html,x']],
      ['logoUrl', ['javascript:alert(1)', 'data:image/png;base64,AA==', 'x" onerror="y']],
      ['primaryColor', ['red;}</style><script>', 'url(x)', '#12', '#12345g', 'red']],
      ['supportEmail', ['nobody', 'a@x.test\r\nBcc: e@x.test']],
    ]
    for (const [name, values] of bad) {
      for (const value of values) {
        const refused = await t.unchanged(() => t.patch('/v1/workspace', { brand: { [name]: value } }, 422))
        expect([refused.code, refused.errors[0].path], value).toEqual(['validation_failed', `brand.${name}`])
      }
    }
    const brand = { companyName: 'A', companyAddress: '1 Road\nHull', website: 'https://a.test', primaryColor: '#0F5' }
    expect((await t.patch('/v1/workspace', { brand }, 200)).brand).toEqual(brand)
    const cleared = await t.patch('/v1/workspace', { brand: { companyName: null, website: '' } }, 200)
    expect(cleared.brand).toEqual({ companyAddress: brand.companyAddress, primaryColor: '#0F5' })
  })

  test('a value that a libSQL server does not take is 413 there, and no failure', async () => {
    await using t = await testApp()
    await t.template({
      ...greeting,
      content: [{ type: 'list', itemsVariable: 'lines', items: ['{{item.a}}'] }],
      subject: 'x',
    })
    const dataVariables = { lines: Array.from({ length: 700 }, () => ({ a: 'x'.repeat(10_000) })) }
    const body = { ...hello, dataVariables, scheduledAt: '2027-01-01T00:00:00Z' }
    if (!remoteDatabase) return void (await t.post(path, body, 200))
    expect((await t.unchanged(() => t.post(path, body, 413))).code).toBe('payload_too_large')
  })

  once('every missing variable is named', async () => {
    await using t = await testApp()
    await t.template({ ...greeting, content: [{ type: 'text', text: '{{a}} {{b}} {{c|x}}' }] })
    const refused = await t.unchanged(() => t.post(path, { ...hello, dataVariables: {} }, 422))
    expect(refused.errors.map((one: Json) => one.path)).toEqual(
      ['name', 'a', 'b'].map((name) => `dataVariables.${name}`),
    )
  })
})
