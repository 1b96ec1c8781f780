// paquebot top: what a running server does, from its /metrics: lanes of the outbox with their rates, requests, commits, the machine.
// Live in a terminal until Ctrl-C; with --once a single look.

import { type Config, nameInUrl } from '../../core/config.ts'
import { AppError } from '../../kit/error.ts'
import { readMetrics, type Samples, type Where } from '../../kit/read-metrics.ts'
import { sizeOf } from '../../kit/size.ts'
import type { Paint } from './colour.ts'
import { columns, defineCommand, type Output, type Print, UsageError } from './command.ts'

const defaultEverySeconds = 2
/** To the upper left, and everything after it deleted: a screen that is drawn over does not flicker. */
const redraw = '\x1b[H\x1b[J'

export const top = defineCommand({
  name: 'top',
  says: 'Shows what the running server is doing, until Ctrl-C: lanes, rates, the oldest job, requests, commits, memory.',
  flags: {
    url: { type: 'string', value: 'URL', says: 'the URL of the server; default: this machine, at PORT' },
    every: { type: 'string', value: 'SECONDS', says: `how often it is updated; default ${defaultEverySeconds}` },
    once: { type: 'boolean', says: 'prints the figures once, measured over that time, and ends' },
  },
  run: async ({ url, every = String(defaultEverySeconds), once }, config, print) => {
    if (!/^(?:[1-9]|[1-5]\d|60)$/.test(every)) throw new UsageError(`--every takes a number from 1 to 60, not ${every}`)
    const server = url ?? addressOf(config())
    if (!URL.canParse(server)) throw new UsageError(`--url takes an address like http://127.0.0.1:3000, not ${server}`)
    const everyMs = Number(every) * 1_000
    const { metricsToken } = config()
    const at = { server, token: metricsToken }
    const first = await takeSnapshot(at)
    await Bun.sleep(everyMs)
    if (once) return statusOutput(server, [first, await takeSnapshot(at)])
    return await follow(at, { first, everyMs, print })
  },
})

interface Snapshot {
  at: number
  samples: Samples
}

/** Seen from the machine of the server. */
const addressOf = ({ host, port }: Config) => `http://${nameInUrl(host)}:${port}`

interface Target {
  server: string
  token: string | undefined
}

async function takeSnapshot({ server, token }: Target): Promise<Snapshot> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(new URL('/metrics', server), { headers }).catch(() => null)
  if (answer?.status === 401)
    throw new AppError(
      'unauthorized',
      `${server} shows its metrics only to programs on its machine, or with its METRICS_TOKEN`,
    )
  if (!answer?.ok)
    throw new AppError('not_found', `no paquebot answers at ${server}: is it running, and is PORT or --url right?`)
  return { at: performance.now(), samples: readMetrics(await answer.text()) }
}

async function follow(
  at: Target,
  { first, everyMs, print }: { first: Snapshot; everyMs: number; print: Print },
): Promise<Output> {
  const ended = Promise.withResolvers<null>()
  process.once('SIGINT', () => ended.resolve(null))
  for (let before = first; ; ) {
    // A server that is restarted is waited for.
    const now = await takeSnapshot(at).catch((error: Error) => error)
    const { json, lines } =
      now instanceof Error
        ? { json: { error: now.message }, lines: [now.message] }
        : statusOutput(at.server, [before, now])
    print({ json, lines: (paint) => [redraw + linesOf(lines, paint).join('\n')] })
    if (!(now instanceof Error)) before = now
    if ((await Promise.race([Bun.sleep(everyMs), ended.promise])) === null) return { json: { ended: true }, lines: [] }
  }
}

const linesOf = (lines: Output['lines'], paint: Paint) => (typeof lines === 'function' ? lines(paint) : lines)

interface Lane {
  lane: string
  pending: number
  running: number
  held: number
  dead: number
  ambiguous: number
  /** For how long the oldest job has been due. */
  lateSeconds: number
  /** Per second. */
  done: number
  retried: number
  failed: number
  /** What a job waited after it was due, on average of those that began. */
  waitSeconds: number | null
}

interface ServerStatus {
  server: string
  version: string
  uptimeSeconds: number
  memoryBytes: number
  /** Of one. */
  processor: number
  loopDelaySeconds: number | null
  requests: number
  refused: number
  failed: number
  commits: number
  unitsPerCommit: number | null
  secondsPerCommit: number | null
  databaseBytes: number | null
  logBytes: number | null
  freeBytes: number | null
  lanes: Lane[]
}

function statusOutput(server: string, snapshots: [before: Snapshot, now: Snapshot]): Output {
  const status = statusFrom(server, snapshots)
  return { json: status, lines: (paint) => draw(status, paint) }
}

function statusFrom(server: string, [before, now]: [before: Snapshot, now: Snapshot]): ServerStatus {
  const seconds = (now.at - before.at) / 1_000
  const { samples } = now
  // A server that was restarted counts anew.
  const more = (name: string, where?: Where) => Math.max(0, samples.sum(name, where) - before.samples.sum(name, where))
  const rate = (name: string, where?: Where) => more(name, where) / seconds
  const mean = (name: string, where?: Where) => quotient(more(`${name}_sum`, where), more(`${name}_count`, where))
  const status =
    (start: string): Where =>
    (labels) =>
      labels['status']?.startsWith(start) ?? false
  const file = (name: string) => samples.one('paquebot_database_bytes', (labels) => labels['file'] === name)
  return {
    server,
    version: samples.all('paquebot_info')[0]?.labels['version'] ?? '',
    uptimeSeconds: samples.sum('process_uptime_seconds'),
    memoryBytes: samples.sum('process_resident_memory_bytes'),
    processor: rate('process_cpu_seconds_total'),
    loopDelaySeconds: mean('paquebot_event_loop_delay_seconds'),
    requests: rate('paquebot_http_requests_total'),
    refused: rate('paquebot_http_requests_total', status('4')),
    failed: rate('paquebot_http_requests_total', status('5')),
    commits: rate('paquebot_commits_total'),
    unitsPerCommit: quotient(more('paquebot_commit_units_total'), more('paquebot_commits_total')),
    secondsPerCommit: quotient(more('paquebot_commit_seconds_total'), more('paquebot_commits_total')),
    databaseBytes: file('database'),
    logBytes: file('log'),
    freeBytes: samples.one('paquebot_disk_free_bytes'),
    lanes: lanesOf(samples).map((lane) => {
      const mine: Where = (labels) => labels['lane'] === lane
      const inState = (state: string) =>
        samples.sum('paquebot_outbox_jobs', (labels) => mine(labels) && labels['state'] === state)
      const ended = (...outcomes: string[]) =>
        rate('paquebot_jobs_total', (labels) => mine(labels) && outcomes.includes(labels['outcome'] ?? ''))
      return {
        lane,
        pending: inState('pending'),
        running: inState('running'),
        held: inState('held'),
        dead: inState('dead'),
        ambiguous: inState('ambiguous'),
        lateSeconds: samples.sum('paquebot_outbox_late_seconds', mine),
        done: ended('done'),
        retried: ended('retry', 'defer', 'hold'),
        failed: ended('dead', 'ambiguous', 'cancelled'),
        waitSeconds: mean('paquebot_job_wait_seconds', mine),
      }
    }),
  }
}

const quotient = (part: number, whole: number) => (whole === 0 ? null : part / whole)

/** Those with a job, now or since the start. */
function lanesOf(samples: Samples): string[] {
  const named = ['paquebot_outbox_jobs', 'paquebot_jobs_total'].flatMap((name) => samples.all(name))
  return [...new Set(named.flatMap(({ labels }) => labels['lane'] ?? []))].sort()
}

function draw(status: ServerStatus, paint: Paint): string[] {
  const { requests, refused, failed, commits } = status
  const bad = (count: number, text: string) => (count > 0 ? paint.bad(text) : text)
  const [head = '', ...rows] = fitting([
    ['LANE', 'PENDING', 'RUN', 'HELD', 'DEAD', 'UNSURE', 'LATE', 'DONE/S', 'RETRY/S', 'FAIL/S', 'WAIT'],
    ...status.lanes.map((lane) => [
      lane.lane,
      ...[lane.pending, lane.running, lane.held, lane.dead, lane.ambiguous].map(String),
      lane.lateSeconds === 0 ? '-' : timeOf(lane.lateSeconds),
      ...[lane.done, lane.retried, lane.failed].map(decimal),
      lane.waitSeconds === null ? '-' : timeOf(lane.waitSeconds),
    ]),
  ])
  return [
    `${paint.bold(`Paquebot ${status.version}`)} at ${status.server}, up ${timeOf(status.uptimeSeconds)}`,
    `memory ${sizeOf(status.memoryBytes)}, processor ${Math.round(status.processor * 100)} %, event loop late by ${timeOf(status.loopDelaySeconds ?? 0)}`,
    `requests ${decimal(requests)}/s: ${bad(refused, `${decimal(refused)} refused`)}, ${bad(failed, `${decimal(failed)} failed`)}`,
    `commits ${decimal(commits)}/s: of ${decimal(status.unitsPerCommit ?? 0)} writes, ${timeOf(status.secondsPerCommit ?? 0)} each`,
    ...(status.databaseBytes === null
      ? []
      : [
          `database ${sizeOf(status.databaseBytes)}, its log ${sizeOf(status.logBytes ?? 0)}, free on the disk ${sizeOf(status.freeBytes ?? 0)}`,
        ]),
    '',
    paint.bold(head),
    ...(status.lanes.length === 0 ? ['no job yet'] : rows),
    '',
  ]
}

/** Closer together where the terminal is narrow. */
function fitting(rows: string[][]): string[] {
  const table = columns(rows)
  const width = process.stdout.columns ?? Number.POSITIVE_INFINITY
  return table.some((line) => line.length > width) ? columns(rows, ' ') : table
}

const decimal = (value: number) => value.toFixed(value < 10 ? 1 : 0)

const units: [seconds: number, name: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
  [0.001, 'ms'],
]

function timeOf(seconds: number): string {
  const [size, name] = units.find(([size]) => seconds >= size) ?? [0.001, 'ms']
  return `${decimal(seconds / size)} ${name}`
}
