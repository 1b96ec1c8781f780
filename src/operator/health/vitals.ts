// State of the parts that run beside the server.

/** State of the parts that run next to the server. */
export interface Vitals {
  /** When the dispatcher last polled the outbox. */
  lastTickAt(): Date | null
  /** Jobs that run in this process, by lane. */
  inFlight(): Record<string, number>
}

/** Of a process that only answers. */
export const noVitals: Vitals = { lastTickAt: () => null, inFlight: () => ({}) }
