// All checks: types, format, lint and unused code, and the tests on a file and on a libSQL server, beside each other, for all wait now and then;
// then those that compare times, by themselves. Prints the slowest files and, once more, what failed; the last line counts.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Failure, readReport } from './support/test-report.ts'

const bun = process.execPath
const root = join(import.meta.dir, '..')
const directory = mkdtempSync(join(tmpdir(), 'paquebot-run-'))
const binary = join(directory, 'paquebot')
const slowestShown = 10
/** Of what a failure says, once more at the end. */
const linesShown = 25
// What the product runs beside its server gives way to all others, and would get nothing while a run keeps every core busy: here all are alike.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
let passed = 0
let processorSeconds = 0
const failures: Failure[] = []
const began = machine()

/** Ends when the command has, and prints what it said in one piece. */
async function run(title: string, command: string[], environment: Record<string, string> = {}) {
  const startedAt = performance.now()
  const log = join(directory, `${title.replaceAll(/\W+/g, '-')}.log`)
  // Both streams into one file, in the order in which they were written.
  const child = Bun.spawn(['sh', '-c', 'exec "$@" > "$0" 2>&1', log, ...command], {
    cwd: root,
    env: { ...process.env, BINARY: binary, ...environment },
  })
  const code = await child.exited
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  const said = readFileSync(log, 'utf8')
  const { user = 0, system = 0 } = child.resourceUsage()?.cpuTime ?? {}
  const processor = (Number(user) + Number(system)) / 1_000_000
  processorSeconds += processor
  process.stdout.write(`\n== ${title} (${seconds} s, ${processor.toFixed(0)} s of processors)\n${said}`)
  return { code, said }
}

/** A step that passes or fails as one. */
async function step(title: string, command: string[]): Promise<void> {
  const { code, said } = await run(title, command)
  if (code === 0) passed++
  else failures.push({ title, message: said })
}

interface Timed {
  file: string
  title: string
  seconds: number
}

/** A run of the tests, counted one by one. A runner that ends without counts is a failure of its own. */
async function tests(title: string, files: string[], { workers = 1, environment = {} } = {}): Promise<Timed[]> {
  // Without a file bun runs all there are.
  if (files.length === 0) throw new Error(`there are no tests to run ${title}`)
  const report = join(directory, `${title.replaceAll(/\W+/g, '-')}.xml`)
  const parallel = workers > 1 ? [`--parallel=${workers}`, '--no-isolate', `--timings=${longestFirst(files)}`] : []
  const command = [
    bun,
    'test',
    '--timeout=120000',
    '--only-failures',
    ...parallel,
    '--reporter=junit',
    `--reporter-outfile=${report}`,
  ]
  const { code, said } = await run(title, [...command, ...files.map((file) => `./${file}`)], environment)
  const told = existsSync(report) ? readReport(readFileSync(report, 'utf8')) : null
  const named = told?.failures.map((one) => ({ ...one, title: `${one.title}, ${title}` })) ?? []
  passed += told?.passed ?? 0
  failures.push(...named)
  // What the report does not name: a runner that ended early, a failure between tests.
  const isTold = told !== null && told.passed > 0 && named.length === told.failed && (code === 0 || named.length > 0)
  if (!isTold)
    failures.push({ title: `${title}: ended with ${code}`, message: said.split('\n').slice(-linesShown).join('\n') })
  return told?.files.map(({ name, seconds }) => ({ file: name, title: `${name}, ${title}`, seconds })) ?? []
}

/** How long each file took when that was last written down, by `UPDATE_TIMINGS=true bun test/run.ts`: milliseconds, as bun reads them. */
const timings = join(import.meta.dir, 'timings.json')

/** What takes the longest begins first, or a core waits for it in the end; so does a file of which nothing is known. Bun orders none unless it knows all. */
function longestFirst(all: string[]): string {
  const { files } = JSON.parse(readFileSync(timings, 'utf8')) as { files: Record<string, number> }
  const path = join(directory, 'timings.json')
  const complete = Object.fromEntries(all.map((file) => [file, files[file] ?? 3_600_000]))
  writeFileSync(path, JSON.stringify({ version: 1, files: complete }))
  return path
}

function keepTimings(slowest: Timed[]): void {
  const files: Record<string, number> = {}
  for (const { file, seconds } of slowest) files[file] ??= Math.round(seconds * 1_000)
  writeFileSync(timings, `${JSON.stringify({ version: 1, files }, null, 2)}\n`)
}

/** Of all processors since this machine began, in seconds; also for those whose end nobody waits for: libSQL servers, what a browser starts. */
function machine(): { worked: number; rested: number } {
  if (!existsSync('/proc/stat')) return { worked: 0, rested: 0 }
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0] = (
    /\d+.*/.exec(readFileSync('/proc/stat', 'utf8'))?.[0] ?? ''
  )
    .split(' ')
    .map((ticks) => Number(ticks) / 100)
  return { worked: user + nice + system, rested: idle + wait }
}

/** Debian's packages that tests drive: a browser, the judge of how our mail looks to a spam filter, what the documents use, what applications send mail with. */
async function installPackages(): Promise<void> {
  const wanted = ['chromium-headless-shell', 'spamassassin', 'jq', 'sqlite3', 'openssl', 'curl', 'msmtp']
  const elsewhere = {
    'php-cli': '/usr/bin/php',
    'libphp-phpmailer': '/usr/share/php/libphp-phpmailer',
    'ruby-mail': '/usr/lib/ruby/vendor_ruby/mail.rb',
  }
  const paths = [...wanted.map((name) => [name, `/usr/bin/${name}`]), ...Object.entries(elsewhere)]
  const missing = paths.flatMap(([name, path = '']) => (existsSync(path) ? [] : name))
  if (missing.length === 0) return
  const isDebian = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  if (!isDebian) {
    process.stdout.write(
      `not installed, so their tests are left out: ${missing.join(', ')} (as root on Debian this run installs them)\n`,
    )
    return
  }
  const apt = 'DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::http::Timeout=20'
  const install = `${apt} update && ${apt} install -y --no-install-recommends ${missing.join(' ')}`
  const child = Bun.spawn(['sh', '-c', install], { stdout: 'ignore', stderr: 'inherit' })
  if ((await child.exited) !== 0) process.stdout.write(`could not be installed: ${missing.join(', ')}\n`)
}

/** Debian's servers that the product stands behind (docs/proxy.md), or before, or that judge its mail: unpacked for this run, for installed they would be started. */
async function unpackServers(): Promise<void> {
  // PLAIN is in what postfix only recommends.
  await unpack({ nginx: 'nginx', caddy: 'caddy', postfix: 'postfix', opendkim: 'opendkim' }, ['libsasl2-modules'])
  // It would not be installed beside postfix.
  await unpack({ smtpd: 'opensmtpd' })
}

/** By program: the package it is in. With what they need and the machine does not have. */
async function unpack(packages: Record<string, string>, more: string[] = []): Promise<void> {
  const wanted = Object.entries(packages).flatMap(([program, name]) => (Bun.which(program) === null ? [name] : []))
  if (wanted.length === 0) return
  const folder = join(directory, `debian-${wanted[0]}`)
  const get = `apt-get -q -y -o Acquire::http::Timeout=20 -o Dir::Cache::archives='${folder}' --no-install-recommends --download-only install ${[...wanted, ...more].join(' ')}`
  const unpack = `mkdir -p '${folder}/partial' && cd '${folder}' && (${get} || (apt-get -q update && ${get})) && for one in *.deb; do dpkg -x "$one" .; done`
  const child = Bun.spawn(['sh', '-c', unpack], { stdout: 'ignore', stderr: 'ignore' })
  if ((await child.exited) !== 0)
    process.stdout.write(`could not be had from Debian, so their tests are left out: ${wanted.join(', ')}\n`)
  process.env.PATH += `:${folder}/usr/sbin:${folder}/usr/bin`
}

/**
 * Also on a libSQL server: what is stored and read on the way of a mail, an event and a webhook; what several may write at once; what is
 * repeated, lost or moved; and every route once (tenancy, audit-routes). `bun run test:remote` runs all.
 */
const onServerToo = new Set(
  `
  activity-search audit-routes backup backup-server campaign-events campaigns clock-steps copy copy-live credentials database-hangs delivery
  due-jobs eligibility events faults held-jobs idempotency large-mail ledger lost-answers outbox outbox-crashes
  quarantine retention round-trips rows sending sending-attachments sending-refusals sending-repeats
  several-processes shared-limits stats tenancy webhook-log webhooks writer
`
    .trim()
    .split(/\s+/),
)

/** These walk through the dashboard of the single binary; the other walks of `bun run test:browser` go through the checkout here. */
const ofBinary = /^test\/dashboard-people\.test\.ts$/

/** These compare times of several processes: a neighbour on the other core would be part of what they measure. */
const comparesTimes =
  /^test\/(dialer|move-under-load|neighbours|password-guesses|patterns|receiving-domains|take-over|webhook-isolation)\.test\.ts$/

function nameOf(file: string): string {
  return basename(file, '.test.ts')
}

function testFiles(): { file: string; onServer: boolean; isAlone: boolean }[] {
  return [...new Bun.Glob('test/**/*.test.ts').scanSync(root)].sort().map((file) => ({
    file,
    onServer: onServerToo.has(nameOf(file)),
    isAlone: comparesTimes.test(file),
  }))
}

const names = (files: { file: string }[]) => files.map(({ file }) => file)
const all = testFiles()
const missing = onServerToo.difference(new Set(all.map(({ file }) => nameOf(file))))
if (missing.size > 0) throw new Error(`there are no tests of ${[...missing].join(', ')}`)
const isOfServer = (file: string) => readFileSync(file, 'utf8').includes('skipIf(!remoteDatabase)')
const nowhere = all.filter(({ file, onServer }) => !onServer && isOfServer(join(root, file)))
if (nowhere.length > 0) throw new Error(`not on a server, run nowhere: ${names(nowhere).join(', ')}`)

// They need neither packages nor the binary, and begin while those are made.
const checks = [
  // Several checkers look at most types several times, and take three times as much of the processors, which others have a use for.
  step('types', [bun, 'x', '--bun', 'tsc', '-p', '.', '--singleThreaded']),
  step('format and lint', [bun, 'x', 'biome', 'ci', '--error-on-warnings', '--diagnostic-level=warn']),
  step('nothing is there that nobody uses', [bun, 'x', 'knip', '--no-progress']),
]
await Promise.all([installPackages().then(unpackServers), step('the binary', [bun, 'tools/build.ts', binary])])
const onServer = { DATABASE: 'remote', RAN_ON_FILE: 'true' }
/**
 * The last compiler of the engine pays after minutes; most processes of the tests live for less, and it takes a fifth of their time. The
 * one before it takes a quarter of those that live for a second, as a command does. Memory that is given back and taken anew costs a virtual
 * machine as much as what is done with it: tests of large mail take a fifth of the time without.
 */
const short = {
  MIMALLOC_PURGE_DELAY: '-1',
  BUN_JSC_useFTLJIT: 'false',
  SHORT_LIVED: 'BUN_JSC_useDFGJIT=false MIMALLOC_PURGE_DELAY=-1',
}
const beside = all.filter(({ file, isAlone }) => !isAlone && !ofBinary.test(file))
const alone = all.filter(({ isAlone }) => isAlone)
// More at a time would not be quicker, and would leave a libSQL server without the processor for the time in which it must answer.
await Promise.all(checks)
const together = await Promise.all([
  tests('on a file', names(beside), { workers: 3, environment: short }),
  tests('on a libSQL server', names(beside.filter(({ onServer }) => onServer)), {
    workers: 2,
    environment: { ...onServer, ...short },
  }),
  tests('in a browser, of the binary', names(all.filter(({ file }) => ofBinary.test(file))), {
    environment: { BROWSER_TESTS_BINARY: binary, ...short },
  }),
])
const timed = [...together, await tests('on a file, alone', names(alone))]

const slowest = timed.flat().sort((a, b) => b.seconds - a.seconds)
process.stdout.write('\nslowest files:\n')
for (const { title, seconds } of slowest.slice(0, slowestShown))
  process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${title}\n`)
if (process.env.UPDATE_TIMINGS === 'true') keepTimings(slowest)
rmSync(directory, { recursive: true, force: true })
for (const { title, message } of failures)
  process.stdout.write(`\nfailed: ${title}\n${message.split('\n').slice(0, linesShown).join('\n')}\n`)
const { worked, rested } = machine()
process.stdout.write(
  `\n${processorSeconds.toFixed(0)} s of processors; the whole machine worked for ${(worked - began.worked).toFixed(0)} s, and rested for ${(rested - began.rested).toFixed(0)}`,
)
process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`)
process.exit(failures.length === 0 ? 0 : 1)
