// How fast mail may go through one relay to one receiver: as the receiver's replies ask for (shaping-rules.ts). Slowed down, it goes at a part
// of what was taken lately and climbs again in steps, small ones near what was too much; where nothing is taken any more, it waits, each time
// twice as long, and then begins with one a second. Mail that somebody waits for is counted, and never waits here.

import type { Clock } from '../kit/clock.ts'
import { day, second } from '../kit/duration.ts'
import { Lately } from './lately.ts'
import type { MailOutcome } from './mailer.ts'
import { Pace } from './pace.ts'
import { withoutAddresses } from './refusal.ts'
import {
  builtInRules,
  findRule,
  firstWaitMs,
  longestWaitMs,
  type Reply,
  replyIn,
  ruleDefaults,
  type ShapingRule,
} from './shaping-rules.ts'

/** After a wait: so many a second, and from there twice as many every so often, up to what was too much. */
const firstPerSecond = 1
/** Who takes less than this when the first mail is refused may take more: that says not what was too much. */
const fewPerSecond = 5
/** How much more than what was measured may still be taken. */
const measuredMore = 1.2
const doublesEveryMs = 5 * second
/** What is slowed down to more than this is not slowed down any more. */
const [mostPerSecond, mostConnections] = [1_000, 20]
/** What a receiver said a day ago says nothing about today. */
const forgottenMs = day
/** Relays × receivers that are known at once. */
const most = 10_000
/** Waiting mails come again one by one, for at most so long after another. */
const mostSpreadMs = 30 * second
const maxReply = 500
const storedWithinMs = 5 * second

/** What was learnt of a relay at a receiver. */
export interface Limits {
  /** Null: no limit; of all processes together. */
  perSecond: number | null
  /** What was too much. */
  ceiling: number | null
  connections: number | null
  suspendedUntil: Date | null
  /** How often in a row it was suspended. */
  step: number
  /** Without addresses. */
  lastReply: string
  changedAt: Date
}

export interface Pair {
  /** Null for the relay of SMTP_URL. */
  relayId: string | null
  receiver: string
}

/** Of a pair, what was learnt; null: it is forgotten. */
export type OnLimits = (pair: Pair, limits: Limits | null) => void

/** The turn of a mail that goes to a receiver. */
interface TakenTurn {
  /** Whether it still may, for when it has a connection: the receiver may have asked for less meanwhile. */
  turnedAway(): MailOutcome | null
  /** For a mail that is not offered to the relay after all. */
  giveBack(): void
}

interface Lane extends Pair {
  limits: Limits | null
  rule: Pick<ShapingRule, 'floor' | 'rampSeconds' | 'rampBy'>
  pace: Pace
  inFlight: number
  taken: Lately
  takenSinceRamp: number
  rampedAt: number
  /** When a reply last changed what was learnt, and how many were taken since. */
  saidAt: number
  takenSince: number
  /** Replies at RCPT of which one alone says nothing. */
  inARow: number
  /** When the last mail that was put off comes again. */
  turnAt: number
}

export class Shaping {
  readonly #clock: Clock
  readonly #lanes = new Map<string, Lane>()
  #rules: ShapingRule[] = builtInRules
  #processes = 1
  onLimits: OnLimits = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `rules`: before those that are built in. `processes`: how many share the limits. */
  set(rules: ShapingRule[], processes: number): void {
    this.#rules = [...rules, ...builtInRules]
    this.#processes = processes
  }

  /** What is stored: what another process, or an earlier one, has learnt. What we learnt a moment ago may not be there yet. */
  follow(known: (Pair & { limits: Limits })[]): void {
    const stored = new Set(known.map(keyOf))
    for (const { limits, ...pair } of known) {
      const lane = this.#lane(pair)
      if (lane.limits !== null && lane.limits.changedAt >= limits.changedAt) continue
      Object.assign(lane, { limits, saidAt: limits.changedAt.getTime(), rampedAt: this.#now(), takenSinceRamp: 0 })
    }
    const before = this.#now() - storedWithinMs
    for (const [key, lane] of this.#lanes)
      if (lane.limits !== null && lane.limits.changedAt.getTime() < before && !stored.has(key)) lane.limits = null
  }

  /** Mail goes there as if nothing had been said. */
  forget(pair: Pair): void {
    this.#lane(pair).limits = null
  }

  limitsOf(pair: Pair): Limits | null {
    const lane = this.#lanes.get(keyOf(pair))
    return lane === undefined ? null : this.#current(lane)
  }

  /** Why bulk mail waits; null: it may go now. */
  turnedAway(pair: Pair): MailOutcome | null {
    const lane = this.#lanes.get(keyOf(pair))
    const limits = lane && this.#current(lane)
    if (!lane || !limits) return null
    const now = this.#now()
    const isSuspended = (limits.suspendedUntil?.getTime() ?? 0) > now
    const isFull = limits.connections !== null && lane.inFlight >= limits.connections
    const mayGo = !isSuspended && !isFull && lane.pace.waitMs(this.#ofUs(limits), now) === 0
    return mayGo ? null : this.#later(lane, limits)
  }

  /** When its turn comes. */
  #later(lane: Lane, { perSecond, suspendedUntil, lastReply }: Limits): MailOutcome {
    const now = this.#now()
    const until = suspendedUntil?.getTime() ?? 0
    if (until > now)
      return { outcome: 'held', by: 'receiver', waitMs: this.#turn(lane, until) - now, detail: lastReply }
    const paceMs = perSecond === null ? 0 : lane.pace.waitMs(perSecond / this.#processes, now)
    const detail = `${lane.receiver} takes no more at once: ${lastReply}`
    return { outcome: 'put_off', waitMs: this.#turn(lane, now + paceMs) - now, detail }
  }

  /** A mail will go. */
  take(pair: Pair): TakenTurn {
    const lane = this.#lane(pair)
    const takenAt = this.#now()
    const giveBack = lane.pace.take(lane.limits && this.#ofUs(lane.limits))
    const turnedAway = () => (lane.saidAt < takenAt || lane.limits === null ? null : this.#later(lane, lane.limits))
    return { turnedAway, giveBack }
  }

  /** A mail goes, and what is learnt from how it ends. */
  async watch(pair: Pair, sent: () => Promise<MailOutcome>): Promise<MailOutcome> {
    const lane = this.#lane(pair)
    const beganAt = this.#now()
    lane.inFlight++
    const outcome = await sent().finally(() => lane.inFlight--)
    if (outcome.outcome === 'accepted') this.#taken(lane)
    const reply = replyIn(outcome)
    if (reply) this.#said(lane, reply, beganAt)
    return outcome
  }

  #taken(lane: Lane): void {
    lane.taken.note(this.#now())
    lane.takenSinceRamp++
    lane.takenSince++
    lane.inARow = 0
  }

  #said(lane: Lane, reply: Reply, beganAt: number): void {
    const rule = findRule(this.#rules, lane.receiver, reply)
    if (rule === null || rule.action === 'ignore') return
    if (reply.stage === 'rcpt' && ++lane.inARow < rule.inARow) return
    // Mails that were under way, or followed within its second, say the same thing, and not again.
    if (beganAt < lane.saidAt + second) return
    lane.rule = rule
    const before = this.#current(lane)
    const known = before ?? { ...free, changedAt: new Date(0) }
    // Another process may have taken all that there was.
    const isStranger = before === null && this.#processes > 1
    const lately = this.#perSecondLately(lane, known) || (isStranger ? firstPerSecond : 0)
    const learnt =
      rule.action === 'suspend' || lately === 0
        ? this.#suspended(known, { rule, isFirst: lane.takenSince > 0 })
        : rule.action === 'slow_down'
          ? slower(known, rule, lately)
          : fewer(known, rule, lane.inFlight + 1)
    Object.assign(lane, { saidAt: this.#now(), takenSince: 0, inARow: 0 })
    this.#change(lane, { ...learnt, lastReply: withoutAddresses(reply.text).slice(0, maxReply) })
  }

  #suspended(known: Limits, { rule, isFirst }: { rule: ShapingRule; isFirst: boolean }): Limits {
    const step = isFirst ? 1 : known.step + 1
    const waitMs = Math.min(firstWaitMs(rule) * 2 ** (step - 1), longestWaitMs)
    const perSecond = Math.min(known.perSecond ?? firstPerSecond, firstPerSecond)
    const ceiling = known.perSecond === null || known.perSecond <= perSecond ? known.ceiling : known.perSecond
    return { ...known, step, perSecond, ceiling, suspendedUntil: new Date(this.#now() + waitMs) }
  }

  #change(lane: Lane, limits: Limits | null): void {
    const now = this.#now()
    lane.limits = limits && { ...limits, changedAt: new Date(now) }
    Object.assign(lane, { takenSinceRamp: 0, rampedAt: Math.max(now, limits?.suspendedUntil?.getTime() ?? 0) })
    this.onLimits({ relayId: lane.relayId, receiver: lane.receiver }, lane.limits)
  }

  /** After the steps that are due. */
  #current(lane: Lane): Limits | null {
    const { limits } = lane
    if (limits === null) return null
    const now = this.#now()
    if (now - limits.changedAt.getTime() > forgottenMs) this.#change(lane, null)
    else if (limits.suspendedUntil === null || limits.suspendedUntil.getTime() <= now) this.#ramp(lane, limits)
    return lane.limits
  }

  /** More again, where what is allowed was used. */
  #ramp(lane: Lane, limits: Limits): void {
    const { perSecond, ceiling, connections } = limits
    const now = this.#now()
    const isFar = perSecond !== null && (ceiling === null || perSecond < ceiling)
    const everyMs = isFar ? doublesEveryMs : lane.rule.rampSeconds * second
    const sinceMs = now - lane.rampedAt
    if (sinceMs < everyMs) return
    const allowed = ((this.#ofUs(limits) ?? 0) * everyMs) / second
    const isUsed = lane.takenSinceRamp >= allowed / 2
    Object.assign(lane, { rampedAt: now, takenSinceRamp: 0 })
    if (!isUsed) return
    const more =
      perSecond === null
        ? null
        : isFar
          ? Math.min(2 * perSecond, ceiling ?? Number.POSITIVE_INFINITY)
          : perSecond * (1 + lane.rule.rampBy)
    const next = {
      ...limits,
      step: 0,
      suspendedUntil: null,
      perSecond: more === null || more > mostPerSecond ? null : more,
      connections: connections === null || connections >= mostConnections ? null : connections + 1,
    }
    this.#change(lane, next.perSecond === null && next.connections === null ? null : next)
  }

  /** When the next mail that waits comes again: one after the other, at the pace that is allowed. */
  #turn(lane: Lane, from: number): number {
    const perSecond = lane.limits === null ? null : this.#ofUs(lane.limits)
    const apartMs = perSecond === null ? 50 : second / perSecond
    lane.turnAt = Math.max(from, lane.turnAt + apartMs)
    if (lane.turnAt > from + mostSpreadMs) lane.turnAt = from
    return Math.ceil(lane.turnAt)
  }

  /** What is taken of all processes, by what this one saw; 0: nothing any more. */
  #perSecondLately({ taken, takenSince }: Lane, { perSecond }: Limits): number {
    const lately = taken.perSecond(this.#now()) * this.#processes
    if (lately === 0 && takenSince > 0) return perSecond ?? 0
    // At the pace that is allowed a second has one more or less.
    return perSecond !== null && lately >= perSecond / 2 ? Math.min(perSecond, lately / 0.8) : lately
  }

  #ofUs({ perSecond }: Limits): number | null {
    return perSecond === null ? null : perSecond / this.#processes
  }

  #now(): number {
    return this.#clock.now().getTime()
  }

  #lane(pair: Pair): Lane {
    const key = keyOf(pair)
    const known = this.#lanes.get(key)
    if (known) return known
    if (this.#lanes.size >= most) this.#forgetOne()
    const lane: Lane = {
      ...pair,
      limits: null,
      rule: ruleDefaults,
      pace: new Pace(),
      inFlight: 0,
      taken: new Lately(),
      takenSinceRamp: 0,
      rampedAt: this.#now(),
      saidAt: Number.NEGATIVE_INFINITY,
      takenSince: 0,
      inARow: 0,
      turnAt: 0,
    }
    this.#lanes.set(key, lane)
    return lane
  }

  /** One that asks for nothing; where each asks for something, the one that said so longest ago: it says so again, if it still does. */
  #forgetOne(): void {
    let [oldest, changedAt] = ['', Number.POSITIVE_INFINITY]
    for (const [key, { limits, inFlight }] of this.#lanes) {
      const at = limits?.changedAt.getTime() ?? Number.NEGATIVE_INFINITY
      if (inFlight === 0 && at < changedAt) [oldest, changedAt] = [key, at]
      if (inFlight === 0 && limits === null) break
    }
    const lane = this.#lanes.get(oldest)
    if (lane?.limits) this.#change(lane, null)
    this.#lanes.delete(oldest)
  }
}

const free = { perSecond: null, ceiling: null, connections: null, suspendedUntil: null, step: 0, lastReply: '' }

function keyOf({ relayId, receiver }: Pair): string {
  return `${relayId ?? ''} ${receiver}`
}

function slower(known: Limits, { by, floor }: ShapingRule, lately: number): Limits {
  const perSecond = Math.max(floor, by * Math.min(known.perSecond ?? lately, lately))
  const ceiling =
    known.perSecond === null && lately < fewPerSecond ? null : Math.max(perSecond, ceilingOf(known, lately))
  return { ...known, perSecond, ceiling, step: 0, suspendedUntil: null }
}

/** Of what was measured it may be a little more; a pace that was kept until now was just too much. */
function ceilingOf({ perSecond }: Limits, lately: number): number {
  return perSecond === null || lately < perSecond ? lately * measuredMore : 0
}

function fewer(known: Limits, { by, floor }: ShapingRule, inUse: number): Limits {
  const connections = Math.max(1, Math.floor(floor), Math.floor(by * Math.min(known.connections ?? inUse, inUse)))
  return { ...known, connections, suspendedUntil: null }
}
