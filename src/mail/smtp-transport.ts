// The SMTP mailer: a pool of connections to one server, each carrying one message at a time. Workspaces and receiving domains share
// them: a domain for which the server is slow (a tarpit) keeps its mail waiting, and nobody else's.

import { minute, second } from '../lib/duration.ts'
import { addressDomain } from '../lib/email-address.ts'
import { fairShare } from '../lib/fair-share.ts'
import type { HandOver, Mailer, MailOutcome, OutgoingMail } from './mailer.ts'
import { defaultTimeouts, SmtpConnection, type SmtpTimeouts } from './smtp-connection.ts'
import { readSmtpUrl, type SmtpOptions } from './smtp-url.ts'

const idleMs = 20 * second
/** Servers limit what one connection may carry; a fresh one is cheap. */
const messagesPerConnection = 200
/** A workspace has at most so many times the connections it leaves to others; so does a receiving domain. */
const workspaceTimesFree = 9
const domainTimesFree = 4
/** So often a mail that waits because of its domain is asked whether it can expect its turn soon; else it gives its place back. */
const lookEveryMs = second
const soonMs = 3 * second
/** A domain of which no mail ended for so many times what its last one took, and for a second, is stuck. */
const stuckTimes = 4
const longestWaitMs = 10 * minute
/** A mail that waits so long is held up, and its sender is told. */
const heldUpMs = minute

export interface SmtpTransportOptions {
  /** See readSmtpUrl(). */
  url: string
  timeouts?: Partial<SmtpTimeouts>
}

export function smtpTransport({ url, timeouts = {} }: SmtpTransportOptions): Mailer {
  return new Pool(readSmtpUrl(url), { ...defaultTimeouts, ...timeouts })
}

/** What a mail asks for. Bulk mail and mail that somebody waits for have shares of their own: the one does not use up the other's. */
interface Claim {
  bulk: boolean
  /** The workspace and the receiving domain, of bulk mail or of other. */
  workspace: string
  domain: string
}

interface Waiting {
  claim: Claim
  answer(given: 'yours' | MailOutcome): void
}

interface Domain {
  /** Connections that carry its mail, and how many of them wait for us: for the hand-over to be written. */
  busy: number
  withUs: number
  /** What its last mail took without us, and when the server last had its turn; performance.now(). */
  lastMs: number
  endedAt: number
  /** When the last mail that was put off has its turn; performance.now(). */
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
    // What we take ourselves, e.g. for a database that is busy, says nothing about a domain.
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

  /** Bulk mail leaves one connection free, so that a mail that somebody waits for finds it. */
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

  /** Of those that may go: who is waited for goes first, then whose workspace has the fewest connections, then who came first. */
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

  /** Waits for one of the pool's places, unless the signal comes first, or it is the domain that has too many. */
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
      // Where we stood still ourselves, what was said meanwhile has yet to be heard.
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

  /** There are connections, and they are not for this domain or workspace. */
  #isHeldUp({ bulk }: Claim): boolean {
    return this.#hasRoom({ bulk, workspace: '', domain: '' })
  }

  /** Whether those of its domain that wait before it will have gone soon, as fast as they go. */
  #isSoon(waiting: Waiting): boolean {
    const name = waiting.claim.domain
    const domain = this.#domains.get(name)
    if (!domain) return true
    if (silentMs(domain) > Math.max(second, stuckTimes * domain.lastMs)) return false
    const place = this.#queue.filter(({ claim }) => claim.domain === name).indexOf(waiting) + 1
    return place * msPerMail(domain) <= soonMs
  }

  /** When the mails that were put off before it have had their turn. */
  #later({ domain: name }: Claim): MailOutcome {
    const now = performance.now()
    const domain = this.#domains.get(name)
    const turnAt = Math.max(now, domain?.turnAt ?? now) + (domain ? msPerMail(domain) : 0)
    if (domain) domain.turnAt = turnAt
    const waitMs = Math.min(longestWaitMs, Math.max(second, Math.round(turnAt - now)))
    const outcome = waitMs < heldUpMs ? 'put_off' : 'held'
    return { outcome, waitMs, detail: `mail to ${name.replace(ofBulk, '')} takes long, and waits for its turn` }
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

/** How often one goes, with the connections that there are: as the last ones did, or as long as there has been none. */
function msPerMail(domain: Domain): number {
  return Math.max(domain.lastMs, silentMs(domain)) / Math.max(1, domain.busy)
}

/** For how long none of its mails has ended, though it was the server's turn. */
function silentMs({ withUs, endedAt }: Domain): number {
  return withUs > 0 ? 0 : performance.now() - endedAt
}

function isBefore(one: Waiting, other: Waiting, connections: Map<string, number>): boolean {
  if (one.claim.bulk !== other.claim.bulk) return !one.claim.bulk
  if (one.claim.workspace === other.claim.workspace) return false
  const held = ({ claim }: Waiting) => connections.get(claim.workspace) ?? 0
  return held(one) < held(other)
}
