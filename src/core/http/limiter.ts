// Limits of the API and of pages, whose buckets refill within seconds: in memory, and on a libSQL server with a count that all processes share.

import type { App } from '../app.ts'
import { allowance, type Bucket, type Limiter, type LimitKey, type Rate, refilled, sweepAbove } from './rate-limit.ts'
import { createSharedLimiter } from './shared-limit.ts'

/** A limit that counts for all processes. On a file that is one, and it is kept in memory alone. */
export function createLimiter(app: App, rate: Rate): Limiter {
  // Made when it is first used: what only declares routes has no database.
  const make = ({ database }: App) =>
    database.kind === 'remote' ? createSharedLimiter(app, rate) : createOwnLimiter(app, rate)
  return { take: (key) => app.own(make).take(key) }
}

function createOwnLimiter({ clock }: App, rate: Rate): Limiter {
  const buckets = new Map<LimitKey, Bucket>()
  return {
    take(key) {
      const at = clock.now().getTime()
      if (buckets.size > sweepAbove) sweep(buckets, rate, at)
      const tokens = refilled(buckets.get(key), rate, at)
      const allowed = tokens >= 1
      const left = allowed ? tokens - 1 : tokens
      buckets.set(key, { tokens: left, at })
      return allowance(allowed, left, rate)
    },
  }
}

/** API_RATE_LIMIT, by key, whichever way its requests come; for `app.own()`. Null = no limit. */
export function apiLimits(app: App): (Limiter & { rate: Rate }) | null {
  const { apiRateLimit } = app.config
  if (apiRateLimit === 0) return null
  const rate = { burst: apiRateLimit, perSecond: apiRateLimit }
  return { rate, ...createLimiter(app, rate) }
}

function sweep(buckets: Map<LimitKey, Bucket>, rate: Rate, at: number): void {
  for (const [key, bucket] of buckets) if (refilled(bucket, rate, at) >= rate.burst) buckets.delete(key)
}
