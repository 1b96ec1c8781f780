// One SMTP session with a sending server. It is strict where leniency enables attacks: every line ends with CRLF, nothing may follow DATA
// or STARTTLS before our reply, and only recipients known to the handlers are accepted (no relaying).

import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { parseAddress } from '../kit/email-address.ts'
import { Gathered } from '../kit/gathered.ts'
import { createPace } from '../kit/turn.ts'
import { endSoon } from './end-soon.ts'
import type { RawMail } from './raw-mail.ts'
import { type AuthStep, authMechanisms, beginAuth, type SmtpCredentials } from './smtp-auth.ts'
import { parameterFault, readMailCommand, utf8Refusal } from './smtp-command.ts'
import { IncomingMail, type SmtpAnswer } from './smtp-incoming.ts'
import type { SmtpLimits } from './smtp-places.ts'

export interface InboundMail {
  /** '' = the null sender. */
  from: string
  /** The recipients as the handlers accepted them. */
  recipients: string[]
  raw: RawMail
  /** The address of the sending server. */
  address: string
  helo: string
}

/** Of one session. Where mail is only taken from those who sign in, signIn() is there. */
export interface SmtpHandlers {
  /** Null = signed in. */
  signIn?(credentials: SmtpCredentials): Promise<SmtpAnswer | null>
  /** Null = may send as this address; '' = the null sender. */
  sender?(address: string): Promise<SmtpAnswer | null>
  /** Null = the recipient is accepted. */
  recipient(address: string): Promise<SmtpAnswer | null>
  /** Called after the final dot; its result is our reply. A throw becomes 451: the mail was not stored. */
  message(mail: InboundMail): Promise<SmtpAnswer>
}

/** Without it STARTTLS is not offered. */
export interface SessionTls {
  /** PEM, as it is now. */
  pair(): { key: string; cert: string }
  /** From the first byte, without STARTTLS. */
  implicit?: boolean
}

export interface SessionOptions {
  name: string
  tls?: SessionTls | undefined
  handlers: SmtpHandlers
  limits: SmtpLimits
  /** Shared by all sessions. */
  held: { bytes: number }
  address: string
}

/** RFC 5321, 4.5.3.1.4 allows 512; extensions to MAIL add to it. */
export const maxCommandBytes = 2_000
/** A mail is parsed in slices, because it may consist of line ends only, and other work needs its turn. */
const maxSliceBytes = 32 * 1024
/** How many bytes may wait unread while a command is being answered. */
const maxPendingBytes = 64 * 1024
const maxFaults = 10
const maxUnknownRecipients = 20
const maxWrongSignIns = 3

interface Transaction {
  from: string
  recipients: string[]
}

export class SmtpSession {
  readonly address: string
  readonly ended: Promise<void>
  readonly #options: SessionOptions
  #socket: Socket
  readonly #pending = new Gathered()
  #helo = ''
  #transaction: Transaction | null = null
  #incoming: IncomingMail | null = null
  #incomingTimer: ReturnType<typeof setTimeout> | undefined
  #signInTimer: ReturnType<typeof setTimeout> | undefined
  /** Gets the next line, while a client signs in. */
  #exchange: ((line: string) => AuthStep) | null = null
  #isSignedIn = false
  #wrongSignIns = 0
  #faults = 0
  #unknownRecipients = 0
  #working = false
  #stopping = false
  #closed = false
  readonly #pace = createPace()
  readonly #timers: ReturnType<typeof setTimeout>[] = []
  readonly #resolveEnded: () => void

  constructor(socket: Socket, options: SessionOptions) {
    this.#socket = socket
    this.#options = options
    this.address = options.address
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.#resolveEnded = resolve
  }

  start(): void {
    const { handlers, limits, name, tls } = this.#options
    this.#timers.push(setTimeout(() => this.#quit(421, '4.4.2 the session took too long'), limits.sessionMs))
    if (handlers.signIn)
      this.#signInTimer = setTimeout(() => this.#quit(421, '4.4.2 nobody signed in'), limits.signInMs)
    if (tls?.implicit) this.#secure(tls)
    else this.#listen(this.#socket)
    this.#say(220, `${name} ESMTP`)
  }

  /** Ends at once, or after its reply if a mail is being stored. */
  stop(): Promise<void> {
    this.#stopping = true
    if (!this.#working) this.#quit(421, '4.3.2 shutting down')
    return this.ended
  }

  #listen(socket: Socket): void {
    this.#socket = socket
    socket.setTimeout(this.#options.limits.idleMs, () => this.#quit(421, '4.4.2 the connection was idle for too long'))
    socket.on('data', (data: Buffer) => this.#receive(data))
    socket.on('error', () => this.#close())
    socket.on('close', () => {
      this.#close()
      this.#resolveEnded()
    })
  }

  #receive(data: Buffer): void {
    if (this.#closed) return
    this.#pending.add(data)
    if (!this.#working) void this.#work()
    if (this.#working && this.#pending.length > maxPendingBytes) this.#socket.pause()
  }

  /** Processes the pending commands, one after the other. */
  async #work(): Promise<void> {
    this.#working = true
    try {
      while (!this.#closed && this.#pending.length > 0) {
        await this.#pace()
        const used = this.#incoming ? await this.#readData(this.#incoming) : await this.#readCommand()
        if (!used) break
      }
    } catch {
      this.#quit(451, '4.3.0 internal error; try again')
    }
    this.#working = false
    if (this.#stopping) this.#quit(421, '4.3.2 shutting down')
    if (!this.#closed) this.#socket.resume()
  }

  /** False when the command is not complete yet. */
  async #readCommand(): Promise<boolean> {
    const end = this.#pending.indexOf('\n')
    const length = end === -1 ? this.#pending.length : end + 1
    if (length > maxCommandBytes) return this.#quit(500, '5.5.2 line too long')
    if (end === -1) return false
    const line = this.#pending.take(length)
    const strayCr = line.indexOf('\r')
    if (strayCr !== line.length - 2) return this.#quit(500, '5.5.2 lines must end with CRLF')
    const text = line.subarray(0, -2).toString('latin1')
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(text)) return this.#fault(500, '5.5.2 control characters')
    if (this.#exchange) return await this.#authStep(this.#exchange(text))
    const [, verb = '', rest = ''] = /^(\S*)(?: (.*))?$/.exec(text) ?? []
    return this.#command(verb.toUpperCase(), rest.trim())
  }

  #command(verb: string, rest: string): true | Promise<true> {
    switch (verb) {
      case 'EHLO':
      case 'HELO':
        return this.#hello(verb, rest)
      case 'STARTTLS':
        return this.#startTls()
      case 'AUTH':
        return this.#auth(rest)
      case 'MAIL':
        return this.#mail(rest)
      case 'RCPT':
        return this.#recipient(rest)
      case 'DATA':
        return this.#data()
      case 'RSET':
        this.#transaction = null
        return this.#say(250, '2.0.0 OK')
      case 'NOOP':
        return this.#say(250, '2.0.0 OK')
      case 'QUIT':
        return this.#quit(221, '2.0.0 Bye')
      case 'VRFY':
      case 'EXPN':
      case 'HELP':
        return this.#fault(502, '5.5.1 not here')
      default:
        return this.#fault(500, '5.5.1 unknown command')
    }
  }

  #hello(verb: string, name: string): true {
    if (this.#outOfStep()) return true
    if (!/^[\x21-\x7e]{1,255}$/.test(name)) return this.#fault(501, '5.5.4 name yourself')
    this.#helo = name
    this.#transaction = null
    const { limits, tls } = this.#options
    if (verb === 'HELO') return this.#say(250, this.#options.name)
    const offers = ['PIPELINING', `SIZE ${limits.maxMessageBytes}`, '8BITMIME', 'ENHANCEDSTATUSCODES']
    if (tls && !this.#isSecure()) offers.push('STARTTLS')
    if (this.#mayAsk()) offers.push(`AUTH ${authMechanisms.join(' ')}`)
    return this.#say(250, [this.#options.name, ...offers].join('\n'))
  }

  #secure({ pair }: SessionTls): void {
    const plain = this.#socket
    plain.removeAllListeners('data')
    plain.setTimeout(0)
    this.#listen(new TLSSocket(plain, { isServer: true, ...pair() }))
  }

  /** Plain text after STARTTLS would be read as if it had arrived inside TLS (CVE-2011-0411). */
  #startTls(): true {
    const { tls } = this.#options
    if (this.#outOfStep()) return true
    if (!tls || this.#isSecure()) return this.#fault(502, '5.5.1 not here')
    this.#say(220, '2.0.0 go ahead')
    this.#helo = ''
    this.#transaction = null
    this.#secure(tls)
    return true
  }

  /** A password is only asked for where nobody else reads it, or where there is no certificate (core/config/submission.ts). */
  #mayAsk(): boolean {
    const { handlers, tls } = this.#options
    return handlers.signIn !== undefined && (tls === undefined || this.#isSecure())
  }

  #auth(rest: string): true | Promise<true> {
    if (!this.#options.handlers.signIn) return this.#fault(502, '5.5.1 not here')
    if (!this.#mayAsk()) return this.#fault(538, '5.7.11 STARTTLS first: a password is only accepted inside TLS')
    if (this.#helo === '') return this.#fault(503, '5.5.1 EHLO first')
    if (this.#isSignedIn || this.#transaction) return this.#fault(503, '5.5.1 not now')
    const [mechanism = '', initial = null] = rest.split(' ')
    const step = beginAuth(mechanism, initial)
    return step ? this.#authStep(step) : this.#fault(504, `5.5.4 the mechanisms are ${authMechanisms.join(' and ')}`)
  }

  async #authStep(step: AuthStep): Promise<true> {
    this.#exchange = step.outcome === 'ask' ? step.next : null
    if (step.outcome === 'ask') return this.#say(334, step.say)
    if (step.outcome === 'fault') return this.#fault(501, '5.5.2 base64 was expected')
    const refusal = (await this.#options.handlers.signIn?.(step.credentials)) ?? null
    if (refusal && ++this.#wrongSignIns >= maxWrongSignIns) return this.#quit(421, `4.7.0 too many failed sign-ins`)
    if (refusal) return this.#say(refusal.code, refusal.text)
    this.#isSignedIn = true
    clearTimeout(this.#signInTimer)
    return this.#say(235, '2.7.0 signed in')
  }

  async #mail(rest: string): Promise<true> {
    const { handlers, limits } = this.#options
    if (this.#helo === '') return this.#fault(503, '5.5.1 EHLO first')
    if (handlers.signIn && !this.#isSignedIn)
      return this.#fault(530, `5.7.0 ${this.#mayAsk() ? 'AUTH' : 'STARTTLS'} first`)
    if (this.#transaction) return this.#fault(503, '5.5.1 there is a sender already')
    const command = readMailCommand(rest, 'FROM')
    if (!command) return this.#fault(501, '5.5.4 MAIL FROM:<address>')
    const { path, parameters } = command
    const fault = parameterFault(parameters, { ...limits, takesAuth: handlers.signIn !== undefined })
    if (fault) return fault.code === 552 ? this.#say(fault.code, fault.text) : this.#fault(fault.code, fault.text)
    const refusal = utf8Refusal(path) ?? (await handlers.sender?.(path)) ?? null
    if (refusal) return this.#say(refusal.code, refusal.text)
    this.#transaction = { from: path, recipients: [] }
    return this.#say(250, '2.1.0 OK')
  }

  async #recipient(rest: string): Promise<true> {
    const { handlers, limits } = this.#options
    if (!this.#transaction) return this.#fault(503, '5.5.1 MAIL first')
    const command = readMailCommand(rest, 'TO')
    if (!command || command.path === '') return this.#fault(501, '5.5.4 RCPT TO:<address>')
    if (command.parameters.length > 0) return this.#fault(555, '5.5.4 unknown parameter')
    if (this.#transaction.recipients.length >= limits.maxRecipients)
      return this.#say(
        452,
        `4.5.3 too many recipients: at most ${limits.maxRecipients}; send the mail again for the others`,
      )
    // RFC 5321, 4.5.1: postmaster is the one address that needs no domain.
    const isPostmaster = command.path.toLowerCase() === 'postmaster'
    const parsed = parseAddress(isPostmaster ? `postmaster@${this.#options.name}` : command.path)
    const unreadable =
      parsed.ok || !handlers.signIn ? null : { code: 553, text: `5.1.3 the recipient ${parsed.reason}` }
    const refusal = utf8Refusal(command.path) ?? (parsed.ok ? await handlers.recipient(parsed.address) : unreadable)
    if (!refusal && parsed.ok) {
      const { recipients } = this.#transaction
      if (!recipients.includes(parsed.address)) recipients.push(parsed.address)
      return this.#say(250, '2.1.5 OK')
    }
    if (++this.#unknownRecipients > maxUnknownRecipients) return this.#quit(421, '4.7.0 too many unknown recipients')
    return this.#say(refusal?.code ?? 550, refusal?.text ?? '5.1.1 no such mailbox here')
  }

  #data(): true {
    const { limits, held } = this.#options
    if (!this.#transaction) return this.#fault(503, '5.5.1 MAIL first')
    if (this.#transaction.recipients.length === 0) return this.#fault(554, '5.5.1 no valid recipients')
    if (this.#outOfStep()) return true
    this.#incoming = new IncomingMail(limits, held)
    this.#incomingTimer = setTimeout(() => this.#quit(421, '4.4.2 the mail took too long'), limits.dataMs)
    return this.#say(354, 'end with <CRLF>.<CRLF>')
  }

  /** False when everything received so far is read, but the final dot has not arrived. */
  async #readData(incoming: IncomingMail): Promise<boolean> {
    const data = this.#pending.bytes.subarray(0, maxSliceBytes)
    const result = incoming.push(data)
    this.#pending.take(data.length - (result.event === 'end' ? result.rest.length : 0))
    if (result.event === 'bare') return this.#quit(550, '5.6.11 lines must end with CRLF: the mail was not accepted')
    if (result.event === 'more') {
      if (incoming.isFlood) return this.#quit(552, '5.3.4 the mail is too large')
      return this.#pending.length > 0
    }
    clearTimeout(this.#incomingTimer)
    const answer = incoming.refusal ?? (await this.#deliver(incoming))
    incoming.release()
    this.#incoming = null
    this.#transaction = null
    return this.#say(answer.code, answer.text)
  }

  async #deliver(incoming: IncomingMail): Promise<SmtpAnswer> {
    const { from, recipients } = this.#transaction ?? { from: '', recipients: [] }
    this.#socket.setTimeout(0)
    try {
      const about = { from, recipients, address: this.address, helo: this.#helo }
      return await this.#options.handlers.message({ ...about, raw: await incoming.raw() })
    } catch {
      return { code: 451, text: '4.3.0 the mail could not be stored; try again' }
    } finally {
      this.#socket.setTimeout(this.#options.limits.idleMs)
    }
  }

  /** After DATA, EHLO and STARTTLS a client must wait for our reply (RFC 2920, 3.1). */
  #outOfStep(): boolean {
    if (this.#pending.length === 0) return false
    this.#quit(554, '5.5.0 you did not wait for the answer')
    return true
  }

  #isSecure(): boolean {
    return this.#socket instanceof TLSSocket
  }

  #fault(code: number, text: string): true {
    return ++this.#faults > maxFaults ? this.#quit(421, '4.7.0 too many mistakes') : this.#say(code, text)
  }

  #say(code: number, text: string): true {
    const lines = text.split('\n')
    return this.#send(lines.map((line, at) => `${code}${at < lines.length - 1 ? '-' : ' '}${line}\r\n`).join(''))
  }

  /** Always true: whatever the reply, the command is consumed. */
  #send(text: string): true {
    if (!this.#closed) this.#socket.write(text)
    return true
  }

  /** Sends the reply and closes. True, so that the loop over commands ends. */
  #quit(code: number, text: string): true {
    if (this.#closed) return true
    this.#say(code, text)
    this.#close()
    return true
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#incomingTimer)
    clearTimeout(this.#signInTimer)
    this.#incoming?.release()
    for (const timer of this.#timers) clearTimeout(timer)
    endSoon(this.#socket)
  }
}
