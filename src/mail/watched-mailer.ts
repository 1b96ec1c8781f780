// Notices when a relay refuses mail in general rather than single recipients. Then its mail is held, nobody is suppressed, and after a while a
// single mail tries again: for everybody (no connection, no sign-in), for one workspace, or for one receiving domain of it, as receivers.ts
// decides. Without a relay (mx/), what a receiver's server says is said by one receiver, at any stage. This state lives in the memory of one
// process. Which of several relays a mail takes is decided in fabric.ts.

import type { Clock } from '../kit/clock.ts'
import { addressDomain } from '../kit/email-address.ts'
import { toFaultCause } from './fault-cause.ts'
import type { Destination, HandOver, Mailer, MailOutcome, OutgoingMail, SlowReceiver, SmtpStage } from './mailer.ts'
import { Receivers, type Refusal, refusalsOfUs, type Taker } from './receivers.ts'
import { aboutWhom, isAboutUs, type RefusalSubject, toHint } from './refusal.ts'
import { type Fault, Hold, type OnFault, parseScope, toScope } from './sending-hold.ts'

/** A request to start mail. `isUrgent`: somebody waits for each mail. */
export interface StartRequest {
  workspaceId: string
  isUrgent: boolean
}

export interface MailState {
  /** The relay refuses it as such: another may take it. */
  isHeld: boolean
  /** Receivers refuse it for who sends it, or one receiver does: another relay would change nothing, and may not be tried. */
  isRefused: boolean
  /** Until it may be tried here. */
  waitMs: number
}

export class WatchedMailer implements Mailer {
  readonly #mailer: Mailer
  readonly #relayId: string | null
  readonly #clock: Clock
  readonly #onFault: OnFault
  readonly #relay: Hold
  #relayRefusals = 0
  readonly #workspaces = new Map<string, Receivers>()
  /** Whether another relay takes its mail: then a single refusal by the relay as such holds it here. */
  hasSubstitute = () => false

  /** `relayId`: null for the relay of SMTP_URL. */
  constructor(mailer: Mailer, { clock, relayId, onFault }: { clock: Clock; relayId: string | null; onFault: OnFault }) {
    this.#mailer = mailer
    this.#relayId = relayId
    this.#clock = clock
    this.#onFault = onFault
    this.#relay = new Hold(toScope({ relayId, workspaceId: null, domain: null }), onFault)
  }

  get kind(): Mailer['kind'] {
    return this.#mailer.kind
  }

  close(): Promise<void> {
    return this.#mailer.close()
  }

  async send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const relayMs = this.#relay.heldMs(this.#clock.now())
    const detail = this.#relay.fault?.reply ?? ''
    if (relayMs > 0) return notOffered({ outcome: 'held', waitMs: relayMs, detail }, handOver)
    const receivers = this.#receivers(mail.workspaceId)
    const domain = addressDomain(mail.envelope.to).toLowerCase()
    const to = { domain, site: (await this.#mailer.findReceiver?.(domain)) ?? domain }
    const held = receivers.begin(to)
    if (held !== null) return notOffered(held, handOver)
    const sent = this.#mailer.send(mail, handOver).finally(() => receivers.end())
    sent.catch(() => receivers.judgeAlone())
    const outcome = await sent
    if (outcome.outcome === 'held' || outcome.outcome === 'put_off') {
      this.#noTrial(receivers, to)
      receivers.judgeAlone()
      return notOffered(outcome, handOver)
    }
    const learnt = this.#learn(receivers, to, outcome)
    receivers.judgeAlone()
    return await learnt
  }

  /** A mail that may have been the trial got no place at the server: the next one may be it. */
  notTried({ workspaceId, to }: Destination): void {
    const domain = addressDomain(to).toLowerCase()
    const receivers = this.#workspaces.get(workspaceId)
    if (receivers !== undefined) this.#noTrial(receivers, { domain, site: domain })
    else this.#relay.triesAnother()
  }

  #noTrial(receivers: Receivers, to: Taker): void {
    this.#relay.triesAnother()
    receivers.notTried(to)
  }

  turnedAway(to: Destination): MailOutcome | null {
    return this.#mailer.turnedAway?.(to) ?? null
  }

  slowReceivers(): SlowReceiver[] {
    return this.#mailer.slowReceivers?.() ?? []
  }

  /** Who takes the mail of the domain, where it is not left to a relay; else null. */
  async findReceiver(domain: string): Promise<string | null> {
    return this.#mailer.findReceiver === undefined ? null : ((await this.#mailer.findReceiver(domain)) ?? domain)
  }

  /** The name of the servers of the domain, where it shares them with others; else its own. */
  receiverOf(domain: string): string {
    return this.#mailer.receiverOf?.(domain) ?? domain
  }

  /**
   * How many mails of the workspace may start: none while its mail is held, one when it is time for a trial. `again` is called with the
   * time to ask again.
   */
  capacity({ workspaceId, isUrgent }: StartRequest, again: (at: number) => void): number {
    const now = this.#clock.now()
    const relayMs = this.#relay.trialInMs(now)
    const own = this.#workspaces.get(workspaceId)?.capacity(now, isUrgent)
    for (const waitMs of [relayMs, own?.waitMs ?? 0]) if (waitMs > 0) again(now.getTime() + waitMs)
    const ofRelay = this.#relay.isHeld ? (relayMs > 0 ? 0 : 1) : Number.POSITIVE_INFINITY
    return Math.min(ofRelay, own?.count ?? Number.POSITIVE_INFINITY)
  }

  /** Whether mail of the workspace goes, or for how long it waits; without a workspace: any mail. */
  stateFor(workspaceId: string | null, domain?: string): MailState {
    const now = this.#clock.now()
    const receivers = workspaceId === null ? undefined : this.#workspaces.get(workspaceId)
    const own = receivers?.hold
    const isRefused =
      (own?.isHeld === true && own.fault?.about === 'sender') ||
      (domain !== undefined && receivers?.holds(domain) === true)
    const waitMs = Math.max(this.#relay.trialInMs(now), own?.trialInMs(now) ?? 0)
    return { isHeld: this.#relay.isHeld || (own?.isHeld === true && !isRefused), isRefused, waitMs }
  }

  /** A mail of the workspace starts; while mail is held, it is the trial. */
  started(workspaceId: string): void {
    const now = this.#clock.now()
    if (this.#relay.isHeld) this.#relay.tries(now)
    const own = this.#workspaces.get(workspaceId)?.hold
    if (own?.isHeld) own.tries(now)
  }

  /** The next mail of the workspace does not wait, as far as this process holds it. */
  tryNow(workspaceId: string): void {
    const now = this.#clock.now()
    this.#relay.tryNow(now)
    this.#workspaces.get(workspaceId)?.tryNow(now)
  }

  /** Restores the faults that an earlier process recorded. */
  restore(faults: Fault[]): void {
    for (const fault of faults) {
      if (fault.heldUntil === null) continue
      const { workspaceId } = parseScope(fault.scope)
      if (workspaceId !== null) this.#receivers(workspaceId).restore(fault)
      else {
        this.#relay.restore(fault)
        this.#relayRefusals = fault.refusals
      }
    }
  }

  #receivers(workspaceId: string): Receivers {
    return this.#workspaces.getOrInsertComputed(workspaceId, () => {
      const parts = { clock: this.#clock, onFault: this.#onFault, refusalsOfUs: () => this.#toHold() }
      return new Receivers({ relayId: this.#relayId, workspaceId }, parts)
    })
  }

  #learn(receivers: Receivers, to: Taker, outcome: MailOutcome): Promise<MailOutcome> | MailOutcome {
    if (outcome.outcome === 'accepted') {
      this.#relayTakes()
      receivers.taken(to)
      return outcome
    }
    const about = refusalSubject(outcome)
    if (about === null || !('stage' in outcome)) return outcome
    const isNamed = namesSender(outcome.stage) && !isSignIn(outcome, about)
    if (isNamed) this.#relayTakes()
    const counts = isAboutUs(about) || (outcome.outcome === 'refused' && outcome.permanent)
    if (!counts) return outcome
    const reply = toDetail(outcome)
    const refusal: Refusal = { outcome, about, reply, words: toHint(reply) }
    if (outcome.direct || (isNamed && outcome.stage !== 'mail')) return receivers.refused(to, refusal)
    if (isNamed) receivers.refusedSender(refusal)
    else this.#relayRefuses(refusal)
    return outcome
  }

  /** Refusals of the relay as such that hold its mail. */
  #toHold(): number {
    return this.hasSubstitute() ? 1 : refusalsOfUs
  }

  #relayTakes(): void {
    this.#relayRefusals = 0
    this.#relay.over()
  }

  #relayRefuses({ about, reply }: Refusal): void {
    const refusals = ++this.#relayRefusals
    const holds = this.#relay.isHeld || refusals >= this.#toHold()
    this.#relay.note(this.#clock.now(), { about, reply, refusals, holds })
  }
}

/** Whom an unsent mail concerns (the relay, a workspace, a domain); null when that is unclear. */
function refusalSubject(outcome: MailOutcome): RefusalSubject | null {
  if (outcome.outcome === 'refused') return aboutWhom({ ...outcome, text: outcome.reply })
  if (outcome.outcome !== 'not_sent' || outcome.reason === 'aborted') return null
  const about = aboutWhom({ ...outcome, code: 0, enhanced: null, text: outcome.detail })
  return about === 'relay' ? about : null
}

/** Whether the server knew whose mail it refuses. */
function namesSender(stage: SmtpStage): boolean {
  return stage === 'mail' || stage === 'rcpt' || stage === 'data' || stage === 'dot'
}

function notOffered(outcome: MailOutcome, { giveBack }: HandOver): MailOutcome {
  giveBack?.()
  return outcome
}

/** Whoever sends, the relay wants us to sign in first, as some say only once a mail is offered (RFC 4954, 6). */
function isSignIn(outcome: MailOutcome, about: RefusalSubject): boolean {
  if (outcome.outcome !== 'refused' || outcome.stage !== 'mail') return false
  return toFaultCause({ about, reply: outcome.reply }) === 'sign_in'
}

function toDetail(outcome: MailOutcome): string {
  if (outcome.outcome === 'refused') return outcome.reply
  return outcome.outcome === 'not_sent' ? `${outcome.stage}: ${outcome.detail}` : ''
}
