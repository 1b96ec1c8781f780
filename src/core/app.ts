// The three central types. App has everything; Tx can only change the database (it has no mailer and no dialer, so mail or HTTP inside a
// transaction is a type error); Reader can only read. write() is the only way to a Tx.

import { attemptAudited, type Line, mayHaveChanges, noteLine, recordChanges } from '../../db/audit.ts'
import { refuseCopied } from '../../db/copy-mark.ts'
import type { Db, ReadDb } from '../../db/handle.ts'
import { type Database, openDatabase } from '../../db/open.ts'
import { capturedMails, capturedSources } from '../../db/tables/messages.ts'
import { takeTouched } from '../../db/touched.ts'
import type { Durability } from '../../db/writer.ts'
import { currentAct } from '../kit/act.ts'
import { type Aside, createAside } from '../kit/aside.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { AppError } from '../kit/error.ts'
import { currentHops } from '../kit/hops.ts'
import { newId } from '../kit/id.ts'
import { createLog, type Log } from '../kit/log.ts'
import { createDialer, type Dialer, type DialerOptions } from '../kit/outbound/dialer.ts'
import { createPasswords, type PasswordCost, type Passwords } from '../kit/passwords.ts'
import { type Random, systemRandom } from '../kit/random.ts'
import { createSealer, type Sealer } from '../kit/seal.ts'
import type { Thread } from '../kit/side-thread.ts'
import { currentTrace, type Trace } from '../kit/trace.ts'
import { Tracer } from '../kit/tracing/tracer.ts'
import { inTurn, StepSize, type StepSizes } from '../kit/turn.ts'
import { type DnsResolver, systemResolver } from '../mail/dns.ts'
import type { Fabric } from '../mail/fabric.ts'
import { createMailReader, type MailReader, type MailReaderOptions } from '../mail/mail-reader.ts'
import type { Mailer, OutgoingMail } from '../mail/mailer.ts'
import { type ResolveDns, systemDns } from '../mail/verdicts.ts'
import type { Config } from './config.ts'
import {
  enterInstallation,
  makeSecret,
  markInstallation,
  type Opening,
  readSecrets,
  refuseNewDatabase,
  refuseUpgrade,
} from './installation.ts'
import { installationId } from './installation-id.ts'
import { createMailer } from './mailer.ts'
import { checkSecret } from './secret-check.ts'
import { refuseWithoutLease, servingLease } from './serving-lease.ts'

export interface App {
  config: Config
  /** Tells this installation from others at the same host. */
  id: string
  clock: Clock
  random: Random
  /** Sees the last commit; can only select. */
  db: ReadDb
  database: Database
  mailer: Fabric
  /** Parses untrusted mail on threads of its own. */
  mailReader: MailReader
  /** Work whose cost its caller decides, on a thread of its own. */
  aside: Aside
  /** DNS queries about a sender's domain. */
  resolveDns: ResolveDns
  /** The only outbound HTTP. */
  dialer: Dialer
  /** Null where no collector was named. */
  tracer: Tracer | null
  dns: DnsResolver
  sealer: Sealer
  passwords: Passwords
  log: Log
  /**
   * The result of `load`, shared by all who ask for `key` until the next commit that may change it, but for at most 10 ms, or 100 ms where
   * a look-up is a round trip. Concurrent requests thus cause one look-up, and changes by other processes are seen after that time.
   */
  share<T>(key: string, load: () => Promise<T>): Promise<T>
  forgetShared(): void
  /** The object that `make` creates for this app, created once: caches, throttles, queues. */
  own<T>(make: (app: App) => T): T
  /** Tells the dispatcher that jobs may be due. write() calls it after every commit. */
  wake(touched?: ReadonlySet<string>): void
  /** Called on wake(); returns how to stop listening. */
  onWake(listener: (touched: ReadonlySet<string>) => void): () => void
  /** Waits for writes in flight and closes what is open. */
  close(): Promise<void>
}

export interface Tx {
  db: Db
  /** Read once per transaction. */
  now: Date
  random: Random
  /** How many webhook deliveries led to this transaction (kit/hops). */
  hops?: number
  /** What enqueues jobs in it is part of this trace. */
  trace?: Trace | null
  /** Partitions of the outbox whose pending jobs were changed (core/outbox/due-jobs.ts). */
  touched?: Set<string>
}

export interface Reader {
  db: ReadDb
}

export interface Overrides {
  clock?: Clock
  random?: Random
  mailer?: Mailer
  resolveDns?: ResolveDns
  mailReading?: Omit<MailReaderOptions, 'resolveDns'>
  /** Starts the thread of `aside`. Without it, work that belongs there throws. */
  startSideThread?: () => Thread
  /** How names are resolved, which certificates are trusted, how long an exchange may take. */
  dialing?: DialerOptions
  dns?: DnsResolver
  passwordCost?: PasswordCost
  log?: Log
  /** Whether an installation may be created if there is none. Default: it may. */
  opening?: Opening
  /** Called after a failed write to the disk. */
  onFatal?: (error: unknown) => void
}

/** Runs `unit` in one transaction, committed with its neighbours in one fsync. `unit` may run twice: no effects but its queries.
 * `volatile` is for what may be forgotten in a power cut (never in a crash of the process), e.g. who works on a job. */
export async function write<T>(
  app: App,
  unit: (tx: Tx) => T | Promise<T>,
  durability: Durability = 'durable',
): Promise<T> {
  const { result, touched } = await run(app, unit, durability)
  if (durability === 'durable') {
    app.forgetShared()
    app.wake(touched)
  }
  return result
}

/** The same for what is written all the time and never changes what App.share() caches: mails, events, jobs. */
export async function writeRoutine<T>(app: App, unit: (tx: Tx) => T | Promise<T>): Promise<T> {
  const { result, touched } = await run(app, unit, 'durable')
  app.wake(touched)
  return result
}

async function run<T>(app: App, unit: (tx: Tx) => T | Promise<T>, durability: Durability) {
  refuseWithoutLease(app.own(servingLease))
  const hops = currentHops()
  const trace = currentTrace()
  const act = currentAct()
  const touched = new Set<string>()
  const { random } = app
  let line = null as Line | null
  const result = await app.database.writer.write(async (db, now) => {
    const made = await attemptAudited(db, () => unit({ db, now, random, hops, trace, touched }))
    for (const key of takeTouched(db)) touched.add(key)
    line = mayHaveChanges(db) ? await recordChanges(db, act, { id: act?.lineId ?? newId(app, 'aud', now), now }) : null
    return made
  }, durability)
  if (act && line !== null) await noteLine(app.db, act, line)
  return { result, touched }
}

/** One transaction of long work, in its turn. */
export function writeInTurn<T>(
  app: App,
  workspaceId: string,
  unit: (tx: Tx) => T | Promise<T>,
  durability: Durability = 'durable',
): Promise<T> {
  return inTurn(workspaceId, () => write(app, unit, durability))
}

/** How many items one transaction may have. Over a network most time is spent in transit, which does not block the thread. */
export function stepSize(
  { database }: App,
  workspaceId: string,
  { least, most, sparesOwn = false }: StepSizes,
): StepSize {
  return new StepSize(workspaceId, { least: database.kind === 'local' ? least : most, most, sparesOwn })
}

/** Long work in several transactions, each in its turn and with as many items as there is time for. */
export class Steps {
  readonly #app: App
  readonly #workspaceId: string
  readonly #sizes: StepSize

  constructor(app: App, workspaceId: string, sizes: StepSizes) {
    this.#app = app
    this.#workspaceId = workspaceId
    this.#sizes = stepSize(app, workspaceId, sizes)
  }

  /** How many items the next transaction may have. */
  size(): number {
    return this.#sizes.next()
  }

  /** `unit` processes that many items, or what there is. */
  write<T>(unit: (tx: Tx, size: number) => Promise<T>, size = this.size()): Promise<T> {
    return inTurn(this.#workspaceId, async () => {
      let unitMs = 0
      let madeAt = 0
      const result = await write(this.#app, async (tx) => {
        const from = performance.now()
        const made = await unit(tx, size)
        madeAt = performance.now()
        unitMs = madeAt - from
        return made
      })
      // The wait for the writer before is no cost of this step.
      this.#sizes.took(size, unitMs, performance.now() - madeAt)
      return result
    })
  }
}

export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const ownClock = overrides.clock ?? systemClock
  const random = overrides.random ?? systemRandom
  const { logLevel: level, logFormat: format } = config
  const log = overrides.log ?? createLog({ level, format, now: ownClock.now, write: toStderr })
  const opening = overrides.opening ?? { mayMake: true }
  const { onFatal = () => {} } = overrides
  const database = await openInstallation(config, opening, { clock: ownClock, random, onFatal })
  const sealer = await openSealer(database, config, { opening, random })
  const id = await installationId(database, opening, random)
  const { clock } = database
  const listeners = new Set<(touched: ReadonlySet<string>) => void>()
  const shared = createShare(sharedMs[database.kind])
  const tracer = config.otel === undefined ? null : new Tracer(config.otel, { outbound: config, clock, random, log })
  const app: App = {
    config,
    id,
    clock,
    random,
    log: tracer === null ? log : tracer.drain(log, level),
    tracer,
    db: database.reader,
    database,
    sealer,
    mailer: createMailer(
      mailerParts(() => app, { config, clock }),
      overrides.mailer,
    ),
    mailReader: createMailReader({ resolveDns: () => app.resolveDns, ...overrides.mailReading }),
    aside: createAside({ start: overrides.startSideThread ?? noSideThread }),
    resolveDns: overrides.resolveDns ?? systemDns(),
    dialer: createDialer(config, overrides.dialing),
    dns: overrides.dns ?? systemResolver(),
    passwords: createPasswords(overrides.passwordCost),
    share: shared.share,
    own: createOwn(() => app),
    forgetShared: shared.forget,
    wake: (touched = nothing) => {
      for (const listener of listeners) listener(touched)
    },
    onWake(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await tracer?.close()
      app.dialer.close()
      app.mailReader.close()
      app.aside.close()
      await app.mailer.close()
      await database.close()
    },
  }
  app.mailer.mayEnd = () => app.own(servingLease).holds()
  return app
}

/** App.own() before anything was made. */
export function createOwn(app: () => App): App['own'] {
  const made = new Map<(app: App) => unknown, unknown>()
  return <T>(make: (app: App) => T): T => {
    if (!made.has(make)) made.set(make, make(app()))
    return made.get(make) as T
  }
}

interface Ports {
  clock: Clock
  random: Random
  onFatal: (error: unknown) => void
}

/** Opens the database of an installation; creates it if there is none and that is allowed. */
async function openInstallation(config: Config, opening: Opening, { random, ...ports }: Ports): Promise<Database> {
  const { databaseUrl: url, databaseAuthToken: authToken } = config
  enterInstallation(config, opening)
  let isNew = false
  const whenEmpty = () => {
    refuseNewDatabase(config, opening)
    makeSecret(config, random)
    isNew = true
  }
  const database = await openDatabase({
    url,
    authToken,
    random,
    whenEmpty,
    beforeUpgrade: (missing) => refuseUpgrade(opening, missing),
    snapshot: opening.snapshot ?? true,
    ...ports,
  })
  if (opening.newDatabase && !isNew) {
    await database.close()
    throw new AppError('conflict', '--new-database is only for a lost database, and this one exists')
  }
  markInstallation(config)
  return database
}

/** Closes the database and throws when it is part of a copy, or when the secret is not its own. */
async function openSealer(
  database: Database,
  config: Config,
  { opening, random }: { opening: Opening; random: Random },
): Promise<Sealer> {
  try {
    await refuseCopied(database, opening.goOn ?? false)
    const sealer = await createSealer(readSecrets(config, opening, random), random)
    await checkSecret(database, sealer, opening)
    return sealer
  } catch (error) {
    await database.close()
    throw error
  }
}

const nothing: ReadonlySet<string> = new Set()

/** How long a shared read may be used, because another process may commit changes. */
const sharedMs = { local: 10, remote: 100 }

function createShare(sharedMs: number) {
  const results = new Map<string, Promise<unknown>>()
  let since = 0
  return {
    share<T>(key: string, load: () => Promise<T>): Promise<T> {
      const now = performance.now()
      if (now - since > sharedMs) {
        results.clear()
        since = now
      }
      const result = results.get(key) ?? load()
      results.set(key, result)
      return result as Promise<T>
    },
    forget: () => results.clear(),
  }
}

function toStderr(line: string): void {
  process.stderr.write(line)
}

/** A large mail is stored in pieces first (src/core/pieces.ts), a repeated one is not stored again. */
/** What createMailer() takes; the app is asked for when it is used. */
export function mailerParts(app: () => App, { config, clock }: Pick<App, 'config' | 'clock'>) {
  return { config, clock, ports: app, store: (mail: OutgoingMail) => storeCaptured(app(), mail) }
}

async function storeCaptured(app: App, mail: OutgoingMail): Promise<void> {
  const { workspaceId, envelope, messageId, raw } = mail
  const [first = Buffer.alloc(0), ...others] = raw.pieces
  const sourceId = others.length === 0 ? null : newId(app, 'cap', app.clock.now())
  if (sourceId !== null)
    for (const [number, data] of raw.pieces.entries())
      await write(
        app,
        async (tx) => void (await tx.db.insert(capturedSources).values({ sourceId, number, data })),
        'volatile',
      )
  const row = {
    workspaceId,
    messageIdHeader: messageId,
    envelopeFrom: envelope.from,
    envelopeTo: envelope.to,
    raw: sourceId === null ? first : Buffer.alloc(0),
    sourceId,
  }
  await write(app, async (tx) => {
    await tx.db
      .insert(capturedMails)
      .values({ ...row, createdAt: tx.now })
      .onConflictDoNothing()
  })
}

function noSideThread(): never {
  throw new Error('this app was made without a side thread')
}
