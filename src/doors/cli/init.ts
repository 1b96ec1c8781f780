// paquebot init: creates everything needed for a first request and a first sign-in, in one transaction.

import { write } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import { createApiKey } from '../../people/access/api-keys.ts'
import { createLoginLink } from '../../people/access/sessions.ts'
import { createUser, hasUsers } from '../../people/access/users.ts'
import { createWorkspace } from '../../people/workspaces.ts'
import { defineCommand } from './command.ts'
import { withApp } from './with-app.ts'
import { readTrustLevel } from './workspace.ts'

export const init = defineCommand({
  name: 'init',
  says: 'Creates the first workspace, its owner and an API key. Changes nothing if that was done before.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'the workspace' },
    email: { type: 'string', value: 'ADDRESS', required: true, says: 'the owner' },
    password: {
      type: 'string',
      value: 'PASSWORD',
      says: "the owner's password; without a password, they sign in by link",
    },
    name: { type: 'string', value: 'NAME', says: "the workspace's display name" },
    trust: { type: 'string', value: 'M0..M4', says: 'its trust level; default DEFAULT_TRUST_LEVEL' },
  },
  run: ({ workspace: slug, email, password, name, trust }, config) => {
    const trustLevel = readTrustLevel(trust ?? config().defaultTrustLevel)
    return withApp(
      config(),
      async (app) => {
        if (await hasUsers(app)) throw alreadyInitialised()
        const passwordHash = password === undefined ? null : await app.passwords.hash(password)
        const made = await write(app, async (tx) => {
          if (await hasUsers(tx)) throw alreadyInitialised()
          const workspace = await createWorkspace(tx, { slug, name, trustLevel })
          const user = await createUser(tx, workspace, { email, passwordHash, role: 'owner' })
          const { apiKey } = await createApiKey(tx, workspace.id, { name: 'init' })
          return { workspace, user, apiKey, path: await createLoginLink(tx, user.id) }
        })
        const loginLink = app.config.baseUrl + made.path
        const json = {
          workspaceId: made.workspace.id,
          workspaceSlug: made.workspace.slug,
          apiKey: made.apiKey,
          userId: made.user.id,
          email: made.user.email,
          loginLink,
        }
        return { json, lines: [`Workspace  ${slug}`, `API key    ${made.apiKey}`, `Sign in    ${loginLink}`] }
      },
      { mayMake: true },
    )
  },
})

function alreadyInitialised(): AppError {
  return new AppError('already_initialised', 'This installation was already initialised; nothing was changed.')
}
