// A process that takes tokens of shared limits as fast as it is told to: one line of JSON on its standard input is one load, and one line
// comes back when that has ended.

import { createApp } from '../../src/core/app.ts'
import { readConfig } from '../../src/core/config.ts'
import { keyOf, type Limiter, type Rate } from '../../src/core/http/rate-limit.ts'
import { createSharedLimiter } from '../../src/core/http/shared-limit.ts'
import { linesOf } from '../../tools/process.ts'

export interface Load {
  key: string
  rate: Rate
  asksPerSecond: number
  seconds: number
}

export interface Taken {
  asked: number
  allowed: number
  /** Transactions that this load wrote. */
  writes: number
  /** Milliseconds of the clock by which tokens are added. */
  began: number
  ended: number
}

if (import.meta.main) {
  const app = await createApp(readConfig())
  const limiters = new Map<string, Limiter>()
  process.stdout.write('ready\n')
  for await (const line of linesOf(Bun.stdin.stream())) {
    const load: Load = JSON.parse(line)
    const limiter = limiters.getOrInsertComputed(load.key, () => createSharedLimiter(app, load.rate))
    const { units } = app.database.writer.committed
    const taken = await take(limiter, load, () => app.clock.now().getTime())
    process.stdout.write(`${JSON.stringify({ ...taken, writes: app.database.writer.committed.units - units })}\n`)
  }
  await app.close()
}

/** Evenly, whatever the answers: in each turn of the event loop what is due by then. */
async function take(
  limiter: Limiter,
  { key, asksPerSecond, seconds }: Load,
  now: () => number,
): Promise<Omit<Taken, 'writes'>> {
  const began = now()
  const answers: ReturnType<Limiter['take']>[] = []
  const total = asksPerSecond * seconds
  while (answers.length < total) {
    const due = Math.min(total, ((now() - began) / 1_000) * asksPerSecond)
    while (answers.length < due) answers.push(limiter.take(keyOf.id('test', key)))
    await new Promise(setImmediate)
  }
  const allowed = (await Promise.all(answers)).filter((one) => one.allowed).length
  return { asked: answers.length, allowed, began, ended: now() }
}
