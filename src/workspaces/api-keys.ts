// API keys: shown once, stored as SHA-256, revoked at once. Concurrent requests share one look-up, which is dropped at every commit of this
// process, and after 10 ms in any case, because another process may have revoked the key.

import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { apiKeys, workspaces } from '../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../app.ts'
import { sha256Hex } from '../lib/digest.ts'
import { minute } from '../lib/duration.ts'
import { AppError, invalidField } from '../lib/error.ts'
import { isTestWorkspace, newId, testIdOf } from '../lib/id.ts'
import { apiKeyHint, isApiKey, newApiKey } from '../lib/token.ts'
import { isScope, scopes } from './scopes.ts'

export type ApiKey = typeof apiKeys.$inferSelect

const maxNameChars = 100
/** `lastUsedAt` is informational, written at most this often. */
const touchEveryMs = minute

export interface NewApiKey {
  name?: string | undefined
  /** Default: `full`. */
  scopes?: string[] | undefined
}

/** Returns the row and the key itself, which cannot be read again. Throws `validation_failed` for an unknown scope. */
export async function createApiKey(
  tx: Tx,
  workspaceId: string,
  input: NewApiKey,
): Promise<{ row: ApiKey; apiKey: string }> {
  const apiKey = newApiKey(tx, isTestWorkspace(workspaceId) ? 'test' : 'real')
  const row = {
    id: newId(tx, 'key', tx.now),
    workspaceId,
    name: (input.name ?? '').trim().slice(0, maxNameChars) || 'API key',
    prefix: apiKeyHint(apiKey),
    keyHash: sha256Hex(apiKey),
    scopes: checkedScopes(input.scopes ?? ['full']),
    createdAt: tx.now,
    lastUsedAt: null,
    revokedAt: null,
  }
  await tx.db.insert(apiKeys).values(row)
  return { row, apiKey }
}

/** Whose keys a workspace has: its own, and those of its test workspace. */
const keptBy = (workspaceId: string) => inArray(apiKeys.workspaceId, [workspaceId, testIdOf(workspaceId)])

/** The valid keys, newest first. */
export async function listApiKeys(reader: Reader, workspaceId: string): Promise<ApiKey[]> {
  return await reader.db
    .select()
    .from(apiKeys)
    .where(and(keptBy(workspaceId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.id))
    .all()
}

/** Refused from the next request on. Throws `not_found`, also for a key that belongs to another workspace or is revoked. */
export async function revokeApiKey(tx: Tx, workspaceId: string, keyId: string): Promise<void> {
  const mine = and(eq(apiKeys.id, keyId), keptBy(workspaceId), isNull(apiKeys.revokedAt))
  const revoked = await tx.db.update(apiKeys).set({ revokedAt: tx.now }).where(mine).returning({ id: apiKeys.id })
  if (revoked.length === 0) throw new AppError('not_found', 'There is no such API key.')
}

const byHash = prepared((db: ReadDb) =>
  db
    .select({
      id: apiKeys.id,
      scopes: apiKeys.scopes,
      lastUsedAt: apiKeys.lastUsedAt,
      workspace: workspaces,
    })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .where(and(eq(apiKeys.keyHash, sql.placeholder('hash')), isNull(apiKeys.revokedAt)))
    .prepare(),
)

/** A valid key with its workspace. */
export type WorkingKey = NonNullable<Awaited<ReturnType<typeof findApiKey>>>

/** The key and its workspace; undefined when it does not exist or is revoked. */
async function findApiKey(reader: Reader, apiKey: string) {
  return await byHash(reader.db).get({ hash: sha256Hex(apiKey) })
}

/** `find(apiKey)`: a cached findApiKey() for every request, where a look-up would cost more than the rest of the edge. */
export function createKeyFinder(app: App): (apiKey: string) => Promise<WorkingKey | undefined> {
  return (apiKey) =>
    app.share(`api key ${apiKey}`, async () => (isApiKey(apiKey) ? await findApiKey(app, apiKey) : undefined))
}

const byId = prepared((db: ReadDb) =>
  db
    .select({
      id: apiKeys.id,
      keyHash: apiKeys.keyHash,
      scopes: apiKeys.scopes,
      lastUsedAt: apiKeys.lastUsedAt,
      workspace: workspaces,
    })
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .where(and(eq(apiKeys.id, sql.placeholder('id')), isNull(apiKeys.revokedAt)))
    .prepare(),
)

/** For requests that are signed instead of carrying a key; undefined when it does not exist or is revoked. */
export function findKeyById(reader: Reader, id: string): Promise<(WorkingKey & { keyHash: string }) | undefined> {
  return Promise.resolve(byId(reader.db).get({ id }))
}

/** What requests in the name of a key are signed with. It can be computed again, but not from the database alone. */
export function signingSecret(
  { sealer }: Pick<App, 'sealer'>,
  { id, keyHash }: { id: string; keyHash: string },
): string {
  return sealer.mac(`${id} ${keyHash}`, 'signing secret of an API key')
}

/** `touch(key)`: records the use of a key, outside the request. */
export function createTouch(app: App) {
  const none = () => new Map<string, number>()
  return ({ id, lastUsedAt }: { id: string; lastUsedAt: Date | null }): void => {
    const touched = app.own(none)
    const now = app.clock.now()
    const last = touched.get(id) ?? lastUsedAt?.getTime() ?? 0
    if (now.getTime() - last < touchEveryMs) return
    touched.set(id, now.getTime())
    write(app, (tx) => tx.db.update(apiKeys).set({ lastUsedAt: tx.now }).where(eq(apiKeys.id, id))).catch((error) =>
      app.log.warn('the last use of an API key was not noted', { keyId: id, error }),
    )
  }
}

function checkedScopes(wanted: string[]): string[] {
  const unknown = wanted.find((scope) => !isScope(scope))
  if (unknown !== undefined) throw invalidField('scopes', `${unknown} is not a scope; known are ${scopes.join(', ')}.`)
  if (wanted.length === 0) throw invalidField('scopes', 'A key needs at least one scope.')
  return [...new Set(wanted)]
}
