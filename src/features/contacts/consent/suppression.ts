// Who must not be mailed. Every send asks isSuppressed, at acceptance and again at hand-over. The list holds hashes and outlives the
// contact; the address is stored beside its hash for display, and removed when the person is erased.

import { and, eq, sql } from 'drizzle-orm'
import { insertRows, oneOf } from '../../../../db/bulk.ts'
import { expecting } from '../../../../db/expecting.ts'
import type { Db, ReadDb } from '../../../../db/handle.ts'
import { prepared, stored } from '../../../../db/prepared.ts'
import { toRows } from '../../../../db/rows.ts'
import {
  addressOrder,
  type SuppressionReason,
  suppressionRemovals,
  suppressions,
} from '../../../../db/tables/contacts.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { type Sort, sortingOf } from '../../../core/http/sorting.ts'
import { sha256Hex } from '../../../kit/digest.ts'
import { day } from '../../../kit/duration.ts'
import { AppError } from '../../../kit/error.ts'
import { withoutUndefined } from '../../../kit/without-undefined.ts'
import { isAlwaysSuppressed } from '../../../mail/simulator.ts'
import { count } from '../../../people/totals.ts'
import { publish } from '../../webhooks/publish.ts'
import { noteLifted } from './approved-audience.ts'

export type Suppression = typeof suppressions.$inferSelect

/** The period over which removals of complaints are counted. */
const quotaWindowMs = 30 * day

/** The key of an address in the suppression list, a hash: the list outlives the contact. */
export function suppressionKey(email: string): string {
  return sha256Hex(email.toLowerCase())
}

const find = prepared((db: ReadDb) =>
  db
    .select()
    .from(suppressions)
    .where(
      and(
        eq(suppressions.workspaceId, sql.placeholder('workspaceId')),
        eq(suppressions.emailHash, sql.placeholder('emailHash')),
      ),
    )
    .prepare(),
)

export async function findSuppression(reader: Reader, workspaceId: string, email: string): Promise<Suppression | null> {
  return await findSuppressionByKey(reader, workspaceId, suppressionKey(email))
}

export async function findSuppressionByKey(
  reader: Reader,
  workspaceId: string,
  emailHash: string,
): Promise<Suppression | null> {
  return (await find(reader.db).get({ workspaceId, emailHash })) ?? null
}

const addressRows = toRows({ workspaceId: suppressions.workspaceId, emailHash: suppressions.emailHash })

const reasonsFor = prepared((db: ReadDb) =>
  db
    .select({ number: addressRows.number, reason: suppressions.reason })
    .from(addressRows.list)
    .innerJoin(
      suppressions,
      sql`suppressions.workspace_id = ${addressRows.each.workspaceId} AND suppressions.email_hash = ${addressRows.each.emailHash}`,
    )
    .prepare(),
)

/** A recipient. */
export interface Addressed {
  workspaceId: string
  /** In any letter case. */
  email: string
  kind?: 'confirmation' | (string & {})
}

/**
 * Why each recipient may not be mailed by their workspace, or null. Somebody who unsubscribed may still get a confirmation mail, because
 * they filled in the form.
 */
export async function findSuppressions(reader: Reader, list: Addressed[]): Promise<(SuppressionReason | null)[]> {
  const rows = list.map(({ workspaceId, email }) => ({ workspaceId, emailHash: suppressionKey(email) }))
  const found = await expecting(reader.db, [], () => reasonsFor(reader.db).all(addressRows.given(rows)))
  const reasons = new Map(found.map(({ number, reason }) => [number, reason]))
  return list.map(({ kind, email }, number) => {
    const reason = reasons.get(number) ?? suppressedFromTheBeginning(email)
    return reason === 'unsubscribe' && kind === 'confirmation' ? null : reason
  })
}

/** One of the simulated addresses is, without being on any list. */
export function suppressedFromTheBeginning(email: string): SuppressionReason | null {
  return isAlwaysSuppressed(email) ? 'hardBounce' : null
}

/** The same for one. */
export async function isSuppressed(
  reader: Reader,
  workspaceId: string,
  email: string,
  kind?: Addressed['kind'],
): Promise<SuppressionReason | null> {
  const [reason] = await findSuppressions(reader, [{ workspaceId, email, ...withoutUndefined({ kind }) }])
  return reason ?? null
}

export interface Suppress {
  email: string
  reason: SuppressionReason
  /** The message whose bounce or complaint caused it. */
  messageId?: string
  detail?: string
}

const insert = prepared((db: Db) =>
  db
    .insert(suppressions)
    .values({
      workspaceId: stored('workspaceId'),
      emailHash: stored('emailHash'),
      email: stored('email'),
      reason: stored('reason'),
      messageId: stored('messageId'),
      detail: stored('detail'),
      createdAt: stored('createdAt'),
    })
    .onConflictDoNothing()
    .returning({ emailHash: suppressions.emailHash })
    .prepare(),
)

const toRow = (workspaceId: string, { email, reason, messageId, detail }: Suppress) => ({
  workspaceId,
  emailHash: suppressionKey(email),
  email: email.toLowerCase(),
  reason,
  messageId: messageId ?? null,
  detail: detail ?? null,
})

/** Adds an address and publishes the event; the first reason stays. False when the address was there already. */
export async function suppress(tx: Tx, workspaceId: string, one: Suppress): Promise<boolean> {
  const row = toRow(workspaceId, one)
  const added = await insert(tx.db).all({ ...row, createdAt: tx.now.getTime() })
  if (added.length === 0) return false
  await count(tx, workspaceId, 'suppressions', 1)
  const { email, reason, messageId } = row
  const contactIdentity = { id: null, email, userId: null }
  await publish(tx, workspaceId, 'suppression.added', { contactIdentity, reason, ...(messageId ? { messageId } : {}) })
  return true
}

/** Which of these addresses (as suppressionKey()) are on the list. */
export async function findSuppressed(reader: Reader, workspaceId: string, emailHashes: string[]): Promise<Set<string>> {
  const rows = await reader.db
    .select({ emailHash: suppressions.emailHash })
    .from(suppressions)
    .where(and(eq(suppressions.workspaceId, workspaceId), sql`${suppressions.emailHash} IN ${oneOf(emailHashes)}`))
  return new Set(rows.map(({ emailHash }) => emailHash))
}

/** Adds many addresses that are not on the list, each once, and publishes the events. */
export async function suppressNew(tx: Tx, workspaceId: string, rows: Suppress[]): Promise<void> {
  if (rows.length === 0) return
  const stored = rows.map((one) => ({ ...toRow(workspaceId, one), createdAt: tx.now }))
  await insertRows(tx.db, suppressions, stored)
  await count(tx, workspaceId, 'suppressions', rows.length)
  for (const { email, reason } of stored)
    await publish(tx, workspaceId, 'suppression.added', { contactIdentity: { id: null, email, userId: null }, reason })
}

/** How many complaints may still be removed in the current 30 days. */
export interface Quota {
  limit: number
  remaining: number
}

export async function removalQuota(reader: Reader, workspaceId: string, limit: number, now: Date): Promise<Quota> {
  const since = now.getTime() - quotaWindowMs
  const [row] = await reader.db.all<{ used: number }>(
    sql`SELECT count(*) AS used FROM suppression_removals
      WHERE workspace_id = ${workspaceId} AND reason = 'complaint' AND removed_at > ${since}`,
  )
  return { limit, remaining: Math.max(0, limit - (row?.used ?? 0)) }
}

export interface Removal {
  email: string
  /** The API key or user that asks. */
  removedBy: string
  limit: number
}

/**
 * Removes an address and records who did it; removing a complaint counts against the quota. Throws 404 when it is not on the list, 429 when
 * the quota is used up.
 */
export async function unsuppress(
  tx: Tx,
  workspaceId: string,
  { email, removedBy, limit }: Removal,
): Promise<{ quota: Quota; reason: SuppressionReason }> {
  const row = await findSuppression(tx, workspaceId, email)
  if (!row) throw new AppError('not_found', 'this address is not on the suppression list')
  const quota = await removalQuota(tx, workspaceId, limit, tx.now)
  const isComplaint = row.reason === 'complaint'
  if (isComplaint) expectRoom(quota)
  await remove(tx, row, { email, removedBy })
  const { reason } = row
  return { reason, quota: isComplaint ? { ...quota, remaining: quota.remaining - 1 } : quota }
}

async function remove(
  tx: Tx,
  { workspaceId, emailHash, reason }: Suppression,
  { email, removedBy }: Pick<Removal, 'email' | 'removedBy'>,
): Promise<void> {
  await tx.db
    .delete(suppressions)
    .where(and(eq(suppressions.workspaceId, workspaceId), eq(suppressions.emailHash, emailHash)))
  await tx.db
    .insert(suppressionRemovals)
    .values({ workspaceId, removedAt: tx.now, emailHash, reason, removedBy })
    .onConflictDoNothing()
  await noteLifted(tx, workspaceId, email)
  await count(tx, workspaceId, 'suppressions', -1)
  const contactIdentity = { id: null, email: email.toLowerCase(), userId: null }
  await publish(tx, workspaceId, 'suppression.removed', { contactIdentity, reason })
}

/** A new opt-in removes a suppression by unsubscribing, but no other one. */
export async function liftUnsubscribe(tx: Tx, workspaceId: string, email: string, removedBy: string): Promise<boolean> {
  const row = await findSuppression(tx, workspaceId, email)
  if (row?.reason !== 'unsubscribe') return false
  await remove(tx, row, { email, removedBy })
  return true
}

/** Throws 429. */
function expectRoom({ remaining }: Quota): void {
  if (remaining <= 0)
    throw new AppError('rate_limit_exceeded', 'the quota of complaint removals for 30 days is used up', {
      retryAfterSeconds: 86_400,
    })
}

/** Newest first; `after` is the key of the last row of the previous page. */
const byHash = { column: suppressions.emailHash, of: ({ emailHash }: Suppression) => emailHash }
const byTime = { column: sql`created_at`, of: ({ createdAt }: Suppression) => createdAt.getTime() }
const byAddress = { column: addressOrder, of: ({ email }: Suppression) => email ?? '' }
export const suppressionOrders = {
  first: '-createdAt',
  named: { createdAt: { by: byTime, key: byHash }, email: { by: byAddress, key: byHash } },
} as const
type SuppressionSort = Sort<keyof typeof suppressionOrders.named>

interface SuppressionPage {
  email: string | undefined
  sort?: SuppressionSort | undefined
  after: string | undefined
  limit: number
}

export async function listSuppressions(
  reader: Reader,
  workspaceId: string,
  { email, sort, after, limit }: SuppressionPage,
): Promise<Suppression[]> {
  const { order, beyond } = sortingOf(suppressionOrders, sort)
  return await reader.db
    .select()
    .from(suppressions)
    .where(
      and(
        eq(suppressions.workspaceId, workspaceId),
        email === undefined ? undefined : eq(suppressions.emailHash, suppressionKey(email)),
        beyond(after),
      ),
    )
    .orderBy(order)
    .limit(limit)
}

/** The cursor after this row of listSuppressions(). */
export function keyOfSuppression(row: Suppression, sort?: SuppressionSort): string {
  return sortingOf(suppressionOrders, sort).placeOf(row)
}
