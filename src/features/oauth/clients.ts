// The programs that ask for a connection. Either one registered itself (RFC 7591), and then only it says who it is; or its id is the address
// of a document about it, and then that host says so too.

import { and, count, eq, inArray, isNull, lt, notExists, or } from 'drizzle-orm'
import { oauthClients, oauthGrants } from '../../../db/tables/oauth.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { keyOf, type Rate, rateLimited, takeStored } from '../../core/http/rate-limit.ts'
import { day } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import type { Network } from '../../kit/network.ts'
import { loadClientDocument } from './client-documents.ts'
import { type Client, readClientMetadata } from './client-metadata.ts'
import { OAuthError } from './oauth-error.ts'

/** Registrations from one network: a program registers once. */
const registrationRate: Rate = { burst: 20, perSecond: 20 / 3_600 }
/** Of clients that nobody has allowed anything yet. */
const maxUnused = 1_000
const unusedMs = day
/** A client without a connection goes this long after its last one. */
const idleMs = 90 * day
const deletedAtOnce = 200

type RegisteredClient = typeof oauthClients.$inferSelect

/** Throws `invalid_redirect_uri`, `invalid_client_metadata`; `rate_limit_exceeded`, `overloaded`. */
export async function registerClient(app: App, value: unknown, network: Network): Promise<RegisteredClient> {
  const allowance = await write(app, (tx) => takeStored(tx, keyOf.network('oauth-client', network), registrationRate))
  if (!allowance.allowed) throw rateLimited(allowance)
  const { name, redirectUris } = readClientMetadata(value)
  return await write(app, async (tx) => {
    const unused = tx.db.select({ total: count() }).from(oauthClients).where(isNull(oauthClients.lastAllowedAt))
    if (((await unused.get())?.total ?? 0) >= maxUnused)
      throw new AppError('overloaded', 'Too many programs have registered here and were never used; try again later.', {
        retryAfterSeconds: 3_600,
      })
    const row = { id: newId(tx, 'oac', tx.now), name, redirectUris, createdAt: tx.now, lastAllowedAt: null }
    await tx.db.insert(oauthClients).values(row)
    return row
  })
}

/** Throws `invalid_client`. */
export async function getClient(app: App, id: string): Promise<Client> {
  if (id.startsWith('https:')) return await loadClientDocument(app, id)
  const row = await findRegistered(app, id)
  if (!row) throw new OAuthError('invalid_client', 'There is no client with this client_id; it must register again.')
  return { id, name: row.name, redirectUris: row.redirectUris, publishedBy: null }
}

async function findRegistered(reader: Reader, id: string): Promise<RegisteredClient | undefined> {
  return await reader.db.select().from(oauthClients).where(eq(oauthClients.id, id)).get()
}

export async function noteAllowed(tx: Tx, clientId: string): Promise<void> {
  await tx.db.update(oauthClients).set({ lastAllowedAt: tx.now }).where(eq(oauthClients.id, clientId))
}

/** Registered clients that nobody uses. Returns how many; call until 0. */
export async function deleteUnusedClients(tx: Tx): Promise<number> {
  const before = (ms: number) => new Date(tx.now.getTime() - ms)
  const open = tx.db
    .select({ id: oauthGrants.id })
    .from(oauthGrants)
    .where(and(eq(oauthGrants.clientId, oauthClients.id), isNull(oauthGrants.revokedAt)))
  const neverUsed = and(isNull(oauthClients.lastAllowedAt), lt(oauthClients.createdAt, before(unusedMs)))
  const leftAlone = and(lt(oauthClients.lastAllowedAt, before(idleMs)), notExists(open))
  const unused = tx.db
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(or(neverUsed, leftAlone))
    .limit(deletedAtOnce)
  const gone = await tx.db
    .delete(oauthClients)
    .where(inArray(oauthClients.id, unused))
    .returning({ id: oauthClients.id })
  return gone.length
}
