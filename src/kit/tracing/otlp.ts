// Spans and log lines as OTLP has them in JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): ids in hex, 64-bit
// numbers as strings, enumerations as numbers.

import { failureText } from '../error.ts'
import type { LogFields, LogLevel } from '../log.ts'
import type { Trace } from '../trace.ts'
import { version } from '../version.ts'

const kinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const
export type SpanKind = keyof typeof kinds
const severities: Record<LogLevel, number> = { debug: 5, info: 9, warn: 13, error: 17 }
const failed = { code: 2 }

/** Null and undefined are left out. */
export type Attributes = Record<string, string | number | boolean | null | undefined>

export interface EndedSpan extends Trace {
  parentSpanId: string | null
  name: string
  kind: SpanKind
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
  attributes: Attributes
  hasFailed: boolean
}

export interface LogRecord {
  at: number
  level: LogLevel
  message: string
  fields: LogFields
  trace: Trace | null
}

export function spansBody(resource: Record<string, string>, spans: EndedSpan[]): string {
  const scopeSpans = [{ scope, spans: spans.map(toSpan) }]
  return JSON.stringify({ resourceSpans: [{ resource: toResource(resource), scopeSpans }] })
}

export function logsBody(resource: Record<string, string>, records: LogRecord[]): string {
  const scopeLogs = [{ scope, logRecords: records.map(toRecord) }]
  return JSON.stringify({ resourceLogs: [{ resource: toResource(resource), scopeLogs }] })
}

const scope = { name: 'paquebot', version }

function toResource(resource: Record<string, string>) {
  return { attributes: toAttributes({ ...resource, 'service.version': version }) }
}

function toSpan(span: EndedSpan) {
  const { traceId, spanId, parentSpanId, name, kind, startedAt, endedAt, attributes, hasFailed } = span
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: toAttributes(attributes),
    status: hasFailed ? failed : {},
  }
}

function toRecord({ at, level, message, fields, trace }: LogRecord) {
  const timeUnixNano = nanoseconds(at)
  return {
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber: severities[level],
    severityText: level.toUpperCase(),
    body: { stringValue: message },
    attributes: toAttributes(
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toAttribute(value)])),
    ),
    ...(trace === null ? {} : { traceId: trace.traceId, spanId: trace.spanId }),
  }
}

/** Beyond the whole numbers of JavaScript, so as text: microseconds and three digits more. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`
}

function toAttribute(value: unknown): Attributes[string] {
  if (value instanceof Error) return failureText(value)
  if (value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value))
    return value as Attributes[string]
  return JSON.stringify(value)
}

function toAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: toValue(value) }],
  )
}

function toValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
