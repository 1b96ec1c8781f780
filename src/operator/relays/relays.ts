// Relays beside that of SMTP_URL, and the routes that say which mail takes which: added, changed and removed by the operator.

import { asc, eq, isNull } from 'drizzle-orm'
import { type MailStream, type RelayState, receiverLimits, relayRoutes, relays } from '../../../db/tables/relays.ts'
import { workspaces } from '../../../db/tables/workspaces.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { forgetFaults } from '../../core/outbox/sending-faults.ts'
import { sealRelayUrl } from '../../core/relays.ts'
import { ConfigError } from '../../kit/environment.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { readRelayUrl } from '../../mail/mx/transport.ts'

export type Relay = typeof relays.$inferSelect
export type RelayRoute = typeof relayRoutes.$inferSelect

export const noSuchRelay = 'There is no such relay.'

/** What stands for the relay of SMTP_URL, which has no row. */
export const smtpUrlRelay = 'smtp_url'

const maxRelays = 100
const maxRoutes = 200

export interface RelaySettings {
  name: string
  url: string
  workspaceId: string | null
  state: RelayState
  weight: number
  mostPerSecond: number | null
  mostPerDay: number | null
  /** When its warm-up began; null: it needs none. */
  warmUpSince: Date | null
  streams: MailStream[] | null
}

type Change = { [K in keyof RelaySettings]?: RelaySettings[K] | undefined }

/** Oldest first. */
export async function listRelays(reader: Reader): Promise<Relay[]> {
  return await reader.db.select().from(relays).orderBy(asc(relays.id))
}

/** By id, as the API has it. */
export async function listRelayNames(reader: Reader): Promise<Map<string, string>> {
  const rows = await reader.db.select({ id: relays.id, name: relays.name }).from(relays)
  return new Map([[smtpUrlRelay, 'SMTP_URL'], ...rows.map(({ id, name }) => [id, name] as const)])
}

/** Throws not_found. */
export async function getRelay(reader: Reader, id: string): Promise<Relay> {
  const [row] = await reader.db.select().from(relays).where(eq(relays.id, id))
  if (row) return row
  throw new AppError('not_found', noSuchRelay)
}

export async function createRelay(app: App, tx: Tx, given: RelaySettings): Promise<Relay> {
  if ((await listRelays(tx)).length >= maxRelays)
    throw invalidField('name', `there may be at most ${maxRelays} relays`, 'too_many')
  const id = newId(tx, 'rel', tx.now)
  const { url, ...settings } = given
  await checkWorkspace(tx, settings.workspaceId)
  const row = { id, ...settings, ...(await sealUrl(app, id, url)), createdAt: tx.now, updatedAt: tx.now }
  await tx.db.insert(relays).values(row)
  return row
}

export async function updateRelay(app: App, tx: Tx, id: string, { url, ...change }: Change): Promise<Relay> {
  const before = await getRelay(tx, id)
  if (change.workspaceId !== undefined) await checkWorkspace(tx, change.workspaceId)
  const sealed = url === undefined ? {} : await sealUrl(app, id, url)
  const set = { ...withoutUndefined(change), ...sealed, updatedAt: tx.now }
  await tx.db.update(relays).set(set).where(eq(relays.id, id))
  if (url !== undefined) await forgetFaults(tx, id)
  return { ...before, ...set }
}

/** Throws `conflict` while a route names it. */
export async function deleteRelay(tx: Tx, id: string): Promise<void> {
  await getRelay(tx, id)
  const named = (await tx.db.select().from(relayRoutes)).some((route) => route.relays.some((one) => one.relayId === id))
  if (named) throw new AppError('conflict', 'a route names this relay: change the route first')
  await tx.db.delete(relays).where(eq(relays.id, id))
  await tx.db.delete(receiverLimits).where(eq(receiverLimits.relayId, id))
  await forgetFaults(tx, id)
}

export interface RouteSettings {
  streams: MailStream[] | null
  domains: string[] | null
  receivers: string[] | null
  relays: { relayId: string; weight: number }[]
}

/** Those of a workspace, or of the installation, in their order. */
export async function listRoutes(reader: Reader, workspaceId: string | null): Promise<RelayRoute[]> {
  const { workspaceId: owner, position } = relayRoutes
  const mine = workspaceId === null ? isNull(owner) : eq(owner, workspaceId)
  return await reader.db.select().from(relayRoutes).where(mine).orderBy(asc(position))
}

/** In place of those that are there. */
export async function setRoutes(tx: Tx, workspaceId: string | null, given: RouteSettings[]): Promise<RelayRoute[]> {
  if (given.length > maxRoutes) throw invalidField('routes', `must be at most ${maxRoutes}`, 'too_many')
  await checkWorkspace(tx, workspaceId)
  const known = (await listRelays(tx)).filter((relay) => relay.workspaceId === workspaceId)
  const ids = new Set([...known.map(({ id }) => id), ...(workspaceId === null ? [smtpUrlRelay] : [])])
  for (const [at, { relays: named }] of given.entries())
    for (const [n, { relayId }] of named.entries())
      if (!ids.has(relayId))
        throw invalidField(
          `routes[${at}].relays[${n}].relayId`,
          workspaceId === null
            ? 'there is no such relay of the installation'
            : 'there is no such relay of the workspace',
          'unknown_relay',
        )
  const { workspaceId: owner } = relayRoutes
  await tx.db.delete(relayRoutes).where(workspaceId === null ? isNull(owner) : eq(owner, workspaceId))
  const rows = given.map((route, position) => ({
    id: newId(tx, 'rte', tx.now),
    workspaceId,
    position,
    streams: route.streams,
    domains: inLowerCase(route.domains),
    receivers: inLowerCase(route.receivers),
    relays: route.relays.map(({ relayId, weight }) => {
      return { relayId: relayId === smtpUrlRelay ? null : relayId, weight }
    }),
    createdAt: tx.now,
    updatedAt: tx.now,
  }))
  if (rows.length > 0) await tx.db.insert(relayRoutes).values(rows)
  return rows
}

function inLowerCase(names: string[] | null): string[] | null {
  return names?.map((name) => name.toLowerCase()) ?? null
}

async function checkWorkspace(tx: Tx, workspaceId: string | null): Promise<void> {
  if (workspaceId === null) return
  const [found] = await tx.db.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, workspaceId))
  if (!found) throw invalidField('workspaceId', 'there is no such workspace', 'unknown_workspace')
}

/** Throws 422 for what is no URL of a relay, without repeating it. */
async function sealUrl(app: App, id: string, url: string): Promise<Pick<Relay, 'urlSealed' | 'address'>> {
  try {
    const { address } = readRelayUrl(url, 'url')
    return { urlSealed: await sealRelayUrl(app, id, url), address }
  } catch (error) {
    if (error instanceof ConfigError) throw invalidField('url', error.message.replace(/^url /, ''), 'invalid_url')
    throw error
  }
}
