// API keys over REST: made, listed, revoked.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { AppError } from '../../kit/error.ts'
import { ensureTestWorkspace } from '../test-workspace.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { auth, type Credential, isOwnerInPerson, toGrantor } from './auth.ts'
import { apiKeyBody, apiKeyList, apiKeyTestView, newApiKeyView, successBody, toApiKeyView } from './schema.ts'
import { covers, isScope, ofInstallation } from './scopes.ts'

export function apiKeyRoutes(app: App) {
  return new Elysia({ prefix: '/v1' })
    .use(auth)
    .get('/api-key', ({ workspace }) => ({ success: true as const, teamName: workspace.name }), {
      auth: 'any',
      response: apiKeyTestView,
      detail: {
        ...extension(
          'testApiKey',
          'Check whether the API key works',
          '200 with the name of the workspace when the key works. Needs no scope.',
        ),
        command: false,
      },
    })
    .get('/api-keys', async ({ workspace }) => ({ data: (await listApiKeys(app, workspace.id)).map(toApiKeyView) }), {
      auth: { scope: 'api-keys.read', session: true },
      response: apiKeyList,
      detail: extension(
        'listApiKeys',
        'List active API keys',
        'Name, scopes, creator and last use of every key that was not revoked; never the key itself.',
      ),
    })
    .post(
      '/api-keys',
      async ({ workspace, credential, body, set }) => {
        refuseWiderScopes(credential, body.scopes ?? ['full'])
        if (body.scopes?.includes(ofInstallation)) expectOwner(credential)
        const { row, apiKey } = await write(app, async (tx) => {
          const home = body.test ? await ensureTestWorkspace(tx, workspace) : workspace
          return await createApiKey(tx, home.id, { ...body, grantor: toGrantor(credential) })
        })
        set.status = 201
        return { ...toApiKeyView(row), apiKey }
      },
      {
        auth: { scope: 'api-keys.write', session: true },
        body: apiKeyBody,
        response: { 201: newApiKeyView },
        detail: extension(
          'createApiKey',
          'Create an API key; it is shown only once',
          'The key is in this response and is never shown again. An API key cannot create a key with more scopes than its own: 403. Whatever its scopes, a key may never do more than the person who created it: if that person’s role is reduced later, the key is limited as well. The scope `workspaces.manage` is of keys of the first workspace alone, and only a signed-in owner gives it. `test: true` creates a test key; the first one also creates the test workspace. A test key can create only test keys.',
        ),
      },
    )
    .delete(
      '/api-keys/:keyId',
      async ({ workspace, params }) => {
        await write(app, (tx) => revokeApiKey(tx, workspace.id, params.keyId))
        return { success: true as const, message: 'API key revoked.' }
      },
      {
        auth: { scope: 'api-keys.write', session: true },
        response: successBody,
        detail: extension(
          'revokeApiKey',
          'Revoke an API key at once',
          'Requests with this key are refused from now on. This cannot be undone.',
        ),
      },
    )
}

/** Whoever may make workspaces is chosen in person. */
function expectOwner(credential: Credential): void {
  if (isOwnerInPerson(credential)) return
  throw new AppError('insufficient_role', `Only a signed-in owner can create a key with the scope ${ofInstallation}.`)
}

/** A key cannot create a key with more rights than its own. */
function refuseWiderScopes(credential: Credential, wanted: string[]): void {
  if (credential.kind !== 'api_key') return
  const wider = wanted.find((scope) => isScope(scope) && !covers(credential.scopes, scope))
  if (wider) throw new AppError('insufficient_scope', `This API key cannot grant the scope ${wider}.`)
}
