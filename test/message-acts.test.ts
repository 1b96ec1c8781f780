// What a caller does about one message by its id: cancels it, moves it to another time, sends it again.

import { describe, expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import { messages } from '../db/tables/messages.ts'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { partsContent } from '../src/features/sending/own-content.ts'
import { queueOwn } from '../src/features/sending/queue-own.ts'
import { newId } from '../src/kit/id.ts'
import { type Json, type TestApp, testApp } from './support/app.ts'
import { greeting } from './support/arrange.ts'
import { type Answer, startSink } from './support/smtp-sink.ts'

const hello = { email: 'ada@example.net', templateId: 'hello', dataVariables: { name: 'Ada' } }
const inOneHour = '2026-01-15T13:00:00Z'

const send = (t: TestApp, more: object = {}): Promise<Json> => t.mail({ ...hello, ...more })
const act = (t: TestApp, id: string, verb: string, status: number, body?: object): Promise<Json> =>
  t.post(`/v1/messages/${id}/${verb}`, body, status)
const statusOf = async (t: TestApp, id: string) => (await t.get(`/v1/activity/${id}`, 200)).status

describe('while it waits', () => {
  test('a message is cancelled, once, and never sent', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const { messageId } = await send(t, { scheduledAt: inOneHour })
    expect(await act(t, messageId, 'cancel', 200)).toMatchObject({ messageId, outcome: 'cancelled' })
    expect(await act(t, messageId, 'cancel', 409)).toMatchObject({ code: 'invalid_state_transition' })
    await act(t, messageId, 'reschedule', 409, { scheduledAt: inOneHour })
    await t.advance('2h')
    expect(await t.sent()).toEqual([])
    expect(await statusOf(t, messageId)).toBe('cancelled')
  })

  test('it is moved to an earlier or later time, at which it leaves', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const { messageId } = await send(t, { scheduledAt: inOneHour })
    const later = { scheduledAt: '2026-01-15T15:00:00Z' }
    expect(await act(t, messageId, 'reschedule', 200, later)).toMatchObject({ scheduledAt: '2026-01-15T15:00:00.000Z' })
    await t.advance('2h')
    expect(await t.sent()).toEqual([])
    await act(t, messageId, 'reschedule', 422, { scheduledAt: 'tomorrow' })
    await act(t, messageId, 'reschedule', 422, { scheduledAt: '2030-01-15T15:00:00Z' })
    await act(t, messageId, 'reschedule', 200, { scheduledAt: '2026-01-15T00:00:00Z' })
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
    expect(await act(t, messageId, 'cancel', 409)).toMatchObject({
      message: 'a message that is sent cannot be cancelled',
    })
  })

  test('a message of somebody else is not there, and stays', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const { messageId } = await send(t, { scheduledAt: inOneHour })
    await write(t.app, (tx) => tx.db.update(messages).set({ workspaceId: 'ws_other' }))
    for (const verb of ['cancel', 'resend']) await act(t, messageId, verb, 404)
    await act(t, messageId, 'reschedule', 404, { scheduledAt: inOneHour })
    const [row] = await t.app.db.select().from(messages)
    expect(row?.status).toBe('queued')
  })

  test('one that the mail server has by now is sent, whatever was asked of it meanwhile', async () => {
    const reached = Promise.withResolvers<void>()
    const release = Promise.withResolvers<Answer>()
    const sink = startSink({
      answer(stage) {
        if (stage !== 'dot') return undefined
        reached.resolve()
        return release.promise
      },
    })
    await using t = await testApp({ environment: { SMTP_URL: sink.url } })
    await t.template(greeting)
    const { messageId } = await send(t)
    const running = t.settle()
    await reached.promise
    const answers = await Promise.all([act(t, messageId, 'cancel', 200), act(t, messageId, 'cancel', 200)])
    expect(answers.map(({ outcome }) => outcome)).toEqual(['cancel_requested', 'cancel_requested'])
    await act(t, messageId, 'reschedule', 409, { scheduledAt: inOneHour })
    await act(t, messageId, 'resend', 409)
    release.resolve('250 2.0.0 ok')
    await running
    expect(await statusOf(t, messageId)).toBe('sent')
    expect(await act(t, messageId, 'cancel', 409)).toMatchObject({
      message: 'a message that is sent cannot be cancelled',
    })
    sink.stop()
  })
})

describe('sent again', () => {
  test('is the same mail as a new message that names the old one, once for each key', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const attachments = [{ filename: 'a.txt', contentType: 'text/plain', data: Buffer.from('Hi').toString('base64') }]
    const { messageId } = await send(t, { attachments, tags: ['a'], replyTo: 'r@example.net' })
    await t.settle()
    // Its own revision, not the one of today.
    await t.put('/v1/transactional/update', { id: 'hello', subject: 'Changed' }, 200)
    await t.advance('1m')
    const path = `/v1/messages/${messageId}/resend`
    const headers = { 'idempotency-key': 'again' }
    const again = await t.post(path, undefined, 200, { headers })
    expect(await t.post(path, undefined, 200, { headers })).toEqual(again)
    expect(again).toMatchObject({ resendOf: messageId })
    await t.settle()
    const sent = await t.sent()
    expect(sent).toHaveLength(2)
    const mails = await Promise.all(sent.map(({ raw }) => simpleParser(raw)))
    expect(
      mails.map(({ subject, text, attachments, replyTo }) => [
        subject,
        text,
        attachments[0]?.content.toString(),
        replyTo?.text,
      ]),
    ).toEqual([
      ['Hi Ada', 'Hello Ada\n', 'Hi', 'r@example.net'],
      ['Hi Ada', 'Hello Ada\n', 'Hi', 'r@example.net'],
    ])
    expect(await t.get(`/v1/activity/${again.messageId}`, 200)).toMatchObject({
      resendOf: messageId,
      tags: ['a'],
      status: 'sent',
    })
  })

  test('one of several shows the same recipients; one with content of its own has the same', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const { messages: several } = await send(t, { email: undefined, to: ['Ada <ada@example.net>', 'bob@example.net'] })
    const content = await partsContent(t.app, { kind: 'parts', subject: 'Own', text: 'Mine' })
    const own = await write(t.app, async (tx) => {
      const id = newId(tx, 'msg', tx.now)
      const of = { workspaceId: t.workspace.id, email: 'eve@example.net', contactId: null, locale: 'en' }
      await queueOwn(tx, [
        { ...of, id, content, fromName: null, fromEmail: 'paquebot@paquebot.localhost', replyTo: null },
      ])
      return id
    })
    await t.settle()
    for (const id of [several[1].messageId, own]) await act(t, id, 'resend', 200)
    await t.settle()
    const mails = await Promise.all((await t.sent()).map(({ raw }) => simpleParser(raw)))
    const shown = mails.map(({ to, subject }) => `${subject}: ${to && !Array.isArray(to) ? to.text : ''}`).sort()
    expect(shown).toEqual([
      ...Array<string>(3).fill('Hi Ada: "Ada" <ada@example.net>, bob@example.net'),
      ...Array<string>(2).fill('Own: eve@example.net'),
    ])
  })

  test('is refused for who is suppressed, erased or long gone, and for what has not ended', async () => {
    await using t = await testApp()
    await t.template(greeting)
    const { id: contactId } = await t.contact({ email: 'eve@example.net' })
    const [ada, eve, waiting] = [
      await send(t),
      await send(t, { email: 'eve@example.net' }),
      await send(t, { scheduledAt: inOneHour }),
    ]
    await t.settle()
    await act(t, waiting.messageId, 'resend', 409)
    await t.delete(`/v1/contacts/${contactId}/data`, undefined, 200)
    expect(await act(t, eve.messageId, 'resend', 409)).toMatchObject({
      message: 'the recipient of this message was erased',
    })
    await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: hello.email, reason: 'manual' }))
    const refused = await act(t, ada.messageId, 'resend', 422)
    expect(refused).toMatchObject({ code: 'recipient_suppressed' })
    expect(await statusOf(t, refused.messageId)).toBe('suppressed')
    await t.advance('31d')
    await act(t, ada.messageId, 'resend', 409)
    expect(await t.sent()).toHaveLength(1)
  })
})
