// The set-up of a new installation: a one-time link, printed by the server, creates the first account.

import { eq } from 'drizzle-orm'
import { putInstallationValue } from '../../../db/installation-value.ts'
import { installation } from '../../../db/tables/workspaces.ts'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import type { Device } from '../../core/http/client-ip.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError } from '../../kit/error.ts'
import { newSecretToken } from '../../kit/token.ts'
import { createSession } from '../access/sessions.ts'
import { createUser, hasUsers } from '../access/users.ts'
import { createWorkspace, listWorkspaces } from '../workspaces.ts'

const tokenName = 'set_up_token'
const firstSlug = 'default'

/** Creates the workspace `default` if there is none. Returns the path of a new set-up link, or null when somebody has an account. */
export async function prepareSetUp(app: App): Promise<string | null> {
  if (await hasUsers(app)) return null
  return await write(app, async (tx) => {
    const { defaultTrustLevel: trustLevel } = app.config
    if ((await listWorkspaces(tx)).length === 0) await createWorkspace(tx, { slug: firstSlug, trustLevel })
    const token = newSecretToken(tx)
    await putInstallationValue(tx, tokenName, sha256Hex(token))
    return `/setup/${token}`
  })
}

/** Whether the link can still create an account. */
export async function isSetUpOpen(reader: Reader, token: string): Promise<boolean> {
  const row = await reader.db.select().from(installation).where(eq(installation.name, tokenName)).get()
  return row !== undefined && row.value === sha256Hex(token) && !(await hasUsers(reader))
}

/** Creates the first account, owner of the oldest workspace, and a session. Throws `not_found` for a used link. */
export async function completeSetUp(
  app: App,
  token: string,
  account: { email: string; password: string; device: Device },
) {
  if (!(await isSetUpOpen(app, token))) throw usedUp()
  const passwordHash = await app.passwords.hash(account.password)
  return await write(app, async (tx) => {
    if (!(await isSetUpOpen(tx, token))) throw usedUp()
    return await makeOwner(tx, { email: account.email, passwordHash }, account.device)
  })
}

async function makeOwner(tx: Tx, account: { email: string; passwordHash: string }, device: Device): Promise<string> {
  const [workspace] = await listWorkspaces(tx)
  if (!workspace) throw new Error('an installation without a workspace cannot be set up')
  const user = await createUser(tx, workspace, { ...account, role: 'owner' })
  await tx.db.delete(installation).where(eq(installation.name, tokenName))
  return await createSession(tx, user.id, { ...device, signedInBy: 'set_up' })
}

function usedUp(): AppError {
  return new AppError('not_found', 'This link was already used, or there is a newer one.')
}
