// The SMTP mailer: a pool of connections to one server, each carrying one message at a time, shared by workspaces and receiving domains.
// When the server is slow for one domain (a tarpit), only that domain's mail waits.

import { minute, second } from '../lib/duration.ts'
import { addressDomain } from '../lib/email-address.ts'
import { fairShare } from '../lib/fair-share.ts'
import type { HandOver, Mailer, MailOutcome, OutgoingMail } from './mailer.ts'
import { defaultTimeouts, SmtpConnection, type SmtpTimeouts } from './smtp-connection.ts'
import { readSmtpUrl, type SmtpOptions } from './smtp-url.ts'

const idleMs = 20 * second
/** Servers limit how many messages one connection may carry; a new one is cheap. */
const messagesPerConnection = 200
/** A workspace gets at most this many times the connections that it leaves to others; so does a receiving domain. */
const workspaceTimesFree = 9
const domainTimesFree = 4
/** How often a mail that waits because of its domain checks whether its turn is near; if not, it gives its place back. */
const lookEveryMs = second
const soonMs = 3 * second
/** A domain is stuck when no mail of it has finished for a second and for this many times the duration of its last one. */
const stuckTimes = 4
const longestWaitMs = 10 * minute
/** A mail that waits longer than this is delayed, and the caller is told. */
const heldUpMs = minute

export interface SmtpTransportOptions {
  /** See readSmtpUrl(). */
  url: string
  timeouts?: Partial<SmtpTimeouts>
}

export function smtpTransport({ url, timeouts = {} }: SmtpTransportOptions): Mailer {
  return new Pool(readSmtpUrl(url), { ...defaultTimeouts, ...timeouts })
}

/** What a mail asks for. Bulk mail and mail that somebody waits for have separate shares, so that neither uses up the other's. */
interface Claim {
  bulk: boolean
  /** The workspace and the receiving domain, separate for bulk mail and other mail. */
  workspace: string
  domain: string
}

interface Waiting {
  claim: Claim
  answer(given: 'yours' | MailOutcome): void
}

interface Domain {
  /** Connections in use by its mail, and how many of them wait for us to write the hand-over. */
  busy: number
  withUs: number
  /** How long its last mail took apart from our own part, and when the server last had to act; performance.now(). */
  lastMs: number
  endedAt: number
  /** When the last mail that was put off is due; performance.now(). */
  turnAt: number
}

const ofBulk = 'bulk '

const stopped: MailOutcome = {
  outcome: 'not_sent',
  stage: 'connect',
  reason: 'aborted',
  detail: 'stopped while waiting for a connection',
}

interface Idle {
  connection: SmtpConnection
  timer: ReturnType<typeof setTimeout>
}

class Pool implements Mailer {
  readonly kind = 'smtp'
  readonly #options: SmtpOptions
  readonly #timeouts: SmtpTimeouts
  #idle: Idle[] = []
  #busy = 0
  #busyBulk = 0
  readonly #workspaces = new Map<string, number>()
  readonly #domains = new Map<string, Domain>()
  #queue: Waiting[] = []
  #closed = false

  constructor(options: SmtpOptions, timeouts: SmtpTimeouts) {
    this.#options = options
    this.#timeouts = timeouts
  }

  async send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const { workspaceId, envelope } = mail
    const bulk = handOver.bulk ?? false
    const among = bulk ? ofBulk : ''
    const claim = { bulk, workspace: among + workspaceId, domain: among + addressDomain(envelope.to).toLowerCase() }
    const answer = await this.#place(claim, handOver.signal)
    if (answer !== 'yours') return answer
    const domain = this.#domain(claim.domain)
    const began = performance.now()
    let withUsMs = 0
    // Time that we spend ourselves, e.g. on a busy database, says nothing about a domain.
    const beforeFinalDot = async () => {
      const from = performance.now()
      domain.withUs++
      try {
        await handOver.beforeFinalDot()
      } finally {
        domain.withUs--
        domain.endedAt = performance.now()
        withUsMs = domain.endedAt - from
      }
    }
    try {
      return await this.#sendNow(mail, { ...handOver, beforeFinalDot })
    } finally {
      this.#giveBack(claim, performance.now() - began - withUsMs)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { connection, timer } of this.#idle) {
      clearTimeout(timer)
      connection.close()
    }
    this.#idle = []
  }

  /** Bulk mail leaves one connection free for mail that somebody waits for. */
  #hasRoom({ bulk, workspace, domain }: Claim): boolean {
    const { maxConnections } = this.#options
    const free = maxConnections - this.#busy
    if (free <= 0 || (bulk && this.#busyBulk >= Math.max(1, maxConnections - 1))) return false
    if (fairShare(free, this.#workspaces.get(workspace) ?? 0, workspaceTimesFree) === 0) return false
    return fairShare(free, this.#domains.get(domain)?.busy ?? 0, domainTimesFree) > 0
  }

  #take({ bulk, workspace, domain }: Claim): void {
    this.#busy++
    if (bulk) this.#busyBulk++
    this.#workspaces.set(workspace, (this.#workspaces.get(workspace) ?? 0) + 1)
    this.#domain(domain).busy++
  }

  #domain(name: string): Domain {
    const now = performance.now()
    return this.#domains.getOrInsertComputed(name, () => ({ busy: 0, withUs: 0, lastMs: 0, endedAt: now, turnAt: now }))
  }

  #giveBack({ bulk, workspace, domain: name }: Claim, tookMs: number): void {
    this.#busy--
    if (bulk) this.#busyBulk--
    const held = (this.#workspaces.get(workspace) ?? 1) - 1
    if (held === 0) this.#workspaces.delete(workspace)
    else this.#workspaces.set(workspace, held)
    const domain = this.#domain(name)
    Object.assign(domain, { busy: domain.busy - 1, lastMs: tookMs, endedAt: performance.now() })
    if (domain.busy === 0) this.#domains.delete(name)
    this.#next()
  }

  /**
   * Of the mails that may go: first those that somebody waits for, then those of the workspace with the fewest connections, then the
   * oldest.
   */
  #next(): void {
    for (;;) {
      let next: Waiting | null = null
      for (const waiting of this.#queue) {
        if ((next && !isBefore(waiting, next, this.#workspaces)) || !this.#hasRoom(waiting.claim)) continue
        next = waiting
      }
      if (next === null) return
      next.answer('yours')
    }
  }

  /** Waits for a connection, unless the signal aborts first, or its domain already has too many. */
  async #place(claim: Claim, signal: AbortSignal): Promise<'yours' | MailOutcome> {
    if (signal.aborted) return stopped
    if (this.#hasRoom(claim)) {
      this.#take(claim)
      return 'yours'
    }
    const { promise, resolve } = Promise.withResolvers<'yours' | MailOutcome>()
    const answer = (given: 'yours' | MailOutcome) => {
      this.#queue.splice(this.#queue.indexOf(waiting), 1)
      if (given === 'yours') this.#take(claim)
      resolve(given)
    }
    const waiting: Waiting = { claim, answer }
    const abort = () => answer(stopped)
    let lookedAt = performance.now()
    const timer = setInterval(() => {
      const sinceMs = performance.now() - lookedAt
      lookedAt += sinceMs
      // After a pause of our own, replies that arrived meanwhile must be read first.
      const wasAwake = sinceMs < 2 * lookEveryMs
      if (wasAwake && this.#isHeldUp(claim) && !this.#isSoon(waiting)) answer(this.#later(claim))
    }, lookEveryMs)
    this.#queue.push(waiting)
    signal.addEventListener('abort', abort, { once: true })
    const given = await promise
    clearInterval(timer)
    signal.removeEventListener('abort', abort)
    return given
  }

  /** True when there are connections, but not for this domain or workspace. */
  #isHeldUp({ bulk }: Claim): boolean {
    return this.#hasRoom({ bulk, workspace: '', domain: '' })
  }

  /** Whether the mails of its domain that wait before it will be gone soon, at the current speed. */
  #isSoon(waiting: Waiting): boolean {
    const name = waiting.claim.domain
    const domain = this.#domains.get(name)
    if (!domain) return true
    if (silentMs(domain) > Math.max(second, stuckTimes * domain.lastMs)) return false
    const place = this.#queue.filter(({ claim }) => claim.domain === name).indexOf(waiting) + 1
    return place * msPerMail(domain) <= soonMs
  }

  /** When the mails that were put off before it will have had their turn. */
  #later({ domain: name }: Claim): MailOutcome {
    const now = performance.now()
    const domain = this.#domains.get(name)
    const turnAt = Math.max(now, domain?.turnAt ?? now) + (domain ? msPerMail(domain) : 0)
    if (domain) domain.turnAt = turnAt
    const waitMs = Math.min(longestWaitMs, Math.max(second, Math.round(turnAt - now)))
    const outcome = waitMs < heldUpMs ? 'put_off' : 'held'
    return { outcome, waitMs, detail: `mail to ${name.replace(ofBulk, '')} is slow, and waits for its turn` }
  }

  async #sendNow(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const reused = this.#takeIdle()
    if (reused) {
      const outcome = await this.#sendOver(reused, mail, handOver)
      // A server may close an idle connection at any time; that says nothing about this mail.
      const stale = outcome.outcome === 'not_sent' && outcome.stage === 'mail' && outcome.reason === 'cut'
      if (!stale) return outcome
    }
    const { signal } = handOver
    const connection = await SmtpConnection.open(this.#options, { signal, timeouts: this.#timeouts })
    if (!(connection instanceof SmtpConnection)) return connection
    return this.#sendOver(connection, mail, handOver)
  }

  async #sendOver(connection: SmtpConnection, mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const outcome = await connection.send(mail, handOver)
    this.#keep(connection)
    return outcome
  }

  #takeIdle(): SmtpConnection | null {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      clearTimeout(idle.timer)
      if (idle.connection.usable) return idle.connection
    }
    return null
  }

  #keep(connection: SmtpConnection): void {
    if (!connection.usable) return
    if (this.#closed || connection.messages >= messagesPerConnection) {
      connection.close()
      return
    }
    const timer = setTimeout(() => {
      this.#idle = this.#idle.filter((one) => one.connection !== connection)
      connection.close()
    }, idleMs)
    this.#idle.push({ connection, timer })
  }
}

/** How often a mail of the domain finishes with the current connections: judged by the last ones, or by how long none has finished. */
function msPerMail(domain: Domain): number {
  return Math.max(domain.lastMs, silentMs(domain)) / Math.max(1, domain.busy)
}

/** For how long none of its mails has finished, counting only time in which the server had to act. */
function silentMs({ withUs, endedAt }: Domain): number {
  return withUs > 0 ? 0 : performance.now() - endedAt
}

function isBefore(one: Waiting, other: Waiting, connections: Map<string, number>): boolean {
  if (one.claim.bulk !== other.claim.bulk) return !one.claim.bulk
  if (one.claim.workspace === other.claim.workspace) return false
  const held = ({ claim }: Waiting) => connections.get(claim.workspace) ?? 0
  return held(one) < held(other)
}
