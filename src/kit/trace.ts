// One trace across processes (W3C Trace Context, https://www.w3.org/TR/trace-context/): its header, and which span the present work belongs
// to. Known only while traces are exported (src/kit/tracing/).

import { AsyncLocalStorage } from 'node:async_hooks'

export interface Trace {
  /** 32 hex digits. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  /** Whether it is exported. */
  sampled: boolean
}

const header = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Null for anything but a header that the recommendation has us follow. */
export function parseTraceparent(text: unknown): Trace | null {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    header.exec(typeof text === 'string' ? text : '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function toTraceparent({ traceId, spanId, sampled }: Trace): string {
  return `00-${traceId}-${spanId}-0${sampled ? 1 : 0}`
}

const current = new AsyncLocalStorage<Trace | null>()

/** Of what runs now; null where nothing is exported of it. */
export function currentTrace(): Trace | null {
  return current.getStore() ?? null
}

/** Runs `work`, and all it waits for, as part of that span. */
export function tracing<T>(trace: Trace | null, work: () => T): T {
  return current.run(trace, work)
}

/** The member of a job's payload that links it to what enqueued it: durable, and there only while that is traced. */
const member = 'traceparent'

export function withTrace<P>(payload: P, trace: Trace | null | undefined): P {
  if (!trace?.sampled || typeof payload !== 'object' || payload === null) return payload
  return { ...payload, [member]: toTraceparent(trace) }
}

export function traceIn(payload: unknown): Trace | null {
  return typeof payload === 'object' && payload !== null && member in payload ? parseTraceparent(payload[member]) : null
}

/** The span of the present attempt of a job. */
const attempts = new WeakMap<object, Trace>()

export function noteAttempt(job: object, trace: Trace): void {
  attempts.set(job, trace)
}

export function attemptTrace(job: object): Trace | null {
  return attempts.get(job) ?? null
}
