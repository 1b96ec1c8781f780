// The remote driver: a libSQL server. Reads made at the same time share a request, and time is the server's, the only clock that all
// processes sharing it agree on.

import type { Clock } from '../src/kit/clock.ts'
import type { Random } from '../src/kit/random.ts'
import type { ReadDb } from './handle.ts'
import { handleOver, Recorder } from './recorder.ts'
import { RemoteWriter, Transaction } from './remote-writer.ts'
import { type Result, Server, type Statement } from './server.ts'
import type { Transactor, UnitWriter } from './writer.ts'

const readsPerRequest = 64
const readsUnderWay = 8
const askTimeEveryMs = 30_000

export interface RemoteParts {
  reader: ReadDb
  writer: UnitWriter
  /** For the migrations. */
  transactor: Transactor
  clock: Clock
  server: Server
  close(): void
}

export interface RemoteOptions {
  authToken: string | undefined
  clock: Clock
  random: Random
  onFatal(error: unknown): void
}

export async function openRemote(
  url: string,
  { authToken, clock, random, onFatal }: RemoteOptions,
): Promise<RemoteParts> {
  const server = new Server(url, authToken, random)
  const time = clock.virtual ? { clock, stop() {} } : await serverTime(server, clock)
  const { now } = time.clock
  const read = readTogether(server)
  return {
    reader: handleOver(read),
    writer: new RemoteWriter(server, { now, random, read, onFatal }),
    transactor: createTransactor(server, time.clock),
    clock: time.clock,
    server,
    close() {
      time.stop()
      server.close()
    },
  }
}

/** Queries made in one turn of the event loop share a request; so do those that arrive while enough requests are in flight. */
function readTogether(server: Server): (statement: Statement) => Promise<Result> {
  const waiting: (Statement & PromiseWithResolvers<Result>)[] = []
  let underWay = 0
  const send = async () => {
    if (waiting.length === 0 || underWay === readsUnderWay) return
    underWay++
    const asked = waiting.splice(0, readsPerRequest)
    void send()
    try {
      const answers = await server.askEach(asked)
      for (const [index, answer] of answers.entries()) {
        if (answer.ok) asked[index]?.resolve(answer.result)
        else asked[index]?.reject(answer.error)
      }
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
    underWay--
    void send()
  }
  return ({ sql, args }) => {
    const answer = Promise.withResolvers<Result>()
    if (waiting.length === 0) setImmediate(() => void send())
    waiting.push({ sql, args, ...answer })
    return answer.promise
  }
}

/** The server's clock, tracked as an offset from ours that is measured at the start and now and then. */
async function serverTime(server: Server, clock: Clock) {
  let aheadMs = 0
  const ask = async () => {
    const askedAt = clock.now().getTime()
    const [answer] = await server.askEach([{ sql: "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)", args: [] }])
    if (!answer?.ok) throw answer?.error
    const halfway = (askedAt + clock.now().getTime()) / 2
    aheadMs = Math.round(Number(answer.result.rows[0]?.[0]) - halfway)
  }
  await ask()
  const timer = setInterval(() => void ask().catch(() => undefined), askTimeEveryMs)
  timer.unref()
  return {
    clock: { now: () => new Date(clock.now().getTime() + aheadMs), virtual: false },
    stop: () => clearInterval(timer),
  }
}

function createTransactor(server: Server, clock: Clock): Transactor {
  const recorder = new Recorder()
  let open = new Transaction(server, recorder)
  return {
    db: recorder.db,
    async begin() {
      open = new Transaction(server, recorder)
      return clock.now()
    },
    commit: () => open.commit(),
    unsynced: null,
    rollback: () => open.rollback(),
  }
}
