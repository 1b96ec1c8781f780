// One send to several people: who is shown to whom, what becomes of each, and what stays when one of them is erased.

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type ParsedMail, simpleParser } from 'mailparser'
import { messageAttachments, messageGroups, messages } from '../db/tables/messages.ts'
import { idempotencyKeys } from '../db/tables/workspaces.ts'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'

const path = '/v1/transactional/send'
const to = ['Ada Lovelace <ada@example.net>', 'grace@example.net']
const all = { to, cc: ['"Turing, Alan" <alan@example.net>'], bcc: ['edsger@example.net'] }

const note = { id: 'note', subject: 'For {{contact.firstName}}', text: 'Dear {{contact.firstName}}, {{what}}' }

const send = (t: TestApp, body: object, status = 200, headers = {}): Promise<Json> =>
  t.post(path, { templateId: 'note', dataVariables: { what: 'hello' }, ...body }, status, { headers })

const suppressNow = (t: TestApp, email: string) =>
  write(t.app, (tx) => suppress(tx, t.workspace.id, { email, reason: 'manual' }))

/** By the address of the envelope. */
async function mailsOf(t: TestApp): Promise<Map<string, ParsedMail>> {
  await t.settle()
  const sent = await t.sent()
  const parsed = await Promise.all(sent.map(async ({ to, raw }) => [String(to), await simpleParser(raw)] as const))
  return new Map(parsed)
}

const textOf = (mail: ParsedMail | undefined, header: 'to' | 'cc') => {
  const value = mail?.[header]
  return value === undefined || Array.isArray(value) ? undefined : value.text
}

describe('a mail to several', () => {
  test('is one envelope and one message for each, and shows what is in to and cc, never bcc', async () => {
    await using t = await testApp()
    await t.template(note)
    await t.contact({ email: 'grace@example.net', firstName: 'Grace' })
    const answer = await send(t, all)
    expect(answer.messages.map(({ email, status }: Json) => [email, status])).toEqual([
      ['ada@example.net', 'queued'],
      ['grace@example.net', 'queued'],
      ['alan@example.net', 'queued'],
      ['edsger@example.net', 'queued'],
    ])
    expect(answer.messageId).toBe(answer.messages[0].messageId)
    const mails = await mailsOf(t)
    expect([...mails.keys()].sort()).toEqual([
      'ada@example.net',
      'alan@example.net',
      'edsger@example.net',
      'grace@example.net',
    ])
    for (const mail of mails.values()) {
      expect(textOf(mail, 'to')).toBe('"Ada Lovelace" <ada@example.net>, grace@example.net')
      expect(textOf(mail, 'cc')).toBe('"Turing, Alan" <alan@example.net>')
      expect(mail.headerLines.some(({ line }) => line.includes('edsger'))).toBe(false)
    }
    // Each recipient's own contact fills contact.*.
    expect(mails.get('grace@example.net')?.subject).toBe('For Grace')
    expect(mails.get('ada@example.net')?.subject).toBe('For')
    const mine = await t.get(`/v1/activity/${answer.messages[3].messageId}`, 200)
    expect(mine.recipients.map(({ as, name, email }: Json) => [as, name, email])).toEqual([
      ['to', 'Ada Lovelace', 'ada@example.net'],
      ['to', null, 'grace@example.net'],
      ['cc', 'Turing, Alan', 'alan@example.net'],
      ['bcc', null, 'edsger@example.net'],
    ])
    const found = await t.get(`/v1/activity?q=${encodeURIComponent('to:alan@example.net')}`, 200)
    expect(found.data).toHaveLength(1)
  })

  test('who is named twice, in any case, is mailed once; a single recipient is answered as ever', async () => {
    await using t = await testApp()
    await t.template(note)
    const answer = await send(t, {
      to: ['ada@example.net', 'ADA@Example.NET'],
      cc: 'Ada <ada@example.net>',
      bcc: ['ada@EXAMPLE.net'],
    })
    expect(answer).toEqual({ success: true, messageId: answer.messageId, warnings: [] })
    const named = await send(t, { to: 'Grâce, née Hopper <grace@bücher.example>'.replace(',', '') })
    expect(Object.keys(named)).toEqual(['success', 'messageId', 'warnings'])
    const mails = await mailsOf(t)
    expect(mails.size).toBe(2)
    expect(textOf(mails.get('grace@xn--bcher-kva.example'), 'to')).toBe('"Grâce née Hopper" <grace@bücher.example>')
  })

  test('with `email` alone a send is to the letter: one recipient, one messageId; all beyond is marked in the document', async () => {
    await using t = await testApp()
    await t.template(note)
    expect(await send(t, { email: 'ada@example.net' })).toEqual({
      success: true,
      messageId: expect.stringMatching(/^msg_/),
      warnings: [],
    })
    await t.settle()
    expect(await t.sent()).toMatchObject([{ to: 'ada@example.net' }])
    for (const email of ['ada@example.net, grace@example.net', ['ada@example.net'], 'Ada <ada@example.net>'])
      await t.unchanged(() => send(t, { email }, 422))
    const { paths, components } = await t.get('/openapi.json', 200)
    const { requestBody, responses } = paths[path].post
    const propertiesOf = ({ $ref, allOf = [], properties = {} }: Json): [string, Json][] => [
      ...($ref ? propertiesOf(components.schemas[$ref.split('/').at(-1)]) : Object.entries<Json>(properties)),
      ...allOf.flatMap(propertiesOf),
    ]
    const marked = [requestBody, responses[200]]
      .flatMap(({ content }: Json) => propertiesOf(content['application/json'].schema))
      .flatMap(([name, property]) => (property['x-extension'] === true ? [name] : []))
    expect(marked).toEqual(['to', 'cc', 'bcc', 'messages'])
  })

  test('a suppressed recipient among them is a refusal of their own; all of them are 422, and a repeat gets the same', async () => {
    await using t = await testApp()
    await t.template(note)
    await suppressNow(t, 'ada@example.net')
    const headers = { 'idempotency-key': 'k1' }
    const answer = await send(t, all, 200, headers)
    expect(answer.messages[0]).toMatchObject({ email: 'ada@example.net', status: 'suppressed', reason: 'manual' })
    expect(answer.messageId).toBe(answer.messages[1].messageId)
    expect(await send(t, all, 200, headers)).toEqual(answer)
    const mails = await mailsOf(t)
    expect(mails.size).toBe(3)
    expect(textOf(mails.get('grace@example.net'), 'to')).toContain('ada@example.net')
    expect(await t.get(`/v1/activity/${answer.messages[0].messageId}`, 200)).toMatchObject({ status: 'suppressed' })
    await suppressNow(t, 'grace@example.net')
    const refused = await send(t, { to }, 422)
    expect(refused).toMatchObject({ code: 'recipient_suppressed' })
    expect(refused['messages'].map(({ status }: Json) => status)).toEqual(['suppressed', 'suppressed'])
  })

  test('attachments are kept once for all', async () => {
    await using t = await testApp()
    await t.template(note)
    const data = Buffer.alloc(2 * 1024 * 1024, 'x').toString('base64')
    await send(t, { ...all, attachments: [{ filename: 'a.txt', contentType: 'text/plain', data }] })
    const rows = await t.app.db.select({ size: messageAttachments.sizeBytes }).from(messageAttachments)
    expect(rows.reduce((sum, { size }) => sum + size, 0)).toBe(2 * 1024 * 1024)
    const mails = await mailsOf(t)
    for (const mail of mails.values()) expect(mail.attachments[0]?.size).toBe(2 * 1024 * 1024)
  })

  test('who is erased leaves the headers of what was not sent yet, the record and the stored answer', async () => {
    await using t = await testApp()
    await t.template(note)
    const { id: contactId } = await t.contact()
    const scheduledAt = new Date(t.app.clock.now().getTime() + 3_600_000).toISOString()
    const body = { ...all, scheduledAt }
    const answer = await send(t, body, 200, { 'idempotency-key': 'k1' })
    await t.delete(`/v1/contacts/${contactId}/data`, undefined, 200)
    await t.advance('2h')
    const mails = await mailsOf(t)
    expect([...mails.keys()].sort()).toEqual(['alan@example.net', 'edsger@example.net', 'grace@example.net'])
    expect(textOf(mails.get('grace@example.net'), 'to')).toBe('grace@example.net')
    const record = await t.get(`/v1/activity/${answer.messages[1].messageId}`, 200)
    expect(JSON.stringify(record)).not.toContain('ada@')
    expect(JSON.stringify(await t.app.db.select().from(idempotencyKeys))).not.toContain('ada@')
    expect(JSON.stringify(await t.app.db.select().from(messageGroups))).not.toContain('ada@')
  })

  test('one that cannot be written for anybody is refused as a whole, with the field that is wrong', async () => {
    await using t = await testApp()
    await t.template(note)
    const many = (count: number) => Array.from({ length: count }, (_, n) => `a${n}@example.net`)
    const refused: [body: object, path: string][] = [
      [{ to: many(51) }, 'to'],
      [{ to: many(30), cc: many(20), bcc: ['x@example.net'] }, 'to'],
      [{ to: [] }, 'to'],
      [{ to: ['ada@example.net', 'nobody'] }, 'to[1]'],
      [{ to: ['Friends: ada@example.net;'] }, 'to[0]'],
      [{ to: ['Friends: Ada <ada@example.net>;'] }, 'to[0]'],
      [{ to: ['ada@example.net, Eve <eve@example.net>'] }, 'to[0]'],
      [{ to: ['Ada\r\nBcc: eve@example.net <ada@example.net>'] }, 'to[0]'],
      [{ to: ['"Ada\n" <ada@example.net>'] }, 'to[0]'],
      [{ to: [`${'A'.repeat(201)} <ada@example.net>`] }, 'to[0]'],
      [{ to, cc: ['ada@example.net', 'a b@example.net'] }, 'cc[1]'],
      [{ to, bcc: ['<>'] }, 'bcc[0]'],
      [{ userId: 'nobody', cc: ['ada@example.net'] }, 'userId'],
      [{ email: 'ada@example.net', to }, 'email'],
    ]
    for (const [body, at] of refused) {
      const { errors } = await send(t, body, 422)
      expect(errors[0].path, JSON.stringify(body).slice(0, 80)).toBe(at)
    }
    expect(await t.app.db.select().from(messages)).toEqual([])
  })

  test('the contact of a userId is one of them, also when they are named again', async () => {
    await using t = await testApp()
    await t.template(note)
    await t.contact({ userId: 'u1' })
    const answer = await send(t, { userId: 'u1', cc: ['ADA@example.net', 'grace@example.net'], addToContact: true })
    expect(answer.messages.map(({ email }: Json) => email)).toEqual(['ada@example.net', 'grace@example.net'])
    const [grace] = await t.app.db.select().from(messages).where(eq(messages.email, 'grace@example.net'))
    expect(grace?.contactId).not.toBeNull()
  })
})
