// Notices when the mail server refuses mail in general rather than single recipients. Then sending is held, nobody is suppressed, and after
// a while a single mail tries again. Either everything is held ("relay": no connection, no sign-in), or the mail of one workspace (the same
// refusal again and again, whatever it says). The refusal of a recipient is judged together with other mails in flight: it does not count
// when all of them are refused alike. This state lives in the memory of one process.

import type { Clock } from '../lib/clock.ts'
import { minute, second } from '../lib/duration.ts'
import type { HandOver, Mailer, MailOutcome, OutgoingMail, SmtpStage } from './mailer.ts'
import { type About, aboutWhom, isAboutUs, withoutAddresses } from './refusal.ts'

export const relayScope = 'relay'

/** This many refusals in a row, without an accepted mail in between, hold what follows: those that are about us, and others. */
const refusalsOfUs = 5
const refusalsAlike = 10
const firstWaitMs = 30 * second
const longestWaitMs = 15 * minute
/** The trial mail may turn out not to be sent at all; after this time another one tries. */
const probeMs = 10 * second
/** How long a refusal waits for the outcome of others in flight. */
const judgedWithinMs = 2 * second
/** How often a continuing fault is reported again. */
const toldEveryMs = 10 * second

/** The fault of a scope. */
export interface Fault {
  /** `relay`, or the id of a workspace. */
  scope: string
  about: About
  reply: string
  /** Refusals in a row. */
  refusals: number
  since: Date
  lastAt: Date
  /** Nothing is sent before this time; null while sending goes on. */
  heldUntil: Date | null
}

/** A fault that began or continues; null when it is over. */
export type OnFault = (scope: string, fault: Fault | null) => void

interface Scope {
  fault: Fault | null
  /** How many times this hold was extended. */
  steps: number
  probedAt: number
  toldAt: number
  /** What the last refusals have in common. */
  words: string
  refusals: number
  inFlight: number
  /** Refusals that are not judged yet. */
  waiting: Set<(verdict: 'believed' | 'doubted') => void>
}

type Refused = Extract<MailOutcome, { outcome: 'refused' }>

/** Who sends a mail that never meets the server, and so says nothing about it; null for any other. */
export type Apart = (mail: OutgoingMail) => Mailer | null

export class WatchedMailer implements Mailer {
  readonly #mailer: Mailer
  readonly #apart: Apart
  readonly #clock: Clock
  #onFault: OnFault = () => {}
  readonly #scopes = new Map<string, Scope>()

  constructor(mailer: Mailer, clock: Clock, apart: Apart = () => null) {
    this.#mailer = mailer
    this.#apart = apart
    this.#clock = clock
  }

  /** Sets who is told about faults. */
  onFault(listener: OnFault): void {
    this.#onFault = listener
  }

  get kind(): Mailer['kind'] {
    return this.#mailer.kind
  }

  close(): Promise<void> {
    return this.#mailer.close()
  }

  async send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const apart = this.#apart(mail)
    if (apart !== null) return await apart.send(mail, handOver)
    const workspaceId = mail.workspaceId
    const hold = this.#holdOf(workspaceId)
    if (hold) return hold
    const scope = this.#scope(workspaceId)
    scope.inFlight++
    try {
      const outcome = await this.#mailer.send(mail, handOver)
      scope.inFlight--
      return await this.#learn(workspaceId, outcome)
    } catch (error) {
      scope.inFlight--
      this.#judgeAlone(scope)
      throw error
    }
  }

  /**
   * How many mails of the workspace may start: none while its mail is held, one when it is time for a trial. `again` is called with the
   * time to ask again.
   */
  capacity(workspaceId: string, again: (at: number) => void): number {
    const now = this.#clock.now().getTime()
    let capacity = Number.POSITIVE_INFINITY
    for (const { fault, probedAt } of this.#held(workspaceId)) {
      const waitMs = Math.max(waitOf(fault, now), probedAt > now ? 0 : probedAt + probeMs - now)
      if (waitMs > 0) again(now + waitMs)
      capacity = Math.min(capacity, waitMs > 0 ? 0 : 1)
    }
    return capacity
  }

  /** A mail of the workspace starts; while mail is held, it is the trial. */
  started(workspaceId: string): void {
    for (const scope of this.#held(workspaceId)) scope.probedAt = this.#clock.now().getTime()
  }

  /** Restores the faults that an earlier process recorded. */
  restore(faults: Fault[]): void {
    for (const fault of faults) {
      if (fault.heldUntil === null) continue
      const scope = this.#scope(fault.scope)
      Object.assign(scope, { fault, steps: 1, refusals: fault.refusals })
    }
  }

  #scope(name: string): Scope {
    let scope = this.#scopes.get(name)
    if (!scope) {
      const never = Number.NEGATIVE_INFINITY
      scope = {
        fault: null,
        steps: 0,
        probedAt: never,
        toldAt: never,
        words: '',
        refusals: 0,
        inFlight: 0,
        waiting: new Set(),
      }
      this.#scopes.set(name, scope)
    }
    return scope
  }

  #held(workspaceId: string): Scope[] {
    const scopes = [this.#scopes.get(relayScope), this.#scopes.get(workspaceId)]
    return scopes.filter((scope) => scope !== undefined).filter(({ fault }) => fault?.heldUntil)
  }

  /** Null when the mail may be sent. */
  #holdOf(workspaceId: string): MailOutcome | null {
    const now = this.#clock.now().getTime()
    for (const { fault } of this.#held(workspaceId)) {
      const waitMs = waitOf(fault, now)
      if (fault && waitMs > 0) return { outcome: 'held', waitMs, detail: fault.reply }
    }
    return null
  }

  async #learn(workspaceId: string, outcome: MailOutcome): Promise<MailOutcome> {
    const scope = this.#scope(workspaceId)
    const about = aboutOf(outcome)
    if (outcome.outcome === 'accepted') {
      this.#over(relayScope)
      this.#taken(workspaceId, scope)
    } else if (about !== null && 'stage' in outcome) {
      const named = isNamed(outcome.stage)
      if (named) this.#over(relayScope)
      const counts = isAboutUs(about) || (outcome.outcome === 'refused' && outcome.permanent)
      if (counts) this.#refused(named ? workspaceId : relayScope, about, detailOf(outcome))
    }
    const isFinal = outcome.outcome === 'refused' && outcome.permanent && about !== null && !isAboutUs(about)
    const judged = isFinal ? this.#judge(scope, outcome) : outcome
    this.#judgeAlone(scope)
    return await judged
  }

  /** A mail was accepted, so refusals next to it were about their recipients. */
  #taken(name: string, scope: Scope): void {
    scope.refusals = 0
    // Another receiver may still refuse us: the fault stays recorded.
    if (scope.fault?.about !== 'sender') this.#over(name)
    else if (scope.fault.heldUntil) this.#note(name, scope, { ...scope.fault, holds: false })
    for (const judge of [...scope.waiting]) judge('believed')
  }

  #judge(scope: Scope, outcome: Refused): Promise<MailOutcome> | MailOutcome {
    const held = (): MailOutcome => ({ outcome: 'held', waitMs: firstWaitMs, detail: outcome.reply })
    if (scope.fault?.heldUntil) return held()
    if (scope.inFlight === 0) return outcome
    const { promise, resolve } = Promise.withResolvers<MailOutcome>()
    const judge = (verdict: 'believed' | 'doubted') => {
      clearTimeout(timer)
      scope.waiting.delete(judge)
      resolve(verdict === 'believed' ? outcome : held())
    }
    const timer = setTimeout(() => judge('believed'), judgedWithinMs)
    scope.waiting.add(judge)
    return promise
  }

  /** No other mail is in flight that could decide it. */
  #judgeAlone(scope: Scope): void {
    if (scope.inFlight === 0) for (const judge of [...scope.waiting]) judge('believed')
  }

  #refused(name: string, about: About, reply: string): void {
    const scope = this.#scope(name)
    const words = name === relayScope ? '' : wordsOf(reply)
    const enough = isAboutUs(about) ? refusalsOfUs : refusalsAlike
    scope.refusals = words === scope.words ? scope.refusals + 1 : 1
    scope.words = words
    const isHeld = (scope.fault?.heldUntil ?? null) !== null
    const holds = isHeld || scope.refusals >= enough
    if (!holds && !isAboutUs(about)) return
    this.#note(name, scope, { about, reply: withoutAddresses(reply), holds })
  }

  #note(name: string, scope: Scope, { about, reply, holds }: { about: About; reply: string; holds: boolean }): void {
    const now = this.#clock.now()
    const { refusals, fault } = scope
    const steps = holds && waitOf(fault, now.getTime()) === 0
    if (steps) scope.steps++
    const waitMs = Math.min(firstWaitMs * 2 ** (scope.steps - 1), longestWaitMs)
    const until = steps ? new Date(now.getTime() + waitMs) : (fault?.heldUntil ?? null)
    const heldUntil = holds ? until : null
    const changes = steps || !fault || (fault.heldUntil !== null) !== holds
    if (!holds) scope.steps = 0
    scope.fault = { scope: name, about, reply, refusals, since: fault?.since ?? now, lastAt: now, heldUntil }
    if (steps) for (const judge of [...scope.waiting]) judge('doubted')
    if (!changes && now.getTime() - scope.toldAt < toldEveryMs) return
    scope.toldAt = now.getTime()
    this.#onFault(name, scope.fault)
  }

  #over(name: string): void {
    const scope = this.#scopes.get(name)
    if (!scope) return
    if (name === relayScope) scope.refusals = 0
    if (scope.fault === null) return
    Object.assign(scope, { fault: null, steps: 0, probedAt: Number.NEGATIVE_INFINITY })
    this.#onFault(name, null)
  }
}

/** How long a fault still holds mail. A wait longer than the longest possible means that the clock was set back, and counts as over. */
function waitOf(fault: Fault | null, now: number): number {
  const waitMs = (fault?.heldUntil?.getTime() ?? now) - now
  return waitMs > longestWaitMs ? 0 : Math.max(0, waitMs)
}

/** Whom an unsent mail says something about; null when that is unclear. */
function aboutOf(outcome: MailOutcome): About | null {
  if (outcome.outcome === 'refused') return aboutWhom({ ...outcome, text: outcome.reply })
  if (outcome.outcome !== 'not_sent' || outcome.reason === 'aborted') return null
  const about = aboutWhom({ stage: outcome.stage, code: 0, enhanced: null, text: outcome.detail })
  return about === 'relay' ? about : null
}

/** Whether the server knew whose mail it refuses. */
function isNamed(stage: SmtpStage): boolean {
  return stage === 'mail' || stage === 'rcpt' || stage === 'data' || stage === 'dot'
}

function detailOf(outcome: MailOutcome): string {
  if (outcome.outcome === 'refused') return outcome.reply
  return outcome.outcome === 'not_sent' ? `${outcome.stage}: ${outcome.detail}` : ''
}

/** The detail without addresses and numbers, which differ between mails refused for the same reason. */
function wordsOf(reply: string): string {
  const words = withoutAddresses(reply.slice(3)).replace(/\d+/g, '')
  return reply.slice(0, 3) + words.replace(/\s+/g, ' ')
}
