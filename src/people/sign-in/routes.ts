// Signing in and out, and the workspace's own settings: keys and brand.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { createDeviceOf } from '../../core/http/client-ip.ts'
import { extension } from '../../core/http/operation.ts'
import { signInCall } from '../../core/http/surface.ts'
import { AppError } from '../../kit/error.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../access/api-keys.ts'
import { auth, type Credential, isOwnerInPerson, toGrantor } from '../access/auth.ts'
import { noSessionCookies, sessionCookies, sessionToken } from '../access/cookie.ts'
import {
  apiKeyBody,
  apiKeyList,
  apiKeyTestView,
  loginBody,
  loginView,
  newApiKeyView,
  passwordBody,
  sessionView,
  successBody,
  toApiKeyView,
  toPlaceViews,
  toUserView,
  toWorkspaceView,
  workspaceBody,
  workspaceView,
} from '../access/schema.ts'
import { covers, isScope } from '../access/scopes.ts'
import { endSession } from '../access/sessions.ts'
import { listMemberships } from '../access/users.ts'
import { allowsTheSame } from '../attachment-types.ts'
import { ensureTestWorkspace } from '../test-workspace.ts'
import { getWorkspace, updateWorkspace } from '../workspaces.ts'
import { changePassword, login } from './login.ts'

export function authRoutes(app: App) {
  const deviceOf = createDeviceOf(app.config.trustedProxies)
  return new Elysia({ prefix: '/v1/auth' })
    .use(auth)
    .post(
      '/login',
      async ({ body, request, server, set }) => {
        const oldToken = sessionToken(app, request.headers.get('cookie'))
        const { user, token } = await login(app, { ...body, device: deviceOf(request, server), oldToken })
        set.headers['set-cookie'] = sessionCookies(app, token)
        const { id, email, name } = user
        return {
          success: true as const,
          user: { id, email, name },
          workspaces: toPlaceViews(await listMemberships(app, id)),
        }
      },
      {
        body: loginBody,
        response: loginView,
        detail: {
          ...extension(
            'login',
            'Sign in with a password',
            'Sets the cookie `session`, which other routes accept, and the same value as `session_ID` with the id of the installation, which no other installation at this host overwrites. It ends 12 hours after its last use, or after 30 days. At most 5 wrong passwords in 5 minutes from one address.',
            [401, 403],
          ),
          ...signInCall,
        },
      },
    )
    .post(
      '/logout',
      async ({ credential, set }) => {
        if (credential.kind === 'session') await write(app, (tx) => endSession(tx, credential.tokenHash))
        set.headers['set-cookie'] = noSessionCookies(app)
        return { success: true as const, message: 'Signed out.' }
      },
      {
        session: 'viewer',
        response: successBody,
        detail: extension(
          'logout',
          'End the session',
          'Ends this session at once and clears its cookie; other sessions of the user continue.',
        ),
      },
    )
    .get(
      '/session',
      async (caller) => {
        const user = toUserView(caller)
        const places = await listMemberships(app, user.id)
        return { user, workspaceId: caller.workspace.id, workspaces: toPlaceViews(places) }
      },
      {
        session: true,
        response: sessionView,
        detail: extension(
          'getSession',
          'Who is signed in',
          'The signed-in user, their workspaces, and the workspace of this request.',
        ),
      },
    )
    .post(
      '/password',
      async ({ workspace, credential, body, request, server, set }) => {
        const { email } = toUserView({ workspace, credential })
        const token = await changePassword(app, { email, ...body, device: deviceOf(request, server) })
        set.headers['set-cookie'] = sessionCookies(app, token)
        return { success: true as const, message: 'Password changed. Other sessions have ended.' }
      },
      {
        session: 'viewer',
        body: passwordBody,
        response: successBody,
        detail: extension(
          'changePassword',
          'Change the password; ends all other sessions',
          'Requires the current password. Every other session of the user ends, and this answer sets the cookie of a new one.',
        ),
      },
    )
}

export function workspaceRoutes(app: App) {
  return new Elysia({ prefix: '/v1' }).use(keyRoutes(app)).use(placeRoutes(app))
}

function keyRoutes(app: App) {
  return new Elysia()
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
        'List the API keys that work',
        'Names, scopes, makers and last use of all keys that were not revoked; never a key itself.',
      ),
    })
    .post(
      '/api-keys',
      async ({ workspace, credential, body, set }) => {
        refuseWiderScopes(credential, body.scopes ?? ['full'])
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
          'Make an API key, shown only once',
          'The key is in this answer and is never shown again. An API key cannot make one with more scopes than its own: 403. A key may never do more than the person who made it, whatever its scopes: not now, and not with a lesser role later. `test: true` makes a test key, and with the first one the test workspace; a test key makes only test keys.',
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

function placeRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get('/workspace', ({ workspace }) => toWorkspaceView(workspace), {
      auth: { scope: 'workspace.read', session: true },
      response: workspaceView,
      detail: extension(
        'getWorkspace',
        'Read the workspace: name, brand, locale, time zone',
        'Name, brand, primary locale, time zone and trust level of the workspace that the credential belongs to.',
      ),
    })
    .patch(
      '/workspace',
      async ({ workspace, credential, body }) => {
        const changed = await write(app, async (tx) => {
          const before = await getWorkspace(tx, workspace.id)
          const after = await updateWorkspace(tx, workspace.id, body)
          if (!allowsTheSame(before, after)) expectOwner(credential)
          return after
        })
        return toWorkspaceView(changed)
      },
      {
        auth: { scope: 'workspace.write', session: true },
        body: workspaceBody,
        response: workspaceView,
        detail: extension(
          'updateWorkspace',
          'Change name, brand, locale, time zone or attachments',
          'Only the fields that are given change; `null` clears a field of the brand. `attachmentTypes` and `maxAttachments` are changed by an owner who is signed in. The brand fills variables such as `company_name` in mail sent from now on.',
        ),
      },
    )
}

/** What a mail may carry is no matter of a key. */
function expectOwner(credential: Credential): void {
  if (isOwnerInPerson(credential)) return
  throw new AppError(
    'insufficient_role',
    'attachmentTypes and maxAttachments are changed by an owner of the workspace who is signed in.',
  )
}

/** A key cannot create a key with more rights than its own. */
function refuseWiderScopes(credential: Credential, wanted: string[]): void {
  if (credential.kind !== 'api_key') return
  const wider = wanted.find((scope) => isScope(scope) && !covers(credential.scopes, scope))
  if (wider) throw new AppError('insufficient_scope', `This API key cannot grant the scope ${wider}.`)
}
