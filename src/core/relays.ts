// The relays of the installation as they are set: that of SMTP_URL, and those that were added. A change, also by another process, holds for
// the next mail.

import { and, count, gte, isNotNull } from 'drizzle-orm'
import { sendJournal } from '../../db/tables/outbox.ts'
import { relayRoutes, relays } from '../../db/tables/relays.ts'
import { day } from '../kit/duration.ts'
import type { Addressed, Path, Relay } from '../mail/fabric.ts'
import type { MailOutcome } from '../mail/mailer.ts'
import type { App } from './app.ts'

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
export async function routeMail(app: App, mail: Addressed): Promise<Path | MailOutcome> {
  await followRelays(app)
  return app.mailer.route(mail)
}

export async function followRelays(app: App): Promise<void> {
  await app.share('relays', async () => {
    const [rows, routes] = await Promise.all([
      app.db.select().from(relays),
      app.db.select().from(relayRoutes).orderBy(relayRoutes.position),
    ])
    const made = JSON.stringify([rows, routes])
    if (made === app.mailer.madeOf) return
    const settings = await Promise.all(
      rows.map(async ({ urlSealed, ...row }): Promise<Relay> => {
        return { ...row, url: await openRelayUrl(app, { id: row.id, urlSealed }) }
      }),
    )
    app.mailer.set(settings, routes, made)
    for (const [id, sent] of await countToday(app)) app.mailer.sentToday(id, sent)
  })
}

/** By relay, what left today through any process. */
async function countToday(app: App): Promise<Map<string | null, number>> {
  const today = new Date(Math.floor(app.clock.now().getTime() / day) * day)
  const rows = await app.db
    .select({ relayId: sendJournal.relayId, sent: count() })
    .from(sendJournal)
    .where(and(isNotNull(sendJournal.relayId), gte(sendJournal.handedOverAt, today)))
    .groupBy(sendJournal.relayId)
  return new Map(rows.map(({ relayId, sent }) => [relayId, sent]))
}
