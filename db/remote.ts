// The remote driver: a libSQL server, through the client's pure JavaScript entry (its native part does not load in a compiled
// binary). Drizzle is bound once to a client whose statements go to the open transaction, so prepared queries stay prepared.

import { type Client, createClient, type Transaction } from '@libsql/client/web'
import { drizzle } from 'drizzle-orm/libsql/web'
import type { Clock } from '../src/lib/clock.ts'
import { unresponsive } from './faults.ts'
import type { ReadDb } from './handle.ts'
import type { Transactor } from './writer.ts'

/** A server that has not answered a statement for so long does not serve: who asked is told before they give up themselves. */
const answerWithinMs = 4_000
const rollbackWithinMs = 300

export interface RemoteParts {
  reader: ReadDb
  transactor: Transactor
  close(): void
}

export function openRemote(url: string, authToken: string | undefined, clock: Clock): RemoteParts {
  const client = createClient({
    url,
    intMode: 'number',
    fetch: fetchInTime,
    ...(authToken === undefined ? {} : { authToken }),
  })
  return {
    reader: drizzle({ client }),
    transactor: remoteTransactor(client, clock),
    close: () => client.close(),
  }
}

/** The end of an answer may keep us waiting as its beginning may. */
async function whole(response: Response) {
  const { status, headers } = response
  return { status, headers, body: await response.arrayBuffer() }
}

async function fetchInTime(request: Request): Promise<Response> {
  try {
    const { status, body, headers } = await fetch(request, { signal: AbortSignal.timeout(answerWithinMs) }).then(whole)
    return new Response(body, { status, headers })
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'TimeoutError') throw error
    const message = `the database server did not answer within ${answerWithinMs} ms`
    throw Object.assign(new Error(message), { code: unresponsive })
  }
}

function remoteTransactor(client: Client, clock: Clock): Transactor {
  let open: Transaction | null = null
  const current = () => {
    if (!open) throw new Error('a statement came outside of write()')
    return open
  }
  const inTransaction: Pick<Client, 'execute' | 'batch'> = {
    execute: (...args: Parameters<Client['execute']>) =>
      current().execute(typeof args[0] === 'string' ? { sql: args[0], args: args[1] ?? [] } : args[0]),
    batch: (statements) =>
      current().batch(statements.map((one) => (Array.isArray(one) ? { sql: one[0], args: one[1] ?? [] } : one))),
  }
  return {
    db: drizzle({ client: Object.assign(Object.create(client) as Client, inTransaction) }),
    async begin() {
      open = await client.transaction('write')
      if (clock.virtual) return clock.now()
      // Several processes share the server: its clock is the only one they agree on.
      const { rows } = await open.execute("SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now")
      return new Date(Number(rows[0]?.now))
    },
    async commit() {
      await current().commit()
      open = null
    },
    async rollback() {
      const closing = open
      open = null
      if (!closing) return
      // The server undoes what nobody commits.
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, rollbackWithinMs)
      await Promise.race([closing.rollback().catch(() => undefined), late.promise])
      clearTimeout(timer)
      closing.close()
    },
    changes: () => null,
    async savepoint(command) {
      await current().execute(command)
    },
  }
}
