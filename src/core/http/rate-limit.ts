// Token buckets: each holds `burst` tokens, a request takes one, and time fills it again. Those of sign-in are stored here, so that a restart
// does not reset them; those of the API and of pages are kept in memory (limiter.ts).

import { eq, gt, inArray, sql } from 'drizzle-orm'
import { rateBuckets } from '../../../db/tables/workspaces.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { day } from '../../kit/duration.ts'
import type { Mailbox } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import type { Network } from '../../kit/network.ts'
import { type App, type Reader, type Tx, writeInTurn } from '../app.ts'

export interface Rate {
  /** Tokens of a full bucket. */
  burst: number
  perSecond: number
}

export interface Allowance {
  allowed: boolean
  /** Whole tokens left. */
  remaining: number
  /** Milliseconds until one token is available. */
  retryAfterSeconds: number
  /** Milliseconds until the bucket is full. */
  resetSeconds: number
}

export interface Bucket {
  tokens: number
  /** Milliseconds. */
  at: number
}

declare const limitKey: unique symbol

/** The keys that limits count by. Never a raw address: one machine has many, and one mailbox has many spellings. */
export type LimitKey = string & { readonly [limitKey]: true }

const remembered = 'known'

/** Made of the name of a limit and of whom it counts. */
export const keyOf = {
  network: (limit: string, network: Network) => `${limit} ${network}` as LimitKey,
  mailbox: (limit: string, mailbox: Mailbox) => `${limit} ${sha256Hex(mailbox)}` as LimitKey,
  /** An id of ours, or a digest. */
  id: (limit: string, id: string) => `${limit} ${id}` as LimitKey,
  /** The same for a bucket whose presence has a meaning: it is kept when it is full. */
  remembered: (id: string) => `${remembered} ${id}` as LimitKey,
}

export interface Limiter {
  /** Takes one token from the bucket of that key. A promise only where the database must be asked. */
  take(key: LimitKey): Allowance | Promise<Allowance>
}

/** When there are more buckets than this in memory, full ones are dropped. */
export const sweepAbove = 10_000
/** Every stored bucket is full after this time without a try, and is forgotten; one that is remembered after the longer one. */
const fullAfterMs = day
const rememberedMs = 90 * day
/** Stored buckets looked at in one step. */
const sweptAtOnce = 200

/** Takes one token from a stored bucket. Call it in a write() of its own, so that the token stays taken when the request fails. */
export async function takeStored(tx: Tx, key: LimitKey, rate: Rate): Promise<Allowance> {
  if (rate.burst * 1000 > rate.perSecond * fullAfterMs) throw new Error(`${key} is forgotten before it is full`)
  const at = tx.now.getTime()
  const row = await tx.db.select().from(rateBuckets).where(eq(rateBuckets.bucket, key)).get()
  const tokens = refilled(row && { tokens: row.tokens, at: row.updatedAt.getTime() }, rate, at)
  const allowed = tokens >= 1
  const left = allowed ? tokens - 1 : tokens
  await tx.db
    .insert(rateBuckets)
    .values({ bucket: key, tokens: left, updatedAt: tx.now })
    .onConflictDoUpdate({
      target: rateBuckets.bucket,
      set: { tokens: sql`excluded.tokens`, updatedAt: sql`excluded.updated_at` },
    })
  return allowance(allowed, left, rate)
}

/** What takeStored() would answer, without taking: for a limit that only failures count for. */
export async function peekStored(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  key: LimitKey,
  rate: Rate,
): Promise<Allowance> {
  const row = await db.select().from(rateBuckets).where(eq(rateBuckets.bucket, key)).get()
  const bucket = row && { tokens: row.tokens, at: row.updatedAt.getTime() }
  const tokens = refilled(bucket, rate, clock.now().getTime())
  return allowance(tokens >= 1, tokens, rate)
}

/** Puts back a token that takeStored() took. */
export async function giveBackStored(tx: Tx, key: LimitKey, rate: Rate): Promise<void> {
  const one = eq(rateBuckets.bucket, key)
  const tokens = sql`min(${rateBuckets.tokens} + 1, ${rate.burst})`
  await tx.db.update(rateBuckets).set({ tokens }).where(one)
}

/** Whether there is a stored bucket of this key, full or not. */
export async function hasStored(reader: Reader, key: LimitKey): Promise<boolean> {
  const row = await reader.db
    .select({ key: rateBuckets.bucket })
    .from(rateBuckets)
    .where(eq(rateBuckets.bucket, key))
    .get()
  return row !== undefined
}

/** Stores a full bucket, unless there is one. */
export async function openStored(tx: Tx, key: LimitKey, rate: Rate): Promise<void> {
  await tx.db.insert(rateBuckets).values({ bucket: key, tokens: rate.burst, updatedAt: tx.now }).onConflictDoNothing()
}

/** Forgets stored buckets that are full again. */
export async function deleteFullBuckets(app: App, signal: AbortSignal): Promise<void> {
  for (let after: string | null = ''; after !== null && !signal.aborted; ) {
    // A transaction may run again, so the position moves only at its end.
    const from: string = after
    after = await writeInTurn(app, '', (tx) => deleteFullAfter(tx, from))
  }
}

/** The last that it looked at; null: there are no more. */
async function deleteFullAfter(tx: Tx, after: string): Promise<string | null> {
  const { bucket, updatedAt } = rateBuckets
  const rows = await tx.db
    .select({ bucket, updatedAt })
    .from(rateBuckets)
    .where(gt(bucket, after))
    .orderBy(bucket)
    .limit(sweptAtOnce)
  const isFull = (one: (typeof rows)[number]) =>
    tx.now.getTime() - one.updatedAt.getTime() > (one.bucket.startsWith(`${remembered} `) ? rememberedMs : fullAfterMs)
  const full = rows.filter(isFull).map((one) => one.bucket)
  if (full.length > 0) await tx.db.delete(rateBuckets).where(inArray(bucket, full))
  return rows.length < sweptAtOnce ? null : (rows.at(-1)?.bucket ?? null)
}

/** The answer when the limit is exceeded. `hint`: what can be done meanwhile. */
export function rateLimited({ retryAfterSeconds }: Allowance, hint = ''): AppError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
  return new AppError('rate_limit_exceeded', `Too many requests; try again in ${seconds} s.${hint}`, {
    retryAfterSeconds: seconds,
  })
}

/** The limit in the response headers that clients read. */
export function rateHeaders(
  headers: Record<string, string | number>,
  rate: Rate,
  { remaining, resetSeconds }: Allowance,
) {
  headers['ratelimit-limit'] = rate.burst
  headers['ratelimit-remaining'] = remaining
  headers['ratelimit-reset'] = Math.ceil(resetSeconds)
  headers['x-ratelimit-limit'] = rate.burst
  headers['x-ratelimit-remaining'] = remaining
}

/** How many tokens there are at `at`, in milliseconds; a bucket that is not known is full. */
export function refilled(bucket: Bucket | undefined, rate: Rate, at: number): number {
  if (!bucket) return rate.burst
  // A clock that was set back must not empty a bucket.
  const elapsedSeconds = Math.max(0, at - bucket.at) / 1000
  return Math.min(rate.burst, bucket.tokens + elapsedSeconds * rate.perSecond)
}

/** `left`: the tokens after the request. */
export function allowance(allowed: boolean, left: number, rate: Rate): Allowance {
  return {
    allowed,
    remaining: Math.max(0, Math.floor(left)),
    retryAfterSeconds: Math.max(0, 1 - left) / rate.perSecond,
    resetSeconds: (rate.burst - left) / rate.perSecond,
  }
}
