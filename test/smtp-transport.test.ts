// The SMTP client against real servers that refuse, keep silent or cut the line at each step (R10), and against other people's.

import { describe, expect, test } from 'bun:test'
import type { SMTPServerOptions } from 'smtp-server'
import type { HandOver, MailOutcome, OutgoingMail } from '../src/mail/mailer.ts'
import type { SmtpTimeouts } from '../src/mail/smtp-connection.ts'
import { smtpTransport } from '../src/mail/smtp-transport.ts'
import { selfSigned } from './support/certificate.ts'
import { startRelay } from './support/relay.ts'
import { type Answer, type SinkOptions, type SinkStage, startSink } from './support/smtp-sink.ts'

const mail = (text = 'Subject: x\r\n\r\nbody\r\n', to = 'ada@example.net'): OutgoingMail =>
  inPieces([Buffer.from(text)], to)

const inPieces = (pieces: Buffer[], to = 'ada@example.net'): OutgoingMail => ({
  envelope: { from: 'hello@acme.test', to },
  workspaceId: 'ws_1',
  messageId: 'msg_1@acme.test',
  raw: { pieces, bytes: Buffer.concat(pieces).length },
})

function handOver(beforeFinalDot: () => Promise<boolean> = async () => true) {
  const controller = new AbortController()
  let calls = 0
  const control: HandOver = {
    signal: controller.signal,
    beforeFinalDot() {
      calls++
      return beforeFinalDot()
    },
  }
  return { control, controller, calls: () => calls }
}

const short: Partial<SmtpTimeouts> = {
  connectMs: 2_000,
  greetingMs: 150,
  commandMs: 150,
  dataMs: 150,
  finalReplyMs: 150,
}

async function sendOne(
  url: string,
  timeouts: Partial<SmtpTimeouts> = {},
): Promise<{ outcome: MailOutcome; asked: number }> {
  const transport = smtpTransport({ url, timeouts })
  const { control, calls } = handOver()
  const outcome = await transport.send(mail(), control)
  await transport.close()
  return { outcome, asked: calls() }
}

describe('outcomes', () => {
  const at = (stage: SinkStage, said: Answer): SinkOptions => ({
    answer: (asked) => (asked === stage ? said : undefined),
  })
  const refused = (stage: string, code: number, enhanced: string | null = null) => ({
    outcome: 'refused',
    permanent: code >= 500,
    stage,
    code,
    enhanced,
  })
  const notSent = (stage: string, reason: string) => ({ outcome: 'not_sent', stage, reason })

  const matrix: [what: string, sink: SinkOptions, expected: object][] = [
    ['everything agreed', {}, { outcome: 'accepted', reply: '250 2.0.0 queued' }],
    ['4xx at the banner', at('banner', '421 4.3.2 busy'), refused('banner', 421, '4.3.2')],
    ['5xx at the banner', at('banner', '554 no'), refused('banner', 554)],
    ['4xx at EHLO', at('ehlo', '451 later'), refused('ehlo', 451)],
    ['5xx at EHLO', at('ehlo', '554 no'), refused('ehlo', 554)],
    ['EHLO unknown: HELO', at('ehlo', '502 what?'), { outcome: 'accepted' }],
    ['4xx at MAIL', at('mail', '451 4.7.1 later'), refused('mail', 451, '4.7.1')],
    ['5xx at MAIL', at('mail', '550 5.7.1 no'), refused('mail', 550, '5.7.1')],
    ['421 at MAIL', at('mail', '421 4.7.0 too much'), refused('mail', 421, '4.7.0')],
    ['4xx at RCPT', at('rcpt', '450 4.2.1 greylisted'), refused('rcpt', 450, '4.2.1')],
    ['5xx at RCPT', at('rcpt', '550 5.1.1 no such user'), refused('rcpt', 550, '5.1.1')],
    ['4xx at DATA', at('data', '451 later'), refused('data', 451)],
    ['5xx at DATA', at('data', '554 no'), refused('data', 554)],
    ['4xx at the dot', at('dot', '452 4.3.1 full'), refused('dot', 452, '4.3.1')],
    ['5xx at the dot', at('dot', '554 5.6.0 spam'), refused('dot', 554, '5.6.0')],
    ['421 at the dot', at('dot', '421 4.3.0 going down'), refused('dot', 421, '4.3.0')],
    ['silence at the banner', at('banner', 'silent'), notSent('banner', 'timeout')],
    ['silence at EHLO', at('ehlo', 'silent'), notSent('ehlo', 'timeout')],
    ['silence at MAIL', at('mail', 'silent'), notSent('mail', 'timeout')],
    ['silence at DATA', at('data', 'silent'), notSent('data', 'timeout')],
    ['silence after the dot', at('dot', 'silent'), { outcome: 'uncertain' }],
    ['cut at the banner', at('banner', 'cut'), notSent('banner', 'cut')],
    ['cut at MAIL', at('mail', 'cut'), notSent('mail', 'cut')],
    ['cut at RCPT', at('rcpt', 'cut'), { outcome: 'not_sent', reason: 'cut' }],
    ['cut in the body', { cutInBody: true }, { outcome: 'uncertain' }],
    ['cut after the dot', at('dot', 'cut'), { outcome: 'uncertain' }],
    ['not SMTP', at('banner', 'HTTP/1.1 400 Bad Request'), notSent('banner', 'protocol')],
  ]
  for (const pipelining of [true, false]) {
    for (const [what, options, expected] of matrix) {
      test(`${what} (${pipelining ? 'pipelined' : 'step by step'})`, async () => {
        await using sink = startSink({ ...options, pipelining })
        const { outcome, asked } = await sendOne(sink.url, what.startsWith('silence') ? short : {})
        if (what === 'cut in the body') {
          // The cut races with our dot: before it nothing was sent, after it nobody knows.
          expect(['not_sent', 'uncertain']).toContain(outcome.outcome)
        } else expect(outcome).toMatchObject(expected)
        // The hand-over is announced exactly when the server has agreed to the body.
        const reachedBody =
          outcome.outcome === 'accepted' ||
          outcome.outcome === 'uncertain' ||
          what.includes('the dot') ||
          what.includes('body')
        expect(asked).toBe(reachedBody ? 1 : 0)
      })
    }
  }

  test('a port that nobody listens on', async () => {
    const sink = startSink()
    sink.stop()
    expect((await sendOne(sink.url)).outcome).toMatchObject({
      outcome: 'not_sent',
      stage: 'connect',
      reason: 'refused_connection',
    })
  })

  test('a message over the server’s SIZE is refused without being sent', async () => {
    await using sink = startSink({ answer: (stage) => (stage === 'ehlo' ? '250-sink\r\n250 SIZE 10' : undefined) })
    expect((await sendOne(sink.url)).outcome).toMatchObject({
      outcome: 'refused',
      permanent: true,
      code: 552,
      enhanced: '5.3.4',
    })
  })
})

test('a dot that begins a line is doubled on the wire, wherever the pieces of the mail end', async () => {
  await using sink = startSink()
  const transport = smtpTransport({ url: sink.url })
  const text = Buffer.from('Subject: x\r\n\r\n.a\r\n..\r\nb.\r\n.\r\n\r\n.c.')
  for (let at = 0; at <= text.length; at++) {
    const pieces = [text.subarray(0, at), text.subarray(at, at + 1), text.subarray(at + 1)]
    expect(await transport.send(inPieces(pieces), handOver().control)).toMatchObject({ outcome: 'accepted' })
  }
  await transport.close()
  for (const { raw } of sink.received) expect(raw.toString()).toBe(`${text}\r\n`)
})

describe('the hand-over', () => {
  test('the final dot waits for the commit', async () => {
    await using sink = startSink()
    const gate = Promise.withResolvers<boolean>()
    const asked = Promise.withResolvers<void>()
    const transport = smtpTransport({ url: sink.url })
    const { control } = handOver(() => {
      asked.resolve()
      return gate.promise
    })
    const sending = transport.send(mail(), control)
    await asked.promise
    expect(sink.count()).toBe(0)
    gate.resolve(true)
    expect((await sending).outcome).toBe('accepted')
    expect(sink.received[0]?.raw.toString()).toBe(Buffer.concat(mail().raw.pieces).toString())
    await transport.close()
  })

  test('what the commit throws comes back, and the mail does not go', async () => {
    await using sink = startSink()
    const transport = smtpTransport({ url: sink.url })
    const { control } = handOver(async () => {
      throw new Error('lost the job')
    })
    await expect(transport.send(mail(), control)).rejects.toThrow('lost the job')
    expect((await transport.send(mail(), handOver().control)).outcome).toBe('accepted')
    expect(sink.count()).toBe(1)
    await transport.close()
  })

  test('what the commit says no to is withheld, and the mail does not go', async () => {
    await using sink = startSink()
    const transport = smtpTransport({ url: sink.url })
    const { control } = handOver(async () => false)
    expect(await transport.send(mail(), control)).toEqual({ outcome: 'withheld' })
    expect((await transport.send(mail(), handOver().control)).outcome).toBe('accepted')
    expect(sink.count()).toBe(1)
    await transport.close()
  })

  test('a mail whose connection ends during the commit was not sent', async () => {
    await using sink = startSink()
    const transport = smtpTransport({ url: sink.url })
    const { control, controller } = handOver(async () => {
      controller.abort('stopping')
      return true
    })
    expect(await transport.send(mail(), control)).toMatchObject({ outcome: 'not_sent', reason: 'aborted' })
    expect(sink.count()).toBe(0)
    await transport.close()
  })

  test('a stop before the dot gives the mail up at once', async () => {
    const atRcpt = Promise.withResolvers<void>()
    await using sink = startSink({
      answer(stage) {
        if (stage === 'rcpt') atRcpt.resolve()
        return stage === 'rcpt' ? 'silent' : undefined
      },
    })
    const transport = smtpTransport({ url: sink.url })
    const { control, controller } = handOver()
    const sending = transport.send(mail(), control)
    await atRcpt.promise
    controller.abort('stopping')
    expect(await sending).toMatchObject({ outcome: 'not_sent', reason: 'aborted' })
    expect(sink.count()).toBe(0)
    await transport.close()
  })

  test('a stop after the dot waits for the reply', async () => {
    const atDot = Promise.withResolvers<void>()
    const reply = Promise.withResolvers<Answer>()
    await using sink = startSink({
      answer(stage) {
        if (stage !== 'dot') return undefined
        atDot.resolve()
        return reply.promise
      },
    })
    const transport = smtpTransport({ url: sink.url })
    const { control, controller } = handOver()
    const sending = transport.send(mail(), control)
    await atDot.promise
    controller.abort('stopping')
    reply.resolve('250 late but fine')
    expect(await sending).toMatchObject({ outcome: 'accepted', reply: '250 late but fine' })
    await transport.close()
  })
})

describe('connections', () => {
  test('are reused, at most so many at once', async () => {
    await using sink = startSink()
    const transport = smtpTransport({ url: `${sink.url}?maxConnections=3` })
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => transport.send(mail(), handOver().control)))
    expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true)
    expect(sink.connections()).toBeLessThanOrEqual(3)
    expect(sink.count()).toBe(60)
    await transport.close()
  })

  test('are not all taken by bulk mail: one that somebody waits for goes at once, and first', async () => {
    await using sink = startSink({
      answer: (stage, _, { to }) => (stage === 'dot' && to.startsWith('slow') ? 'silent' : undefined),
    })
    const transport = smtpTransport({ url: `${sink.url}?maxConnections=3`, timeouts: { finalReplyMs: 60_000 } })
    const bulk = Array.from({ length: 20 }, () => ({ ...handOver(), to: 'slow@example.net' }))
    for (const { control, to } of bulk) void transport.send(mail(undefined, to), { ...control, bulk: true })
    const urgent = await Promise.all(Array.from({ length: 5 }, () => transport.send(mail(), handOver().control)))
    expect(urgent.every(({ outcome }) => outcome === 'accepted')).toBe(true)
    expect(bulk.filter(({ calls }) => calls() > 0).length).toBeLessThanOrEqual(2)
    sink.stop()
    await transport.close()
  })

  test('go on after a refusal, with the next message', async () => {
    await using sink = startSink({
      answer: (stage, nth) => (stage === 'rcpt' && nth === 0 ? '550 5.1.1 no' : undefined),
    })
    const transport = smtpTransport({ url: `${sink.url}?maxConnections=1` })
    expect((await transport.send(mail(), handOver().control)).outcome).toBe('refused')
    expect((await transport.send(mail(), handOver().control)).outcome).toBe('accepted')
    expect(sink.connections()).toBe(1)
    await transport.close()
  })

  test('one that the server closed while idle is replaced, and the mail goes once', async () => {
    await using sink = startSink({ answer: (stage, nth) => (stage === 'mail' && nth === 1 ? 'cut' : undefined) })
    const transport = smtpTransport({ url: `${sink.url}?maxConnections=1` })
    await transport.send(mail(), handOver().control)
    const { control, calls } = handOver()
    expect((await transport.send(mail(), control)).outcome).toBe('accepted')
    expect(calls()).toBe(1)
    expect(sink.count()).toBe(2)
    await transport.close()
  })
})

describe('bodies', () => {
  test('that look like commands or the end arrive as one message, byte for byte', async () => {
    await using sink = startSink()
    const raw = 'Subject: x\r\n\r\n.\r\n..two\r\n.\r\nMAIL FROM:<evil@x>\r\nend'
    const transport = smtpTransport({ url: sink.url })
    await transport.send(mail(raw), handOver().control)
    await transport.close()
    expect(sink.received.map(({ raw }) => raw.toString())).toEqual([`${raw}\r\n`])
  })

  test('a large one arrives whole', async () => {
    await using sink = startSink()
    const raw = `Subject: x\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(100_000)}`
    const transport = smtpTransport({ url: sink.url })
    expect((await transport.send(mail(raw), handOver().control)).outcome).toBe('accepted')
    await transport.close()
    expect(sink.received[0]?.raw.length).toBe(raw.length)
  })
})

describe('other people’s server', () => {
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, done) =>
    username === 'u@x' && password === 'p:w' ? done(null, { user: 'u' }) : done(new Error('535 bad login'))

  test('STARTTLS: a certificate that cannot be checked is refused, unless that is asked for', async () => {
    const { key, cert } = selfSigned()
    await using server = await startRelay({ key, cert, authOptional: true })
    const url = `smtp://127.0.0.1:${server.port}`
    expect((await sendOne(url)).outcome).toMatchObject({ outcome: 'not_sent', stage: 'starttls', reason: 'tls' })
    expect((await sendOne(`${url}?tls.rejectUnauthorized=false`)).outcome).toMatchObject({ outcome: 'accepted' })
    expect((await sendOne(`${url}?ignoreTLS=true`)).outcome).toMatchObject({ outcome: 'accepted' })
    expect(server.bodies).toHaveLength(2)
  })

  test('TLS from the first byte', async () => {
    const { key, cert } = selfSigned()
    await using server = await startRelay({ key, cert, secure: true, authOptional: true })
    const url = `smtps://127.0.0.1:${server.port}`
    expect((await sendOne(url)).outcome).toMatchObject({ outcome: 'not_sent', reason: 'tls' })
    expect((await sendOne(`${url}?tls.rejectUnauthorized=false`)).outcome).toMatchObject({ outcome: 'accepted' })
  })

  test('requireTLS fails where none is offered', async () => {
    await using server = await startRelay({ hideSTARTTLS: true, authOptional: true })
    const { outcome } = await sendOne(`smtp://127.0.0.1:${server.port}?requireTLS=true`)
    expect(outcome).toMatchObject({ outcome: 'not_sent', stage: 'ehlo', reason: 'tls' })
  })

  test('a good login is let in, a bad one is refused at AUTH', async () => {
    for (const authMethods of [['PLAIN'], ['LOGIN']]) {
      await using server = await startRelay({ hideSTARTTLS: true, allowInsecureAuth: true, authMethods, onAuth })
      const at = `127.0.0.1:${server.port}`
      expect((await sendOne(`smtp://u%40x:p%3Aw@${at}`)).outcome).toMatchObject({ outcome: 'accepted' })
      expect((await sendOne(`smtp://u%40x:wrong@${at}`)).outcome).toMatchObject({
        outcome: 'refused',
        stage: 'auth',
        code: 535,
      })
    }
  })
})
