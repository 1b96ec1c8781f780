// Jobs of one claim that are not urgent begin some at a time, in turn with the long work of others: one at a time would be one in each turn of
// the event loop, which is nothing beside busy neighbours.

import { nextTurn } from '../../kit/turn.ts'
import { turnOfWorkspace } from './lanes.ts'

export class SharedTurns {
  readonly #open = new Map<string, { turn: Promise<void>; left: number }>()

  /** Resolves when the job may begin. */
  next(workspaceId: string): Promise<void> {
    let open = this.#open.get(workspaceId)
    if (!open?.left) {
      open = { turn: nextTurn(workspaceId), left: turnOfWorkspace }
      this.#open.set(workspaceId, open)
    }
    open.left--
    return open.turn
  }
}
