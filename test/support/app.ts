// The product as a caller meets it: the real app behind a real HTTP server on a free port, a database of its own, a clock that
// only the test moves. Its last act is to check the invariants of the outbox.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { putInstallationValue } from '../../db/installation-value.ts'
import { installation } from '../../db/tables/workspaces.ts'
import { type App, createApp, createOwn, mailerParts, type Overrides, write } from '../../src/core/app.ts'
import { type Config, readConfig } from '../../src/core/config.ts'
import { idName } from '../../src/core/installation-id.ts'
import { createMailer } from '../../src/core/mailer.ts'
import { Dispatcher } from '../../src/core/outbox/dispatcher.ts'
import { enqueue } from '../../src/core/outbox/enqueue.ts'
import { checkInvariants } from '../../src/core/outbox/invariants.ts'
import { type Listening, startServer } from '../../src/doors/listen.ts'
import { createAside } from '../../src/kit/aside.ts'
import { parseDuration } from '../../src/kit/duration.ts'
import { createLog } from '../../src/kit/log.ts'
import type { PasswordCost } from '../../src/kit/passwords.ts'
import type { DnsResolver } from '../../src/mail/dns.ts'
import { createMailReader } from '../../src/mail/mail-reader.ts'
import { jobKinds, schedules } from '../../src/operator/jobs.ts'
import { createApiKey } from '../../src/people/access/api-keys.ts'
import type { Role } from '../../src/people/access/roles.ts'
import { createSession } from '../../src/people/access/sessions.ts'
import { createUser, type User } from '../../src/people/access/users.ts'
import { createWorkspace, type Workspace } from '../../src/people/workspaces.ts'
import { type Arrangements, arrangementsBy } from './arrange.ts'
import { type Calls, callsTo, type RequestOptions } from './calls.ts'
import { type CapturedMail, capturedMail } from './captured-mail.ts'
import { type TestClock, testClock } from './clock.ts'
import { freshDatabaseUrl, remoteDatabase } from './database.ts'
import { type Contents, contentsOf, putBack } from './emptied.ts'
import { lendAttachmentThread, lendMailThread, lendSideThread } from './mail-threads.ts'
import { freshDirectory } from './place.ts'
import { snapshot } from './snapshot.ts'

export { type As, type Json, type Reply, type RequestOptions, session } from './calls.ts'

export interface TestApp extends Calls, Arrangements, AsyncDisposable {
  app: App
  clock: TestClock
  dispatcher: Dispatcher
  /** Everything logged so far. */
  logged: string[]
  url: string
  /** A ready workspace with trust level M2, an owner and an API key with full scope. */
  workspace: Workspace
  user: User
  apiKey: string
  sessionCookie: string
  /** A second workspace, with an API key of its own. */
  stranger(slug?: string): Promise<{ workspace: Workspace; apiKey: string }>
  /** Somebody with that role in the workspace, or in another: signed in, and without a password unless one is given. */
  person(role: Role, who?: { email?: string; passwordHash?: string | null; workspace?: Workspace }): Promise<Person>
  /** Moves the clock (`90s`, `1h`, `7d`) and runs what is due until nothing is. */
  advance(duration: string): Promise<void>
  /** Runs what is due now. */
  settle(): Promise<void>
  /** Runs what runs every hour: what is over its time goes. */
  cleanUp(): Promise<void>
  /** The mail that left so far, in order. Empty with a mailer of your own. */
  sent(): Promise<CapturedMail[]>
  /** Runs `work` and throws if a row, job or mail is different afterwards. Limits and "last used" times do not count. */
  unchanged<T>(work: () => Promise<T>): Promise<T>
}

export interface Person {
  userId: string
  email: string
  /** As of `sessionCookie` above. */
  sessionCookie: string
  as: RequestOptions
}

export interface TestAppOptions extends Overrides {
  /** Settings as in the environment, e.g. `{ API_RATE_LIMIT: '2' }`. */
  environment?: Record<string, string>
  /** False: the dispatcher takes jobs of others only when their lease is over, as where processes share a database. */
  alone?: boolean
  /** True: no other test had it, nor will have it. */
  isNew?: boolean
}

/** A password at the usual cost takes a core for a tenth of a second; test/password-guesses.test.ts tells that cost. */
const cheapPasswords: PasswordCost = { memoryCost: 64, timeCost: 1 }

/** No test asks the world: names that a test needs, it gives (test/support/dns.ts). */
const noRecord = async () => ({ outcome: 'none' }) as const
const silentDns: DnsResolver = { txt: noRecord, mx: noRecord, addresses: noRecord, alias: noRecord, names: noRecord }

/** `await using t = await testApp()`. It may have served another test before, and is as new. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const kind = lentAs(options)
  const house = (kind === null ? null : await lend(kind, options)) ?? (await build(options))
  if (kind !== null && !firstContents.has(kind)) firstContents.set(kind, contentsOf(house.app))
  return assemble(house, kind)
}

/** What it serves as next: anything with the same settings, but for how its mail leaves. Null: it is for this test alone. */
function lentAs({ environment = {}, dns: _, mailer: __, ...others }: TestAppOptions): string | null {
  const { SMTP_URL: ___, ...settings } = environment
  const isOwn = 'DATABASE_URL' in settings || 'DATA_DIR' in settings
  return remoteDatabase || isOwn || Object.keys(others).length > 0 ? null : JSON.stringify(settings)
}

const lentThreads = { start: lendMailThread, attachments: { start: lendAttachmentThread } }

/** What takes most of the time of a test to make. */
interface House {
  app: App
  clock: TestClock
  logged: string[]
  directory: string
  listening: Listening
  seeds: Seeds
  /** The one of this test. */
  dispatcher: Dispatcher
  newDispatcher(): Dispatcher
  /** As they were before any test. */
  parts: App
  config: Config
  files: string
}

/** The rows of the apps of a kind before their tests. */
const firstContents = new Map<string, Contents>()

async function build({ environment = {}, alone = true, isNew: _, ...overrides }: TestAppOptions): Promise<House> {
  const directory = freshDirectory()
  const clock = testClock()
  const logged: string[] = []
  const log = createLog({ level: 'debug', format: 'json', now: clock.now, write: (line) => logged.push(line) })
  const ready = await readyDatabase(directory)
  const config = configOf(directory, ready.url, environment)
  const dialing = { resolve: noDns, ...overrides.dialing }
  const app = await createApp(config, {
    clock,
    log,
    resolveDns: noDns,
    dns: silentDns,
    passwordCost: cheapPasswords,
    ...overrides,
    dialing,
    mailReading: { ...lentThreads, ...overrides.mailReading },
    startSideThread: lendSideThread,
  })
  const seeds = ready.seeds ?? (await seed(app))
  const newDispatcher = () => new Dispatcher(app, { kinds: jobKinds, alone, version: 'test' })
  const vitals = { lastTickAt: () => house.dispatcher.lastTickAt(), inFlight: () => house.dispatcher.inFlight() }
  const listening = startServer(app, { port: 0, host: '127.0.0.1', vitals })
  const house: House = {
    app,
    clock,
    logged,
    directory,
    listening,
    seeds,
    dispatcher: newDispatcher(),
    newDispatcher,
    parts: { ...app },
    config: { ...app.config },
    files: filesIn(directory),
  }
  return house
}

function configOf(directory: string, url: string, environment: Record<string, string>): Config {
  const basics = { DATA_DIR: directory, DATABASE_URL: url, SECRET_KEY: testSecret, PORT: '0' }
  return readConfig({ ...basics, MAIL_FROM: 'Paquebot <paquebot@paquebot.localhost>', ...environment }, directory)
}

/** Those that no test has, each with the timer that ends it, so that a program that is done can end. */
const idle: { house: House; kind: string; end: ReturnType<typeof setTimeout> }[] = []
const maxIdle = 2
const idleMs = 5_000
const quietWithinMs = 1_000

/** One that another test had, put back to its first state. */
async function lend(
  kind: string,
  { environment = {}, dns = silentDns, mailer }: TestAppOptions,
): Promise<House | null> {
  const at = idle.findLastIndex((one) => one.kind === kind)
  const [found] = at < 0 ? [] : idle.splice(at, 1)
  const contents = firstContents.get(kind)
  if (!found || !contents) return null
  clearTimeout(found.end)
  const { house } = found
  const { app, clock, logged } = house
  clock.set(testClock().now())
  const { smtpUrl } = configOf(house.directory, app.config.databaseUrl, environment)
  Object.assign(app.config, house.config, { smtpUrl })
  Object.assign(app, house.parts, {
    dns,
    mailer: createMailer(
      mailerParts(() => app, app),
      mailer,
    ),
  })
  if (!(await putBack(app, contents))) {
    await demolish(house)
    return null
  }
  await write(app, (tx) => putInstallationValue(tx, idName, app.id))
  app.own = createOwn(() => app)
  app.forgetShared()
  app.mailReader = createMailReader({ resolveDns: () => app.resolveDns, ...lentThreads })
  app.aside = createAside({ start: lendSideThread })
  logged.length = 0
  house.dispatcher = house.newDispatcher()
  return house
}

/** Kept for another test, or ended where this one left more than rows. */
async function giveBack(house: House, kind: string): Promise<void> {
  const isSame = filesIn(house.directory) === house.files
  if (!isSame || isAtWork(house)) return await demolish(house)
  await house.app.mailer.close()
  house.app.mailReader.close()
  house.app.aside.close()
  house.app.dialer.close()
  const one = {
    house,
    kind,
    end: setTimeout(() => {
      idle.splice(idle.indexOf(one), 1)
      void demolish(house)
    }, idleMs),
  }
  idle.push(one)
  const [oldest] = idle.length > maxIdle ? idle.splice(0, 1) : []
  if (!oldest) return
  clearTimeout(oldest.end)
  await demolish(oldest.house)
}

async function demolish({ app, listening, directory }: House): Promise<void> {
  await listening.stop()
  await app.close()
  rmSync(directory, { recursive: true, force: true })
}

/** Whether every request is answered within a moment. */
async function fallsQuiet({ listening }: House): Promise<boolean> {
  listening.endStreams()
  const until = performance.now() + quietWithinMs
  while (listening.pending() > 0 && performance.now() < until) await new Promise(setImmediate)
  return listening.pending() === 0
}

function isAtWork({ dispatcher }: House): boolean {
  return Object.values(dispatcher.inFlight()).some((jobs) => jobs > 0)
}

/** Their names, and what is in those that are not of the database. */
function filesIn(directory: string): string {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !/-(wal|shm)$/.test(one.name))
    .map(({ parentPath, name }) => join(parentPath, name))
  return names
    .map((path) => (path.endsWith('.db') ? path : `${path} ${Bun.hash(readFileSync(path))}`))
    .sort()
    .join()
}

/** No question leaves a test: every name is unknown. */
async function noDns(): Promise<never> {
  throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
}

function assemble(house: House, kind: string | null): TestApp {
  const { app, clock, dispatcher, logged, listening, seeds } = house
  const { url } = listening
  const calls = callsTo(url, seeds)
  const settle = async () => {
    await dispatcher.runDue()
  }
  return {
    app,
    clock,
    dispatcher,
    logged,
    url,
    ...seeds,
    ...calls,
    ...arrangementsBy(calls),
    stranger: (slug = 'stranger') =>
      write(app, async (tx) => {
        const workspace = await createWorkspace(tx, { slug, trustLevel: 'M2' })
        const { apiKey } = await createApiKey(tx, workspace.id, {})
        return { workspace, apiKey }
      }),
    person: (role, { email = 'grace@acme.test', passwordHash = null, workspace = seeds.workspace } = {}) =>
      write(app, async (tx) => {
        const { id: userId } = await createUser(tx, workspace, { email, passwordHash, role })
        const sessionCookie = `session=${await createSession(tx, userId)}`
        const as: RequestOptions = { as: 'nobody', headers: { cookie: sessionCookie, origin: url } }
        return { userId, email, sessionCookie, as }
      }),
    settle,
    async advance(duration) {
      const ms = parseDuration(duration)
      if (ms === null) throw new Error(`${duration} is not a duration`)
      clock.advance(ms)
      await settle()
    },
    async cleanUp() {
      const hourly = schedules.find(({ kind }) => kind.kind === 'retention')
      if (!hourly) throw new Error('nothing is cleaned up')
      await write(app, (tx) => enqueue(tx, hourly.kind, { workspaceId: '', payload: {} }))
      await settle()
    },
    sent: () => capturedMail(app),
    async unchanged(work) {
      const before = await snapshot(app)
      const result = await work()
      const differences = (await snapshot(app)).differencesFrom(before)
      if (differences.length > 0) throw new Error(`this should have changed nothing:\n${differences.join('\n')}`)
      return result
    },
    async [Symbol.asyncDispose]() {
      const isReusable = kind !== null && (await fallsQuiet(house))
      if (!isReusable) await listening.stop()
      await dispatcher.stop(0)
      const broken = await checkInvariants(app)
      await (isReusable && broken.length === 0 ? giveBack(house, kind) : demolish(house))
      if (broken.length > 0) throw new Error(`invariants are broken:\n${broken.join('\n')}`)
    },
  }
}

interface Seeds {
  workspace: Workspace
  user: User
  apiKey: string
  sessionCookie: string
}

export const testSecret = 'a secret of the tests, never of an installation'

async function seed(app: App): Promise<Seeds> {
  return await write(app, async (tx) => {
    const workspace = await createWorkspace(tx, { slug: 'acme', name: 'Acme', trustLevel: 'M2' })
    const user = await createUser(tx, workspace, {
      email: 'owner@acme.test',
      name: 'Olive Owner',
      passwordHash: null,
      role: 'owner',
    })
    const { apiKey } = await createApiKey(tx, workspace.id, { name: 'tests' })
    const sessionCookie = `session=${await createSession(tx, user.id)}`
    return { workspace, user, apiKey, sessionCookie }
  })
}

let template: Promise<{ bytes: Uint8Array; seeds: Seeds }> | null = null

/** A file is a copy of one that was migrated and seeded once; a libSQL server empties its tables, and is seeded each time. */
async function readyDatabase(directory: string): Promise<{ url: string; seeds: Seeds | null }> {
  const url = await freshDatabaseUrl(directory, { withTables: true })
  if (remoteDatabase) return { url, seeds: null }
  template ??= makeTemplate()
  const { bytes, seeds } = await template
  writeFileSync(url.slice('file:'.length), bytes)
  return { url, seeds }
}

async function makeTemplate(): Promise<{ bytes: Uint8Array; seeds: Seeds }> {
  const directory = freshDirectory()
  const file = join(directory, 'template.db')
  const config = readConfig({ DATA_DIR: directory, DATABASE_URL: `file:${file}`, SECRET_KEY: testSecret }, directory)
  const app = await createApp(config, { clock: testClock() })
  const seeds = await seed(app)
  // Each installation that is copied from it makes its own.
  await write(app, (tx) => tx.db.delete(installation).where(eq(installation.name, idName)))
  await app.close()
  const bytes = readFileSync(file)
  rmSync(directory, { recursive: true, force: true })
  return { bytes, seeds }
}
