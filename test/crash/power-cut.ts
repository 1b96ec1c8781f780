// The power is cut again and again while people unsubscribe, are suppressed and are erased: whatever was answered must be there when it comes
// back. On a file, on a libSQL server that syncs each commit (`durability_mode` strong), and, to see that the cuts cut, on one that does not.
// Run: bun test/crash/power-cut.ts --cuts 20 [--on file|strong|relaxed]

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sealUnsubscribe } from '../../src/features/contacts/consent/unsubscribe-link.ts'
import { systemRandom } from '../../src/kit/random.ts'
import { createSealer } from '../../src/kit/seal.ts'
import { freshDirectory } from '../support/place.ts'
import { type Disk, openDisk, powerCutLibrary } from '../support/power-cut.ts'
import { freePort, makeStrong, sqldBinary, untilHealthy } from '../support/sqld.ts'
import { reading } from './kill-serve.ts'
import { command, type Server, serve } from './server.ts'

export const grounds = ['file', 'strong', 'relaxed'] as const
export type Ground = (typeof grounds)[number]

export interface PowerStormResult {
  cuts: number
  acknowledged: number
  /** What was answered and is not there, by what was done. */
  lost: string[]
  /** Sectors that were written and not synced, and did not survive. */
  sectors: number
  /** What SQLite and the invariants say of what was left, after each cut. */
  broken: string[]
  /** Of an answer, in ms. */
  medianMs: number
}

const secret = 'a secret of the storms, and of no installation'
const clients = 8
const reasons = ['hardBounce', 'complaint', 'manual', 'unsubscribe']

/** Null where the power cannot be cut. `answers`: at least so many before each cut. */
export async function powerStorm(
  ground: Ground,
  { cuts, answers }: { cuts: number; answers: number },
): Promise<PowerStormResult | null> {
  const library = powerCutLibrary()
  if (library === null) return null
  const home = freshDirectory()
  const disk = openDisk(library)
  const machine = ground === 'file' ? null : serverMachine(disk, ground)
  const environment = {
    ...process.env,
    DATA_DIR: join(home, 'data'),
    SECRET_KEY: secret,
    PORT: String(freePort()),
    LOG_LEVEL: 'error',
    DATABASE_URL: machine?.url ?? `file:${join(disk.folder, 'paquebot.db')}`,
  }
  mkdirSync(environment.DATA_DIR)
  const base = `http://127.0.0.1:${environment.PORT}`
  if (machine) await machine.set()
  const { apiKey, workspaceId } = await command(environment, 'init', '--workspace', 'storm', '--email', 'a@example.com')
  disk.settle()
  const done: Done = { suppressed: [], left: [], erased: [], ms: [] }
  const sealer = await createSealer([secret], systemRandom)
  const people: People = { base, apiKey, seal: (id) => sealUnsubscribe({ sealer }, claimOf(workspaceId, id)) }
  const result = { lost: new Set<string>(), broken: [] as string[], sectors: 0 }
  let server: Server | null = null
  for (let cut = 0; cut < cuts; cut++) {
    server = await serve(machine ? environment : { ...environment, ...disk.environment })
    await actUntil(people, done, {
      from: cut * 1_000_000,
      answers,
      cutPower: () => (machine ?? server)?.kill('SIGKILL'),
    })
    server.kill('SIGKILL')
    await Promise.all([server.exited, machine?.exited()])
    // Every other time nothing that was not synced survives.
    result.sectors += disk.cut(cut % 2 === 0 ? () => false : () => Math.random() < 0.5)
    if (machine) await machine.start()
    for (const one of await missing(environment.DATABASE_URL, done)) result.lost.add(one)
    result.broken.push(...(await faultsOf(environment)))
    // What looked at a file wrote to it as well, and was not watched.
    if (machine === null) disk.settle()
  }
  machine?.kill('SIGKILL')
  await machine?.exited()
  disk.remove()
  rmSync(home, { recursive: true })
  const ms = done.ms.toSorted((one, other) => one - other)
  return {
    ...result,
    cuts,
    acknowledged: done.suppressed.length + done.left.length + done.erased.length,
    lost: [...result.lost],
    medianMs: ms[Math.floor(ms.length / 2)] ?? 0,
  }
}

const claimOf = (workspaceId: string, contactId: string) => ({
  workspaceId,
  contactId,
  mailingListId: null,
  messageId: null,
})

/**
 * A machine on which a libSQL server runs, started anew after each cut. Without namespaces it forgets how it was set with each start; with
 * them the one that is called `default` is found by a host without a dot.
 */
function serverMachine(disk: Disk, mode: 'strong' | 'relaxed') {
  const [port, adminPort] = [freePort(), freePort()]
  const url = `http://localhost:${port}`
  const listen = ['--http-listen-addr', `127.0.0.1:${port}`, '--admin-listen-addr', `127.0.0.1:${adminPort}`]
  const flags = ['--db-path', disk.folder, '--no-welcome', ...(mode === 'strong' ? ['--enable-namespaces'] : [])]
  let child: Bun.Subprocess | null = null
  return {
    url,
    /** Once, before there is anything. */
    async set() {
      await this.start()
      if (mode === 'strong') await makeStrong(`http://127.0.0.1:${adminPort}`)
    },
    async start() {
      // It is for replicas, is not synced, and a torn one keeps the server from starting; it is made anew from the database.
      rmSync(join(disk.folder, 'dbs/default/wallog'), { force: true })
      child = Bun.spawn([sqldBinary, ...flags, ...listen], {
        env: { ...process.env, ...disk.environment },
        stdout: 'ignore',
        stderr: 'ignore',
      })
      await untilHealthy(url)
    },
    kill: (signal: 'SIGKILL') => child?.kill(signal),
    exited: async () => void (await child?.exited),
  }
}

interface People {
  base: string
  apiKey: string
  /** The token of a link in a mail. */
  seal(contactId: string): Promise<string>
}

/** What was answered. */
interface Done {
  /** Addresses. */
  suppressed: string[]
  /** Contacts that clicked "unsubscribe". */
  left: string[]
  /** Contacts. */
  erased: string[]
  ms: number[]
}

interface Acting {
  /** Of numbers that nobody has had. */
  from: number
  answers: number
  cutPower(): void
}

/** Cuts in the middle of what comes after so many answers. */
async function actUntil(people: People, done: Done, { from, answers, cutPower }: Acting): Promise<void> {
  let [n, isOver] = [from, false]
  const before = done.ms.length
  const client = async () => {
    while (!isOver) {
      await act(people, done, n++).catch((error) => {
        if (!isOver) throw error
      })
      if (isOver || done.ms.length - before < answers) continue
      isOver = true
      cutPower()
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

async function act({ base, apiKey, seal }: People, done: Done, n: number): Promise<void> {
  const ask = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const response = await fetch(`${base}${path}`, { method, headers, body: JSON.stringify(body) })
    const said = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${said}`)
    return JSON.parse(said)
  }
  const email = `p${n}@example.net`
  const kind = n % 6
  const reason = reasons[kind]
  const id = reason ? null : String((await ask('POST', '/v1/contacts/create', { email })).id)
  const began = performance.now()
  if (reason) {
    await ask('POST', '/v1/suppressions', { email, reason })
    done.suppressed.push(email)
  } else if (kind === 4 && id) {
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const response = await fetch(`${base}/u/${await seal(id)}`, { method: 'POST', body })
    if (response.status !== 200) throw new Error(`an unsubscribe: ${response.status}`)
    done.left.push(id)
  } else if (id) {
    await ask('DELETE', `/v1/contacts/${id}/data`, undefined)
    done.erased.push(id)
  }
  done.ms.push(performance.now() - began)
}

async function missing(url: string, { suppressed, left, erased }: Done): Promise<string[]> {
  return await reading(url, async (ask) => {
    const column = async (query: string) => new Set((await ask(query)).map((row) => String(Object.values(row)[0])))
    const addresses = await column('SELECT email FROM suppressions')
    const gone = await column('SELECT id FROM contacts WHERE subscribed = 0')
    const known = await column('SELECT id FROM contacts')
    return [
      ...suppressed.filter((email) => !addresses.has(email)).map((email) => `the suppression of ${email}`),
      ...left.filter((id) => !gone.has(id)).map((id) => `the unsubscribe of ${id}`),
      ...erased.filter((id) => known.has(id)).map((id) => `the erasure of ${id}`),
    ]
  })
}

async function faultsOf(environment: Record<string, string | undefined>): Promise<string[]> {
  const damaged = await reading(String(environment.DATABASE_URL), (ask) => ask('PRAGMA integrity_check'))
  const { violations } = await command(environment, 'verify')
  return [...damaged.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok'), ...violations]
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { cuts: { type: 'string' }, answers: { type: 'string' }, on: { type: 'string' } },
  })
  const ground = grounds.find((one) => one === (values.on ?? 'file'))
  if (ground === undefined) throw new Error(`--on is one of ${grounds.join(', ')}`)
  const result = await powerStorm(ground, { cuts: Number(values.cuts ?? 20), answers: Number(values.answers ?? 30) })
  if (result === null) {
    process.stdout.write('power cuts: NOT RUN, there is no compiler of C (cc)\n')
    process.exit(1)
  }
  const { cuts, acknowledged, lost, sectors, broken, medianMs } = result
  process.stdout.write(
    `power cuts (${ground}): ${cuts} cuts, ${acknowledged} unsubscribes, suppressions and erasures answered, ${medianMs.toFixed(1)} ms in the median, ${lost.length} lost, ${broken.length} faults; ${sectors} sectors had not been synced\n`,
  )
  process.exit(broken.length === 0 && (ground === 'relaxed') === lost.length > 0 ? 0 : 1)
}
