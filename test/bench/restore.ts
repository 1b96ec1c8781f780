// What a restore from the archive of every commit takes: 1 GB of pages that were written, over a database of 50 MB, brought back to the last
// commit by the command of an operator, which checks it, too. And the memory that it needs for that.
// Run: bun test/bench/restore.ts

import { Database as SQLite } from 'bun:sqlite'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { putInstallationValue } from '../../db/installation-value.ts'
import { type App, write } from '../../src/core/app.ts'
import { archiveState, startArchive } from '../../src/operator/archive/archive.ts'
import { testApp } from '../support/app.ts'
import { program } from '../support/program.ts'
import { median } from './figures.ts'

const wantedBytes = 1_000_000_000
const rows = 40_000
const rowsPerCommit = 800
const turns = 3
const pageBytes = 4_096

/** Rows all over the database, so that each commit is of as many pages as rows. */
async function change(app: App, commit: number): Promise<void> {
  await write(app, async (tx) => {
    for (let n = 0; n < rowsPerCommit; n++) {
      const row = (n * Math.floor(rows / rowsPerCommit) + commit) % rows
      const words = Array.from({ length: 60 }, (_, word) => Bun.hash(`${row} ${commit} ${word}`).toString(36))
      await putInstallationValue(tx, `bench ${row}`, words.join(' '))
    }
  })
}

/** Until the log had as many bytes as wanted. */
async function fill(archive: string, recipient: string): Promise<{ commits: number; bytes: number }> {
  await using t = await testApp({ environment: { ARCHIVE_URL: archive, BACKUP_RECIPIENT: recipient } })
  const kept = startArchive(t.app)
  const state = t.app.own(archiveState)
  while (state.coveredAt === null) await Bun.sleep(20)
  using file = new SQLite(t.app.config.databaseUrl.slice('file:'.length))
  const frames = file.query<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)')
  let [commits, bytes, before] = [0, 0, 0]
  while (bytes < wantedBytes) {
    await change(t.app, commits++)
    const now = frames.get()?.log ?? 0
    // It starts over now and then.
    bytes += (now < before ? now : now - before) * pageBytes
    before = now
  }
  await kept?.stop(600_000)
  if (state.gaps > 0) throw new Error(`the archive was interrupted: ${state.lastGap?.why}`)
  return { commits, bytes }
}

const directory = mkdtempSync(join(tmpdir(), 'paquebot-bench-'))
const archive = join(directory, 'archive')
const identity = await generateX25519Identity()
const keyFile = join(directory, 'key')
writeFileSync(keyFile, identity)
const { commits, bytes } = await fill(archive, await identityToRecipient(identity))
const stored = [...new Bun.Glob('segment-*').scanSync({ cwd: archive })].map(
  (name) => Bun.file(join(archive, name)).size,
)

const figures: { seconds: number; cpu: number; megabytes: number }[] = []
for (let turn = 0; turn < turns; turn++) {
  const began = performance.now()
  const to = join(directory, `restored-${turn}`)
  const args = ['restore', '--at', 'latest', '--from', archive, '--to', to, '--identity', keyFile]
  const child = Bun.spawn([...(await program()), ...args], { stdout: 'ignore', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error('it was not restored')
  const used = child.resourceUsage()
  figures.push({
    seconds: (performance.now() - began) / 1_000,
    cpu: Number(used?.cpuTime.total ?? 0) / 1_000_000,
    megabytes: (used?.maxRSS ?? 0) / 1_000_000,
  })
}
const restored = Bun.file(join(directory, 'restored-0', 'paquebot.db')).size
rmSync(directory, { recursive: true, force: true })

const mid = (of: keyof (typeof figures)[number], digits = 1) => median(figures.map((one) => one[of])).toFixed(digits)
const gigabytes = (count: number) => (count / 1e9).toFixed(2)
process.stdout.write(
  `restore: ${gigabytes(bytes)} GB of pages in ${commits} commits, ${gigabytes(stored.reduce((sum, size) => sum + size, 0))} GB in ${stored.length} segments, to a database of ${gigabytes(restored)} GB, checked: ${mid('seconds')} s (at most 10), ${mid('cpu')} s of processor, ${mid('megabytes', 0)} MB (at most 300)\n`,
)
