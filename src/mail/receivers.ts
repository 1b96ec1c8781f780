// Decides what the refusals of one workspace's mail mean, and whom they concern. A refusal by one receiving domain concerns that domain: it
// is believed as soon as another mail was accepted meanwhile, and at most holds the mail to that domain. It concerns the workspace, or the
// relay, only when several domains refuse alike and none accepts anything, or when the server refuses the sender before a recipient is
// named. Refusals about a recipient (no such address, a full mailbox) never do: when several domains give them while none accepts anything,
// they are not believed and the mail to these domains waits; mail to other domains is sent. Domains that share their servers (mx/) count as
// one of several.

import type { Clock } from '../kit/clock.ts'
import { minute, second } from '../kit/duration.ts'
import type { MailOutcome } from './mailer.ts'
import { isAboutRelay, isAboutUs, type RefusalSubject } from './refusal.ts'
import { type Fault, firstWaitMs, Hold, type OnFault, parseScope, probeMs, toScope } from './sending-hold.ts'

/** This many refusals in a row, without an accepted mail in between, hold what follows: those that are about us, and others. */
export const refusalsOfUs = 5
const refusalsAlike = 10
/** So many domains that say the same are no longer a matter of each. */
const severalDomains = 3
/** How long a refusal waits for the outcome of others in flight; how many wait so. What comes on top is tried again after that time. */
const judgedWithinMs = 2 * second
const mostWaiting = 4
/** Of a workspace whose mail was taken this lately, refusals of several domains hold nothing before they went on for `judgedWithinMs`. */
const latelyMs = 10 * second
/** Refusals of a domain further apart than this have nothing to do with each other. */
const runMs = minute
/** While mail of the workspace is held, so many domains that have refused nothing yet may be tried between two trials. */
const freshTrials = 5
/** Mails looked at for a trial of another domain. */
const mostSkipped = 8
/** Domains that refused something are remembered up to this number. */
const mostReceivers = 2_000

type Refused = Extract<MailOutcome, { outcome: 'refused' }>
type RefusalTrust = 'believed' | 'doubted'

/** A refusal that counts: about us, or for good. */
export interface Refusal {
  outcome: MailOutcome
  about: RefusalSubject
  /** What the refusals for one reason have in common. */
  words: string
  reply: string
}

/** Who takes a mail. Through a relay each domain stands for itself; without one, `site` is the servers that it may share with others. */
export interface Taker {
  domain: string
  site: string
}

interface Receiver {
  words: string
  /** Refusals in a row, with the same words; the first of them all, as a number in the order of what happened; the last. */
  refusals: number
  began: number
  lastAt: number
  /** Nobody else was refused meanwhile, so it is a matter of this domain. */
  isAlone: boolean
  hold: Hold
}

export class Receivers {
  readonly #of: { relayId: string | null; workspaceId: string }
  readonly #clock: Clock
  readonly #onFault: OnFault
  readonly #refusalsOfUs: () => number
  /** Of all mail of the workspace. */
  readonly hold: Hold
  readonly #receivers = new Map<string, Receiver>()
  #order = 0
  #takenOrder = -1
  #takenAt = Number.NEGATIVE_INFINITY
  /** Refusals since the last mail was taken that no single domain explains. */
  #general = { words: '', refusals: 0, domains: new Set<string>(), beganAt: 0 }
  #freshTrials = 0
  #lastTrial: string | null = null
  #skipped = 0
  #inFlight = 0
  /** Refusals that are not judged yet. */
  readonly #waiting = new Set<(verdict: RefusalTrust) => void>()

  /** `refusalsOfUs`: so many in a row that are about us hold what follows, now. */
  constructor(
    of: { relayId: string | null; workspaceId: string },
    { clock, onFault, refusalsOfUs }: { clock: Clock; onFault: OnFault; refusalsOfUs: () => number },
  ) {
    this.#of = of
    this.#refusalsOfUs = refusalsOfUs
    this.#clock = clock
    this.#onFault = onFault
    this.hold = new Hold(toScope({ ...of, domain: null }), onFault)
  }

  /** Null for a mail that may be sent now. */
  begin(to: Taker): MailOutcome | null {
    const held = this.#holdOf(to)
    if (held === null) this.#inFlight++
    else if (this.hold.isHeld) this.hold.triesAnother()
    return held
  }

  /** A mail that began, and may have been a trial, was not offered to the server: the next one may be it. */
  notTried(to: Taker): void {
    this.hold.triesAnother()
    for (const name of namesOf(to)) this.#receivers.get(name)?.hold.triesAnother()
  }

  /** Mail to the domain is held. */
  holds(domain: string): boolean {
    return this.#receivers.get(domain)?.hold.isHeld ?? false
  }

  /** The mail has left the server; call one of the functions below, then judge(). */
  end(): void {
    this.#inFlight--
  }

  /** How many mails of the workspace may start: while mail is held, single ones, and now and then some in search of another domain. */
  capacity(now: Date, isUrgent: boolean): { count: number; waitMs: number } {
    const waitMs = this.hold.trialInMs(now)
    if (!this.hold.isHeld) return { count: Number.POSITIVE_INFINITY, waitMs: 0 }
    if (waitMs === 0) return { count: 1, waitMs: 0 }
    return { count: isUrgent && this.#freshTrials > 0 && this.hold.heldMs(now) > 0 ? mostSkipped : 0, waitMs }
  }

  taken(to: Taker): void {
    this.#takenOrder = ++this.#order
    this.#takenAt = this.#now()
    this.#general = { words: '', refusals: 0, domains: new Set(), beganAt: 0 }
    this.#lastTrial = null
    for (const name of namesOf(to)) {
      this.#receivers.get(name)?.hold.over()
      this.#receivers.delete(name)
    }
    const { fault } = this.hold
    // Another receiver may still refuse us: the fault stays recorded.
    if (fault?.about !== 'sender') this.hold.over()
    else if (fault.heldUntil) this.hold.note(this.#clock.now(), { ...fault, refusals: 0, holds: false })
    for (const judge of [...this.#waiting]) judge('believed')
  }

  /** The server refused the sender, and did not know yet whom the mail is for. */
  refusedSender(refusal: Refusal): void {
    if (isAboutUs(refusal.about)) this.#count(refusal, null)
  }

  /** The outcome of the mail: its refusal, or waiting because the refusal is not believed. */
  refused({ domain, site }: Taker, refusal: Refusal): Promise<MailOutcome> | MailOutcome {
    const { outcome, about } = refusal
    // What servers say before they know the domain, they say of all of theirs.
    const receiver = this.#noted(knowsRecipient(outcome) ? domain : site, refusal)
    const isOwnMatter = receiver.isAlone || this.#takenOrder > receiver.began
    const isOfRecipient = about === 'address' || about === 'mailbox'
    if (!isOwnMatter && !isOfRecipient) this.#count(refusal, site)
    const isDoubtful = !isOwnMatter && isOfRecipient && this.#isDoubtful(refusal, site)
    if (!this.hold.isHeld) this.#noteReceiver(receiver, refusal, { isOwnMatter, isDoubtful })
    const isFinal = outcome.outcome === 'refused' && outcome.permanent && !isAboutUs(about)
    return isFinal ? this.#judge(outcome, receiver, isOwnMatter) : outcome
  }

  /** No other mail is in flight that could decide what waits. */
  judgeAlone(): void {
    if (this.#inFlight === 0) for (const judge of [...this.#waiting]) judge('believed')
  }

  /** What is held for any reason is tried by the next mail, to whatever domain. */
  tryNow(now: Date): void {
    this.#lastTrial = null
    this.hold.tryNow(now)
    for (const { hold } of this.#receivers.values()) hold.tryNow(now)
  }

  restore(fault: Fault): void {
    const { domain } = parseScope(fault.scope)
    if (domain === null) this.hold.restore(fault)
    else this.#receiver(domain, { words: '', refusals: fault.refusals }).hold.restore(fault)
  }

  #now(): number {
    return this.#clock.now().getTime()
  }

  #holdOf(to: Taker): MailOutcome | null {
    const now = this.#clock.now()
    const holds = namesOf(to).flatMap((name) => this.#receivers.get(name)?.hold ?? [])
    for (const hold of holds) {
      const waitMs = hold.trialInMs(now)
      if (waitMs > 0) return heldFor(waitMs, hold)
    }
    const general = this.#generalHold(to.site, now)
    if (general !== null) return general
    for (const hold of holds) if (hold.isHeld) hold.tries(now)
    return null
  }

  #generalHold(domain: string, now: Date): MailOutcome | null {
    if (!this.hold.isHeld) return null
    const heldMs = this.hold.heldMs(now)
    if (heldMs > 0) {
      if (this.#freshTrials === 0 || this.#general.domains.has(domain)) return heldFor(heldMs, this.hold)
      if (this.#inFlight > 0) return { outcome: 'put_off', waitMs: second, detail: 'another mail is tried first' }
      this.#freshTrials--
      return null
    }
    const isShared = this.#general.domains.size >= severalDomains
    if (isShared && domain === this.#lastTrial && this.#skipped++ < mostSkipped) return heldFor(probeMs, this.hold)
    this.#lastTrial = domain
    this.#skipped = 0
    this.hold.tries(now)
    return null
  }

  #noted(domain: string, { words }: Refusal): Receiver {
    const receiver = this.#receiver(domain, { words, refusals: 0 })
    const now = this.#now()
    if (now - receiver.lastAt > runMs && !receiver.hold.isHeld)
      Object.assign(receiver, { began: ++this.#order, isAlone: false })
    receiver.refusals = words === receiver.words ? receiver.refusals + 1 : 1
    Object.assign(receiver, { words, lastAt: now })
    return receiver
  }

  #receiver(domain: string, first: { words: string; refusals: number }): Receiver {
    const known = this.#receivers.get(domain)
    if (known) return known
    const oldest = this.#receivers.size < mostReceivers ? undefined : this.#receivers.keys().next().value
    if (oldest !== undefined) this.#receivers.delete(oldest)
    const hold = new Hold(toScope({ ...this.#of, domain }), this.#onFault)
    const receiver = { ...first, began: ++this.#order, lastAt: this.#now(), isAlone: false, hold }
    this.#receivers.set(domain, receiver)
    return receiver
  }

  /** Whether several domains refuse their recipients alike, and none accepts anything. */
  #isDoubtful(refusal: Refusal, domain: string): boolean {
    if (this.hold.isHeld) return false
    this.#tally(refusal, domain)
    return this.#isGeneral(refusal.about, domain) && !this.#isEarly()
  }

  #tally({ words }: Refusal, domain: string | null): void {
    const now = this.#clock.now()
    if (words !== this.#general.words) {
      const domains = this.hold.isHeld ? this.#general.domains : new Set<string>()
      this.#general = { words, refusals: 0, domains, beganAt: now.getTime() }
    }
    this.#general.refusals++
    if (domain !== null) this.#general.domains.add(domain)
  }

  /** A refusal that may say something about the workspace as such. `domain` is null when it was not named yet. */
  #count(refusal: Refusal, domain: string | null): void {
    const { about, reply } = refusal
    const now = this.#clock.now()
    this.#tally(refusal, domain)
    const { refusals } = this.#general
    if (!this.hold.isHeld && !this.#isGeneral(about, domain)) {
      if (isAboutUs(about) && domain === null) this.hold.note(now, { about, reply, refusals, holds: false })
      return
    }
    if (!this.hold.isHeld && domain !== null && this.#isEarly()) return
    if (!this.hold.note(now, { about, reply, refusals, holds: true })) return
    // Where no recipient was named, another domain would change nothing.
    this.#freshTrials = domain === null ? 0 : freshTrials
    for (const judge of [...this.#waiting]) judge('doubted')
  }

  #isGeneral(about: RefusalSubject, domain: string | null): boolean {
    const { refusals, domains } = this.#general
    return (
      refusals >= (isAboutRelay(about) ? this.#refusalsOfUs() : isAboutUs(about) ? refusalsOfUs : refusalsAlike) &&
      (domain === null || domains.size >= severalDomains)
    )
  }

  /** Mail was accepted a moment ago, so the next one may be, too. */
  #isEarly(): boolean {
    const now = this.#now()
    return now - this.#takenAt < latelyMs && now - this.#general.beganAt < judgedWithinMs
  }

  #noteReceiver(
    receiver: Receiver,
    { about, reply }: Refusal,
    { isOwnMatter, isDoubtful }: { isOwnMatter: boolean; isDoubtful: boolean },
  ): void {
    const { refusals } = receiver
    // Many addresses of one domain may be gone.
    const isMuch = isDoubtful || (about !== 'address' && refusals >= (isAboutUs(about) ? refusalsOfUs : refusalsAlike))
    // A believed refusal ends its mails, so it need not hold them.
    const holds = (isMuch || receiver.hold.isHeld) && (isAboutUs(about) || !isOwnMatter)
    if (about === 'address' && !holds) {
      receiver.hold.over()
      return
    }
    if (!isMuch && !receiver.hold.isHeld && !isAboutUs(about)) return
    const begins = receiver.hold.note(this.#clock.now(), { about, reply, refusals, holds })
    if (begins) for (const judge of [...this.#waiting]) judge('doubted')
  }

  #judge(outcome: Refused, receiver: Receiver, isOwnMatter: boolean): Promise<MailOutcome> | MailOutcome {
    const doubted: MailOutcome = { outcome: 'held', waitMs: firstWaitMs, detail: outcome.reply }
    if (this.hold.isHeld) return doubted
    if (isOwnMatter) return outcome
    if (receiver.hold.isHeld) return heldFor(firstWaitMs, receiver.hold)
    const { refusals, domains } = this.#general
    const isSuspect = refusals >= refusalsAlike && domains.size >= severalDomains
    if (isSuspect || (this.#inFlight > 0 && this.#waiting.size >= mostWaiting))
      return { outcome: 'put_off', waitMs: judgedWithinMs, detail: outcome.reply }
    if (this.#inFlight === 0) return outcome
    const { promise, resolve } = Promise.withResolvers<MailOutcome>()
    const judge = (verdict: RefusalTrust) => {
      clearTimeout(timer)
      this.#waiting.delete(judge)
      resolve(verdict === 'believed' ? outcome : doubted)
    }
    const timer = setTimeout(() => {
      receiver.isAlone = true
      judge('believed')
    }, judgedWithinMs)
    this.#waiting.add(judge)
    return promise
  }
}

function namesOf({ domain, site }: Taker): string[] {
  return domain === site ? [domain] : [site, domain]
}

function knowsRecipient(outcome: MailOutcome): boolean {
  return 'stage' in outcome && (outcome.stage === 'rcpt' || outcome.stage === 'data' || outcome.stage === 'dot')
}

function heldFor(waitMs: number, { fault }: Hold): MailOutcome {
  const { domain } = parseScope(fault?.scope ?? '')
  return { outcome: 'held', waitMs, detail: holdReason(fault?.reply ?? '', domain) }
}

/** For the mail that waits: `domain` refuses others as well. */
function holdReason(reply: string, domain: string | null): string {
  return domain === null ? reply : `${domain} refuses mail one after the other: ${reply}`
}
