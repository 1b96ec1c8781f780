// Faults of relays, where there are several: which of them it is, and who carries its mail meanwhile. The rules of who may carry which mail
// are those of src/mail/fabric.ts.

import { asc } from 'drizzle-orm'
import { type MailStream, mailStreams, relayRoutes, relays } from '../../../db/tables/relays.ts'
import type { App } from '../../core/app.ts'
import { isAboutRelay } from '../../mail/refusal.ts'
import { type Fault, parseScope } from '../../mail/sending-hold.ts'
import type { Finding } from './rules.ts'

type KnownRelay = Pick<typeof relays.$inferSelect, 'name' | 'workspaceId' | 'streams'> & { id: string | null }
type Route = Pick<typeof relayRoutes.$inferSelect, 'workspaceId' | 'streams' | 'domains' | 'receivers' | 'relays'>

export interface Relays {
  /** Those that are active. */
  active: KnownRelay[]
  routes: Route[]
}

/** Null where there is only that of SMTP_URL: then nobody needs to be told which one it is. */
export async function loadRelays(app: App): Promise<Relays | null> {
  const rows = await app.db.select().from(relays).orderBy(asc(relays.id))
  if (rows.length === 0) return null
  const ofSmtpUrl = { id: null, name: 'SMTP_URL', workspaceId: null, streams: null }
  return {
    active: [
      ...(app.config.smtpUrl === undefined ? [] : [ofSmtpUrl]),
      ...rows.filter(({ state }) => state === 'active'),
    ],
    routes: await app.db.select().from(relayRoutes).orderBy(asc(relayRoutes.position)),
  }
}

/** `all`: the faults of all relays that may carry the same mail. */
export function ofRelay(finding: Finding, fault: Fault, { relays, all }: { relays: Relays; all: Fault[] }): Finding {
  const { relayId, domain } = parseScope(fault.scope)
  const relay = relays.active.find(({ id }) => id === relayId)
  if (relay === undefined) return finding
  const named = { ...finding, relayId, detail: `${relay.name}: ${fault.reply}` }
  if (domain !== null || !isAboutRelay(fault.about)) return named
  const { names, waiting } = standIns(relay, relays, heldBy(all))
  if (names.length === 0) return named
  const detail = `${named.detail}; ${listed(names)} ${names.length === 1 ? 'carries' : 'carry'} its mail`
  if (waiting.length > 0) return { ...named, detail: `${detail}, but not ${listed(waiting)}` }
  return { ...named, code: 'relay_fails', detail }
}

/** The relays that take nothing as such. */
function heldBy(faults: Fault[]): Set<string | null> {
  const ofRelays = faults.filter(({ scope, about, heldUntil }) => {
    return parseScope(scope).domain === null && heldUntil !== null && isAboutRelay(about)
  })
  return new Set(ofRelays.map(({ scope }) => parseScope(scope).relayId))
}

interface StandIns {
  names: string[]
  /** What no other relay may carry. */
  waiting: string[]
}

function standIns(relay: KnownRelay, { active, routes }: Relays, held: Set<string | null>): StandIns {
  const others = active.filter(
    (one) => one.id !== relay.id && one.workspaceId === relay.workspaceId && !held.has(one.id),
  )
  const streams = streamsOf(relay)
  const may = (one: KnownRelay, stream: MailStream) => streamsOf(one).includes(stream)
  const alone = streams.filter((stream) => !others.some((one) => may(one, stream)))
  const routed = routes.filter((route) => {
    if (route.workspaceId !== relay.workspaceId || !names(route, relay)) return false
    const own = (route.streams ?? mailStreams).filter((stream) => streams.includes(stream) && !alone.includes(stream))
    return own.some((stream) => !others.some((one) => names(route, one) && may(one, stream)))
  })
  return {
    names: others.filter((one) => streams.some((stream) => may(one, stream))).map(({ name }) => name),
    waiting: [...alone.map(mailOf), ...routed.map(describeRoute)],
  }
}

const streamsOf = ({ streams }: KnownRelay): readonly MailStream[] => streams ?? mailStreams

const mailOf = (stream: MailStream) => (stream === 'replies' ? stream : `${stream} mail`)

function names(route: Route, { id }: KnownRelay): boolean {
  return route.relays.some(({ relayId }) => relayId === id)
}

function describeRoute({ streams, domains, receivers }: Route): string {
  const what = streams === null ? 'mail' : listed(streams.map(mailOf))
  const from = domains === null ? '' : ` from ${listed(domains)}`
  const to = receivers === null ? '' : ` to ${listed(receivers)}`
  return from === '' && to === '' ? `${what} of its route` : `${what}${from}${to}`
}

const mostNamed = 3

function listed(names: string[]): string {
  const shown = names.slice(0, mostNamed)
  return names.length > mostNamed ? `${shown.join(', ')} and ${names.length - mostNamed} more` : shown.join(' and ')
}
