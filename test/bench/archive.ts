// What the archive of every commit costs: units of two inserts and an update, at 2,000 a second and as fast as they go, without an archive
// and with one (ARCHIVE_URL, a folder, each second), in turns; medians. CPU is that of the process with all its threads.
// Run: bun test/bench/archive.ts

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { putInstallationValue } from '../../db/installation-value.ts'
import { type App, write } from '../../src/core/app.ts'
import { enqueue } from '../../src/core/outbox/enqueue.ts'
import { archiveState, startArchive } from '../../src/operator/archive/archive.ts'
import { testApp } from '../support/app.ts'
import { median, percentile } from './figures.ts'
import { nothing } from './nothing.ts'

const recipient = await identityToRecipient(await generateX25519Identity())
const rate = 2_000
const seconds = 5
const turns = 3
const inFlight = 64

interface Figures {
  p99: number
  /** In ms. */
  cpuPer1000: number
  perSecond: number
  bytesPerUnit: number
}

async function unit(app: App, n: number): Promise<void> {
  await write(app, async (tx) => {
    for (let job = 0; job < 2; job++) await enqueue(tx, nothing, { workspaceId: 'ws_bench', payload: { n } })
    await putInstallationValue(tx, `bench ${n % 1_000}`, `${n} `.repeat(40))
  })
}

/** As many a second as wanted, whether those before are done or not. */
async function steadily(app: App): Promise<number[]> {
  const latencies: number[] = []
  const open = new Set<Promise<void>>()
  const began = performance.now()
  for (let n = 0; n < rate * seconds; await Bun.sleep(1))
    for (; n < Math.min(rate * seconds, ((performance.now() - began) / 1_000) * rate); n++) {
      const at = performance.now()
      const one: Promise<void> = unit(app, n).then(() => {
        latencies.push(performance.now() - at)
        open.delete(one)
      })
      open.add(one)
    }
  await Promise.all(open)
  return latencies
}

async function asFastAsTheyGo(app: App): Promise<number> {
  const began = performance.now()
  const end = began + seconds * 1_000
  let n = 0
  const client = async () => {
    while (performance.now() < end) await unit(app, n++)
  }
  await Promise.all(Array.from({ length: inFlight }, client))
  return (n * 1_000) / (performance.now() - began)
}

async function measure(archive: string | null): Promise<Figures> {
  const environment = archive === null ? {} : { ARCHIVE_URL: archive, BACKUP_RECIPIENT: recipient }
  await using t = await testApp({ environment })
  const kept = startArchive(t.app)
  const state = t.app.own(archiveState)
  while (kept !== null && state.coveredAt === null) await Bun.sleep(20)
  const before = process.cpuUsage()
  const latencies = await steadily(t.app)
  const { user, system } = process.cpuUsage(before)
  const bytesPerUnit = archive === null ? 0 : (await segmentBytes(archive)) / latencies.length
  const perSecond = await asFastAsTheyGo(t.app)
  await kept?.stop(30_000)
  if (state.gaps > 0) throw new Error(`the archive was interrupted: ${state.lastGap?.why}`)
  return {
    p99: percentile(latencies, 0.99),
    cpuPer1000: (user + system) / latencies.length,
    perSecond,
    bytesPerUnit,
  }
}

/** Of what is in the archive after the next look at the log. */
async function segmentBytes(archive: string): Promise<number> {
  await Bun.sleep(1_500)
  const names = [...new Bun.Glob('segment-*').scanSync({ cwd: archive })]
  return names.reduce((sum, name) => sum + Bun.file(join(archive, name)).size, 0)
}

const off: Figures[] = []
const on: Figures[] = []
for (let turn = 0; turn < turns; turn++) {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-bench-'))
  off.push(await measure(null))
  on.push(await measure(join(directory, 'archive')))
  rmSync(directory, { recursive: true, force: true })
}
const mid = (figures: Figures[], of: keyof Figures) => median(figures.map((one) => one[of]))
const against = (of: keyof Figures) => (mid(on, of) / mid(off, of)).toFixed(2)
process.stdout.write(
  `archive: at ${rate} units a second p99 ${mid(on, 'p99').toFixed(1)} ms, ${against('p99')} of ${mid(off, 'p99').toFixed(1)} ms without (at most 1.5)
archive: CPU ${mid(on, 'cpuPer1000').toFixed(0)} ms per 1,000, ${against('cpuPer1000')} of ${mid(off, 'cpuPer1000').toFixed(0)} without (at most 2)
archive: as fast as they go ${mid(on, 'perSecond').toFixed(0)} a second, ${against('perSecond')} of ${mid(off, 'perSecond').toFixed(0)} without (at least 0.5); ${(mid(on, 'bytesPerUnit') / 1_000).toFixed(2)} KB of archive a unit\n`,
)
