// Traces of the real engine: it plays scenes as one process or two, which are killed and started again, and what it committed is read back.

import { Database as SQLite } from 'bun:sqlite'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/web'
import { sql } from 'drizzle-orm'
import { createApp, write } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { startServer } from '../../src/doors/listen.ts'
import { createApiKey } from '../../src/people/access/api-keys.ts'
import { changeSettings } from '../../src/people/campaign-settings.ts'
import { createWorkspace } from '../../src/people/workspaces.ts'
import { linesOf } from '../../tools/process.ts'
import type { Json } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { freshDirectory } from '../support/place.ts'
import { type Answer, type Sink, startSink } from '../support/smtp-sink.ts'
import { observedTable } from './observed.ts'
import type { Plan } from './plans.ts'
import { begin, type Death, everybody, type Order, type Place, people, type Scene } from './scenes.ts'

/** One commit, as observed.ts wrote it. */
export interface Observed {
  at: number
  seen: Json
}

export interface Trace {
  plan: Plan
  observed: Observed[]
  /** Mails that the server took twice although nobody had them sent again. */
  twice: string[]
  kills: number
  /** Commits of the work of each scene, as far as no kill cut it off. */
  commits: number[]
}

export interface Play {
  plan: Plan
  scenes: Scene[]
  /** By the index of a scene: where its process dies. */
  deaths?: Map<number, Death>
  /** On this libSQL server two processes play it together; without one, one plays it on a file. */
  serverUrl?: string
  /** The checkout whose engine plays; without it, this one. */
  root?: string
}

export const thisRoot = join(import.meta.dir, '../..')
const secret = 'a secret of the tests, never of an installation'

export async function play({ plan, scenes, deaths = new Map(), serverUrl, root = thisRoot }: Play): Promise<Trace> {
  await using sink = startSink({ answer: serverAnswers() })
  const directory = freshDirectory()
  try {
    const place = await placeFor(plan, directory, sink.url, serverUrl)
    const crew = await Promise.all((serverUrl ? [1, 2] : [1]).map(() => start(root, place)))
    let kills = 0
    const commits: number[] = []
    for (const [index, scene] of scenes.entries()) {
      const death = deaths.get(index) ?? null
      // One is asked, and both work; it is the one that dies.
      const orders = crew.map(
        (_, n): Order => ({ ...scene, calls: n === 0 ? scene.calls : [], death: n === 0 ? death : null }),
      )
      const done = await Promise.all(crew.map((one, n) => one.obey(orders[n] as Order)))
      commits.push(done[0] ?? 0)
      for (const [n, number] of done.entries()) {
        if (number !== null) continue
        kills++
        crew[n] = await start(root, place)
        await crew[n]?.obey({ at: scene.at, calls: [], death: null })
      }
      // What was left of one that died on a server is taken over when its lease is over.
      if (serverUrl && done.includes(null)) await crew[0]?.obey({ at: scene.at + 1, calls: [], death: null })
    }
    await Promise.all(crew.map((one) => one.end()))
    const observed = await read(place.environment['DATABASE_URL'] ?? '')
    return { plan, observed, twice: arrivedTwice(sink, observed, scenes), kills, commits }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What the mail server says to whom. */
function serverAnswers() {
  let wasLate = false
  return (stage: string, _: number, { to }: { to: string }): Answer | undefined => {
    if (stage !== 'dot') return undefined
    if (to === people.refused) return '550 5.1.1 there is nobody of that name'
    if (to === people.unanswered) return 'cut'
    if (to !== people.later || wasLate) return undefined
    wasLate = true
    return '451 4.3.0 later, please'
  }
}

const templates = new Map<Plan, Promise<{ file: string; place: Omit<Place, 'smtpUrl'> }>>()

/** A database in which everything stands that a plan needs, but for its first version: on a server, or the copy of a file that is made once. */
async function placeFor(plan: Plan, directory: string, smtpUrl: string, serverUrl: string | undefined): Promise<Place> {
  const settingsOf = (url: string) => ({
    DATA_DIR: directory,
    DATABASE_URL: url,
    SECRET_KEY: secret,
    MAIL_FROM: 'a@paquebot.localhost',
  })
  if (serverUrl) return { ...(await seed(plan, settingsOf(serverUrl))), smtpUrl, isAlone: false }
  const file = join(directory, 'paquebot.db')
  const made = templates.get(plan) ?? makeTemplate(plan)
  templates.set(plan, made)
  const { file: from, place } = await made
  copyFileSync(from, file)
  return { ...place, environment: settingsOf(`file:${file}`), smtpUrl }
}

async function makeTemplate(plan: Plan) {
  const directory = freshDirectory()
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  const [made, file] = [join(directory, 'made.db'), join(directory, 'template.db')]
  const settings = {
    DATA_DIR: directory,
    DATABASE_URL: `file:${made}`,
    SECRET_KEY: secret,
    MAIL_FROM: 'a@paquebot.localhost',
  }
  const place = { ...(await seed(plan, settings)), isAlone: true }
  const database = new SQLite(made)
  database.run('VACUUM INTO ?', [file])
  database.close()
  return { file, place }
}

async function seed(plan: Plan, environment: Place['environment']): Promise<Omit<Place, 'smtpUrl' | 'isAlone'>> {
  const app = await createApp(readConfig({ ...environment, PORT: '0', LOG_LEVEL: 'error' }, environment.DATA_DIR), {
    clock: testClock(begin),
  })
  const { apiKey } = await write(app, async (tx) => {
    const { id } = await createWorkspace(tx, { slug: 'acme', trustLevel: 'M1' })
    await changeSettings(tx, id, { hoursBetween: 0, mailsPerWeek: 0 })
    await tx.db.run(sql.raw(observedTable))
    return await createApiKey(tx, id, { name: 'proofs' })
  })
  const vitals = { lastTickAt: () => null, inFlight: () => ({}) }
  const listening = startServer(app, { port: 0, host: '127.0.0.1', vitals })
  const post = async (path: string, body: unknown): Promise<Json> => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const response = await fetch(listening.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return await response.json()
  }
  const mails = new Set(plan.versions.flatMap(({ steps }) => steps.flatMap((step: Json) => step.templateId ?? [])))
  for (const id of mails)
    await post('/v1/transactional/create', { id, name: id, subject: id, content: [{ type: 'text', text: id }] })
  for (const email of everybody) await post('/v1/contacts/create', { email })
  const { id: sequenceId } = await post('/v1/sequences', { name: 'Proof', definition: plan.versions[0] })
  await listening.stop()
  await app.close()
  return { environment, apiKey, sequenceId, versions: plan.versions }
}

const livesAtMostMs = 90_000

/** An engine process. `obey` resolves to its commits, or to null when it died. */
async function start(root: string, place: Place) {
  const child = Bun.spawn([process.execPath, join(root, 'test/model/engine-process.ts'), JSON.stringify(place)], {
    cwd: root,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    // One that never comes to rest is ended, and said to be at fault.
    timeout: livesAtMostMs,
    killSignal: 'SIGTERM',
  })
  const lines = linesOf(child.stdout)
  const said = new Response(child.stderr).text()
  return {
    async obey(order: Order): Promise<number | null> {
      child.stdin.write(`${JSON.stringify(order)}\n`)
      await child.stdin.flush()
      for (;;) {
        const { value, done } = await lines.next()
        if (done) break
        const commits = /^done (\d+)$/.exec(value)?.[1]
        if (commits !== undefined) return Number(commits)
      }
      await child.exited
      if (child.signalCode !== 'SIGKILL')
        throw new Error(`the engine ended by ${child.signalCode ?? 'itself'}: ${await said}`)
      return null
    },
    async end(): Promise<void> {
      await child.stdin.end()
      await child.exited
    },
  }
}

async function read(url: string): Promise<Observed[]> {
  const query = 'SELECT at, seen FROM observed ORDER BY n'
  const toObserved = ({ at, seen }: Json): Observed => ({ at: Number(at), seen: JSON.parse(String(seen)) })
  if (!url.startsWith('file:')) {
    const client = createClient({ url })
    const { rows } = await client.execute(query)
    client.close()
    return rows.map(toObserved)
  }
  const database = new SQLite(url.slice('file:'.length), { readonly: true })
  const rows = database.query<Json, []>(query).all()
  database.close()
  return rows.map(toObserved)
}

function arrivedTwice({ received }: Sink, observed: Observed[], scenes: Scene[]): string[] {
  const isResent = scenes.some(({ calls }) => calls.some((one) => 'resolve' in one && one.resolve === 'resend'))
  const mails = received.map(
    ({ raw, to }) =>
      `${to} ${/^Subject: (.*)\r?$/m.exec(raw.toString())?.[1]} ${/^Message-ID: (.*)\r?$/im.exec(raw.toString())?.[1]}`,
  )
  const counts = Map.groupBy(mails, (one) => one)
  const known = new Set(observed.at(-1)?.seen.mails.map(({ id }: Json) => id))
  if (known.size < counts.size) return [`${counts.size} mails arrived, of ${known.size}`]
  return [...counts].flatMap(([mail, { length }]) =>
    length > (isResent ? 2 : 1) ? [`${mail} arrived ${length} times`] : [],
  )
}
