// Replies out of a mailbox: their thread, whom they go to, what is never answered, how many there may be, and those that a person writes.

import { describe, expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import { createTransport } from 'nodemailer'
import { write } from '../src/core/app.ts'
import { suppress } from '../src/features/contacts/consent/suppression.ts'
import { listenForMail } from '../src/features/mailboxes/listen.ts'
import { replyTo } from '../src/features/mailboxes/reply.ts'
import { createToken, findToken, type OpenMailbox } from '../src/features/mailboxes/tokens.ts'
import { messageAddress } from '../src/features/sending/activity/message-address.ts'
import { type Json, session, type TestApp, testApp } from './support/app.ts'
import { rawMail, type TestMailbox, testMailbox } from './support/mailbox.ts'
import { listed, read } from './support/received.ts'
import { startSink } from './support/smtp-sink.ts'

async function opened(t: TestApp, { token }: TestMailbox): Promise<OpenMailbox> {
  const open = await findToken(t.app, token, t.clock.now())
  if (!open) throw new Error('the token opens nothing')
  return open
}

describe('threads', () => {
  test('follow In-Reply-To and References, to what was received and to what was sent', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const other = await testMailbox(t, { address: 'other@paquebot.localhost' })
    const first = await mailbox.receive(rawMail({ id: 'one@example.net' }))
    const open = await opened(t, mailbox)
    const answer = await replyTo(t.app, open, { messageId: first, text: 'An answer' })
    expect(answer).toEqual({
      messageId: expect.stringMatching(/^msg_/),
      to: 'ada@example.net',
      inReplyTo: 'one@example.net',
    })
    const sent = `${answer.messageId}@paquebot.localhost`
    await mailbox.receive(rawMail({ headers: ['In-Reply-To: <one@example.net>'] }))
    await mailbox.receive(rawMail({ headers: ['References: <gone@example.net>', ` <${sent}> <x@y>`] }))
    await mailbox.receive(rawMail({ subject: 'Re: A question' }))
    await other.receive(rawMail({ headers: ['In-Reply-To: <one@example.net>'] }))
    const threads = (await listed(t, mailbox)).map(({ threadId }) => threadId).reverse()
    expect(threads[1]).toBe(threads[0])
    expect(threads[2]).toBe(threads[0])
    expect(threads[3]).not.toBe(threads[0])
    expect((await listed(t, other))[0].threadId).not.toBe(threads[0])
  })

  test('a bounce of an answer comes back to the address of its message', async () => {
    await using t = await testApp({ environment: { INBOUND_DOMAIN: 'in.example.net' } })
    const mailbox = await testMailbox(t)
    const id = await mailbox.receive(rawMail())
    const { messageId } = await replyTo(t.app, await opened(t, mailbox), { messageId: id, text: 'Hello' })
    await t.settle()
    expect(await t.sent()).toMatchObject([{ from: messageAddress(t.app, 'bounce', messageId) }])
  })

  test('an answer carries the whole chain, and the marks of an automatic one', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const chain = Array.from({ length: 30 }, (_, at) => `<r${at}@example.net>`)
    const headers = [`References: ${chain.join('\r\n ')}`]
    const id = await mailbox.receive(rawMail({ id: 'last@example.net', subject: 'RE: {{contact.email}}', headers }))
    await replyTo(t.app, await opened(t, mailbox), { messageId: id, text: 'See {{contact.email}}\nand <b>this</b>' })
    await t.settle()
    const [mail] = await t.sent()
    const raw = mail?.raw.replaceAll('\r\n ', ' ') ?? ''
    expect(mail).toMatchObject({ from: mailbox.address, to: 'ada@example.net' })
    expect(raw).toContain('From: Help Desk <desk@paquebot.localhost>')
    expect(raw).toContain('Subject: RE: {{contact.email}}')
    expect(raw).toContain('In-Reply-To: <last@example.net>')
    expect(raw).toContain(`References: ${[...chain.slice(-19), '<last@example.net>'].join(' ')}\r\n`)
    expect(raw).toContain('Auto-Submitted: auto-replied')
    expect(raw).toContain(`X-Loop: ${mailbox.address}`)
    expect(raw).toContain('See {{contact.email}}')
    expect(raw.replaceAll('=\r\n', '')).toContain('&lt;b&gt;this&lt;/b&gt;')
  })
})

test('a conversation over SMTP in both directions stays one thread', async () => {
  await using sink = startSink({})
  await using t = await testApp({ environment: { SMTP_URL: sink.url, INBOUND_DOMAIN: 'in.example.net' } })
  const mailbox = await testMailbox(t, { address: 'desk@in.example.net' })
  const listener = await listenForMail(t.app, { port: 0, host: '127.0.0.1' })
  const person = createTransport({ host: '127.0.0.1', port: listener.port, ignoreTLS: true })
  try {
    const question = { from: 'ada@example.net', to: mailbox.address, subject: 'Steam?', text: 'How much?' }
    await person.sendMail({ ...question, messageId: '<q1@example.net>' })
    const [first] = await listed(t, mailbox)
    await replyTo(t.app, await opened(t, mailbox), { messageId: first.id, text: 'A lot.' })
    await t.settle()
    const answer = await simpleParser(sink.received[0]?.raw ?? '')
    expect(sink.received[0]?.to).toEqual(['ada@example.net'])
    expect(answer).toMatchObject({ subject: 'Re: Steam?', inReplyTo: '<q1@example.net>', text: 'A lot.\n' })
    await person.sendMail({
      ...question,
      text: 'Thanks',
      inReplyTo: answer.messageId,
      references: ['<q1@example.net>'],
    })
    const threads = (await listed(t, mailbox)).map(({ threadId }) => threadId)
    expect(threads).toEqual([first.threadId, first.threadId])
  } finally {
    person.close()
    await listener.close()
  }
})

describe('an answer goes to the original sender', () => {
  test.each([
    ['ada@example.net', 'Ada <ada@example.net>', [], 'ada@example.net'],
    ['Reply-To at the same domain', 'ada@example.net', ['Reply-To: Desk <desk@example.net>'], 'desk@example.net'],
    ['Reply-To elsewhere, without DMARC', 'ada@example.net', ['Reply-To: eve@evil.example.com'], 'ada@example.net'],
    [
      'Sender, Cc and Return-Path play no part',
      'ada@example.net',
      ['Sender: eve@example.com', 'Cc: eve@example.com'],
      'ada@example.net',
    ],
  ])('%s', async (_, from, headers, to) => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const id = await mailbox.receive(rawMail({ from, headers }))
    expect((await replyTo(t.app, await opened(t, mailbox), { messageId: id, text: 'x' })).to).toBe(to)
  })
})

describe('mail that is never answered', () => {
  const cases: [string, string[], string?][] = [
    ['auto_submitted', ['Auto-Submitted: auto-replied (vacation)']],
    ['auto_submitted', ['Auto-Submitted: auto-generated']],
    ['bulk', ['Precedence: bulk']],
    ['bulk', ['Precedence: list']],
    ['bulk', ['Precedence: junk']],
    ['bulk', ['List-Id: <news.example.net>']],
    ['null_sender', ['Return-Path: <>']],
    ['own_address', [], 'desk@paquebot.localhost'],
    ['daemon', [], 'Mail Delivery <MAILER-DAEMON@example.net>'],
    ['report', ['Content-Type: multipart/report; boundary=x']],
    ['auto_response', ['X-Auto-Response-Suppress: All']],
    ['auto_response', ['X-Loop: desk@elsewhere.net']],
  ]
  test.each(cases)('%s: %j %s', async (reason, headers, from = 'ada@example.net') => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const id = await mailbox.receive(rawMail({ from, headers }))
    expect((await listed(t, mailbox))[0].automatic).toBe(reason)
    const open = await opened(t, mailbox)
    await t.unchanged(async () => {
      const refusal = replyTo(t.app, open, { messageId: id, text: 'x' })
      await expect(refusal).rejects.toMatchObject({ code: 'forbidden', details: { errors: [{ code: reason }] } })
    })
  })

  test('Auto-Submitted: no is a person', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const id = await mailbox.receive(rawMail({ headers: ['Auto-Submitted: no'] }))
    await replyTo(t.app, await opened(t, mailbox), { messageId: id, text: 'x' })
  })

  test('two mailboxes do not talk to each other without end', async () => {
    await using t = await testApp()
    const one = await testMailbox(t)
    const two = await testMailbox(t, { address: 'two@paquebot.localhost' })
    const id = await one.receive(rawMail({ from: two.address }))
    await replyTo(t.app, await opened(t, one), { messageId: id, text: 'hello' })
    await t.settle()
    const [mail] = await t.sent()
    const arrived = await two.receive(mail?.raw ?? '')
    const back = replyTo(t.app, await opened(t, two), { messageId: arrived, text: 'hello' })
    await expect(back).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('replies are bounded', () => {
  test('20 an hour for a token; after an hour there are 20 more', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const open = await opened(t, mailbox)
    const ids: string[] = []
    for (let count = 0; count < 21; count++) ids.push(await mailbox.receive(rawMail()))
    for (const messageId of ids.slice(0, 20)) await replyTo(t.app, open, { messageId, text: 'x' })
    const last = { messageId: ids.at(-1) ?? '', text: 'x' }
    await t.unchanged(async () => {
      await expect(replyTo(t.app, open, last)).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    })
    await t.advance('1h')
    await replyTo(t.app, open, last)
  })

  test('20 an hour into one thread, whatever the token', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const messageId = await mailbox.receive(rawMail())
    const second = await write(t.app, (tx) => createToken(tx, { workspaceId: t.workspace.id, id: mailbox.id }, {}))
    const opens = [await opened(t, mailbox), await opened(t, { ...mailbox, token: second.token })]
    for (let count = 0; count < 20; count++) {
      const open = opens[count % 2]
      if (open) await replyTo(t.app, open, { messageId, text: `${count}` })
    }
    for (const open of opens) {
      const refusal = replyTo(t.app, open, { messageId, text: 'x' })
      await expect(refusal).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    }
  })

  test('the same idempotency key answers once', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const messageId = await mailbox.receive(rawMail())
    const open = await opened(t, mailbox)
    const reply = { messageId, text: 'x', idempotencyKey: 'k' }
    const answers = await Promise.all([1, 2, 3].map(() => replyTo(t.app, open, reply)))
    expect(new Set(answers.map((answer) => answer.messageId)).size).toBe(1)
    await t.settle()
    expect(await t.sent()).toHaveLength(1)
    const other = replyTo(t.app, open, { ...reply, text: 'y' })
    await expect(other).rejects.toMatchObject({ code: 'idempotency_key_mismatch' })
  })

  test('a suppressed sender is not answered, and the refusal is logged', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const messageId = await mailbox.receive(rawMail())
    await write(t.app, (tx) => suppress(tx, t.workspace.id, { email: 'ada@example.net', reason: 'complaint' }))
    const refusal = replyTo(t.app, await opened(t, mailbox), { messageId, text: 'x' })
    await expect(refusal).rejects.toMatchObject({ code: 'recipient_suppressed' })
    const { data } = await t.get('/v1/activity', 200)
    expect(data).toMatchObject([{ status: 'suppressed', kind: 'reply', email: 'ada@example.net' }])
  })

  test('a component tree is an answer too, and neither, both or a faulty one is none', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const messageId = await mailbox.receive(rawMail())
    const open = await opened(t, mailbox)
    await replyTo(t.app, open, { messageId, content: [{ type: 'heading', text: 'Hello {{company_name}}' }] })
    await t.settle()
    expect((await t.sent())[0]?.raw).toContain('Hello')
    await t.unchanged(async () => {
      for (const body of [
        {},
        { text: 'x', content: [] },
        { text: '  ' },
        { content: [{ type: 'html', html: '<b>' }] },
        { content: [{ type: 'text', text: '{{unknown}}' }] },
      ]) {
        await expect(replyTo(t.app, open, { messageId, ...body })).rejects.toBeInstanceOf(Error)
      }
    })
  })
})

describe('a person answers', () => {
  const where = (mailbox: TestMailbox, id: string, end = 'reply') => `/v1/mailboxes/${mailbox.id}/messages/${id}/${end}`

  test('at once, in the thread, as nobody but a person: what comes back may be answered', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    await t.patch(`/v1/mailboxes/${mailbox.id}`, { holdReplies: true }, 200, session)
    const first = await mailbox.receive(rawMail({ id: 'q@example.net' }))
    expect((await read(t, mailbox, first)).replyGoesTo).toBe('ada@example.net')
    const answer = await t.post(where(mailbox, first), { text: 'With steam, {{name}}.' }, 200, session)
    expect(answer).toEqual({
      messageId: expect.stringMatching(/^msg_/),
      to: 'ada@example.net',
      inReplyTo: 'q@example.net',
      warnings: [],
    })
    await t.settle()
    const [mail] = await t.sent()
    expect(mail?.raw).toContain('In-Reply-To: <q@example.net>')
    expect(mail?.raw).toContain('With steam, {{name}}.')
    for (const mark of ['Auto-Submitted', 'X-Loop']) expect(mail?.raw).not.toContain(mark)
    const second = await mailbox.receive(
      rawMail({ headers: [`In-Reply-To: <${answer.messageId}@paquebot.localhost>`] }),
    )
    await replyTo(t.app, await opened(t, mailbox), {
      messageId: second,
      content: [{ type: 'text', text: 'By an agent' }],
    })
    const { received, answers } = await t.get(where(mailbox, second, 'thread'), 200, session)
    expect(received.map(({ id }: Json) => id)).toEqual([first, second])
    const { email } = t.user
    expect(answers).toMatchObject([
      { status: 'sent', text: 'With steam, {{name}}.', author: { kind: 'person', name: email }, receivedId: first },
      {
        status: 'waiting',
        text: 'By an agent',
        author: { kind: 'mailbox_token', name: 'Mailbox token' },
        receivedId: second,
      },
    ])
    expect((await read(t, mailbox, second)).answers).toEqual(answers)
    expect((await t.get(`/v1/audit?operation=replyToReceived`, 200, session)).data).toHaveLength(1)
  })

  test('by the rules of every answer, never from a disabled mailbox, and once for a key', async () => {
    await using t = await testApp()
    const mailbox = await testMailbox(t)
    const keyed = { ...session, headers: { 'idempotency-key': 'once' } }
    const one = await mailbox.receive(rawMail())
    const text = { text: 'Hello' }
    const [sent, again] = [
      await t.post(where(mailbox, one), text, 200, keyed),
      await t.post(where(mailbox, one), text, 200, keyed),
    ]
    expect(again).toEqual(sent)
    const machine = await mailbox.receive(rawMail({ headers: ['Auto-Submitted: auto-replied'] }))
    expect((await read(t, mailbox, machine)).replyGoesTo).toBeNull()
    const own = await mailbox.receive(
      rawMail({ headers: [`Reply-To: ${mailbox.address}`], from: `x@paquebot.localhost` }),
    )
    await t.unchanged(async () => {
      expect((await t.post(where(mailbox, machine), text, 403, session)).code).toBe('forbidden')
      await t.post(where(mailbox, own), text, 403, session)
      await t.post(where(mailbox, one), { text: ' ' }, 422, session)
      await t.post(where(mailbox, one), { ...text, cc: 'eve@example.net' }, 422, session)
      await t.post(where(mailbox, one), text, 401)
      await t.post(where(mailbox, 'rcv_0'), text, 404, session)
    })
    for (let sentBefore = 1; sentBefore < 20; sentBefore++) await t.post(where(mailbox, one), text, 200, session)
    expect((await t.post(where(mailbox, one), text, 429, session)).detail).toContain('20 into one thread')
    await t.patch(`/v1/mailboxes/${mailbox.id}`, { status: 'disabled' }, 200, session)
    const other = await testMailbox(t, { address: 'other@paquebot.localhost' })
    const elsewhere = await other.receive(rawMail())
    await t.patch(`/v1/mailboxes/${other.id}`, { status: 'disabled' }, 200, session)
    await t.post(where(other, elsewhere), text, 409, session)
  })
})
