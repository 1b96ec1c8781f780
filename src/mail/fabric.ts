// Which relay a mail takes. The first route that fits the mail names the relays that may carry it: those with a weight share it, the others are
// spares, in their order, for when none of those can. A mail changes to another relay only before its final dot, when its relay fails as such;
// never because of what a receiver says about the sender. Each relay has its own connections and its own watch (watched-mailer.ts).

import type { Clock } from '../kit/clock.ts'
import { second } from '../kit/duration.ts'
import { addressDomain } from '../kit/email-address.ts'
import {
  brokeOff,
  type Destination,
  type HandOver,
  type Mailer,
  type MailOutcome,
  type OutgoingMail,
  type SlowReceiver,
} from './mailer.ts'
import { Quota } from './quota.ts'
import type { ReceiverNames } from './receiver-names.ts'
import { type MailStream, ofSmtpUrl, type Relay, type Way } from './relay.ts'
import { type Candidate, type Choosable, findRefused, Turns, waitWhereKept } from './relay-choice.ts'
import type { Pace } from './relay-pace.ts'
import { ReplyCounts } from './reply-counts.ts'
import { type Fault, type OnFault, parseScope } from './sending-hold.ts'
import { Shaping } from './shaping.ts'
import type { ShapingRule } from './shaping-rules.ts'
import { WarmUp } from './warm-up.ts'
import { type StartRequest, WatchedMailer } from './watched-mailer.ts'

export interface Route {
  workspaceId: string | null
  /** What it is for; null: everything. */
  streams: MailStream[] | null
  /** Domains of senders. */
  domains: string[] | null
  /** Of receiver-groups.ts. */
  receivers: string[] | null
  relays: { relayId: string | null; weight: number }[]
}

/** A mail that looks for a relay. */
export interface Addressed extends Destination {
  stream: MailStream
  from: string
  /** Of findReceiver(). */
  receiver: string
  /** The relay that it must keep, because a receiver has refused it there for who we are. */
  keeps?: string | null
}

/** The relay that carries a mail. */
export interface Path {
  relayId: string | null
  /** Its name in the network; '' for none. */
  host: string
  /** Who takes the mail in the end. */
  receiver: string
  turnedAway?: HandOver['turnedAway']
  giveBack?: HandOver['giveBack']
  /** The relays that may carry the mail if this one fails. */
  others?: (string | null)[]
}

type ChosenPath = Pick<Path, 'relayId' | 'receiver' | 'others'>

/** All that is set beside the relay of SMTP_URL. */
export interface FabricSettings {
  relays: Relay[]
  routes: Route[]
  rules: ShapingRule[]
  /** How many processes send, and share all limits. */
  processes: number
  /** What these were made of, for whoever makes them anew. */
  madeOf: string
}

/** Who sends a mail that never meets a relay, and so says nothing about any; null for any other. */
export type Apart = (to: Omit<Destination, 'bulk'>) => Mailer | null

interface FabricParts {
  clock: Clock
  apart: Apart
  capture: Mailer
  names: ReceiverNames
  fixed: Way | null
  connect: (url: string) => Way
}

interface Carrier extends Relay, Omit<Way, 'mailer'>, Choosable {
  /** Since the last mails: how long it takes for one, with as many at once as there were; null: none was measured. */
  msPerMail: number | null
}

export class Fabric {
  readonly #clock: Clock
  readonly #apart: Apart
  readonly #capture: Mailer
  readonly #names: ReceiverNames
  readonly shaping: Shaping
  readonly replies: ReplyCounts
  readonly #fixed: Way | null
  readonly #connect: (url: string) => Way
  #onFault: OnFault = () => {}
  /** Asked right before each final dot (HandOver). */
  mayEnd: () => boolean = () => true
  #carriers = new Map<string | null, Carrier>()
  #routes: Route[] = []
  #asksForReceivers = false
  #madeOf = ''
  readonly #turns = new Turns<Carrier>()

  /** `fixed`: the relay of SMTP_URL. `capture` takes the mail of workspaces for which there is none, not even one that is off. */
  constructor({ clock, apart, capture, names, fixed, connect }: FabricParts) {
    this.#clock = clock
    this.#apart = apart
    this.#capture = capture
    this.#names = names
    this.shaping = new Shaping(clock)
    this.replies = new ReplyCounts(clock)
    this.#fixed = fixed
    this.#connect = connect
    this.set({ relays: [], routes: [], rules: [], processes: 1, madeOf: '' })
  }

  /** Sets the listener for faults. */
  onFault(listener: OnFault): void {
    this.#onFault = listener
  }

  /** Whether relays were added for every workspace. */
  get isRelayed(): boolean {
    return [...this.#carriers.values()].some(({ id, workspaceId }) => id !== null && workspaceId === null)
  }

  /** How many relays take mail. */
  get relays(): number {
    return [...this.#carriers.values()].filter(({ state }) => state === 'active').length
  }

  /** What its relays and routes were made of, for whoever makes them anew. */
  get madeOf(): string {
    return this.#madeOf
  }

  get kind(): Mailer['kind'] {
    return this.#hasRelay(null) ? 'smtp' : 'capture'
  }

  /** Beside the relay of SMTP_URL. What was set last holds; a relay whose address stays keeps its connections, and what was learnt of it. */
  set({ relays, routes, rules, processes, madeOf }: FabricSettings): void {
    this.#madeOf = madeOf
    const before = this.#carriers
    const all = this.#fixed === null ? relays : [ofSmtpUrl, ...relays]
    this.#carriers = new Map(all.map((relay) => [relay.id, this.#carrier(relay, before.get(relay.id))]))
    for (const { quota, warmUp, warmUpSince, ...limits } of this.#carriers.values()) {
      quota.limit(limits, processes)
      warmUp.set(warmUpSince, processes)
    }
    this.#routes = routes
    const namesSome = [...routes, ...rules].some(({ receivers }) => receivers !== null)
    this.#asksForReceivers = namesSome || relays.some(({ warmUpSince }) => warmUpSince !== null)
    this.shaping.set(rules, processes)
    for (const [id, { watched }] of before) if (this.#carriers.get(id)?.watched !== watched) void watched.close()
  }

  async close(): Promise<void> {
    await Promise.all([this.#capture.close(), ...[...this.#carriers.values()].map(({ watched }) => watched.close())])
  }

  /** Who takes the mail of a domain in the end. Without a relay, or where routes, rules or a warm-up go by it, the DNS is asked. */
  async findReceiver(domain: string): Promise<string> {
    for (const { watched } of this.#carriers.values()) {
      const found = await watched.findReceiver(domain)
      if (found !== null) return found
    }
    if (this.#asksForReceivers) return await this.#names.find(domain)
    return this.#names.of(domain)
  }

  /** The relay that a mail takes, before it is written; or why it waits. */
  route(mail: Addressed): Path | MailOutcome {
    const { receiver } = mail
    if (this.#apart(mail) !== null || !this.#hasRelay(mail.workspaceId)) return { relayId: null, host: '', receiver }
    const candidates = this.#candidates(mail)
    const kept = this.#kept(mail)
    const refused = kept === undefined ? findRefused(candidates, mail) : undefined
    const choose = () => refused?.carrier ?? this.#turns.choose(candidates, mail)
    const carrier = kept === undefined ? choose() : waitWhereKept(kept, mail)
    if ('outcome' in carrier) return carrier
    const pair = { relayId: carrier.id, receiver }
    const away = carrier.watched.turnedAway(mail) ?? (mail.bulk ? this.shaping.turnedAway(pair) : null)
    if (away !== null) {
      carrier.watched.notTried(mail)
      return away
    }
    const ofRelay = carrier.quota.take()
    carrier.warmUp.take(receiver)
    const ofReceiver = this.shaping.take(pair)
    const giveBack = () => {
      ofRelay()
      ofReceiver.giveBack()
    }
    const { turnedAway } = ofReceiver
    const others = kept || refused ? [] : candidates.flatMap(({ carrier: { id } }) => (id === carrier.id ? [] : [id]))
    return { ...pair, host: carrier.host, others, giveBack, ...(mail.bulk && { turnedAway }) }
  }

  /** Also one that drains or is on no route any more. One that is off or removed gave up its mail: whoever did that knows. */
  #kept({ keeps, workspaceId }: Addressed): Carrier | undefined {
    const carrier = keeps === undefined ? undefined : this.#carriers.get(keeps)
    const isTheirs = carrier?.workspaceId === null || carrier?.workspaceId === workspaceId
    return isTheirs && carrier?.state !== 'off' ? carrier : undefined
  }

  async send(mail: OutgoingMail, handOver: HandOver, { others = [], ...path }: ChosenPath): Promise<MailOutcome> {
    const to = { workspaceId: mail.workspaceId, to: mail.envelope.to }
    const apart = this.#apart(to) ?? (this.#hasRelay(mail.workspaceId) ? null : this.#capture)
    if (apart !== null) return await apart.send(mail, handOver)
    const carrier = this.#carriers.get(path.relayId)
    if (carrier === undefined) return elsewhere('its relay was taken away meanwhile')
    const pair = { relayId: path.relayId, receiver: path.receiver }
    const fenced = { ...handOver, mayEnd: () => this.mayEnd() }
    carrier.inFlight++
    const [began, atOnce] = [performance.now(), Math.max(carrier.inFlight, carrier.connections)]
    const outcome = await this.shaping
      .watch(pair, () => carrier.warmUp.carry(path.receiver, fenced, (counted) => carrier.watched.send(mail, counted)))
      .finally(() => carrier.inFlight--)
    if (outcome.outcome === 'accepted') measure(carrier, (performance.now() - began) / atOnce)
    if (!wasHandedOver(outcome)) carrier.quota.giveBack()
    this.replies.note(pair, outcome)
    const isTaken = others.some((id) => this.#takesMail(this.#carriers.get(id), mail.workspaceId))
    if (!isTaken) return outcome
    if (this.#hasFailed(carrier, mail.workspaceId, outcome))
      return elsewhere('detail' in outcome ? outcome.detail : 'its relay refuses mail')
    return brokeOff(outcome) && handOver.attempt === 1 ? { ...outcome, again: true } : outcome
  }

  /** What the relays carry that may carry such mail; null where none is needed. */
  paces(mail: Pick<Addressed, 'workspaceId' | 'stream' | 'from'>): Pace[] | null {
    if (!this.#hasRelay(mail.workspaceId)) return null
    return this.#candidates({ ...mail, receiver: '' }).map(({ carrier }) => {
      const { id: relayId, msPerMail, quota, warmUp, warmUpSince: since, mostPerSecond, mostPerDay } = carrier
      const measured = msPerMail === null ? null : second / msPerMail
      const warming = since === null ? null : { since, carried: warmUp.carried }
      return { relayId, measured, mostPerSecond, mostPerDay, sentToday: quota.sentToday, warmUp: warming }
    })
  }

  slowReceivers(): SlowReceiver[] {
    return [...this.#carriers.values()].flatMap(({ watched }) => watched.slowReceivers())
  }

  /** Who takes the mail of the domain, as far as it is known. */
  receiverOf(domain: string): string {
    for (const { watched } of this.#carriers.values()) {
      const found = watched.receiverOf(domain)
      if (found !== domain) return found
    }
    return this.#names.of(domain)
  }

  /** How many mails of the workspace may start; `again` is called with the time to ask again. */
  capacity(request: StartRequest, again: (at: number) => void): number {
    const own = this.#of(request.workspaceId)
    // Captured, or told one by one that no relay may carry it.
    if (own.length === 0) return Number.POSITIVE_INFINITY
    const now = this.#clock.now().getTime()
    let sum = 0
    for (const { watched, quota } of own) {
      const room = quota.room()
      if (room === 0) again(now + quota.waitMs())
      else sum += Math.min(room, watched.capacity(request, again))
    }
    return sum
  }

  /** Mail of the workspace starts; while it is held everywhere, a mail for each relay whose time it is: its trial. */
  started(workspaceId: string): void {
    const own = this.#of(workspaceId)
    if (!own.every(({ watched }) => watched.stateFor(workspaceId).isHeld)) return
    for (const carrier of own) {
      carrier.awaitsTrial ||= carrier.watched.stateFor(workspaceId).waitMs === 0
      carrier.watched.started(workspaceId)
    }
  }

  /** The next mail of the workspace does not wait, as far as this process holds it. */
  tryNow(workspaceId: string): void {
    for (const { watched } of this.#of(workspaceId)) watched.tryNow(workspaceId)
  }

  /** Restores the faults that an earlier process recorded. */
  restore(faults: Fault[]): void {
    const byRelay = Map.groupBy(faults, ({ scope }) => parseScope(scope).relayId)
    for (const [id, { watched }] of this.#carriers) watched.restore(byRelay.get(id) ?? [])
  }

  /** What left through the relay today, through all processes. */
  sentToday(relayId: string | null, count: number): void {
    const carrier = this.#carriers.get(relayId)
    carrier?.quota.startAt(count, carrier.inFlight)
  }

  /** What was carried today by a relay that warms up, by receiver, through all processes. */
  carriedToday(relayId: string | null, counts: Map<string, number>): void {
    this.#carriers.get(relayId)?.warmUp.startAt(counts)
  }

  /** How many mails are on their way through a relay, in this process. */
  inFlight(relayId: string | null): number {
    return this.#carriers.get(relayId)?.inFlight ?? 0
  }

  #carrier(relay: Relay, before: Carrier | undefined): Carrier {
    const quota = before?.quota ?? new Quota(this.#clock)
    if (before?.url === relay.url) return Object.assign(before, relay)
    const { mailer, ...way } = (relay.id === null ? this.#fixed : null) ?? this.#connect(relay.url)
    const onFault: OnFault = (scope, fault) => this.#onFault(scope, fault)
    const watched = new WatchedMailer(mailer, { clock: this.#clock, relayId: relay.id, onFault })
    const anew = {
      warmUp: new WarmUp(this.#clock),
      inFlight: 0,
      awaitsTrial: false,
      msPerMail: null,
      turn: this.#turns.now,
    }
    const carrier = { ...relay, ...way, watched, quota, ...anew }
    watched.hasSubstitute = () => this.#hasSubstitute(carrier)
    return carrier
  }

  #hasRelay(ofWorkspace: string | null): boolean {
    return [...this.#carriers.values()].some(({ workspaceId }) => workspaceId === null || workspaceId === ofWorkspace)
  }

  /** The relays that carry mail of a workspace: its own, else those of the installation. */
  #of(workspaceId: string): Carrier[] {
    const active = [...this.#carriers.values()].filter(({ state }) => state === 'active')
    const own = active.filter((carrier) => carrier.workspaceId === workspaceId)
    return own.length > 0 ? own : active.filter((carrier) => carrier.workspaceId === null)
  }

  #candidates({ workspaceId, stream, from, receiver }: Omit<Addressed, 'to' | 'bulk'>): Candidate<Carrier>[] {
    const carriers = this.#of(workspaceId).filter(({ streams }) => streams === null || streams.includes(stream))
    const owner = carriers[0]?.workspaceId ?? null
    const domain = addressDomain(from).toLowerCase()
    const fitting = this.#routes.filter(
      (route) =>
        route.workspaceId === owner &&
        (route.streams === null || route.streams.includes(stream)) &&
        (route.domains === null || route.domains.includes(domain)) &&
        (route.receivers === null || route.receivers.includes(receiver)),
    )
    for (const { relays } of fitting) {
      const named = relays.flatMap(({ relayId, weight }) => {
        const carrier = carriers.find(({ id }) => id === relayId)
        return carrier === undefined ? [] : [{ carrier, weight }]
      })
      if (named.length > 0) return named
    }
    return carriers.map((carrier) => ({ carrier, weight: carrier.weight }))
  }

  /** It failed before the final dot, and that is about the relay and not about who sends. */
  #hasFailed({ watched }: Carrier, workspaceId: string, { outcome }: MailOutcome): boolean {
    if (outcome !== 'held' && outcome !== 'not_sent' && outcome !== 'refused') return false
    const state = watched.stateFor(workspaceId)
    return state.isHeld && !state.isRefused
  }

  /** For some of its mail at least. */
  #hasSubstitute(carrier: Carrier): boolean {
    return [...this.#carriers.values()].some(
      (other) => other !== carrier && other.workspaceId === carrier.workspaceId && this.#takesMail(other, null),
    )
  }

  #takesMail(carrier: Carrier | undefined, workspaceId: string | null): boolean {
    return carrier?.state === 'active' && !carrier.watched.stateFor(workspaceId).isHeld
  }
}

/** A mail counts for a tenth of what is known, so that the last few dozen decide. */
function measure(carrier: Carrier, ms: number): void {
  carrier.msPerMail = carrier.msPerMail === null ? ms : carrier.msPerMail + (ms - carrier.msPerMail) / 10
}

/** At once, through another relay. */
function elsewhere(why: string): MailOutcome {
  return { outcome: 'put_off', waitMs: 0, detail: `another relay is tried: ${why}` }
}

/** The final dot was sent. */
function wasHandedOver(outcome: MailOutcome): boolean {
  return (
    outcome.outcome === 'accepted' || outcome.outcome === 'uncertain' || ('stage' in outcome && outcome.stage === 'dot')
  )
}
