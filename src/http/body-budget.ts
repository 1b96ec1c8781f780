// How much of the bodies of requests is in memory at once. A body of 12 MB costs some ten times that while it is read, checked and
// stored, so what comes beyond the limit is refused at once and asked to come again: memory does not grow with the number of callers.

import { AppError } from '../lib/error.ts'

/** Smaller ones are not counted. */
const smallBytes = 256 * 1024

/** Whose bodies they are: what anybody can post never takes the room of those who have a credential. */
export type BodyOwner = 'caller' | 'anybody'

/** What one request takes, until it is answered. */
interface Share {
  budget: BodyBudget
  owner: BodyOwner
  bytes: number
}

const shares = new WeakMap<Request, Share>()

export class BodyBudget {
  readonly #limit: number
  readonly #taken: Record<BodyOwner, number> = { caller: 0, anybody: 0 }

  /** `limit` bytes for callers with a credential, and as many for all others. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Runs `answer` and gives back what the body of its request took. */
  async during(request: Request, answer: () => Response | Promise<Response>): Promise<Response> {
    const share: Share = { budget: this, owner: 'anybody', bytes: 0 }
    shares.set(request, share)
    try {
      return await answer()
    } finally {
      this.#taken[share.owner] -= share.bytes
    }
  }

  /** Throws 503 when there is no room. One request alone always has it. */
  take(share: Share, bytes: number): void {
    const ofOthers = this.#taken[share.owner] - share.bytes
    if (ofOthers > 0 && ofOthers + share.bytes + bytes > this.#limit) {
      throw new AppError('overloaded', 'Too many large requests are being read at this moment; send it again.', {
        retryAfterSeconds: 1,
      })
    }
    this.#taken[share.owner] += bytes
    share.bytes += bytes
  }
}

/** True when the body of a request is large enough to be counted, or may become it. */
export function mayBeLarge({ headers, method }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const length = headers.get('content-length')
  return length === null ? headers.get('transfer-encoding') !== null : Number(length) > smallBytes
}

/** Says whose body it is, before any of it is counted. */
export function countFor(request: Request, owner: BodyOwner): void {
  const share = shares.get(request)
  if (share) share.owner = owner
}

/** Counts `bytes` of the body of `request`. Throws 503. */
export function takeRoom(request: Request, bytes: number): void {
  const share = shares.get(request)
  share?.budget.take(share, bytes)
}
