// A collector of OpenTelemetry that reads OTLP over HTTP in JSON as its specification has it, and refuses everything else.

import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const closed = { additionalProperties: false }
const nanoseconds = Type.String({ pattern: '^[1-9]\\d{18}$' })
const traceId = Type.String({ pattern: '^(?!0{32})[0-9a-f]{32}$' })
const spanId = Type.String({ pattern: '^(?!0{16})[0-9a-f]{16}$' })
const value = Type.Union([
  Type.Object({ stringValue: Type.String() }, closed),
  Type.Object({ boolValue: Type.Boolean() }, closed),
  Type.Object({ intValue: Type.String({ pattern: '^-?\\d+$' }) }, closed),
  Type.Object({ doubleValue: Type.Number() }, closed),
])
const attributes = Type.Array(Type.Object({ key: Type.String({ minLength: 1 }), value }, closed))
const resource = Type.Object({ attributes }, closed)
const scope = Type.Object({ name: Type.String(), version: Type.String() }, closed)
const span = Type.Object(
  {
    traceId,
    spanId,
    parentSpanId: Type.Optional(spanId),
    name: Type.String({ minLength: 1 }),
    kind: Type.Integer({ minimum: 1, maximum: 5 }),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes,
    status: Type.Object({ code: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })) }, closed),
  },
  closed,
)
const record = Type.Object(
  {
    timeUnixNano: nanoseconds,
    observedTimeUnixNano: nanoseconds,
    severityNumber: Type.Integer({ minimum: 1, maximum: 24 }),
    severityText: Type.String(),
    body: value,
    attributes,
    traceId: Type.Optional(traceId),
    spanId: Type.Optional(spanId),
  },
  closed,
)
const scopeSpans = Type.Array(Type.Object({ scope, spans: Type.Array(span) }, closed))
const scopeLogs = Type.Array(Type.Object({ scope, logRecords: Type.Array(record) }, closed))
const bodies = {
  '/v1/traces': Type.Object({ resourceSpans: Type.Array(Type.Object({ resource, scopeSpans }, closed)) }, closed),
  '/v1/logs': Type.Object({ resourceLogs: Type.Array(Type.Object({ resource, scopeLogs }, closed)) }, closed),
}

type Wire = Static<typeof span>
export interface SeenSpan extends Omit<Wire, 'attributes'> {
  attributes: Record<string, string | number | boolean>
}
type SeenRecord = Static<typeof record>

export interface Collector extends Disposable {
  url: string
  spans: SeenSpan[]
  records: SeenRecord[]
  /** Every body as it came, with its headers. */
  texts: string[]
  headers: Record<string, string>[]
  resources: Record<string, string | number | boolean>[]
  /** What the specification does not have. */
  faults: string[]
  answer: { status: number }
}

export function collector(): Collector {
  const seen = { spans: [], records: [], texts: [], headers: [], resources: [], faults: [] }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const text = await request.text()
      if (found.answer.status !== 200) return new Response('', { status: found.answer.status })
      found.texts.push(text)
      found.headers.push(Object.fromEntries(request.headers))
      const body = JSON.parse(text)
      const { pathname } = new URL(request.url)
      const schema = pathname === '/v1/traces' ? bodies['/v1/traces'] : bodies['/v1/logs']
      for (const { path, message } of Value.Errors(schema, body)) found.faults.push(`${pathname} ${path}: ${message}`)
      for (const { resource, scopeSpans = [], scopeLogs = [] } of body.resourceSpans ?? body.resourceLogs) {
        found.resources.push(plain(resource.attributes))
        for (const { spans } of scopeSpans)
          found.spans.push(...spans.map((one: Wire) => ({ ...one, attributes: plain(one.attributes) })))
        for (const { logRecords } of scopeLogs) found.records.push(...logRecords)
      }
      return Response.json({})
    },
  })
  const found: Collector = {
    ...seen,
    url: `http://127.0.0.1:${server.port}`,
    answer: { status: 200 },
    [Symbol.dispose]: () => void server.stop(true),
  }
  return found
}

function plain(list: Static<typeof attributes>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    list.map(({ key, value }) => {
      const [only = ''] = Object.values(value)
      return [key, 'intValue' in value ? Number(only) : only]
    }),
  )
}
