// Long work by lists of which one item may throw, whatever the reason: half as many are tried, down to that one, which is set aside. The
// others go on at once, and twice as many with each step that succeeds.

import { isUnavailable } from '../../db/faults.ts'
import type { StepSizes } from '../kit/turn.ts'
import { type App, Steps, type Tx, write } from './app.ts'

const maxInARow = 20

export interface HalvingWork<T> {
  /** Processes that many items, in an order that does not change. */
  work: (tx: Tx, size: number) => Promise<T>
  /** The first of them throws this. */
  setAside: (tx: Tx, error: unknown) => Promise<T>
  /** Done instead where so many in a row threw that it is no matter of single items. Without it each is set aside. */
  giveUp?: (tx: Tx, error: unknown) => Promise<T>
}

export class HalvingSteps {
  readonly #app: App
  readonly #steps: Steps
  #most = Number.POSITIVE_INFINITY
  #inARow = 0

  constructor(app: App, workspaceId: string, sizes: StepSizes) {
    this.#app = app
    this.#steps = new Steps(app, workspaceId, sizes)
  }

  async write<T>(of: HalvingWork<T>): Promise<T> {
    const size = Math.min(this.#steps.size(), this.#most)
    try {
      const result = await this.#steps.write(of.work, size)
      this.#most = 2 * size
      this.#inARow = 0
      return result
    } catch (error) {
      if (isUnavailable(error)) throw error
      this.#most = Math.max(1, Math.floor(size / 2))
      if (size > 1) return await this.write(of)
      this.#inARow++
      const { giveUp } = of
      const end = giveUp && this.#inARow > maxInARow ? giveUp : of.setAside
      this.#app.log.error('one of many could not be processed', { error, isLast: end === giveUp })
      return await write(this.#app, (tx) => end(tx, error))
    }
  }
}
