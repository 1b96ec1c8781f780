// API keys: shown once, stored as SHA-256, revoked at once, and never able to do more than the person who made them. Concurrent requests share one look-up, which is dropped at every commit of this
// process, and after 10 ms in any case, because another process may have revoked the key.

import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { agentReads } from '../../../db/tables/agents.ts'
import { apiKeys, members, users, workspaces } from '../../../db/tables/workspaces.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { isTestWorkspace, newId, testIdOf } from '../../kit/id.ts'
import { apiKeyHint, isApiKey, newApiKey } from '../../kit/token.ts'
import { findFirstWorkspace } from '../workspaces.ts'
import { type Grantor, isPerson, operator } from './grants.ts'
import { lesserRole } from './roles.ts'
import { isScope, ofInstallation, scopes } from './scopes.ts'
import { createTouch } from './touch.ts'

export interface ApiKey extends ApiKeyRow {
  /** The address of who made it. */
  maker: string | null
  /** When its agent first read what strangers wrote. */
  firstReadAt: Date | null
}

type ApiKeyRow = typeof apiKeys.$inferSelect

const maxNameChars = 100

export interface NewApiKey {
  name?: string | undefined
  /** Default: `full`. */
  scopes?: string[] | undefined
  /** Of an agent: it opens `/mcp` alone, and what it sends waits for a person once it has read what strangers wrote. Default: false. */
  airlock?: boolean | undefined
  /** Default: the operator. */
  grantor?: Grantor
}

/** Returns the row and the key itself, which cannot be read again. Throws `validation_failed` for an unknown scope. */
export async function createApiKey(
  tx: Tx,
  workspaceId: string,
  input: NewApiKey,
): Promise<{ row: ApiKey; apiKey: string }> {
  const { grantor = { userId: operator, role: 'owner' } } = input
  const scopes = checkedScopes(input.scopes ?? ['full'])
  await expectFirst(tx, workspaceId, scopes)
  const apiKey = newApiKey(tx, isTestWorkspace(workspaceId) ? 'test' : 'real')
  const row = {
    id: newId(tx, 'key', tx.now),
    workspaceId,
    name: (input.name ?? '').trim().slice(0, maxNameChars) || 'API key',
    prefix: apiKeyHint(apiKey),
    keyHash: sha256Hex(apiKey),
    scopes,
    airlock: input.airlock ?? false,
    madeBy: grantor.userId,
    role: grantor.role,
    createdAt: tx.now,
    lastUsedAt: null,
    revokedAt: null,
  }
  await tx.db.insert(apiKeys).values(row)
  const [maker] = await tx.db
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, row.madeBy ?? ''))
  return { row: { ...row, maker: maker?.email ?? null, firstReadAt: null }, apiKey }
}

/** Other workspaces are made by the first one alone. */
async function expectFirst(tx: Tx, workspaceId: string, scopes: string[]): Promise<void> {
  if (!scopes.includes(ofInstallation) || (await findFirstWorkspace(tx))?.id === workspaceId) return
  throw invalidField('scopes', `Only keys of the first workspace may have the scope ${ofInstallation}.`)
}

/** Whose keys a workspace has: its own, and those of its test workspace. */
const keptBy = (workspaceId: string) => inArray(apiKeys.workspaceId, [workspaceId, testIdOf(workspaceId)])

/** The valid keys, newest first. */
export async function listApiKeys(reader: Reader, workspaceId: string): Promise<ApiKey[]> {
  const rows = await reader.db
    .select({ key: apiKeys, maker: users.email, firstReadAt: agentReads.createdAt })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.madeBy))
    .leftJoin(agentReads, and(eq(agentReads.workspaceId, apiKeys.workspaceId), eq(agentReads.reader, apiKeys.id)))
    .where(and(keptBy(workspaceId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.id))
    .all()
  return rows.map(({ key, ...more }) => ({ ...key, ...more }))
}

/** Refused from the next request on. Throws `not_found`, also for a key that belongs to another workspace or is revoked. */
export async function revokeApiKey(tx: Tx, workspaceId: string, keyId: string): Promise<void> {
  const mine = and(eq(apiKeys.id, keyId), keptBy(workspaceId), isNull(apiKeys.revokedAt))
  const revoked = await tx.db.update(apiKeys).set({ revokedAt: tx.now }).where(mine).returning({ id: apiKeys.id })
  if (revoked.length === 0) throw new AppError('not_found', 'There is no such API key.')
}

const working = {
  id: apiKeys.id,
  keyHash: apiKeys.keyHash,
  scopes: apiKeys.scopes,
  airlock: apiKeys.airlock,
  lastUsedAt: apiKeys.lastUsedAt,
  madeBy: apiKeys.madeBy,
  role: apiKeys.role,
  makerRole: members.role,
  workspace: workspaces,
}

/** One that is not revoked, with the present role of its maker. */
const keyWhere = (db: ReadDb, wanted: SQL) =>
  db
    .select(working)
    .from(apiKeys)
    .innerJoin(workspaces, eq(workspaces.id, apiKeys.workspaceId))
    .leftJoin(
      members,
      and(
        eq(members.workspaceId, sql`replace(${apiKeys.workspaceId}, 'wst_', 'ws_')`),
        eq(members.userId, apiKeys.madeBy),
      ),
    )
    .where(and(wanted, isNull(apiKeys.revokedAt)))
    .prepare()

const byHash = prepared((db: ReadDb) => keyWhere(db, eq(apiKeys.keyHash, sql.placeholder('hash'))))
const byId = prepared((db: ReadDb) => keyWhere(db, eq(apiKeys.id, sql.placeholder('id'))))

type FoundApiKey = NonNullable<Awaited<ReturnType<ReturnType<typeof keyWhere>['get']>>>

/** A valid key with its workspace; `role`: the most that it may. */
export type WorkingKey = Omit<FoundApiKey, 'makerRole'>

/** Undefined when its maker is no longer in the workspace. One without a person is bounded by its scopes alone. */
function bounded(row: FoundApiKey | undefined): WorkingKey | undefined {
  if (!row) return undefined
  const { makerRole, ...key } = row
  if (!isPerson(key.madeBy)) return key
  return makerRole === null ? undefined : { ...key, role: lesserRole(key.role, makerRole) }
}

/** `find(apiKey)`: the key with its workspace, cached for every request, where a look-up would cost more than the rest of the edge. */
export function createKeyFinder(app: App): (apiKey: string) => Promise<WorkingKey | undefined> {
  return (apiKey) =>
    app.share(`api key ${apiKey}`, async () =>
      isApiKey(apiKey) ? bounded(await byHash(app.db).get({ hash: sha256Hex(apiKey) })) : undefined,
    )
}

/** For requests that are signed instead of carrying a key; undefined when it does not exist, is revoked, or is of an agent. */
export async function findKeyById(reader: Reader, id: string): Promise<WorkingKey | undefined> {
  const key = bounded(await byId(reader.db).get({ id }))
  return key?.airlock ? undefined : key
}

/** What requests in the name of a key are signed with. It can be computed again, but not from the database alone. */
export function signingSecret(
  { sealer }: Pick<App, 'sealer'>,
  { id, keyHash }: { id: string; keyHash: string },
): string {
  return sealer.mac(`${id} ${keyHash}`, 'signing secret of an API key')
}

/** `touch(key)`: records the use of a key. */
export function createKeyTouch(app: App) {
  return createTouch(app, 'an API key', (tx, id) =>
    tx.db.update(apiKeys).set({ lastUsedAt: tx.now }).where(eq(apiKeys.id, id)),
  )
}

function checkedScopes(wanted: string[]): string[] {
  const unknown = wanted.find((scope) => !isScope(scope))
  if (unknown !== undefined) throw invalidField('scopes', `${unknown} is not a scope; known are ${scopes.join(', ')}.`)
  if (wanted.length === 0) throw invalidField('scopes', 'A key needs at least one scope.')
  return [...new Set(wanted)]
}
