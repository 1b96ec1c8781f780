// Which of the relays that may carry a mail does: of those that share it, the one whose turn it is; a spare, where none of those can; and where a
// relay is not warm enough yet, one that is warmer.

import { second } from '../kit/duration.ts'
import { addressDomain } from '../kit/email-address.ts'
import type { Destination, MailOutcome } from './mailer.ts'
import type { Quota } from './quota.ts'
import type { WarmUp } from './warm-up.ts'
import type { WatchedMailer } from './watched-mailer.ts'

export interface Choosable {
  watched: WatchedMailer
  quota: Quota
  warmUp: WarmUp
  /** When its warm-up began; null: it needs none. */
  warmUpSince: Date | null
  inFlight: number
  /** A mail has started that is its trial, and has not come for it yet. */
  awaitsTrial: boolean
  connections: number
  /** When it has its next turn among those that share mail, in a time of their own (start-time fair queueing). */
  turn: number
}

export interface Candidate<C> {
  carrier: C
  /** 0: a spare. */
  weight: number
}

interface AddressedMail extends Destination {
  /** Who takes it in the end. */
  receiver: string
}

/** A candidate, and how long the mail would wait there. */
interface OpenWay<C> extends Candidate<C> {
  isHeld: boolean
  ownMs: number
  warmUpMs: number
}

/** What a receiver has against mail of the workspace, it has wherever that comes from; and its trouble is no reason to try elsewhere. */
export function findRefused<C extends Choosable>(
  candidates: Candidate<C>[],
  { workspaceId, to }: AddressedMail,
): Candidate<C> | undefined {
  const domain = addressDomain(to).toLowerCase()
  return candidates.find(({ carrier }) => carrier.watched.stateFor(workspaceId, domain).isRefused)
}

export class Turns<C extends Choosable> {
  now = 0

  /** Those that share the mail first; then the spares in their order. */
  choose(candidates: Candidate<C>[], mail: AddressedMail): C | MailOutcome {
    if (candidates.length === 0) return { outcome: 'held', waitMs: noRelayMs, detail: 'no relay may carry this mail' }
    const share = candidates.filter(({ weight }) => weight > 0).toSorted((one, other) => this.#order(one, other))
    const spares = candidates.filter(({ weight }) => weight === 0)
    const isAlone = candidates.length === 1
    const ways = [...share, ...spares].map((candidate) => toWay(candidate, mail, isAlone))
    const open = ways.filter(({ ownMs }) => ownMs <= 0)
    const way = open.find(({ warmUpMs }) => warmUpMs === 0) ?? (mail.bulk ? undefined : warmest(open))
    if (way === undefined) return noRoom(ways, mail)
    if (way.isHeld && !isAlone) way.carrier.watched.started(mail.workspaceId)
    way.carrier.awaitsTrial = false
    if (way.weight > 0) this.#took(way)
    return way.carrier
  }

  /** Those with a free connection first, so that a slow one holds nothing up; then by turns. */
  #order({ carrier: one }: Candidate<C>, { carrier: other }: Candidate<C>): number {
    const isFull = ({ inFlight, connections }: C) => (inFlight >= connections ? 1 : 0)
    return isFull(one) - isFull(other) || Math.max(one.turn, this.now) - Math.max(other.turn, this.now)
  }

  #took({ carrier, weight }: Candidate<C>): void {
    this.now = Math.max(carrier.turn, this.now)
    carrier.turn = this.now + 1 / weight
  }
}

function toWay<C extends Choosable>(
  { carrier, weight }: Candidate<C>,
  mail: AddressedMail,
  isAlone: boolean,
): OpenWay<C> {
  const { watched, quota, warmUp, awaitsTrial } = carrier
  const { isHeld, waitMs } = watched.stateFor(mail.workspaceId)
  const ownMs = Math.max(isAlone || awaitsTrial ? 0 : waitMs, quota.waitMs())
  return { carrier, weight, isHeld, ownMs, warmUpMs: warmUp.waitMs(mail.receiver) }
}

/** Mail that somebody waits for does not wait for a warm-up. */
function warmest<C extends Choosable>(ways: OpenWay<C>[]): OpenWay<C> | undefined {
  const began = ({ carrier: { warmUpSince } }: OpenWay<C>) => warmUpSince?.getTime() ?? Number.NEGATIVE_INFINITY
  return ways.toSorted((one, other) => began(one) - began(other))[0]
}

function noRoom(ways: OpenWay<unknown>[], { receiver }: AddressedMail): MailOutcome {
  const waitMs = Math.min(...ways.map(({ ownMs, warmUpMs }) => Math.max(ownMs, warmUpMs)))
  const isWarmUp = ways.some(({ ownMs }) => ownMs <= 0)
  const detail = isWarmUp ? warmUpText(receiver) : 'no relay has room for this mail now'
  return { outcome: waitMs < second ? 'put_off' : 'held', waitMs, detail }
}

const warmUpText = (receiver: string) => `no relay is warm enough to carry more to ${receiver} today`

/** Bulk mail that must keep its relay waits for the warm-up of that. */
export function waitWhereKept<C extends Choosable>(carrier: C, { bulk, receiver }: AddressedMail): C | MailOutcome {
  const waitMs = bulk ? carrier.warmUp.waitMs(receiver) : 0
  return waitMs === 0 ? carrier : { outcome: 'held', waitMs, detail: warmUpText(receiver) }
}

/** How long mail waits that no relay may carry: somebody has to change that. */
const noRelayMs = 60 * second
