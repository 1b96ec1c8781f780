// Sending through the whole product: every form of a request and what its mail then holds, the contact and the locale behind it, Email
// Activity.

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { contacts, suppressions } from '../db/tables/contacts.ts'
import { outboxJobs } from '../db/tables/outbox.ts'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { greeting } from './support/arrange.ts'
import { ranOnFile } from './support/database.ts'
import { addContact, base64, headersOf, onlyMail, parsedInOrder } from './support/sent-mail.ts'

/** What a mail looks like, and what is refused, is the same on any database. */
const once = test.skipIf(ranOnFile)

const path = '/v1/transactional/send'
const hello = { email: 'ada@example.net', templateId: 'hello', dataVariables: { name: 'Ada' } }

const suppressNow = (t: TestApp, email: string) =>
  write(t.app, (tx) => suppress(tx, t.workspace.id, { email, reason: 'manual' }))

const contactsOf = (t: TestApp) => t.app.db.select().from(contacts).all()
const jobsOf = (t: TestApp) => t.app.db.select().from(outboxJobs).all()

const activityOf = (t: TestApp, messageId: string): Promise<Json> => t.get(`/v1/activity/${messageId}`, 200)

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
