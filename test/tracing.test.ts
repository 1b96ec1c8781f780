// Traces and logs for a collector of OpenTelemetry: one trace from the call of the API over the job and its attempts to the webhook; nothing
// of a person in it; and a collector that is slow or gone costs no mail.

import { expect, test } from 'bun:test'
import { outboxJobs } from '../db/tables/outbox.ts'
import { readConfig } from '../src/core/config.ts'
import { createDialer } from '../src/kit/outbound/dialer.ts'
import { parseTraceparent } from '../src/kit/trace.ts'
import { Exporter } from '../src/kit/tracing/exporter.ts'
import { type TestApp, testApp } from './support/app.ts'
import { type Collector, collector, type SeenSpan } from './support/collector.ts'
import { sinkEnvironment, webhookSink } from './support/webhook-sink.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callersSpan = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${callersSpan}-01`

function send(t: TestApp, headers: Record<string, string> = {}) {
  return t.mail({}, { headers })
}

function only(seen: Collector, name: string, where: (span: SeenSpan) => boolean = () => true): SeenSpan {
  const found = seen.spans.filter((span) => span.traceId === traceId && span.name === name && where(span))
  expect(found, name).toHaveLength(1)
  const [span] = found
  if (!span) throw new Error('there is no such span')
  return span
}

test('one trace from the API call over job and attempt to the webhook, without anything of a person', async () => {
  using seen = collector()
  await using sink = webhookSink()
  await using t = await testApp({
    environment: {
      ...sinkEnvironment,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${seen.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=mail%20team, authorization=Basic abc=',
      OTEL_SERVICE_NAME: 'post-office',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  })
  await t.template({ subject: 'Secret subject' })
  await t.endpoint({ url: sink.url, status: 'active' })
  const { messageId } = await send(t, { traceparent })
  await t.settle()
  await t.get('/v1/activity?q=to:ada@example.net', 200)
  await t.get(`/v1/contacts/find?email=ada@example.net`, 200)
  t.app.log.warn('something odd', { number: 1, error: new Error('broken') })
  await t.app.tracer?.flush()

  expect(seen.faults).toEqual([])
  const call = only(seen, 'POST /v1/transactional/send')
  expect(call).toMatchObject({ parentSpanId: callersSpan, kind: 2, status: {} })
  expect(call.attributes).toMatchObject({
    'http.route': '/v1/transactional/send',
    'http.response.status_code': 200,
    'paquebot.operation': 'send',
    'paquebot.workspace_id': t.workspace.id,
  })
  const job = only(seen, 'deliver-message')
  expect(job).toMatchObject({ parentSpanId: call.spanId, kind: 5, attributes: { 'paquebot.outcome': 'done' } })
  // `queued` belongs to the call, `sent` to the attempt.
  const told = only(seen, 'deliver-webhook', ({ parentSpanId }) => parentSpanId === job.spanId)
  only(seen, 'deliver-webhook', ({ parentSpanId }) => parentSpanId === call.spanId)
  const request = only(seen, 'POST', ({ parentSpanId }) => parentSpanId === told.spanId)
  expect(request).toMatchObject({ kind: 3, attributes: { 'http.response.status_code': 200 } })
  const received = sink.received.find(({ body }) => body.includes('transactional.email.sent'))
  expect(received?.headers['traceparent']).toBe(`00-${traceId}-${request.spanId}-01`)
  expect(received?.body).toContain(messageId)

  for (const text of [...seen.texts, ...seen.spans.map(({ name }) => name)]) {
    expect(text).not.toContain('ada@')
    expect(text).not.toContain('example.net')
    expect(text).not.toContain('Secret subject')
  }
  expect(seen.headers[0]).toMatchObject({ 'x-team': 'mail team', authorization: 'Basic abc=' })
  expect(seen.resources[0]).toMatchObject({ 'service.name': 'post-office', 'deployment.environment.name': 'test' })
  expect(seen.records).toContainEqual(
    expect.objectContaining({ severityText: 'WARN', body: { stringValue: 'something odd' } }),
  )
  const metrics = await (await fetch(`${t.url}/metrics`)).text()
  expect(metrics).toMatch(/^paquebot_telemetry_total\{signal="traces",outcome="taken"\} [1-9]/m)
})

test('calls that come together are accepted together, and what follows each is in its own trace', async () => {
  using seen = collector()
  await using t = await testApp({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: seen.url } })
  await t.template({ subject: 'Secret subject' })
  const rule = { name: 'Hello', eventName: 'signedUp', action: 'send_template', templateId: 'hello' }
  await t.post('/v1/event-rules', { ...rule, status: 'active' }, 201)
  const ids = Array.from({ length: 60 }, (_, n) => traceId.slice(2) + n.toString(16).padStart(2, '0'))
  await Promise.all(
    ids.map((id, n) => {
      const headers = { traceparent: `00-${id}-${callersSpan}-01` }
      if (n % 2 === 0) return send(t, headers)
      const event = { email: `ada${n}@example.net`, eventName: 'signedUp' }
      return t.post('/v1/events/send', event, 200, { headers })
    }),
  )
  await t.settle()
  await t.app.tracer?.flush()
  for (const [n, id] of ids.entries()) {
    const names = seen.spans.filter((span) => span.traceId === id).map(({ name }) => name)
    const [call, job] = n % 2 === 0 ? ['transactional', 'deliver-message'] : ['events', 'deliver-template']
    expect(names.sort()).toEqual([`POST /v1/${call}/send`, job])
  }
})

test('what a caller does not sample is not exported, and is in no job', async () => {
  using seen = collector()
  await using t = await testApp({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: seen.url, OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
  })
  await t.template({ subject: 'Secret subject' })
  await send(t, { traceparent: traceparent.replace(/1$/, '0') })
  await send(t)
  await t.settle()
  await t.app.tracer?.flush()
  expect(seen.spans).toEqual([])
  const jobs = await t.app.db.select({ payload: outboxJobs.payload }).from(outboxJobs)
  expect(JSON.stringify(jobs)).not.toContain('traceparent')
  await send(t, { traceparent })
  await t.app.tracer?.flush()
  expect(seen.spans.map(({ name }) => name)).toEqual(['POST /v1/transactional/send'])
})

test('a collector that is gone costs no mail; what it may have again it gets, what is too much is counted', async () => {
  using seen = collector()
  seen.answer.status = 503
  await using t = await testApp({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: seen.url } })
  await t.template({ subject: 'Secret subject' })
  await send(t)
  await t.settle()
  expect(await t.sent()).toHaveLength(1)
  await t.app.tracer?.flush()
  expect(seen.spans).toEqual([])
  seen.answer.status = 200
  await t.app.tracer?.flush()
  expect(seen.spans.map(({ name }) => name)).toContain('deliver-message')

  const ends: [number, string | null][] = []
  const dialer = createDialer({ ...t.app.config, webhookAllowCidrs: ['127.0.0.0/8'], webhookAllowHttp: true })
  const exporter = new Exporter<number>({
    url: 'http://127.0.0.1:9/v1/traces',
    headers: [],
    dialer,
    encode: (items) => JSON.stringify(items),
    onEnd: (...end) => ends.push(end),
  })
  for (let n = 0; n < 4_100; n++) exporter.add(n)
  await exporter.close()
  dialer.close()
  expect(ends.filter(([, lost]) => lost === 'the queue is full')).toHaveLength(4)
  expect(ends.at(-1)).toEqual([4_096, 'the process ended'])
})

test('the debug log tells of each request by its route, and of nobody', async () => {
  await using t = await testApp({ environment: { LOG_LEVEL: 'debug' } })
  await t.get('/v1/contacts/find?email=ada@example.net', 200)
  await t.request('GET', '/v1/nothing/ada@example.net?x=ada@example.net', undefined, { as: 'key' })
  await t.request('GET', '/v1/activity/msg_of_ada', undefined, { as: 'session' })
  const lines = t.logged.filter((line) => line.includes('"message":"request"')).map((line) => JSON.parse(line))
  const about = { requestId: expect.stringMatching(/^req_/), ms: expect.any(Number), workspaceId: t.workspace.id }
  expect(lines).toEqual([
    expect.objectContaining({
      ...about,
      route: '/v1/contacts/find',
      status: 200,
      keyId: expect.stringMatching(/^key_/),
    }),
    expect.objectContaining({ ...about, route: '…', status: 404 }),
    expect.objectContaining({ ...about, route: '/v1/activity/:messageId', status: 404, keyId: null }),
  ])
  // The digits of an id may spell a name.
  expect(t.logged.join()).not.toMatch(/ada@|ada%40|of_ada|example\.net/)
})

test.each([
  [traceparent, true],
  [`${traceparent}-more`, false],
  [`01${traceparent.slice(2)}-more`, true],
  [`ff${traceparent.slice(2)}`, false],
  [traceparent.replace(traceId, '0'.repeat(32)), false],
  [traceparent.replace(callersSpan, '0'.repeat(16)), false],
  [traceparent.toUpperCase(), false],
  ['', false],
  [null, false],
])('the header %s is followed: %p', (header, isFollowed) => {
  expect(parseTraceparent(header) !== null).toBe(isFollowed)
})

const on = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

test('the variables of OpenTelemetry are read as it has them', () => {
  const otel = (environment: Record<string, string>) => readConfig(environment, '/').otel
  expect(otel({})).toBeUndefined()
  expect(otel({ OTEL_SERVICE_NAME: 'x' })).toBeUndefined()
  expect(otel({ ...on, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  expect(otel({ ...on, OTEL_TRACES_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' })).toBeUndefined()
  expect(otel({ ...on, OTEL_TRACES_EXPORTER: 'none', OTEL_METRIC_EXPORT_INTERVAL: '5' })).toMatchObject({
    tracesUrl: null,
    logsUrl: 'http://127.0.0.1:4318/v1/logs',
    sampler: { share: 1, followsParent: true },
  })
  const sampled = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }
  expect(otel({ ...on, ...sampled })?.sampler).toEqual({ share: 0.25, followsParent: false })
  for (const wrong of [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'secret' },
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    { ...sampled, OTEL_TRACES_SAMPLER_ARG: '2' },
  ])
    expect(() => otel({ ...on, ...wrong })).toThrow(Object.keys(wrong).at(-1))
})
