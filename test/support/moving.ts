// Two installations between which a workspace moves: the source has a row of it in nearly every table, the target has others.

import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { sendingDomains } from '../../db/tables/messages.ts'
import { write } from '../../src/core/app.ts'
import { sealContext } from '../../src/features/sending/domains/keys.ts'
import { importWorkspace, withUnpacked } from '../../src/operator/tenants/arrive.ts'
import { exportWorkspace } from '../../src/operator/tenants/depart.ts'
import { closeWorkspace } from '../../src/operator/tenants/erase.ts'
import { type RequestOptions, type TestApp, testSecret } from './app.ts'
import { remoteDatabase } from './database.ts'
import { thingsOf } from './every-route.ts'
import { freshDirectory } from './place.ts'

export const keys = { passphrase: 'what only the two of us know' }
/** On a server the target is there, and the source is a file: tests share one server. */
const ofFile = () => (remoteDatabase ? { DATABASE_URL: `file:${join(freshDirectory(), 'source.db')}` } : {})
/** Each seals with its own secret; that of the target cannot open what the source sealed. */
export const source = () => ({
  isNew: true,
  environment: { SECRET_KEY: 'what the source alone knows', SECRET_KEY_PREVIOUS: testSecret, ...ofFile() },
})
export const target = { isNew: true }

/** `t.workspace` with a row in nearly every table, no longer the first one. `as`: who keeps the installation. */
export async function filled(t: TestApp) {
  const things = await thingsOf(t)
  await sealKeys(t)
  return { things, ...(await retired(t)) }
}

/** Domains of tests have keys that are none. */
async function sealKeys(t: TestApp): Promise<void> {
  for (const { id, workspaceId, domain } of await t.app.db.select().from(sendingDomains)) {
    const rsaKeySealed = await t.app.sealer.seal('rsa key', sealContext(workspaceId, domain, 'rsa'))
    const ed25519KeySealed = await t.app.sealer.seal('ed25519 key', sealContext(workspaceId, domain, 'ed25519'))
    const sealed = { rsaKeySealed, ed25519KeySealed }
    await write(t.app, (tx) => tx.db.update(sendingDomains).set(sealed).where(eq(sendingDomains.id, id)))
  }
}

/** An installation without that workspace, in whose first one a member of it is known by another id. */
export async function elsewhere(t: TestApp) {
  const { workspace: first, apiKey } = await t.stranger('first')
  await write(t.app, async (tx) => {
    await tx.db.run(sql`UPDATE workspaces SET rowid = 0 WHERE id = ${first.id}`)
    await closeWorkspace(tx, t.workspace.id)
  })
  await t.settle()
  const { userId } = await t.person('member', { email: t.user.email, workspace: first })
  return { first, as: { as: { apiKey } } satisfies RequestOptions, userId }
}

export const suspend = (t: TestApp, { as, at }: { as: RequestOptions; at: string }) =>
  t.post(`${at}/suspend`, { reason: 'It moves' }, 200, as)

export async function exported(t: TestApp, to: string | null): Promise<string> {
  const path = join(freshDirectory(), 'workspace.tar.zst.age')
  await exportWorkspace(t.app, { slug: t.workspace.slug, path, movesTo: to, seal: keys })
  return path
}

export const bring = (t: TestApp, path: string, slug?: string) =>
  withUnpacked(t.app, { path, keys }, (unpacked) => importWorkspace(t.app, { ...unpacked, slug }))

/** Why it did not come to its end. */
export const findReason = (work: Promise<unknown>) =>
  work.then(
    () => 'it did',
    (error) => (error instanceof Error ? error.message : String(error)),
  )

/** Not the first one any more. */
export async function retired(t: TestApp) {
  const first = await t.stranger('first')
  await write(t.app, (tx) => tx.db.run(sql`UPDATE workspaces SET rowid = 0 WHERE id = ${first.workspace.id}`))
  return { as: { as: { apiKey: first.apiKey } } satisfies RequestOptions, at: `/v1/workspaces/${t.workspace.id}` }
}
