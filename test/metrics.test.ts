// What monitoring reads: every metric that our dashboard and alert rules name is there, and counts what happened.

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { write } from '../src/core/app.ts'
import { outboxDepth } from '../src/core/outbox/depth.ts'
import { startServer } from '../src/doors/listen.ts'
import { Counter, gauge, Histogram, measures, watchLoop } from '../src/kit/measures.ts'
import { archiveState } from '../src/operator/archive/archive.ts'
import { noteBackup } from '../src/operator/backup/last.ts'
import { metricsText } from '../src/operator/health/metrics.ts'
import { type TestApp, testApp } from './support/app.ts'
import { remoteDatabase } from './support/database.ts'

const folder = join(import.meta.dir, '../docs/monitoring')
const exporter = /\b(?:paquebot|process)_[a-z_]+/g

/** Sends two mails and delivers the first, and took a backup. */
async function busyApp(): Promise<TestApp> {
  const t = await testApp()
  await t.template({ id: 'hi' })
  await t.mail({ templateId: 'hi' })
  await t.put('/v1/webhook-endpoints', {}, 405, { as: 'session' })
  await t.endpoint({ url: 'https://example.com/h', eventFilters: ['*'] })
  await t.settle()
  await t.mail({ templateId: 'hi', email: 'bob@example.net' })
  Object.assign(t.app.own(archiveState), { isOn: true, coveredAt: t.clock.now() })
  await noteBackup(t.app, { path: 'b', bytes: 1, takenAt: t.clock.now(), tables: 1, rows: 1, hasSecret: true })
  return t
}

async function scraped(t: TestApp, requests: (url: string) => Promise<unknown> = async () => {}): Promise<string> {
  const vitals = { lastTickAt: () => t.dispatcher.lastTickAt(), inFlight: () => t.dispatcher.inFlight() }
  const server = startServer(t.app, { port: 0, host: '127.0.0.1', vitals })
  await requests(server.url)
  const answer = await fetch(`${server.url}/metrics`)
  expect(answer.headers.get('content-type')).toStartWith('text/plain; version=0.0.4')
  const text = await answer.text()
  await server.stop()
  return text
}

function namesIn(text: string): string[] {
  return [...new Set(text.match(exporter))].filter((name) => name !== 'paquebot_').sort()
}

// The size of the database and the room on its disk are those of a file.
test.skipIf(remoteDatabase)('every metric in the dashboard and the alert rules is told', async () => {
  await using t = await busyApp()
  t.app.own(measures).loopSeconds.observe({}, 0.001)
  t.app.own(measures).rescued.add({}, 1)
  const text = await scraped(t, (url) => fetch(`${url}/v1/api-key`))
  const told = new Set(text.split('\n').map((line) => /^[a-z_]+/.exec(line)?.[0]))
  for (const file of ['grafana.json', 'alerts.yml']) {
    const wanted = namesIn(await Bun.file(join(folder, file)).text())
    expect(wanted.length).toBeGreaterThan(5)
    expect(wanted.filter((name) => !told.has(name))).toEqual([])
  }
  const documented = await Bun.file(join(folder, '../operating.md')).text()
  const families = [...text.matchAll(/^# TYPE (paquebot_\w+)/gm)].map(([, name = '']) => name)
  expect(families.filter((name) => !documented.includes(`\`${name}`))).toEqual([])
})

test('requests, jobs and commits are counted under names that say what they were', async () => {
  await using t = await busyApp()
  const text = await scraped(t, async (url) => {
    await fetch(`${url}/v1/api-key`, { headers: { authorization: `Bearer ${t.apiKey}` } })
    await fetch(`${url}/v1/api-key`)
    await fetch(`${url}/nothing/of/the/kind-${'x'.repeat(50)}`)
  })
  const value = (line: string) =>
    Number(
      text
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.slice(line.length),
    )
  expect(value('paquebot_http_requests_total{operation="testApiKey",status="200"}')).toBe(1)
  expect(value('paquebot_http_requests_total{operation="testApiKey",status="401"}')).toBe(1)
  expect(value('paquebot_http_request_seconds_count{operation="testApiKey"}')).toBe(2)
  expect(value('paquebot_jobs_total{lane="mail.tx",kind="deliver-message",outcome="done"}')).toBe(1)
  expect(value('paquebot_job_wait_seconds_bucket{lane="mail.tx",le="+Inf"}')).toBe(1)
  expect(value('paquebot_commit_units_total')).toBeGreaterThanOrEqual(value('paquebot_commits_total'))
  expect(value('paquebot_backup_timestamp_seconds')).toBe(t.clock.now().getTime() / 1_000)
  // Whatever a stranger asks for makes no series of its own.
  expect(text).not.toContain('kind-xxx')
})

test('more pending jobs than are counted in one turn are counted once each', async () => {
  await using t = await testApp()
  await write(t.app, (tx) =>
    tx.db.run(sql`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 45000)
      INSERT INTO outbox_jobs (id, workspace_id, lane, kind, partition_key, state, due_at, attempts_max, payload, created_at)
      SELECT printf('%036d', n), 'ws_' || n % 3, iif(n % 9 = 0, 'mail.tx', 'webhook'), 'none', n % 7, 'pending', n % 11, 1, '{}', 1
      FROM numbers`),
  )
  expect((await outboxDepth(t.app)).filter(({ state }) => state === 'pending')).toEqual([
    { lane: 'mail.tx', state: 'pending', count: 5_000 },
    { lane: 'webhook', state: 'pending', count: 40_000 },
  ])
})

test('for how long the oldest job of a lane has been due', async () => {
  await using t = await testApp()
  await t.template({ id: 'hi' })
  await t.mail({ templateId: 'hi' })
  t.clock.advance(90_000)
  const vitals = { lastTickAt: () => null, inFlight: () => ({}) }
  expect(await metricsText(t.app, vitals)).toContain('paquebot_outbox_late_seconds{lane="mail.tx"} 90\n')
})

describe('the text format', () => {
  test('a histogram counts what took at most as long as each bound', () => {
    const one = new Histogram('h_seconds', 'Time.', [0.1, 1])
    for (const seconds of [0.05, 0.1, 0.5, 7]) one.observe({ lane: 'a' }, seconds)
    expect(one.lines()).toEqual([
      '# HELP h_seconds Time.',
      '# TYPE h_seconds histogram',
      'h_seconds_bucket{lane="a",le="0.1"} 2',
      'h_seconds_bucket{lane="a",le="1"} 3',
      'h_seconds_bucket{lane="a",le="+Inf"} 4',
      'h_seconds_sum{lane="a"} 7.65',
      'h_seconds_count{lane="a"} 4',
    ])
  })

  test('labels are escaped, and a counter without any has no braces', () => {
    expect(gauge('g', 'G.', [[{ a: 'x"\\\ny' }, 1]]).at(-1)).toBe('g{a="x\\"\\\\\\ny"} 1')
    const one = new Counter('c_total', 'C.')
    one.add({})
    one.add({}, 2)
    expect(one.lines().at(-1)).toBe('c_total 3')
  })

  test('how late the event loop is is watched', async () => {
    const watched = measures()
    watchLoop(watched)
    const { promise, resolve } = Promise.withResolvers<void>()
    const { loopSeconds } = watched
    const observe = loopSeconds.observe.bind(loopSeconds)
    loopSeconds.observe = (labels, seconds) => {
      observe(labels, seconds)
      resolve()
    }
    await promise
    expect(loopSeconds.lines().at(-1)).toBe('paquebot_event_loop_delay_seconds_count 1')
  })
})
