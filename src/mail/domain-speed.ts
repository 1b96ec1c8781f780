// Measures how quickly the mail server accepts mail for each receiving domain: fast, slow (a tarpit), or not known yet. Bulk mail and other
// mail of a domain are measured separately. All times are of performance.now().

import { minute, second } from '../kit/duration.ts'
import type { MailOutcome } from './mailer.ts'

/** A domain is slow when a mail of it takes, or has taken, longer than this by default, and it is stuck after this many times its last one. */
const defaultSlowMs = second
const stuckTimes = 4
/** A domain that has answered nothing yet is stuck sooner, where others answer sooner: after as many times the usual, but not before this. */
const leastFirstMs = 250
/** How much of the usual the last mail is. */
const lastShare = 1 / 8
/** How long a measurement is kept, and for how many domains. */
const knownMs = 10 * minute
const mostKnown = 5_000
/** How many of the last mails say whether the server itself is slow. */
const lastMails = 32
/** The least time between two mails that were put off, of a domain that does not answer. */
const apartMs = 250
const longestWaitMs = 10 * minute
/** A mail that waits longer than this is delayed, and the caller is told. */
const heldUpMs = minute

/** Mail of one kind to one receiving domain, with its name and that of the other kind: they are looked up many times for each mail. */
export interface DomainTraffic {
  domain: string
  name: string
  otherName: string
}

export function trafficTo({ bulk, domain }: { bulk: boolean; domain: string }): DomainTraffic {
  const [name, otherName] = bulk ? [`bulk ${domain}`, domain] : [domain, `bulk ${domain}`]
  return { domain, name, otherName }
}

export type Speed = 'answers' | 'untried' | 'slow'

export interface DomainLoad {
  /** Connections in use by its mail, and how many of them wait for us to write the hand-over. */
  busy: number
  withUs: number
  /** How long its last mail took apart from our own part, null before the first; when it ended. */
  lastMs: number | null
  endedAt: number
  /** Since when the server has had to act. */
  actsSince: number
  /** For how much of that it was seen to do nothing: pauses of our own left out. */
  seenSilentMs: number
  /** When the last mail that was put off is due. */
  turnAt: number
}

export class DomainSpeeds {
  readonly #slowMs: number
  readonly #domains = new Map<string, DomainLoad>()
  /** Above 0 when most of the last mails were slow: that says nothing about their domains. */
  #slowness = 0
  /** The duration of a mail that is not slow; null before the first. */
  #usualMs: number | null = null

  constructor(slowMs = defaultSlowMs) {
    this.#slowMs = slowMs
  }

  get isServerSlow(): boolean {
    return this.#slowness > 0
  }

  speedOf(to: DomainTraffic): Speed {
    const load = this.#domains.get(to.name)
    return load ? this.speedOfLoad(load, performance.now()) : 'untried'
  }

  speedOfLoad(load: DomainLoad, now: number): Speed {
    if (this.#isStuck(load, now)) return 'slow'
    if (load.lastMs === null || now - load.endedAt > knownMs) return 'untried'
    return load.lastMs > this.#slowMs ? 'slow' : 'answers'
  }

  /** Connections in use. */
  busy(to: DomainTraffic): number {
    return this.#domains.get(to.name)?.busy ?? 0
  }

  /** Of both kinds. */
  busyOfAll(to: DomainTraffic): number {
    return this.busy(to) + (this.#domains.get(to.otherName)?.busy ?? 0)
  }

  /** The load is remembered as long as it is busy. */
  begins(to: DomainTraffic): DomainLoad {
    const load = this.#known(to)
    const now = performance.now()
    if (load.busy === 0) {
      if (now - load.endedAt > knownMs) load.lastMs = null
      acts(load, now)
    }
    load.busy++
    return load
  }

  /** It has been seen for so long that the server does nothing for the domain. */
  seenSilent(to: DomainTraffic, ms: number): void {
    const load = this.#domains.get(to.name)
    if (load && load.withUs === 0) load.seenSilentMs += ms
  }

  /** Time that we spend ourselves, e.g. on a busy database, says nothing about a domain, however it ends. */
  async withUs<T>(to: DomainTraffic, write: () => Promise<T>): Promise<T> {
    const load = this.#known(to)
    load.withUs++
    try {
      return await write()
    } finally {
      load.withUs--
      acts(load, performance.now())
    }
  }

  /** A mail left its connection. `wasRecalled`: before the domain was heard of. */
  ends(to: DomainTraffic, { tookMs, wasRecalled }: { tookMs: number; wasRecalled: boolean }): void {
    const load = this.#known(to)
    const endedAt = performance.now()
    // A mail that was recalled would have taken longer, and its domain is slow until one answers.
    const lastMs = wasRecalled ? Math.max(tookMs, 2 * this.#slowMs) : tookMs
    Object.assign(load, { busy: load.busy - 1, lastMs, endedAt })
    if (wasRecalled) return
    acts(load, endedAt)
    const usualMs = this.#usualMs ?? tookMs
    if (tookMs <= this.#slowMs) this.#usualMs = usualMs + (tookMs - usualMs) * lastShare
    const slowness = this.#slowness + (tookMs > this.#slowMs ? 1 : -1)
    this.#slowness = Math.max(-lastMails, Math.min(lastMails, slowness))
  }

  /** How long the mail takes that has `before` others of its domain before it, at the current speed; Infinity while it is stuck. */
  waitMs(to: DomainTraffic, before: number): number {
    const load = this.#domains.get(to.name)
    if (!load) return 0
    const now = performance.now()
    return this.#isStuck(load, now) ? Number.POSITIVE_INFINITY : (before + 1) * msPerMail(load, now)
  }

  /** For a mail that gets no connection: when those that were put off before it will have had their turn. */
  later(to: DomainTraffic): MailOutcome {
    const now = performance.now()
    const load = this.#known(to)
    const speed = this.speedOf(to)
    load.turnAt = Math.max(now, load.turnAt) + Math.max(speed === 'answers' ? 0 : apartMs, msPerMail(load, now))
    const waitMs = Math.min(
      longestWaitMs,
      Math.max(speed === 'untried' ? apartMs : second, Math.round(load.turnAt - now)),
    )
    const outcome = waitMs < heldUpMs ? 'put_off' : 'held'
    return { outcome, waitMs, detail: `mail to ${to.domain} is slow, and waits for its turn` }
  }

  /** No mail of it has finished for a second and for some times the duration of its last one, or its first does not in the usual time. */
  #isStuck(load: DomainLoad, now: number): boolean {
    if (silentMs(load, now) > Math.max(this.#slowMs, stuckTimes * (load.lastMs ?? 0))) return true
    const firstMs = Math.max(leastFirstMs, stuckTimes * (this.#usualMs ?? this.#slowMs))
    return load.lastMs === null && load.busy > 0 && load.withUs === 0 && load.seenSilentMs > firstMs
  }

  #known(to: DomainTraffic): DomainLoad {
    const known = this.#domains.get(to.name)
    if (known !== undefined) return known
    if (this.#domains.size >= mostKnown) this.#forgetOne()
    const now = performance.now()
    const first = { busy: 0, withUs: 0, lastMs: null, endedAt: now, actsSince: now, seenSilentMs: 0, turnAt: now }
    this.#domains.set(to.name, first)
    return first
  }

  #forgetOne(): void {
    const idle = this.#domains.entries().find(([, { busy }]) => busy === 0)
    if (idle) this.#domains.delete(idle[0])
  }
}

/** The server did something for it, or has to from now on. */
function acts(load: DomainLoad, now: number): void {
  Object.assign(load, { actsSince: now, seenSilentMs: 0 })
}

/** How often a mail of the domain finishes with the current connections: judged by the last ones, or by how long none has finished. */
function msPerMail(load: DomainLoad, now: number): number {
  return Math.max(load.lastMs ?? 0, silentMs(load, now)) / Math.max(1, load.busy)
}

/** For how long none of its mails has finished, counting only time in which the server had to act. */
function silentMs({ busy, withUs, actsSince }: DomainLoad, now: number): number {
  return busy === 0 || withUs > 0 ? 0 : now - actsSince
}
