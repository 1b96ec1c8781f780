// General faults of sending, as noticed by the watched mailer (src/mail/watched-mailer.ts): stored, and read for the API, doctor and
// metrics.

import { and, between, eq, gt, lt, or, sql } from 'drizzle-orm'
import { sendingFaults } from '../../../db/tables/outbox.ts'
import { relays } from '../../../db/tables/relays.ts'
import { day } from '../../kit/duration.ts'
import { type Fault, parseScope, toScope } from '../../mail/sending-hold.ts'
import { type App, type Reader, type Tx, write } from '../app.ts'

/** A fault not seen again for this long is over. */
const forgottenAfterMs = day

/** Faults are stored because other processes show them and a restart must not lose them. */
export async function recordFault(app: App, scope: string, fault: Fault | null): Promise<void> {
  if (fault === null) app.log.info('mail is accepted again', { scope })
  else if (parseScope(scope).domain !== null) {
    app.log.warn(
      fault.heldUntil ? 'mail is held: one receiving domain refuses it' : 'a receiving domain refuses mail',
      { ...fault },
    )
  } else if (fault.heldUntil) app.log.error('mail is held: the mail server refuses it as such', { ...fault })
  else app.log.warn('the mail server refuses mail because of us', { ...fault })
  try {
    await write(app, async (tx) => {
      if (fault === null) await tx.db.delete(sendingFaults).where(eq(sendingFaults.scope, scope))
      else
        await tx.db.insert(sendingFaults).values(fault).onConflictDoUpdate({ target: sendingFaults.scope, set: fault })
    })
  } catch (error) {
    app.log.warn('a sending fault could not be stored', { scope, error })
  }
}

/** Of the relays that carry mail of the workspace, and of its own mail; without a workspace, of all. */
export async function listSendingFaults(reader: Reader, now: Date, workspaceId?: string): Promise<Fault[]> {
  const { scope } = sendingFaults
  const scopes =
    workspaceId === undefined
      ? undefined
      : or(
          ...[null, workspaceId].flatMap((id) => {
            const all = toScope({ relayId: null, workspaceId: id, domain: null })
            return [eq(scope, all), between(scope, `${all} `, `${all}!`)]
          }),
        )
  const lately = gt(sendingFaults.lastAt, new Date(now.getTime() - forgottenAfterMs))
  const found = await reader.db.select().from(sendingFaults).where(and(lately, scopes)).orderBy(sendingFaults.since)
  return await ofCarriers(reader, found, workspaceId)
}

/** Without those of relays that carry nothing of it: off, drained, gone, or another workspace's. One with relays of its own uses no others. */
async function ofCarriers(reader: Reader, faults: Fault[], workspaceId?: string): Promise<Fault[]> {
  if (faults.length === 0) return []
  const { id, state, workspaceId: owner } = relays
  const rows = await reader.db.select({ id, owner }).from(relays).where(eq(state, 'active'))
  const owners = new Map<string | null, string | null>([
    [null, null],
    ...rows.map((one) => [one.id, one.owner] as const),
  ])
  const wanted = rows.some((one) => one.owner === workspaceId) ? workspaceId : null
  return faults.filter(({ scope }) => {
    const found = owners.get(parseScope(scope).relayId)
    return workspaceId === undefined ? found !== undefined : found === wanted
  })
}

/** Nothing is known of a relay that has another address, or is gone. */
export async function forgetFaults(tx: Tx, relayId: string): Promise<void> {
  const end = ` ${relayId}`
  await tx.db.delete(sendingFaults).where(sql`substr(${sendingFaults.scope}, ${-end.length}) = ${end}`)
}

/** Faults of single receiving domains left out: they stop no other mail. */
export async function listGeneralFaults(reader: Reader, now: Date): Promise<Fault[]> {
  return (await listSendingFaults(reader, now)).filter(({ scope }) => parseScope(scope).domain === null)
}

/** What was held when an earlier process ended is tried with a single mail first. */
export async function restoreHolds(app: App): Promise<void> {
  app.mailer.restore(await listSendingFaults(app, app.clock.now()))
}

export async function deleteOldFaults(tx: Tx): Promise<number> {
  const horizon = new Date(tx.now.getTime() - forgottenAfterMs)
  const gone = await tx.db.delete(sendingFaults).where(lt(sendingFaults.lastAt, horizon)).returning()
  return gone.length
}
