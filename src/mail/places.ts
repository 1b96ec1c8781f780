// Decides which mail gets a connection to the mail server. Workspaces and receiving domains share the connections, and mail that somebody
// waits for goes before bulk mail. A fast domain may use most of them, and some are always reserved for fast domains. Slow domains
// (tarpits) share a part, and give back connections beyond it when others wait. So there is room for domains of unknown speed, which is
// measured with one mail. A connection that cannot be given back, because its mail is being handed over, is replaced by an additional one,
// up to a limit.

import { second } from '../kit/duration.ts'
import { fairShare } from '../kit/fair-share.ts'
import { type DomainLoad, DomainSpeeds, type DomainTraffic, type Speed, trafficTo } from './domain-speed.ts'
import type { HandOver, MailOutcome, SlowReceiver } from './mailer.ts'
import { domainTimesFree, type Limits, limitsOf } from './place-limits.ts'

/** A workspace gets at most this many times the connections that it leaves to others. */
const workspaceTimesFree = 9
/** So many mails for domains that may be slow wait for a connection; others are tried again later. */
const mostUnsureWaiting = 8
/** How often waiting mails are checked: one whose turn is not near gives its place back. */
const lookEveryMs = 100
const soonMs = 3 * second
/** Slow domains that are remembered to explain why mail waits. */
const mostSlowNamed = 1_000

/** The request of a mail for a connection. Bulk mail and mail that somebody waits for have separate shares, so that neither uses up the other's. */
export interface Claim {
  bulk: boolean
  workspace: string
  /** The receiving domain, or the receiver of several. */
  domain: string
}

/** A claim with the names that it is counted by. */
interface Claimant extends Claim {
  /** Who sends it, and whom to. */
  sender: string
  traffic: DomainTraffic
  /** Of both: what decides whether there is room for it. */
  kind: string
}

export interface PlaceCounts {
  most: number
  /** To one domain, of which bulk mail leaves one free as well. Default: as fairness allows. */
  mostPerDomain?: number
  /** From when on a mail is slow. Default: as a relay is expected to answer. */
  slowMs?: number
}

/** A connection in use. */
interface ConnectionInUse {
  claim: Claimant
  load: DomainLoad
  beganAt: number
  /** For how long the server waited for us. */
  withUsMs: number
  handsOver: boolean
  /** Aborted when others need the connection more; not after the hand-over. */
  recall: AbortController
  wasRecalled: boolean
}

interface Waiting {
  claim: Claimant
  since: number
  turnedAway: HandOver['turnedAway']
  answer(given: ConnectionInUse | MailOutcome): void
}

/** Connections of domains that are slow, and of those and the untried; of the slow ones, those whose mail is handed over. */
interface Counts {
  slow: number
  unsure: number
  handedOver: number
}

/** At one moment. */
interface Usage {
  all: Counts
  bulk: Counts
  limits: Limits
  /** How many connections of slow domains do not count, because these cannot give them back. */
  replaced: number
}

const stopped: MailOutcome = {
  outcome: 'not_sent',
  stage: 'connect',
  reason: 'aborted',
  detail: 'stopped while waiting for a connection',
}

export class Places {
  readonly #most: number
  readonly #mostPerDomain: number
  readonly #limits: { usually: Limits; ofSlowServer: Limits }
  readonly #places = new Set<ConnectionInUse>()
  #busyBulk = 0
  readonly #workspaces = new Map<string, number>()
  readonly #domains: DomainSpeeds
  readonly #slow = new Map<string, { workspaceId: string; domain: string; since: number }>()
  #queue: Waiting[] = []
  #timer: ReturnType<typeof setInterval> | undefined
  #lookedAt = 0

  constructor({ most, mostPerDomain = most, slowMs }: PlaceCounts) {
    this.#domains = new DomainSpeeds(slowMs)
    this.#most = most
    this.#mostPerDomain = mostPerDomain
    this.#limits = { usually: limitsOf(most, false), ofSlowServer: limitsOf(most, true) }
  }

  /** `sendNow` gets a connection, which it may have to give back before the hand-over; or the mail is to come again. */
  async send(
    asked: Claim,
    handOver: HandOver,
    sendNow: (placed: HandOver) => Promise<MailOutcome>,
  ): Promise<MailOutcome> {
    const claim = toClaimant(asked)
    const place = await this.#take(claim, handOver)
    if ('outcome' in place) return place
    const { recall } = place
    const stop = () => recall.abort(handOver.signal.reason)
    handOver.signal.addEventListener('abort', stop, { once: true })
    const beforeFinalDot = () => this.#handOver(place, () => handOver.beforeFinalDot())
    const sent = sendNow({ ...handOver, signal: recall.signal, beforeFinalDot })
    const outcome = await sent.finally(() => {
      handOver.signal.removeEventListener('abort', stop)
      this.#giveBack(place)
    })
    const gaveWay = outcome.outcome === 'not_sent' && place.wasRecalled && !handOver.signal.aborted
    return gaveWay ? this.#later(claim) : outcome
  }

  /** Waits for a connection, unless the signal aborts first, or its domain already has too many. */
  async #take(claim: Claimant, { signal, turnedAway }: HandOver): Promise<ConnectionInUse | MailOutcome> {
    if (signal.aborted) return stopped
    const usage = this.#usage()
    if (this.#hasRoom(claim, usage)) return this.#taken(claim)
    const away = this.#turnedAway(claim, usage)
    if (away !== null) return away
    const { promise, resolve } = Promise.withResolvers<ConnectionInUse | MailOutcome>()
    const answer = (given: ConnectionInUse | MailOutcome) => {
      const at = this.#queue.indexOf(waiting)
      if (at !== -1) this.#queue.splice(at, 1)
      resolve(given)
    }
    const waiting: Waiting = { claim, since: performance.now(), turnedAway, answer }
    const abort = () => answer(stopped)
    this.#queue.push(waiting)
    this.#thinOut(usage)
    this.#watch()
    this.#recall(usage)
    signal.addEventListener('abort', abort, { once: true })
    return await promise.finally(() => signal.removeEventListener('abort', abort))
  }

  /** For a mail whose slow domain has all that it may use, and that would wait for long. */
  turnedAway(claim: Claim): MailOutcome | null {
    return this.#turnedAway(toClaimant(claim))
  }

  #turnedAway(claim: Claimant, usage?: Usage): MailOutcome | null {
    if (this.#domains.speedOf(claim.traffic) !== 'slow' || this.#isSoon(claim, this.#waitingFor(claim))) return null
    return this.#hasRoom(claim, usage ?? this.#usage()) ? null : this.#later(claim)
  }

  #waitingFor({ traffic: { name } }: Claimant): number {
    return this.#queue.reduce((count, { claim }) => (claim.traffic.name === name ? count + 1 : count), 0)
  }

  async #handOver<T>(place: ConnectionInUse, write: () => Promise<T>): Promise<T> {
    place.handsOver = true
    const from = performance.now()
    try {
      return await this.#domains.withUs(place.claim.traffic, write)
    } finally {
      place.withUsMs = performance.now() - from
    }
  }

  #giveBack(place: ConnectionInUse): void {
    const { claim, beganAt, withUsMs, wasRecalled } = place
    this.#places.delete(place)
    if (claim.bulk) this.#busyBulk--
    const held = (this.#workspaces.get(claim.sender) ?? 1) - 1
    if (held === 0) this.#workspaces.delete(claim.sender)
    else this.#workspaces.set(claim.sender, held)
    const tookMs = performance.now() - beganAt - withUsMs
    this.#domains.ends(claim.traffic, { tookMs, wasRecalled })
    this.#next()
  }

  /** For a mail that gave its connection back, or gets none: it lets others of its domain go first. */
  #later(claim: Claimant): MailOutcome {
    this.#noteSlow(claim)
    return this.#domains.later(claim.traffic)
  }

  /** The receiving domains that are slow while others are not. */
  slowReceivers(): SlowReceiver[] {
    if (this.#domains.isServerSlow) return []
    const now = performance.now()
    const isSlow = (domain: string) =>
      [true, false].some((bulk) => this.#domains.speedOf(trafficTo({ bulk, domain })) === 'slow')
    for (const [name, { domain }] of this.#slow) if (!isSlow(domain)) this.#slow.delete(name)
    return [...this.#slow.values()].map(({ since, ...receiver }) => ({ ...receiver, forMs: now - since }))
  }

  #noteSlow({ workspace: workspaceId, domain, traffic }: Claimant): void {
    const name = `${workspaceId} ${domain}`
    if (this.#slow.has(name) || this.#domains.speedOf(traffic) !== 'slow') return
    const oldest = this.#slow.size < mostSlowNamed ? undefined : this.#slow.keys().next().value
    if (oldest !== undefined) this.#slow.delete(oldest)
    this.#slow.set(name, { workspaceId, domain, since: performance.now() })
  }

  #taken(claim: Claimant): ConnectionInUse {
    if (claim.bulk) this.#busyBulk++
    this.#workspaces.set(claim.sender, (this.#workspaces.get(claim.sender) ?? 0) + 1)
    const load = this.#domains.begins(claim.traffic)
    const recall = new AbortController()
    const beganAt = performance.now()
    const place = { claim, load, beganAt, withUsMs: 0, handsOver: false, recall, wasRecalled: false }
    this.#places.add(place)
    return place
  }

  #usage(): Usage {
    const now = performance.now()
    const all = { slow: 0, unsure: 0, handedOver: 0 }
    const bulk = { slow: 0, unsure: 0, handedOver: 0 }
    for (const { claim, load, handsOver, wasRecalled } of this.#places) {
      const speed = wasRecalled ? 'answers' : this.#domains.speedOfLoad(load, now)
      if (speed === 'answers') continue
      for (const counts of claim.bulk ? [all, bulk] : [all]) {
        counts.unsure++
        if (speed === 'slow') counts.slow++
        if (speed === 'slow' && handsOver) counts.handedOver++
      }
    }
    const limits = this.#domains.isServerSlow ? this.#limits.ofSlowServer : this.#limits.usually
    return { all, bulk, limits, replaced: Math.min(limits.replaced, Math.max(0, all.handedOver - limits.all.slow)) }
  }

  /** Bulk mail leaves one connection free for mail that somebody waits for. */
  #isAnyFree({ bulk }: Pick<Claim, 'bulk'>, usage: Usage): boolean {
    if (this.#places.size - usage.replaced >= this.#most) return false
    return !bulk || this.#busyBulk - Math.min(usage.replaced, usage.bulk.handedOver) < Math.max(1, this.#most - 1)
  }

  /** The same for all claims of a kind. */
  #hasRoom(claim: Claimant, usage: Usage): boolean {
    const { sender, traffic } = claim
    if (!this.#isAnyFree(claim, usage)) return false
    const free = this.#most - this.#places.size + usage.replaced
    if (fairShare(free, this.#workspaces.get(sender) ?? 0, workspaceTimesFree) === 0) return false
    if (fairShare(free, this.#domains.busy(traffic), domainTimesFree) === 0) return false
    const own = this.#mostPerDomain - this.#domains.busyOfAll(traffic)
    if (own <= (claim.bulk && this.#mostPerDomain > 1 ? 1 : 0)) return false
    const speed = this.#domains.speedOf(traffic)
    return speed === 'answers' || this.#hasRoomUnsure(claim, speed, usage)
  }

  #hasRoomUnsure(claim: Claimant, speed: Speed, usage: Usage): boolean {
    const { bulk } = claim
    const { limits } = usage
    const busy = this.#domains.busy(claim.traffic)
    if (this.#isFullOfUnsure(claim, usage)) return false
    if (speed === 'untried') return busy === 0
    const ofBulk = bulk ? limits.bulk.slow - usage.bulk.slow : limits.all.slow
    return fairShare(Math.min(limits.all.slow - usage.all.slow, ofBulk), busy, limits.timesFree) > 0
  }

  /** Whether domains that may be slow have all the connections that they can use. */
  #isFullOfUnsure({ bulk }: Pick<Claim, 'bulk'>, usage: Usage): boolean {
    const { limits } = usage
    if (usage.all.unsure - usage.replaced >= limits.all.unsure) return true
    const ofBulk = usage.bulk.unsure - Math.max(0, usage.bulk.handedOver - limits.bulk.slow)
    return bulk && ofBulk >= limits.bulk.unsure
  }

  /**
   * Of the mails that may go: first those that somebody waits for, then those of the workspace with the fewest connections, then the
   * oldest.
   */
  #next(): void {
    while (this.#queue.length > 0) {
      const usage = this.#usage()
      const [forAny, forBulk] = [false, true].map((bulk) => this.#isAnyFree({ bulk }, usage))
      if (!forAny) return
      let next: Waiting | null = null
      // Of a kind the first is asked: what holds for it holds for those behind it.
      const asked = new Set<string>()
      for (const waiting of this.#queue) {
        const { bulk, kind } = waiting.claim
        if ((bulk && !forBulk) || asked.has(kind)) continue
        asked.add(kind)
        if (next && !this.#isBefore(waiting, next)) continue
        if (this.#hasRoom(waiting.claim, usage)) next = waiting
      }
      if (next === null) return
      next.answer(next.turnedAway?.() ?? this.#taken(next.claim))
    }
  }

  #isBefore(one: Waiting, other: Waiting): boolean {
    if (one.claim.bulk !== other.claim.bulk) return !one.claim.bulk
    if (one.claim.workspace === other.claim.workspace) return false
    const held = ({ claim }: Waiting) => this.#workspaces.get(claim.sender) ?? 0
    return held(one) < held(other)
  }

  #watch(): void {
    if (this.#timer !== undefined) return
    this.#lookedAt = performance.now()
    this.#timer = setInterval(() => this.#look(), lookEveryMs)
  }

  #look(): void {
    if (this.#queue.length === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const sinceMs = performance.now() - this.#lookedAt
    this.#lookedAt += sinceMs
    // After a pause of our own, replies that arrived meanwhile must be read first.
    if (sinceMs >= 2 * second) return
    for (const { claim } of this.#places) this.#domains.seenSilent(claim.traffic, Math.min(sinceMs, 2 * lookEveryMs))
    this.#recall(this.#usage())
    const usage = this.#usage()
    this.#giveUpLate(usage)
    this.#thinOut(usage)
    this.#next()
  }

  #giveUpLate(usage: Usage): void {
    const ahead = new Map<string, number>()
    for (const waiting of [...this.#queue]) {
      const { name } = waiting.claim.traffic
      const before = ahead.get(name) ?? 0
      if (this.#isLate(waiting, before, usage)) waiting.answer(this.#later(waiting.claim))
      else ahead.set(name, before + 1)
    }
  }

  /** While a mail waits whose domain is not slow, slow ones give back the newest of what they have beyond their share. */
  #recall({ all, bulk, limits, replaced }: Usage): void {
    let over = all.slow - replaced - limits.all.slow
    let bulkOver = bulk.slow - limits.bulk.slow
    if (over <= 0 && bulkOver <= 0) return
    if (!this.#queue.some(({ claim }) => this.#domains.speedOf(claim.traffic) !== 'slow')) return
    for (const place of [...this.#places].toReversed()) {
      const { claim, handsOver, wasRecalled } = place
      if (over <= 0 && bulkOver <= 0) return
      if (handsOver || wasRecalled || this.#domains.speedOf(claim.traffic) !== 'slow') continue
      if (over <= 0 && !claim.bulk) continue
      place.wasRecalled = true
      place.recall.abort()
      over--
      if (claim.bulk) bulkOver--
    }
  }

  /**
   * Of too many mails that wait for domains that may be slow, while these have all that they can use and some are slow, the last ones of
   * the domain with the most of them are tried again later.
   */
  #thinOut(usage: Usage): void {
    if (usage.all.slow === 0 || !this.#isFullOfUnsure({ bulk: false }, usage)) return
    const unsure = this.#queue.filter(({ claim }) => this.#domains.speedOf(claim.traffic) !== 'answers')
    const domains = [...Map.groupBy(unsure, ({ claim }) => claim.traffic.name).values()]
    for (let count = unsure.length; count > mostUnsureWaiting; count--) {
      const last = domains.reduce((one, other) => (other.length > one.length ? other : one)).pop()
      if (last) last.answer(this.#later(last.claim))
    }
  }

  /** Whether a waiting mail, with `ahead` of its domain before it, should wait elsewhere: for its domain or workspace only, and not just
   * for a moment. */
  #isLate({ claim, since }: Waiting, ahead: number, usage: Usage): boolean {
    const speed = this.#domains.speedOf(claim.traffic)
    if (speed === 'untried') return usage.all.slow > 0 && performance.now() - since > soonMs
    return (speed === 'slow' || this.#isAnyFree(claim, usage)) && !this.#isSoon(claim, ahead)
  }

  /** Whether the mails of its domain that wait before it will be gone soon, at the current speed. */
  #isSoon({ traffic }: Claimant, ahead: number): boolean {
    return this.#domains.waitMs(traffic, ahead) <= soonMs
  }
}

function toClaimant(claim: Claim): Claimant {
  const { bulk, workspace } = claim
  const sender = bulk ? `bulk ${workspace}` : workspace
  const traffic = trafficTo(claim)
  return { ...claim, sender, traffic, kind: `${sender} ${traffic.name}` }
}
