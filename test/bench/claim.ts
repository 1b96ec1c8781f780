// What a job costs as the outbox grows: scheduling it (64 in a transaction, as the writer groups them), and claiming 250 due ones at
// once, with 10,000 and with 1,000,000 pending, whose due times over the next 28 hours are in the order they were made or random. Flat
// means: within 1.5 times. Run: bun test/bench/claim.ts

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../db/handle.ts'
import { openDatabase } from '../../db/open.ts'
import { claimShares } from '../../src/core/outbox/claim.ts'
import { nextJobs } from '../../src/core/outbox/due-jobs.ts'
import { enqueue } from '../../src/core/outbox/enqueue.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { systemRandom } from '../../src/kit/random.ts'
import { median, percentile } from './figures.ts'
import { nothing } from './nothing.ts'

const batch = 250
/** Units of one group commit. */
const group = 64
const claims = 30

interface Figures {
  enqueueUs: number
  claimMs: number
  claimP99Ms: number
}

async function measure(pending: number, order: 'in order' | 'random'): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), 'paquebot-bench-'))
  const database = await openDatabase({ url: `file:${join(directory, 'bench.db')}`, clock: systemClock })
  const start = Date.now()
  const spanMs = 1e8
  const enqueueTimes: number[] = []
  for (let done = 0; done < pending; done += group) {
    const began = performance.now()
    await database.writer.write(async (db, now) => {
      const tx = { db, now, random: systemRandom }
      for (let n = done; n < done + group; n++) {
        const offset = Math.floor(order === 'random' ? Math.random() * spanMs : (n / pending) * spanMs)
        await enqueue(tx, nothing, { workspaceId: 'ws_bench', payload: { n }, runAt: new Date(start + offset) })
      }
    })
    enqueueTimes.push(((performance.now() - began) * 1_000) / group)
  }
  const end = new Date(start + spanMs + 1)
  const later = (db: Db) => ({ db, now: end, random: systemRandom })
  const claimTimes: number[] = []
  const claim = { bootId: 'bench', leaseMs: 30_000 }
  for (let i = 0; i < claims; i++) {
    const began = performance.now()
    const [head] = await nextJobs({ db: database.reader })
    if (!head) throw new Error('nothing is pending')
    const taken = await database.writer.write((db) => claimShares(later(db), [{ ...head, count: batch }], claim))
    const rows = await taken.rows
    if (rows.length !== batch) throw new Error(`${rows.length} claimed`)
    claimTimes.push(performance.now() - began)
  }
  await database.close()
  rmSync(directory, { recursive: true, force: true })
  return {
    enqueueUs: median(enqueueTimes.slice(-150)),
    claimMs: median(claimTimes),
    claimP99Ms: percentile(claimTimes, 0.99),
  }
}

const large = Number(process.argv[2] ?? 1_000_000)
for (const order of ['in order', 'random'] as const) {
  const few = await measure(10_000, order)
  const many = await measure(large, order)
  const ratio = (name: 'enqueueUs' | 'claimMs') => (many[name] / few[name]).toFixed(2)
  process.stdout.write(
    `claim 250 (due times ${order}): ${few.claimMs.toFixed(2)} ms of 10,000, ${many.claimMs.toFixed(2)} ms of ${large} pending (p99 ${many.claimP99Ms.toFixed(1)}): ratio ${ratio('claimMs')} (at most 1.2); scheduling ${few.enqueueUs.toFixed(1)} and ${many.enqueueUs.toFixed(1)} us a job: ratio ${ratio('enqueueUs')} (at most 1.2)\n`,
  )
}
