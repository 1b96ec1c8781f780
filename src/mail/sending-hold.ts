// A sending fault and how it holds mail: nothing is sent before a certain time, then a single mail is tried, with growing delays. Which
// refusals cause one is decided in watched-mailer.ts (the relay) and receivers.ts (a workspace, or one receiving domain of it).

import { minute, second } from '../kit/duration.ts'
import { type RefusalSubject, withoutAddresses } from './refusal.ts'

export const firstWaitMs = 30 * second
const longestWaitMs = 15 * minute
/** The trial mail may turn out not to be sent at all; after this time another one tries. */
export const probeMs = 10 * second
/** How often a continuing fault is reported again. */
const reportedEveryMs = 10 * second

/** The fault of a scope. */
export interface Fault {
  /** Of toScope(). */
  scope: string
  about: RefusalSubject
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

/** Whose mail a fault concerns: all of a relay, that of a workspace through it, or of that the part for one receiving domain. */
export interface Scope {
  /** Null for the relay of SMTP_URL. */
  relayId: string | null
  workspaceId: string | null
  domain: string | null
}

/** Stands for every workspace, and for every domain. */
const [allWorkspaces, allDomains] = ['relay', '*']

/** `relay`, `ws_1`, `ws_1 example.com`; through a relay with an id: `relay * rel_1`, `ws_1 * rel_1`, `ws_1 example.com rel_1`. */
export function toScope({ relayId, workspaceId, domain }: Scope): string {
  const parts = [workspaceId ?? allWorkspaces]
  if (domain !== null || relayId !== null) parts.push(domain ?? allDomains)
  if (relayId !== null) parts.push(relayId)
  return parts.join(' ')
}

export function parseScope(scope: string): Scope {
  const [name = '', domain = allDomains, relayId = null] = scope.split(' ')
  return {
    relayId,
    workspaceId: name === allWorkspaces ? null : name,
    domain: domain === allDomains ? null : domain,
  }
}

/** One more refusal, and whether mail is held because of it. */
interface Noted {
  about: RefusalSubject
  reply: string
  refusals: number
  holds: boolean
}

export class Hold {
  readonly #scope: string
  readonly #onFault: OnFault
  #fault: Fault | null = null
  /** How many times this hold was extended. */
  #steps = 0
  #probedAt = Number.NEGATIVE_INFINITY
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(scope: string, onFault: OnFault) {
    this.#scope = scope
    this.#onFault = onFault
  }

  get fault(): Fault | null {
    return this.#fault
  }

  get isHeld(): boolean {
    return this.#fault !== null && this.#fault.heldUntil !== null
  }

  /** How long nothing may be sent: 0 when nothing is held, or it is time for a trial. */
  heldMs(now: Date): number {
    const waitMs = (this.#fault?.heldUntil?.getTime() ?? 0) - now.getTime()
    // Longer than the longest possible: the clock was set back, and it counts as over.
    return waitMs > longestWaitMs ? 0 : Math.max(0, waitMs)
  }

  /** The same for somebody who would be the next trial: one may be on its way. */
  trialInMs(now: Date): number {
    if (!this.isHeld) return 0
    const sinceMs = now.getTime() - this.#probedAt
    return Math.max(this.heldMs(now), sinceMs < 0 || sinceMs >= probeMs ? 0 : probeMs - sinceMs)
  }

  /** A mail is the trial. */
  tries(now: Date): void {
    this.#probedAt = now.getTime()
  }

  /** The trial was none: another mail may be it at once. */
  triesAnother(): void {
    this.#probedAt = Number.NEGATIVE_INFINITY
  }

  /** Somebody wants to know now: the next mail is a trial. Another refusal is waited for as long as the last one. */
  tryNow(now: Date): void {
    if (this.#fault === null || this.heldMs(now) === 0) return
    this.#fault = { ...this.#fault, heldUntil: now }
    this.#steps--
    this.triesAnother()
  }

  /** Returns whether a wait begins. */
  note(now: Date, { about, reply, refusals, holds }: Noted): boolean {
    const before = this.#fault
    const begins = holds && this.heldMs(now) === 0
    if (begins) this.#steps++
    if (!holds) this.#steps = 0
    const waitMs = Math.min(firstWaitMs * 2 ** (this.#steps - 1), longestWaitMs)
    const until = begins ? new Date(now.getTime() + waitMs) : (before?.heldUntil ?? null)
    const since = before?.since ?? now
    const said = withoutAddresses(reply)
    const heldUntil = holds ? until : null
    this.#fault = { scope: this.#scope, about, reply: said, refusals, since, lastAt: now, heldUntil }
    const changes = begins || before === null || (before.heldUntil !== null) !== holds
    if (!changes && now.getTime() - this.#reportedAt < reportedEveryMs) return begins
    this.#reportedAt = now.getTime()
    this.#onFault(this.#scope, this.#fault)
    return begins
  }

  over(): void {
    if (this.#fault === null) return
    this.#fault = null
    this.#steps = 0
    this.#probedAt = Number.NEGATIVE_INFINITY
    this.#onFault(this.#scope, null)
  }

  restore(fault: Fault): void {
    this.#fault = fault
    this.#steps = 1
  }
}
