// Whether this process may still serve: with a standby only as long as its lease lasts. Asked before each transaction that writes and right
// before each final dot, so that a process that was paused in between finds out first. Without a lease it always may.

import { AppError } from '../kit/error.ts'

const retryAfterSeconds = 5

export class ServingLease {
  /** Set once, before anything is served; costs two clocks. */
  holds: () => boolean = () => true
}

/** One per app. */
export function servingLease(): ServingLease {
  return new ServingLease()
}

/** Throws `database_unavailable` when another server may be serving by now. */
export function refuseWithoutLease(lease: ServingLease): void {
  if (lease.holds()) return
  const message = 'This server has lost its lease, and another may have taken over: nothing was changed.'
  throw new AppError('database_unavailable', message, { retryAfterSeconds })
}
