// The product as a caller meets it: the real app behind a real HTTP server on a free port, a database of its own, a clock that
// only the test moves. Its last act is to check the invariants of the outbox.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, createApp, type Overrides, write } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { jobKinds } from '../../src/jobs.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import { createLog } from '../../src/lib/log.ts'
import type { PasswordCost } from '../../src/lib/passwords.ts'
import type { DnsResolver } from '../../src/mail/dns-auth.ts'
import { Dispatcher } from '../../src/outbox/dispatcher.ts'
import { checkInvariants } from '../../src/outbox/invariants.ts'
import { type Listening, startServer } from '../../src/server.ts'
import { createApiKey } from '../../src/workspaces/api-keys.ts'
import { createSession } from '../../src/workspaces/sessions.ts'
import { createUser, type User } from '../../src/workspaces/users.ts'
import { createWorkspace, type Workspace } from '../../src/workspaces/workspaces.ts'
import { type Calls, callsTo } from './calls.ts'
import { type CapturedMail, capturedMail } from './captured-mail.ts'
import { type TestClock, testClock } from './clock.ts'
import { freshDatabaseUrl, remoteDatabase } from './database.ts'
import { lendMailThread } from './mail-threads.ts'
import { freshDirectory } from './place.ts'
import { snapshot } from './snapshot.ts'

export type { As, Json, Reply, RequestOptions } from './calls.ts'

export interface TestApp extends Calls, AsyncDisposable {
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
  /** Moves the clock (`90s`, `1h`, `7d`) and runs what is due until nothing is. */
  advance(duration: string): Promise<void>
  /** Runs what is due now. */
  settle(): Promise<void>
  /** The mail that left so far, in order. Empty with a mailer of your own. */
  sent(): Promise<CapturedMail[]>
  /** Runs `work` and throws if a row, job or mail is different afterwards. Limits and "last used" times do not count. */
  unchanged<T>(work: () => Promise<T>): Promise<T>
}

export interface TestAppOptions extends Overrides {
  /** Settings as in the environment, e.g. `{ API_RATE_LIMIT: '2' }`. */
  environment?: Record<string, string>
  /** False: the dispatcher takes jobs of others only when their lease is over, as where processes share a database. */
  alone?: boolean
}

/** A password at the usual cost takes a core for a tenth of a second; test/auth.test.ts tells that cost. */
const cheapPasswords: PasswordCost = { memoryCost: 64, timeCost: 1 }

/** No test asks the world: names that a test needs, it gives (test/support/dns.ts). */
const silentDns: DnsResolver = { txt: async () => ({ outcome: 'none' }) }

/** `await using t = await testApp()`. */
export async function testApp({ environment = {}, alone = true, ...overrides }: TestAppOptions = {}): Promise<TestApp> {
  const directory = freshDirectory()
  const clock = testClock()
  const logged: string[] = []
  const log = createLog({ level: 'debug', format: 'json', now: clock.now, write: (line) => logged.push(line) })
  const ready = await readyDatabase(directory)
  const basics = { DATA_DIR: directory, DATABASE_URL: ready.url, SECRET_KEY: testSecret, PORT: '0' }
  const config = readConfig(
    { ...basics, MAIL_FROM: 'Paquebot <paquebot@paquebot.localhost>', ...environment },
    directory,
  )
  const dialing = { resolve: noDns, ...overrides.dialing }
  const app = await createApp(config, {
    clock,
    log,
    resolveDns: noDns,
    dns: silentDns,
    passwordCost: cheapPasswords,
    ...overrides,
    dialing,
    mailReading: { start: lendMailThread, ...overrides.mailReading },
  })
  const seeds = ready.seeds ?? (await seed(app))
  const dispatcher = new Dispatcher(app, { kinds: jobKinds, alone, version: 'test' })
  const vitals = { lastTickAt: () => dispatcher.lastTickAt(), inFlight: () => dispatcher.inFlight() }
  const listening = startServer(app, { port: 0, host: '127.0.0.1', vitals })
  return assemble({ app, clock, dispatcher, logged, directory, listening, seeds })
}

/** No question leaves a test: every name is unknown. */
async function noDns(): Promise<never> {
  throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
}

interface Parts {
  app: App
  clock: TestClock
  dispatcher: Dispatcher
  logged: string[]
  directory: string
  listening: Listening
  seeds: Seeds
}

function assemble({ app, clock, dispatcher, logged, directory, listening, seeds }: Parts): TestApp {
  const { url } = listening
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
    ...callsTo(url, seeds),
    stranger: (slug = 'stranger') =>
      write(app, async (tx) => {
        const workspace = await createWorkspace(tx, { slug, trustLevel: 'M2' })
        const { apiKey } = await createApiKey(tx, workspace.id, {})
        return { workspace, apiKey }
      }),
    settle,
    async advance(duration) {
      const ms = parseDuration(duration)
      if (ms === null) throw new Error(`${duration} is not a duration`)
      clock.advance(ms)
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
      await listening.stop()
      await dispatcher.stop(0)
      const broken = await checkInvariants(app)
      await app.close()
      rmSync(directory, { recursive: true, force: true })
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

const testSecret = 'a secret of the tests, never of an installation'

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
  await app.close()
  const bytes = readFileSync(file)
  rmSync(directory, { recursive: true, force: true })
  return { bytes, seeds }
}
