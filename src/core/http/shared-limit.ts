// A limit that counts for all processes on a libSQL server. Each process has the bucket of a key in memory, as one on a file has, and tells the
// database what it took from it; the answer says what all of them took. Of a large limit each process may take a twentieth before it has told,
// so no request waits; of a small one nothing, so that it holds to the token. Why, and what bound follows: docs/decisions/0076.

import { sql } from 'drizzle-orm'
import { isUnavailable } from '../../../db/faults.ts'
import { type App, type Tx, write } from '../app.ts'
import {
  type Allowance,
  allowance,
  type Bucket,
  type Limiter,
  type LimitKey,
  type Rate,
  refilled,
  sweepAbove,
} from './rate-limit.ts'

/** This part of the limit may be untold in each process; where that is less than `aheadLeast` tokens, none. */
const aheadPart = 1 / 20
const aheadLeast = 2
/** What the others take is not known for longer than this; then `remaining` is only what this process may take without asking. */
const freshMs = 100
/** So long after a database did not answer each process counts alone, and then one asks again: requests that need none of it wait for nothing. */
const aloneMs = 1_000
/** A count of whole tokens is not lost to rounding. */
const rounding = 1e-6

interface SharedBucket extends Bucket {
  /** Taken here and not told yet. */
  untold: number
  /** When the database answered last. Milliseconds. */
  heardAt: number
  /** What others took, by the last two answers. Tokens a millisecond. */
  othersPerMs: number
  /** Requests that may only pass by an answer that is not asked for yet. */
  waiting: PromiseWithResolvers<Allowance>[]
  isTelling: boolean
}

/** Tokens of a limit that each process may take before it has told. */
export function tokensAhead({ burst }: Rate): number {
  const part = Math.floor(burst * aheadPart)
  return part < aheadLeast ? 0 : part
}

/** While the database is away each process counts what it sees itself. */
export function createSharedLimiter(app: App, rate: Rate): Limiter {
  const ahead = tokensAhead(rate)
  const fillMs = (rate.burst / rate.perSecond) * 1_000
  const buckets = new Map<LimitKey, SharedBucket>()
  let aloneUntil = Number.NEGATIVE_INFINITY
  const now = () => app.clock.now().getTime()

  /** Brings a bucket to the present. Where nothing is told for the time in which it fills, the untold is forgotten as it would have filled. */
  const advance = (bucket: SharedBucket, at: number): void => {
    bucket.tokens = refilled(bucket, rate, at)
    const forgottenMs = Math.max(0, at - Math.max(bucket.at, bucket.heardAt + fillMs))
    bucket.untold = Math.max(0, bucket.untold - (forgottenMs / fillMs) * ahead)
    bucket.at = at
  }

  const take = (key: LimitKey): Allowance | Promise<Allowance> => {
    const at = now()
    if (buckets.size > sweepAbove) sweep(buckets, rate, at)
    const bucket = buckets.getOrInsertComputed(key, () => fullBucket(rate, at))
    advance(bucket, at)
    // The others can only have taken more than is known here.
    if (bucket.tokens < 1 - rounding) return allowance(false, bucket.tokens, rate)
    if (bucket.untold + 1 > ahead && at >= aloneUntil) {
      const asked = Promise.withResolvers<Allowance>()
      bucket.waiting.push(asked)
      void tell(key, bucket)
      return asked.promise
    }
    bucket.tokens--
    // What was taken alone is told to nobody: by the time the database is back it has filled again.
    bucket.untold = Math.min(ahead, bucket.untold + 1)
    if (bucket.untold * 2 >= ahead && at >= aloneUntil) void tell(key, bucket)
    return { ...allowance(true, bucket.tokens, rate), remaining: certain(bucket, ahead) }
  }

  /** One at a time for each bucket: what comes meanwhile goes together with the next. */
  const tell = async (key: LimitKey, bucket: SharedBucket): Promise<void> => {
    if (bucket.isTelling) return
    bucket.isTelling = true
    const { untold } = bucket
    const asking = bucket.waiting.splice(0)
    try {
      const { level, left } = await pay(app, { key, rate, untold, wanted: asking.length })
      advance(bucket, now())
      bucket.untold = Math.max(0, bucket.untold - untold)
      hear(bucket, level - bucket.untold)
      const granted = Math.round(level - left)
      bucket.tokens -= granted
      for (const [place, { resolve }] of asking.entries()) resolve(allowance(place < granted, bucket.tokens, rate))
      for (const { resolve } of bucket.waiting.splice(0)) resolve(take(key))
    } catch (error) {
      const others = [...asking, ...bucket.waiting.splice(0)]
      if (isUnavailable(error)) {
        aloneUntil = now() + aloneMs
        for (const { resolve } of others) resolve(take(key))
      } else for (const { reject } of others) reject(error)
    } finally {
      bucket.isTelling = false
      if (bucket.waiting.length > 0) void tell(key, bucket)
    }
  }

  return { take }
}

const fullBucket = ({ burst }: Rate, at: number): SharedBucket => ({
  tokens: burst,
  at,
  untold: 0,
  heardAt: Number.NEGATIVE_INFINITY,
  othersPerMs: 0,
  waiting: [],
  isTelling: false,
})

/** `tokens`: those of the database, without what was taken here since. */
function hear(bucket: SharedBucket, tokens: number): void {
  const sinceMs = Math.max(1, Math.min(bucket.at - bucket.heardAt, freshMs))
  bucket.othersPerMs = Math.max(0, bucket.tokens - tokens) / sinceMs
  bucket.tokens = tokens
  bucket.heardAt = bucket.at
}

/** Whole tokens that the next requests find here, though others go on taking as they did lately. */
function certain({ tokens, untold, at, heardAt, othersPerMs }: SharedBucket, ahead: number): number {
  const ageMs = at - heardAt
  const known = ageMs > freshMs ? 0 : tokens - othersPerMs * ageMs
  return Math.max(0, Math.floor(Math.min(tokens, Math.max(known, ahead - untold))))
}

interface Payment {
  key: LimitKey
  rate: Rate
  /** Tokens that were taken already, so they are paid even into a debt. */
  untold: number
  /** Tokens that are only taken where there are as many. */
  wanted: number
}

/** What was in the bucket once the untold were paid, and what was left of it. */
async function pay(app: App, payment: Payment): Promise<{ level: number; left: number }> {
  // Both answers come with the commit: a unit that waited for them would hold a transaction open.
  const { level, left } = await write(app, (tx) => sendPayment(tx, payment), 'volatile')
  return { level: await level, left: await left }
}

/** Refills and takes at once, so nothing is read before it. Processes whose clocks differ refill no time twice. */
function sendPayment(tx: Tx, { key, rate, untold, wanted }: Payment) {
  const at = tx.now.getTime()
  const { burst, perSecond } = rate
  const level = answer(
    tx,
    sql`INSERT INTO rate_buckets AS b (bucket, tokens, updated_at) VALUES (${key}, ${burst - untold}, ${at})
      ON CONFLICT (bucket) DO UPDATE SET
        tokens = min(${burst}, b.tokens + max(0, ${at} - b.updated_at) * ${perSecond / 1_000}) - ${untold},
        updated_at = max(b.updated_at, ${at})
      RETURNING tokens`,
  )
  if (wanted === 0) return { level, left: level }
  const left = answer(
    tx,
    sql`UPDATE rate_buckets SET tokens = tokens - max(0, min(${wanted}, CAST(tokens + ${rounding} AS INTEGER)))
      WHERE bucket = ${key} RETURNING tokens`,
  )
  return { level, left }
}

function answer(tx: Tx, statement: ReturnType<typeof sql>): Promise<number> {
  const rows = Promise.resolve(tx.db.all<{ tokens: number }>(statement))
  const tokens = rows.then(([row]) => Number(row?.tokens))
  // Whoever waits for the transaction learns that it failed.
  tokens.catch(() => undefined)
  return tokens
}

function sweep(buckets: Map<LimitKey, SharedBucket>, rate: Rate, at: number): void {
  for (const [key, bucket] of buckets)
    if (!bucket.isTelling && refilled(bucket, rate, at) >= rate.burst) buckets.delete(key)
}
