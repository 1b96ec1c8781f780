// One connection to a mail server: opened, secured, authenticated, then used for one message after the other. It always knows whether the
// final dot was sent, which separates "not sent" from "perhaps sent".

import { isAscii } from 'node:buffer'
import { minute, second } from '../kit/duration.ts'
import { dotStuffed } from './dot-stuffing.ts'
import type { HandOver, MailOutcome, NotSentReason, OutgoingMail, SmtpStage } from './mailer.ts'
import type { RawMail } from './raw-mail.ts'
import { ReplyError, ReplyReader, replyLine, type SmtpReply } from './smtp-reply.ts'
import { MailSocket, toReason } from './smtp-socket.ts'
import { isLoopback, type SmtpOptions } from './smtp-url.ts'
import { type Limit, TimeLimits } from './time-limits.ts'

/** RFC 5321, 4.5.3.2. */
export interface SmtpTimeouts {
  connectMs: number
  greetingMs: number
  commandMs: number
  dataMs: number
  finalReplyMs: number
}

export const defaultTimeouts: SmtpTimeouts = {
  connectMs: 10 * second,
  greetingMs: minute,
  commandMs: 5 * minute,
  dataMs: 2 * minute,
  finalReplyMs: 10 * minute,
}

/** The connection ended or is unusable; `reason` says how. */
class Broken extends Error {
  readonly reason: NotSentReason

  constructor(reason: NotSentReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** The server refused while the connection was being opened. */
class Refused extends Error {
  readonly reply: SmtpReply

  constructor(reply: SmtpReply) {
    super(replyLine(reply))
    this.reply = reply
  }
}

export type Failure = Extract<MailOutcome, { outcome: 'refused' | 'not_sent' }>

interface Waiting {
  limit: Limit
  resolve(reply: SmtpReply): void
  reject(error: Broken): void
}

export class SmtpConnection {
  readonly #options: SmtpOptions
  readonly #timeouts: SmtpTimeouts
  readonly #socket: MailSocket
  readonly #reader = new ReplyReader((reply) => this.#receive(reply))
  #waiting: Waiting[] = []
  /** Waits for something other than a reply: the connection itself, or a write. */
  #awaited: PromiseWithResolvers<void> | null = null
  #broken: Broken | null = null
  readonly #limits = new TimeLimits((what) => this.#break('timeout', what))
  #extensions = new Map<string, string>()
  #stage: SmtpStage = 'connect'
  /** Messages handed over so far. */
  messages = 0

  private constructor(options: SmtpOptions, timeouts: SmtpTimeouts) {
    this.#options = options
    this.#timeouts = timeouts
    this.#socket = new MailSocket(options, {
      ready: () => this.#awaited?.resolve(),
      received: (data) => this.#read(data),
      drained: () => this.#awaited?.resolve(),
      ended: (error) => this.#ended(error),
    })
  }

  /** A connection ready for mail, or why it could not be opened. */
  static async open(
    options: SmtpOptions,
    { signal, timeouts }: { signal: AbortSignal; timeouts: SmtpTimeouts },
  ): Promise<SmtpConnection | Failure> {
    const connection = new SmtpConnection(options, timeouts)
    const abort = () => connection.#break('aborted', 'stopped')
    signal.addEventListener('abort', abort, { once: true })
    try {
      if (signal.aborted) abort()
      await connection.#ready()
      await connection.#greet()
      return connection
    } catch (error) {
      connection.close()
      return connection.#failure(error)
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  /** False once it can no longer carry a message. */
  get usable(): boolean {
    return this.#broken === null
  }

  close(): void {
    if (this.#broken === null) this.#socket.end('QUIT\r\n')
    this.#break('cut', 'closed by us')
  }

  get isEncrypted(): boolean {
    return this.#socket.isEncrypted
  }

  /** Encrypted, with a certificate that is valid for the host. */
  get isTrusted(): boolean {
    return this.#socket.isTrusted
  }

  /** Sends MAIL FROM and RSET: null when the server would accept mail from this sender. No mail is sent. */
  async tryOut(sender: string): Promise<Failure | null> {
    try {
      this.#stage = 'mail'
      this.#accept(await this.#ask(`MAIL FROM:<${sender}>\r\n`, this.#timeouts.commandMs))
      await this.#reset()
      return null
    } catch (error) {
      return this.#failure(error)
    }
  }

  /** Sends one message. Rejects only with what `beforeFinalDot` threw. Then, or where it says no, the connection is closed without the dot. */
  async send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    let dotSent = false
    const abort = () => {
      if (!dotSent) this.#break('aborted', 'stopped')
    }
    handOver.signal.addEventListener('abort', abort, { once: true })
    try {
      if (handOver.signal.aborted) abort()
      const refused = await this.#envelope(mail)
      if (refused) return refused
      if (!(await this.#body(mail.raw, handOver))) {
        this.#break('cut', 'withheld')
        return { outcome: 'withheld' }
      }
      this.#stage = 'dot'
      if (handOver.mayEnd?.() === false) this.#break('aborted', 'this server may not mail any more')
      this.#throwIfBroken()
      dotSent = true
      this.messages++
      const reply = await this.#ask('.\r\n', this.#timeouts.finalReplyMs)
      return reply.code < 300 ? { outcome: 'accepted', reply: replyLine(reply) } : this.#refusal(reply)
    } catch (error) {
      if (!(error instanceof Broken)) {
        this.#break('cut', 'given up before the final dot')
        throw error
      }
      return dotSent ? { outcome: 'uncertain', detail: error.message } : this.#failure(error)
    } finally {
      handOver.signal.removeEventListener('abort', abort)
    }
  }

  /** MAIL, RCPT and DATA, in one write if the server supports pipelining (RFC 2920). Null when the body may follow. */
  async #envelope({ envelope, raw }: OutgoingMail): Promise<MailOutcome | null> {
    this.#stage = 'mail'
    const limit = Number(this.#extensions.get('SIZE') ?? 0)
    if (limit > 0 && raw.bytes > limit) return tooLarge(raw.bytes, limit)
    const size = this.#extensions.has('SIZE') ? ` SIZE=${raw.bytes}` : ''
    // A server that does not offer it gets the mail all the same: to change its encoding would break what signed it.
    const body = this.#extensions.has('8BITMIME') && !raw.pieces.every(isAscii) ? ' BODY=8BITMIME' : ''
    const commands = [`MAIL FROM:<${envelope.from}>${size}${body}\r\n`, `RCPT TO:<${envelope.to}>\r\n`, 'DATA\r\n']
    const { commandMs, dataMs } = this.#timeouts
    const waits = [commandMs, commandMs, dataMs]
    const stages: SmtpStage[] = ['mail', 'rcpt', 'data']
    const pipelined = this.#extensions.has('PIPELINING')
    const replies = pipelined ? this.#askAll(commands.join(''), waits) : null
    let refused: MailOutcome | null = null
    for (const [index, stage] of stages.entries()) {
      if (refused === null) this.#stage = stage
      const reply = await (replies?.[index] ?? this.#ask(commands[index] ?? '', waits[index] ?? commandMs))
      const agreed = stage === 'data' ? reply.code === 354 : reply.code < 300
      if (agreed && refused === null) continue
      // 354 after a refusal: there is no recipient, and an empty message must not be sent either.
      if (agreed && stage === 'data') this.#break('protocol', '354 without a recipient')
      refused ??= this.#refusal(reply)
      if (!pipelined || !this.usable) break
    }
    if (refused && this.usable) await this.#reset()
    return refused
  }

  /** The body without its final dot, sent while the hand-over is being committed. False when the dot may not follow. */
  async #body({ pieces }: RawMail, { beforeFinalDot }: HandOver): Promise<boolean> {
    const committed = beforeFinalDot()
    // Awaited below; a failure before that must not count as unhandled.
    committed.catch(() => {})
    for (const piece of dotStuffed(pieces)) {
      this.#throwIfBroken()
      if (!this.#socket.write(piece)) await this.#drained()
    }
    return await committed
  }

  #drained(): Promise<void> {
    return this.#until(this.#timeouts.commandMs, 'the server does not read')
  }

  /** Until the socket is ready, or has written what it kept. */
  #until(limitMs: number, what: string): Promise<void> {
    this.#throwIfBroken()
    this.#awaited = Promise.withResolvers()
    return this.#limits.keep(this.#awaited.promise, limitMs, what)
  }

  /** Prepares the connection for its next message; a server that refuses RSET is disconnected. */
  async #reset(): Promise<void> {
    try {
      const reply = await this.#ask('RSET\r\n', this.#timeouts.commandMs)
      if (reply.code >= 300) this.#break('protocol', 'RSET was refused')
    } catch {
      // The connection is broken and has already recorded the reason.
    }
  }

  #ready(): Promise<void> {
    return this.#until(this.#timeouts.connectMs, 'no connection')
  }

  async #greet(): Promise<void> {
    this.#stage = 'banner'
    this.#accept(await this.#reply(this.#timeouts.greetingMs))
    await this.#hello()
    const offered = this.#extensions.has('STARTTLS')
    if (!this.#options.secure && this.#options.requireTls && !offered)
      throw new Broken('tls', 'the server offers no STARTTLS')
    if (!this.#options.secure && offered && !this.#options.ignoreTls) await this.#startTls()
    if (this.#options.user !== null) await this.#signIn(this.#options.user)
  }

  async #hello(): Promise<void> {
    this.#stage = 'ehlo'
    const { commandMs } = this.#timeouts
    const reply = await this.#ask(`EHLO ${this.#options.name}\r\n`, commandMs)
    this.#extensions = new Map(reply.code < 300 ? reply.lines.slice(1).map(extension) : [])
    if (reply.code < 300) return
    // RFC 5321, 3.2: a server without EHLO is greeted with HELO.
    if (reply.code !== 500 && reply.code !== 502) throw new Refused(reply)
    this.#accept(await this.#ask(`HELO ${this.#options.name}\r\n`, commandMs))
  }

  async #startTls(): Promise<void> {
    this.#stage = 'starttls'
    this.#accept(await this.#ask('STARTTLS\r\n', this.#timeouts.commandMs))
    // Plain text after the reply would be read as if it had come encrypted (CVE-2011-0411).
    if (this.#reader.hasRest) throw new Broken('protocol', 'plain text after STARTTLS')
    this.#socket.secure()
    await this.#ready()
    await this.#hello()
  }

  async #signIn(user: string): Promise<void> {
    this.#stage = 'auth'
    if (!this.isEncrypted && !isLoopback(this.#options.host))
      throw new Broken('tls', 'the password is not sent without TLS')
    const offered = (this.#extensions.get('AUTH') ?? '').toUpperCase().split(' ')
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const { commandMs } = this.#timeouts
    const { password } = this.#options
    if (offered.includes('PLAIN')) {
      this.#accept(await this.#ask(`AUTH PLAIN ${encode(`\0${user}\0${password}`)}\r\n`, commandMs))
    } else if (offered.includes('LOGIN')) {
      this.#expect(334, await this.#ask('AUTH LOGIN\r\n', commandMs))
      this.#expect(334, await this.#ask(`${encode(user)}\r\n`, commandMs))
      this.#accept(await this.#ask(`${encode(password)}\r\n`, commandMs))
    } else {
      throw new Broken('protocol', 'the server offers neither AUTH PLAIN nor LOGIN')
    }
  }

  #accept(reply: SmtpReply): void {
    if (reply.code >= 300) throw new Refused(reply)
  }

  #expect(code: number, reply: SmtpReply): void {
    if (reply.code !== code) throw new Refused(reply)
  }

  #ask(command: string, waitMs: number): Promise<SmtpReply> {
    this.#throwIfBroken()
    const reply = this.#reply(waitMs)
    this.#socket.write(command)
    return reply
  }

  #askAll(commands: string, waitsMs: number[]): Promise<SmtpReply>[] {
    this.#throwIfBroken()
    const replies = waitsMs.map((waitMs) => this.#reply(waitMs))
    // Each is awaited in turn; one that fails before its turn must not count as unhandled.
    for (const reply of replies) reply.catch(() => {})
    this.#socket.write(commands)
    return replies
  }

  #reply(waitMs: number): Promise<SmtpReply> {
    const { promise, resolve, reject } = Promise.withResolvers<SmtpReply>()
    this.#waiting.push({ limit: this.#limits.begin(waitMs, `no reply within ${waitMs / second} s`), resolve, reject })
    return promise
  }

  #read(data: Buffer): void {
    try {
      this.#reader.push(data)
    } catch (error) {
      this.#break('protocol', error instanceof ReplyError ? error.message : String(error))
    }
  }

  #ended(error: Error | null): void {
    const { host, address = host, port } = this.#options
    const reason = error === null ? 'cut' : toReason(error, this.#stage)
    const detail = error === null ? 'the server closed the connection' : error.message
    this.#break(reason, reason === 'refused_connection' ? `nothing listens at ${address}:${port} (${detail})` : detail)
  }

  #receive(reply: SmtpReply): void {
    const waiting = this.#waiting.shift()
    if (waiting) this.#limits.end(waiting.limit)
    waiting?.resolve(reply)
    // 421 may come at any time, and the server closes after it (RFC 5321, 3.8).
    if (reply.code === 421) this.#break('cut', replyLine(reply))
    else if (!waiting) this.#break('protocol', `an unasked reply: ${replyLine(reply)}`)
  }

  #break(reason: NotSentReason, detail: string): void {
    if (this.#broken) return
    this.#broken = new Broken(reason, detail)
    this.#socket.destroy()
    this.#limits.stop()
    const waiting = this.#waiting
    this.#waiting = []
    for (const one of waiting) one.reject(this.#broken)
    this.#awaited?.reject(this.#broken)
  }

  #throwIfBroken(): void {
    if (this.#broken) throw this.#broken
  }

  #refusal(reply: SmtpReply): Failure {
    const { code, enhanced } = reply
    return { outcome: 'refused', permanent: code >= 500, stage: this.#stage, code, enhanced, reply: replyLine(reply) }
  }

  #failure(error: unknown): Failure {
    if (error instanceof Refused) return this.#refusal(error.reply)
    const stage = this.#stage
    if (error instanceof Broken) return { outcome: 'not_sent', stage, reason: error.reason, detail: error.message }
    throw error
  }
}

/** A line of the EHLO reply: `SIZE 10240000` -> [SIZE, 10240000]. */
function extension(line: string): [string, string] {
  const [keyword = '', ...parameters] = line.split(' ')
  return [keyword.toUpperCase(), parameters.join(' ')]
}

function tooLarge(size: number, limit: number): MailOutcome {
  const reply = `552 the message has ${size} bytes; the server takes ${limit}`
  return { outcome: 'refused', permanent: true, stage: 'mail', code: 552, enhanced: '5.3.4', reply }
}
