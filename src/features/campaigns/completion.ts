// When the last mail of a campaign would leave, and the limit that decides, if it began at a time: by the time zones of its recipients, by the
// rule of the caps, and by what the relays carry. What else the workspace sends meanwhile is not in it: a rehearsal (../forecast/) has that.

import type { CampaignForecast, Limit } from '../../../db/tables/campaigns.ts'
import type { App } from '../../core/app.ts'
import { loadPaces } from '../../core/relays.ts'
import { hour, minute } from '../../kit/duration.ts'
import { nextOutside } from '../../kit/local-time.ts'
import { farthestMs, type Part, RelayPace } from '../../mail/relay-pace.ts'
import { warmUpParts } from '../../mail/warm-up-pace.ts'
import { loadCampaignSettings } from '../../people/campaign-settings.ts'
import { spreadMs, zoneOf } from '../../people/recipient-time.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Estimate, estimateAudience } from './audience.ts'
import type { Campaign } from './campaign.ts'
import { type DepartureRules, localMoment } from './departure.ts'
import { Waits } from './limits.ts'
import { Caps } from './reputation/caps-ahead.ts'
import { type CheckedSender, checkSender } from './reputation/sender-check.ts'
import type { Schedule } from './schedule.ts'

/** As it would be sent now, or as scheduled. Throws what the sender is refused for. */
export async function forecastCompletion(
  app: App,
  workspace: Workspace,
  campaign: Campaign,
  schedule: Schedule | null,
): Promise<CampaignForecast> {
  const sender = await checkSender(app, workspace, campaign)
  const estimate = await estimateAudience(app, campaign, app.clock.now())
  return await forecastCompletionFrom(app, workspace, campaign, { schedule, sender, estimate })
}

interface ReachKnown {
  schedule: Schedule | null
  sender: CheckedSender
  estimate: Estimate
}

/** Of what is known already. */
export async function forecastCompletionFrom(
  app: App,
  workspace: Workspace,
  campaign: Campaign,
  { schedule, sender: { sender, domain }, estimate }: ReachKnown,
): Promise<CampaignForecast> {
  const now = app.clock.now()
  const settings = await loadCampaignSettings(app, workspace.id)
  const paces = await loadPaces(app, { workspaceId: workspace.id, stream: 'marketing', from: sender.email })
  const caps = await Caps.load(app, workspace, settings, now)
  const begin = schedule?.at ?? now
  const rules = { campaign: { ...campaign, localTime: schedule?.localTime ?? null }, workspace, settings }
  const departures = new Departures({ caps, domain, relays: new RelayPace(paces, now), begin })
  const { first, rest } = divide(campaign, estimate)
  const firstAt = departures.leave(arrivals(rules, first, begin))
  if (rest.size > 0) departures.leave(afterWinner(campaign, departures.waits, { rules, rest, at: firstAt }))
  departures.warmUp(warmUpParts(paces ?? [], receiversIn(app, estimate), { from: begin, now }), begin)
  const { lastAt, waits } = departures
  return {
    madeAt: now.getTime(),
    recipients: estimate.recipients,
    lastAt: Number.isFinite(lastAt) ? lastAt : null,
    limit: waits.limit(),
  }
}

/** As far as it is known who takes the mail of a domain. */
function receiversIn({ mailer }: App, { domains }: Estimate): Map<string, number> {
  const receivers = new Map<string, number>()
  for (const [domain, people] of domains) {
    const receiver = mailer.receiverOf(domain)
    receivers.set(receiver, (receivers.get(receiver) ?? 0) + people)
  }
  return receivers
}

/** Mails that could leave at the same time. */
interface Arrival {
  at: number
  mails: number
  /** What they waited for until then. */
  waited: { reason: string; ms: number } | null
}

type Zones = Estimate['zones']

/** Those who try the variants of a test, and those who get its winner; without a test, everybody is among the first. */
function divide({ test }: Campaign, { zones }: Estimate): { first: Zones; rest: Zones } {
  const part = test?.winner == null ? 1 : test.share / (100 - test.holdOut)
  const first = new Map([...zones].map(([zone, people]) => [zone, Math.round(people * part)]))
  const others = [...zones].map(([zone, people]): [string | null, number] => [zone, people - (first.get(zone) ?? 0)])
  return { first, rest: new Map(others.filter(([, people]) => people > 0)) }
}

/** When their zones let them have it, in this order. */
function arrivals(
  { campaign, workspace, settings: { quietHours } }: DepartureRules,
  zones: Zones,
  begin: Date,
): Arrival[] {
  const all = [...zones].map(([timezone, mails]): Arrival => {
    const zone = zoneOf({ timezone }, workspace)
    const local = localMoment(campaign.localTime, zone)
    const planned = local !== null && local > begin ? local : begin
    const at = nextOutside(quietHours, zone, planned)
    if (at.getTime() === begin.getTime() && local === null) return { at: at.getTime(), mails, waited: null }
    const reason = at > planned ? 'quiet_hours' : 'local_time'
    return { at: at.getTime() + spreadMs, mails, waited: { reason, ms: at.getTime() + spreadMs - begin.getTime() } }
  })
  return all.sort((one, other) => one.at - other.at)
}

/** Nobody knows when a person chooses. */
function afterWinner(
  { test }: Campaign,
  waits: Waits,
  { rules, rest, at }: { rules: DepartureRules; rest: Zones; at: number },
): Arrival[] {
  const mails = [...rest.values()].reduce((sum, people) => sum + people, 0)
  const ms = test?.winner?.by === 'clicks' ? test.winner.afterHours * hour : Number.POSITIVE_INFINITY
  waits.add({ reason: 'awaits_winner', by: null }, mails, ms)
  if (!Number.isFinite(at + ms)) return [{ at: Number.POSITIVE_INFINITY, mails, waited: null }]
  return arrivals(rules, rest, new Date(at + ms))
}

/** Mails leave as the caps and the relays let them. */
class Departures {
  readonly waits = new Waits()
  readonly #caps: Caps
  readonly #domain: string
  readonly #relays: RelayPace
  /** When the last has left, ms: when it begins, where nobody gets it; Infinity: not in a year. */
  lastAt: number

  constructor({ caps, domain, relays, begin }: { caps: Caps; domain: string; relays: RelayPace; begin: Date }) {
    this.#caps = caps
    this.#domain = domain
    this.#relays = relays
    this.lastAt = begin.getTime()
  }

  /** Returns when the last of them has its place in the caps. */
  leave(arrivals: Arrival[]): number {
    const [first] = arrivals
    if (first === undefined) return this.lastAt
    if (!Number.isFinite(first.at)) return this.#never()
    const end = first.at + farthestMs
    let queued = 0
    let now = first.at
    for (let next = 0; next < arrivals.length || queued > 0; ) {
      const arrival = arrivals[next]
      if (arrival !== undefined && arrival.at <= now) {
        next++
        queued += arrival.mails
        if (arrival.waited)
          this.waits.add({ reason: arrival.waited.reason, by: null }, arrival.mails, arrival.waited.ms)
        continue
      }
      const { left, goesOnAt } = this.#take(queued, now)
      const until = Math.min(goesOnAt, arrival?.at ?? Number.POSITIVE_INFINITY)
      if (left > 0) this.#waitForCap(left, { now, until })
      queued = left
      if (left === 0 && arrival === undefined) break
      now = until
      if (now > end) return this.#never()
    }
    return now
  }

  #never(): number {
    this.lastAt = Number.POSITIVE_INFINITY
    return this.lastAt
  }

  /** What relays may not carry yet leaves so much later. */
  warmUp(parts: Part[], begin: Date): void {
    for (const { mails, at, by } of parts) {
      this.lastAt = Math.max(this.lastAt, at)
      if (by !== null) this.waits.add({ reason: 'relays', by }, mails, at - begin.getTime())
    }
  }

  /** As many as the caps have room for. */
  #take(queued: number, now: number): { left: number; goesOnAt: number } {
    const at = new Date(now)
    const leaving = Math.min(queued, Math.floor(this.#caps.allowance(this.#domain, at).remaining))
    if (leaving > 0) {
      this.#caps.reserve(this.#domain, at, leaving)
      for (const part of this.#relays.through(leaving, now)) {
        this.lastAt = Math.max(this.lastAt, part.at)
        if (part.by !== null) this.waits.add({ reason: 'relays', by: part.by }, part.mails, part.at - now)
      }
    }
    const left = queued - leaving
    if (left === 0) return { left, goesOnAt: Number.POSITIVE_INFINITY }
    return { left, goesOnAt: this.#caps.allowance(this.#domain, at).nextAt?.getTime() ?? now + minute }
  }

  #waitForCap(mails: number, { now, until }: { now: number; until: number }): void {
    const { by } = this.#caps.allowance(this.#domain, new Date(now))
    const limit: Limit = { reason: 'daily_cap', by }
    this.waits.add(limit, mails, until - now)
  }
}
