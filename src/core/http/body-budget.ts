// Limits how much of the request bodies is in memory at once. A body of 12 MB costs about ten times that while it is parsed, validated and
// stored. Requests beyond the limit are refused at once and may be retried, so memory does not grow with the number of callers.

import { AppError } from '../../kit/error.ts'

/** Smaller ones are not counted. */
const smallBytes = 256 * 1024

/** Who sent the body: anonymous callers never use up the budget of callers with a credential. */
export type BodyOwner = 'caller' | 'anybody'

/** What one request uses until it is answered. */
interface Share {
  budget: BodyBudget
  owner: BodyOwner
  bytes: number
  /** Gives back what else was kept for it. */
  endings: (() => void)[]
}

const shares = new WeakMap<Request, Share>()

export class BodyBudget {
  readonly #limit: number
  readonly #taken: Record<BodyOwner, number> = { caller: 0, anybody: 0 }

  /** `limit` bytes for callers with a credential, and as many for all others. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Runs `answer`, then gives back what the request's body used. */
  async during(request: Request, answer: () => Response | Promise<Response>): Promise<Response> {
    const share: Share = { budget: this, owner: 'anybody', bytes: 0, endings: [] }
    shares.set(request, share)
    try {
      return await answer()
    } finally {
      this.#taken[share.owner] -= share.bytes
      for (const end of share.endings) end()
    }
  }

  /** Throws 503 when the budget is used up. A single request is always admitted. */
  take(share: Share, bytes: number): void {
    const ofOthers = this.#taken[share.owner] - share.bytes
    if (ofOthers > 0 && ofOthers + share.bytes + bytes > this.#limit) {
      throw new AppError('overloaded', 'Too many large requests are being processed; try again in a moment.', {
        retryAfterSeconds: 1,
      })
    }
    this.#taken[share.owner] += bytes
    share.bytes += bytes
  }
}

/** True when the body is, or may become, large enough to be counted. */
export function mayBeLarge({ headers, method }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const length = headers.get('content-length')
  return length === null ? headers.get('transfer-encoding') !== null : Number(length) > smallBytes
}

/** Records who sent the body, before any of it is counted. */
export function countFor(request: Request, owner: BodyOwner): void {
  const share = shares.get(request)
  if (share) share.owner = owner
}

/** Counts `bytes` of the request's body. Throws 503. */
export function takeRoom(request: Request, bytes: number): void {
  const share = shares.get(request)
  share?.budget.take(share, bytes)
}

/** For what is kept as long as a large body. */
export function whenAnswered(request: Request, end: () => void): void {
  const share = shares.get(request)
  if (!share) throw new Error('a large body was read that was not counted')
  share.endings.push(end)
}
