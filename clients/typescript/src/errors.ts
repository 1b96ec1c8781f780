// What can go wrong: the server refused (its problem document, RFC 9457), or did not answer.

import type { components } from './generated/schema.ts'

export type Problem = components['schemas']['Problem']
export type Issue = components['schemas']['Issue']

/** The server refused the request. Use `code` in programs; `errors` lists which parts of the request are wrong. */
export class PaquebotError extends Error {
  override readonly name = 'PaquebotError'
  readonly status: number
  readonly code: string
  readonly errors: Issue[]
  /** For the operator: finds the request in the log of the server. */
  readonly requestId: string
  /** The whole problem document, including members that only some errors have; null if a proxy answered instead of the server. */
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

/** No response after all attempts: connection refused, connection lost, or time-out. `cause` is the error of the last attempt. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}
