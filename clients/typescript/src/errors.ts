// What can go wrong: the server refused (its problem document, RFC 9457), or did not answer.

import type { components } from './generated/schema.ts'

export type Problem = components['schemas']['Problem']
export type Issue = components['schemas']['Issue']

/** The server's refusal. Decide by `code`; `errors` says where in the request. */
export class PaquebotError extends Error {
  override readonly name = 'PaquebotError'
  readonly status: number
  readonly code: string
  readonly errors: Issue[]
  /** For the operator: the log of the server has it. */
  readonly requestId: string
  /** The whole document, with the members that only some refusals have; null when something between answered instead. */
  readonly problem: Problem | null

  constructor(status: number, problem: Problem | null, text: string) {
    super(problem?.detail ?? `HTTP ${status}: ${text.slice(0, 200)}`)
    this.status = status
    this.problem = problem
    this.code = problem?.code ?? 'unknown'
    this.errors = problem?.errors ?? []
    this.requestId = problem?.requestId ?? ''
  }
}

/** No answer, after every attempt: refused, cut off, or too slow. `cause` has the reason of the last. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}
