// Webhook endpoints: their URL, the events they receive, and whether they are active.

import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import {
  type DisabledReason,
  type EndpointStatus,
  webhookEndpoints,
  webhookSecrets,
} from '../../../db/tables/webhooks.ts'
import { users } from '../../../db/tables/workspaces.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { checkOutboundUrl } from '../../kit/outbound/url.ts'
import { operator } from '../../people/access/grants.ts'
import { noticeToOwners } from '../../people/members/owner-notice.ts'
import { isKnownFilter } from './event-types.ts'
import { publish } from './publish.ts'
import { defaultPerSecond } from './throttle.ts'

type EndpointRow = typeof webhookEndpoints.$inferSelect

export interface Endpoint extends EndpointRow {
  hasSigningSecret: boolean
  /** The address of who made it. */
  maker: string | null
}

/** Few enough for a person to oversee; each event is matched against all of them. */
const maxEndpoints = 100
const everything = ['*']

export interface EndpointInput {
  url: string
  status?: EndpointStatus
  description?: string
  /** Left out or empty = everything. */
  eventFilters?: string[]
  maxPerSecond?: number | null
  /** Who sets the URL or activates it: the endpoint then depends on their rights. Default: the operator. */
  madeBy?: string | null
}

/** A new endpoint, disabled unless the input says otherwise. Throws `validation_failed`, `conflict` when there are too many. */
export async function createEndpoint(tx: Tx, workspaceId: string, input: EndpointInput): Promise<Endpoint> {
  const row: EndpointRow = {
    id: newId(tx, 'whe', tx.now),
    workspaceId,
    url: input.url,
    status: input.status ?? 'disabled',
    disabledReason: input.status === 'active' ? null : 'manual',
    description: input.description ?? '',
    eventFilters: checkFilters(input.eventFilters),
    maxPerSecond: input.maxPerSecond === undefined ? defaultPerSecond : input.maxPerSecond,
    failingSince: null,
    madeBy: input.madeBy === undefined ? operator : input.madeBy,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  if ((await listEndpoints(tx, workspaceId)).length >= maxEndpoints)
    throw new AppError('conflict', `A workspace has at most ${maxEndpoints} webhook endpoints.`)
  await tx.db.insert(webhookEndpoints).values(row)
  return await getEndpoint(tx, workspaceId, row.id)
}

/** Changes what is given. Making one active again resets its failures, and rests on the right of who does it. Throws `not_found`, `validation_failed`. */
export async function updateEndpoint(
  tx: Tx,
  workspaceId: string,
  endpointId: string,
  change: Partial<EndpointInput>,
): Promise<Endpoint> {
  const current = await getEndpoint(tx, workspaceId, endpointId)
  const { url, status, description, eventFilters, maxPerSecond, madeBy = operator } = change
  const isActivated = status === 'active' && current.status === 'disabled'
  const values = {
    url: url ?? current.url,
    status: status ?? current.status,
    description: description ?? current.description,
    eventFilters: eventFilters === undefined ? current.eventFilters : checkFilters(eventFilters),
    maxPerSecond: maxPerSecond === undefined ? current.maxPerSecond : maxPerSecond,
    disabledReason: status === undefined ? current.disabledReason : status === 'active' ? null : ('manual' as const),
    failingSince: isActivated ? null : current.failingSince,
    madeBy: isActivated || (url !== undefined && url !== current.url) ? madeBy : current.madeBy,
    updatedAt: tx.now,
  }
  await tx.db.update(webhookEndpoints).set(values).where(eq(webhookEndpoints.id, endpointId))
  return await getEndpoint(tx, workspaceId, endpointId)
}

/** Deletes the endpoint and its secrets; pending deliveries to it are dropped when they fall due. Throws `not_found`. */
export async function deleteEndpoint(tx: Tx, workspaceId: string, endpointId: string): Promise<void> {
  await getEndpoint(tx, workspaceId, endpointId)
  await tx.db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId))
  await tx.db.delete(webhookSecrets).where(eq(webhookSecrets.endpointId, endpointId))
}

const hasSigningSecret = sql<number>`EXISTS (SELECT 1 FROM webhook_secrets s WHERE s.endpoint_id = webhook_endpoints.id)`

async function endpointsWhere(reader: Reader, wanted: SQL | undefined): Promise<Endpoint[]> {
  const rows = await reader.db
    .select({ row: webhookEndpoints, hasSigningSecret, maker: users.email })
    .from(webhookEndpoints)
    .leftJoin(users, eq(users.id, webhookEndpoints.madeBy))
    .where(wanted)
    .orderBy(asc(webhookEndpoints.id))
  return rows.map(({ row, hasSigningSecret, maker }) => ({
    ...row,
    hasSigningSecret: Boolean(hasSigningSecret),
    maker,
  }))
}

/** Oldest first. */
export async function listEndpoints(reader: Reader, workspaceId: string): Promise<Endpoint[]> {
  return await endpointsWhere(reader, eq(webhookEndpoints.workspaceId, workspaceId))
}

/** Throws `not_found`, also for another workspace's. */
export async function getEndpoint(reader: Reader, workspaceId: string, endpointId: string): Promise<Endpoint> {
  const mine = and(eq(webhookEndpoints.workspaceId, workspaceId), eq(webhookEndpoints.id, endpointId))
  const [found] = await endpointsWhere(reader, mine)
  if (!found) throw new AppError('not_found', 'There is no such webhook endpoint.')
  return found
}

/** Throws `validation_failed` for a URL that must not be called. The URL itself is not repeated. */
export function checkEndpointUrl(app: App, url: string): void {
  const checked = checkOutboundUrl(url, app.config)
  if (!checked.ok) throw invalidField('url', `url ${checked.reason}`, checked.code)
}

const reasons: Record<Exclude<DisabledReason, 'manual'>, string> = {
  failing: 'every delivery of the last five days has failed',
  gone: 'it answered 410 Gone',
}

/** Disables an endpoint automatically, and notifies the other endpoints and the owners. */
export async function disableEndpoint(
  tx: Tx,
  { id, workspaceId, url }: Pick<EndpointRow, 'id' | 'workspaceId' | 'url'>,
  reason: Exclude<DisabledReason, 'manual'>,
): Promise<void> {
  const disabled = await tx.db
    .update(webhookEndpoints)
    .set({ status: 'disabled', disabledReason: reason, updatedAt: tx.now })
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.status, 'active')))
    .returning({ id: webhookEndpoints.id })
  if (disabled.length === 0) return
  await publish(tx, workspaceId, 'webhookEndpoint.disabled', { endpointId: id, url, reason }, { except: id })
  await noticeToOwners(tx, workspaceId, {
    subject: 'A webhook endpoint was disabled',
    text: [
      `The webhook endpoint ${url} (${id}) was disabled: ${reasons[reason]}.`,
      'Events from now on are recorded for it as skipped. Once it works again, make it active and replay the skipped deliveries.',
    ].join('\n\n'),
  })
}

function checkFilters(filters: string[] | undefined): string[] {
  if (filters === undefined || filters.length === 0) return everything
  const unknown = filters.findIndex((filter) => !isKnownFilter(filter))
  if (unknown >= 0) {
    const message = `${JSON.stringify(filters[unknown]?.slice(0, 80))} is not an event type; see GET /v1/webhook-event-types`
    throw invalidField(`eventFilters[${unknown}]`, message, 'unknown_event_type')
  }
  return [...new Set(filters)]
}
