// The relays of the installation as they are set: that of SMTP_URL, and those that were added. A change, also by another process, holds for
// the next mail.

import { and, count, eq, gte, isNotNull, ne } from 'drizzle-orm'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { sendJournal } from '../../db/tables/outbox.ts'
import { receiverRules, relayRoutes, relays } from '../../db/tables/relays.ts'
import { second } from '../kit/duration.ts'
import { addressDomain } from '../kit/email-address.ts'
import type { Addressed, Path } from '../mail/fabric.ts'
import type { MailOutcome } from '../mail/mailer.ts'
import { readRelayUrl } from '../mail/mx/transport.ts'
import { startOfDay } from '../mail/quota.ts'
import type { Relay } from '../mail/relay.ts'
import type { Pace } from '../mail/relay-pace.ts'
import type { App } from './app.ts'
import { aliveSince, listRunning } from './processes.ts'
import { listLimits, toRule } from './receivers.ts'

/** What is sealed in a row can be opened only there. */
export const relayContext = (id: string) => `relay ${id}`

export function sealRelayUrl({ sealer }: Pick<App, 'sealer'>, id: string, url: string): Promise<string> {
  return sealer.seal(url, relayContext(id))
}

export function openRelayUrl(
  { sealer }: Pick<App, 'sealer'>,
  { id, urlSealed }: { id: string; urlSealed: string },
): Promise<string> {
  return sealer.open(urlSealed, relayContext(id))
}

/** The relay that a mail takes, or why it waits. */
export async function routeMail(app: App, mail: Omit<Addressed, 'receiver'>): Promise<Path | MailOutcome> {
  await followRelays(app)
  const receiver = await app.mailer.findReceiver(addressDomain(mail.to).toLowerCase())
  return app.mailer.route({ ...mail, receiver })
}

/** What the relays carry that may carry such mail; null where none is needed. */
export async function loadPaces(app: App, mail: Parameters<App['mailer']['paces']>[0]): Promise<Pace[] | null> {
  await followRelays(app)
  return app.mailer.paces(mail)
}

const [readRelays, readRoutes, readRules] = [
  prepared((db: ReadDb) => db.select().from(relays).prepare()),
  prepared((db: ReadDb) => db.select().from(relayRoutes).orderBy(relayRoutes.position).prepare()),
  prepared((db: ReadDb) => db.select().from(receiverRules).orderBy(receiverRules.position).prepare()),
]

export async function followRelays(app: App): Promise<void> {
  await app.share('relays', async () => {
    const isShared = app.database.kind === 'remote'
    const { madeOf } = app.mailer
    const [rows, routes, rules, limits, running] = await Promise.all([
      readRelays(app.db).all(),
      readRoutes(app.db).all(),
      readRules(app.db).all(),
      isShared || madeOf === '' ? listLimits(app) : null,
      isShared ? listRunning(app.db, aliveSince(app)) : [],
    ])
    const processes = Math.max(1, running.length)
    const made = JSON.stringify([rows, routes, rules, processes])
    if (limits !== null) app.mailer.shaping.follow(limits)
    if (made !== madeOf) {
      const settings = await Promise.all(
        rows.map(async ({ urlSealed, ...row }): Promise<Relay> => {
          return { ...row, url: await openRelayUrl(app, { id: row.id, urlSealed }) }
        }),
      )
      app.mailer.set({ relays: settings, routes, rules: rules.map(toRule), processes, madeOf: made })
    }
    const isLimited = rows.some(({ mostPerDay, warmUpSince }) => mostPerDay !== null || warmUpSince !== null)
    if (made === madeOf && !(isShared && isLimited && app.own(counted).isDue())) return
    for (const [id, sent] of await countToday(app)) app.mailer.sentToday(id, sent)
    for (const { id, warmUpSince } of rows)
      if (warmUpSince !== null) app.mailer.carriedToday(id, await countCarried(app, id))
  })
}

/** Who may carry mail of the workspace: the servers of its own relays, else of those of all; without a server, the name that we go by. */
export async function relayHosts({ db, config }: App, workspaceId: string | null): Promise<string[]> {
  const { workspaceId: owner, address, state } = relays
  const rows = await db.select({ owner, address }).from(relays).where(ne(state, 'off'))
  const own = workspaceId === null ? [] : rows.filter((one) => one.owner === workspaceId)
  const shared = rows.filter((one) => one.owner === null)
  const fixed = config.smtpUrl === undefined ? [] : [readRelayUrl(config.smtpUrl)]
  const addresses = (own.length > 0 ? own : [...fixed, ...shared]).map((one) => one.address)
  return addresses.map((one) => new URL(one).hostname)
}

/** How often what other processes sent through relays with a limit a day is counted. */
const countEveryMs = 5 * second

function counted() {
  let at = Number.NEGATIVE_INFINITY
  return {
    isDue(): boolean {
      const now = performance.now()
      if (now - at < countEveryMs) return false
      at = now
      return true
    },
  }
}

const today = ({ clock }: App) => new Date(startOfDay(clock.now().getTime()))

/** By receiver, what the relay carried today through any process. */
export async function countCarried(app: App, relayId: string): Promise<Map<string, number>> {
  const rows = await app.db
    .select({ receiver: sendJournal.receiver, carried: count() })
    .from(sendJournal)
    .where(and(eq(sendJournal.relayId, relayId), gte(sendJournal.handedOverAt, today(app))))
    .groupBy(sendJournal.receiver)
  return new Map(rows.flatMap(({ receiver, carried }) => (receiver === null ? [] : [[receiver, carried]])))
}

/** By relay, what left today through any process. */
async function countToday(app: App): Promise<Map<string | null, number>> {
  const rows = await app.db
    .select({ relayId: sendJournal.relayId, sent: count() })
    .from(sendJournal)
    .where(and(isNotNull(sendJournal.relayId), gte(sendJournal.handedOverAt, today(app))))
    .groupBy(sendJournal.relayId)
  return new Map(rows.map(({ relayId, sent }) => [relayId, sent]))
}
