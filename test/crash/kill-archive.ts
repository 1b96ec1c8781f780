// kill -9 of a server that keeps an archive, again and again, under load; and after each round restores to a random commit and to a random
// time. What was acknowledged before the point must be there, what is restored must pass every check, and whoever's writes came one after
// the other must be there without a hole. A time that the archive cannot show whole may only be refused. Every other installation merges
// what is older than a moment, where a commit between two states may be refused.
// Run: bun test/crash/kill-archive.ts --rounds 200. It kills the binary, which it builds unless BINARY names one: what a
// round takes is mostly starts, and it starts in a third of the time. SIGTERM ends it after the round, with its sum.

import { Database as SQLite } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { AppError } from '../../src/kit/error.ts'
import { FolderStore } from '../../src/kit/store/folder.ts'
import { checkArchive, listArchive, type Point, restoreAt } from '../../src/operator/archive/restore.ts'
import { basePrefix } from '../../src/operator/archive/segment.ts'
import { command, freePort, serve } from './server.ts'

export interface ArchiveStormResult {
  rounds: number
  acknowledged: number
  commits: number
  restored: number
  /** Points that the archive said it cannot show whole. */
  refused: number
  /** Commits that were merged with others. */
  merged: number
  /** Times that the archive was interrupted before the kill. */
  gaps: number
  bad: string[]
  seconds: number
}

interface Acknowledged {
  client: number
  n: number
  at: number
}

export async function archiveStorm({
  rounds,
  clients,
  merges,
  signal,
}: {
  rounds: number
  clients: number
  merges: boolean
  /** Ends it after the round. */
  signal?: AbortSignal
}): Promise<ArchiveStormResult> {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-archive-'))
  const identity = await generateX25519Identity()
  const env = {
    ...process.env,
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: `file:${join(directory, 'data', 'paquebot.db')}`,
    PORT: String(await freePort()),
    LOG_LEVEL: 'error',
    ARCHIVE_URL: join(directory, 'archive'),
    ARCHIVE_INTERVAL_MS: '100',
    ARCHIVE_EXACT_HOURS: merges ? '0' : '24',
    BACKUP_RECIPIENT: await identityToRecipient(identity),
  }
  const store = new FolderStore(env.ARCHIVE_URL)
  const { apiKey } = await command(env, 'init', '--workspace', 'storm', '--email', 'a@example.com')
  const acknowledged: Acknowledged[] = []
  const next = Array.from({ length: clients }, () => 0)
  const result = {
    rounds: 0,
    acknowledged: 0,
    commits: 0,
    restored: 0,
    refused: 0,
    merged: 0,
    gaps: 0,
    bad: [] as string[],
    seconds: 0,
  }
  const base = `http://127.0.0.1:${env.PORT}`

  for (let round = 0; round < rounds && !signal?.aborted; round++) {
    const server = await serve(env)
    let isKilled = false
    const load = Promise.all(
      next.map(async (_, client) => {
        while (!isKilled) {
          const n = next[client] ?? 0
          // Enough to fill a log or two a round, and no more than two cores can bear beside all else; each tenth round all that goes.
          if (round % 10 !== 9) await Bun.sleep(4)
          const status = await create(base, apiKey, `c${client}-${n}@example.net`)
          if (status !== 200 && status !== 409) continue
          acknowledged.push({ client, n, at: Date.now() })
          next[client] = n + 1
        }
      }),
    )
    // Most rounds until there is a base, and a moment more; some before, but for the last one, after which all is checked.
    const bases = await store.list(basePrefix)
    const hasBase = async () => (await store.list(basePrefix)).length > bases.length
    const patience = performance.now() + (round < rounds - 1 && Math.random() < 0.15 ? 1_000 : 30_000)
    while (performance.now() < patience && !(await hasBase())) await Bun.sleep(50)
    // What is merged was stored some seconds before.
    await Bun.sleep(Math.random() * (merges ? 5_000 : 1_500))
    result.gaps += await gaps(base)
    server.kill('SIGKILL')
    await server.exited
    isKilled = true
    await load
    for (const point of await pointsOf(store, acknowledged)) {
      const folder = join(directory, 'restored')
      try {
        const restored = await restoreAt(store, point, folder, { identity })
        result.restored++
        result.commits = Math.max(result.commits, restored.commit)
        result.bad.push(...missing(join(folder, 'paquebot.db'), acknowledged, restored.asOf.getTime(), clients))
      } catch (error) {
        const isRefusal =
          error instanceof AppError && /is incomplete|is not complete|does not contain|no archive/.test(error.message)
        if (isRefusal && (point instanceof Date || point === 'latest')) result.refused++
        else if (merges && error instanceof AppError && /nothing in between/.test(error.message)) result.merged++
        else result.bad.push(`round ${round}: ${error}`)
      }
      rmSync(folder, { recursive: true, force: true })
    }
    result.rounds++
  }
  await checkArchive(store, join(directory, 'work'), { identity }).catch((error) => result.bad.push(String(error)))
  if (result.bad.length === 0) rmSync(directory, { recursive: true, force: true })
  else result.bad.push(`what is bad is kept in ${directory}`)
  return { ...result, acknowledged: acknowledged.length, seconds: (performance.now() - began) / 1_000 }
}

async function create(base: string, apiKey: string, email: string): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ email, firstName: 'x'.repeat(200) })
  return await fetch(`${base}/v1/contacts/create`, { method: 'POST', headers, body }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )
}

async function gaps(base: string): Promise<number> {
  const metrics = await (await fetch(`${base}/metrics`)).text()
  return Number(/^paquebot_archive_gaps_total (\d+)$/m.exec(metrics)?.[1] ?? 0)
}

/** A commit of any generation that has a base, a time at which something was acknowledged, and the last commit. */
async function pointsOf(store: FolderStore, acknowledged: Acknowledged[]): Promise<Point[]> {
  const { bases, reached } = await listArchive(store)
  const base = bases[Math.floor(Math.random() * bases.length)]
  const last = reached.findLast(({ generation }) => generation === base?.generation)?.commit ?? 0
  const from = base?.validFrom ?? 0
  const commit = from + Math.floor(Math.random() * Math.max(1, last - from))
  const at = acknowledged[Math.floor(Math.random() * acknowledged.length)]?.at ?? Date.now()
  return [...(base ? [{ generation: base.generation, commit }] : []), new Date(at), 'latest']
}

/** What should be there, and is not. */
function missing(path: string, acknowledged: Acknowledged[], asOf: number, clients: number): string[] {
  using file = new SQLite(path, { readonly: true })
  const emails = file.query<{ email: string }, []>("SELECT email FROM contacts WHERE email LIKE 'c%'").all()
  const there = new Set(emails.map(({ email }) => email))
  const lost = acknowledged.filter(({ client, n, at }) => at < asOf && !there.has(`c${client}-${n}@example.net`))
  const counts = Array.from({ length: clients }, (_, client) =>
    emails.filter(({ email }) => email.startsWith(`c${client}-`)),
  )
  const holes = counts.flatMap((found, client) =>
    found.flatMap((_, n) => (there.has(`c${client}-${n}@example.net`) ? [] : [`a hole at c${client}-${n}`])),
  )
  return [...lost.map(({ client, n }) => `c${client}-${n} was acknowledged before and is lost`), ...holes]
}

/** Of one installation: what it holds would make each later round slower. */
const roundsEach = 25

/** As it is shipped. Returns what removes it. */
async function built(): Promise<() => void> {
  if (process.env.BINARY) return () => {}
  const folder = mkdtempSync(join(tmpdir(), 'paquebot-binary-'))
  process.env.BINARY = join(folder, 'paquebot')
  const { buildBinary } = await import('../../tools/binary.ts')
  await buildBinary(process.env.BINARY)
  return () => rmSync(folder, { recursive: true })
}

function summary(parts: ArchiveStormResult[]): string {
  const sum = (of: (part: ArchiveStormResult) => number) => parts.reduce((total, part) => total + of(part), 0)
  return `archive: ${sum((part) => part.rounds)} kills under load, ${sum((part) => part.acknowledged)} acknowledged, ${sum((part) => part.restored)} restores to a random commit, time or the last one, ${sum((part) => part.refused)} refused because the archive could not tell, ${sum((part) => part.merged)} because they were merged with others, ${sum((part) => part.gaps)} interruptions, ${sum((part) => part.bad.length)} bad, ${sum((part) => part.seconds).toFixed(0)} s\n`
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rounds: { type: 'string' } } })
  const wanted = Number(values.rounds ?? 200)
  const stopping = new AbortController()
  process.once('SIGTERM', () => stopping.abort())
  const remove = await built()
  const parts: ArchiveStormResult[] = []
  for (let begun = 0; begun < wanted && !stopping.signal.aborted; begun += roundsEach) {
    const rounds = Math.min(roundsEach, wanted - begun)
    const merges = parts.length % 2 === 1
    const part = await archiveStorm({ rounds, clients: 4, merges, signal: stopping.signal })
    parts.push(part)
    process.stderr.write(`${[summary(parts).trim(), ...part.bad.slice(0, 20)].join('\n')}\n`)
  }
  remove()
  process.stdout.write(summary(parts))
  process.exit(parts.every(({ bad, gaps }) => bad.length === 0 && gaps === 0) ? 0 : 1)
}
