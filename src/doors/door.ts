// A port, and the server that answers there. Another server of this process may go on with it: until that answers, requests wait.

import { withDeadline } from '../kit/deadline.ts'
import { AppError } from '../kit/error.ts'

/** How long a request waits at most, and how many may. */
const waitsMs = 10_000
const waitingMost = 1_000
const retryAfterSeconds = 1

/** Who answers. `failed` words what went wrong outside of `answer`. */
export interface Answering {
  answer(request: Request): Response | Promise<Response>
  failed(error: Error): Response
}

export class Door {
  #answering: Answering
  #opened: PromiseWithResolvers<void> | null = null
  #waiting = 0

  constructor(answering: Answering) {
    this.#answering = answering
  }

  answer(request: Request): Response | Promise<Response> {
    return this.#opened === null ? this.#answering.answer(request) : this.#wait(request, this.#opened.promise)
  }

  failed(error: Error): Response {
    return this.#answering.failed(error)
  }

  /**
   * From now on requests wait until it is opened; what was begun goes on. After 10 s, and where 1,000 wait, they are answered 503 with
   * Retry-After.
   */
  hold(): void {
    this.#opened ??= Promise.withResolvers<void>()
  }

  /** `answering` answers from now on, and first the requests that waited. */
  open(answering = this.#answering): void {
    this.#answering = answering
    this.#opened?.resolve()
    this.#opened = null
  }

  async #wait(request: Request, opened: Promise<void>): Promise<Response> {
    if (this.#waiting === waitingMost) return this.#refuse()
    this.#waiting++
    const isOpen = await withDeadline(
      opened.then(() => true),
      waitsMs,
      false,
    )
    this.#waiting--
    return isOpen ? await this.answer(request) : this.#refuse()
  }

  #refuse(): Response {
    const message = 'The database is being moved: nothing was changed. Try again in a moment.'
    return this.failed(new AppError('database_unavailable', message, { retryAfterSeconds }))
  }
}
