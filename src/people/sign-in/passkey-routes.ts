// Passkeys over HTTP: those of the person who is signed in, and signing in with one. Each takes two calls: options for the browser, then
// its answer, with the cookie of the first.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { createDeviceOf } from '../../core/http/client-ip.ts'
import { extension, looking } from '../../core/http/operation.ts'
import { signInCall } from '../../core/http/surface.ts'
import { auth } from '../access/auth.ts'
import { sessionCookies, sessionToken } from '../access/cookie.ts'
import { loginView, signedIn, successBody, toPlaceViews, toUserView } from '../access/schema.ts'
import { listPlaces } from '../access/users.ts'
import { expectPassword } from './login.ts'
import { getChallenge, newChallenge } from './passkeys/challenge.ts'
import {
  addPasskey,
  creationOptions,
  listPasskeys,
  loginWithPasskey,
  removePasskey,
  renamePasskey,
  requestOptions,
} from './passkeys/passkeys.ts'
import { whyNoPasskeys } from './passkeys/relying-party.ts'
import {
  addBody,
  beginBody,
  creationView,
  loginBody,
  passkeyList,
  passkeyView,
  renameBody,
  requestView,
  toPasskeyView,
} from './passkeys/schema.ts'

export function passkeyRoutes(app: App) {
  return new Elysia({ prefix: '/v1/auth' }).use(ownPasskeys(app)).use(changingPasskeys(app)).use(passkeyLogin(app))
}

function ownPasskeys(app: App) {
  const deviceOf = createDeviceOf(app.config.trustedProxies)
  return new Elysia({ prefix: '/passkeys' })
    .use(auth)
    .get(
      '',
      async ({ caller }) => ({
        data: (await listPasskeys(app, signedIn(caller).userId)).map(toPasskeyView),
        unavailable: whyNoPasskeys(app.config),
      }),
      {
        session: 'viewer',
        response: passkeyList,
        detail: extension(
          'listPasskeys',
          'List your passkeys',
          'Returns your passkeys, at most 20, in the order in which they were added.',
        ),
      },
    )
    .post(
      '/options',
      async ({ workspace, credential, body, request, server, set }) => {
        const { tokenHash } = signedIn({ workspace, credential })
        const person = toUserView({ workspace, credential })
        const device = deviceOf(request, server)
        await expectPassword(app, { email: person.email, password: body.currentPassword, device })
        const { challenge, cookie } = await newChallenge(app, { tokenHash })
        const options = await creationOptions(app, person, challenge)
        set.headers['set-cookie'] = cookie
        return options
      },
      {
        session: 'viewer',
        body: beginBody,
        response: creationView,
        detail: {
          ...extension(
            'beginPasskey',
            'Get the options for creating a passkey',
            'For `navigator.credentials.create()`. The challenge can be used once, within five minutes, with the cookie of this response and this session. 409 if passkeys are not available: `unavailable` in the list of passkeys says why.',
            [409, 422],
          ),
          ...looking,
        },
      },
    )
    .post(
      '',
      async ({ workspace, credential: caller, body: { name = 'Passkey', credential }, request, set }) => {
        const { userId, tokenHash } = signedIn({ workspace, credential: caller })
        const challenge = await getChallenge(app, request, { tokenHash })
        const { id, response: answer } = credential
        const passkey = await addPasskey(app, {
          ...{ userId, name, challenge, id, answer },
          transports: answer.transports ?? [],
        })
        set.status = 201
        return toPasskeyView(passkey)
      },
      {
        session: 'viewer',
        body: addBody,
        response: { 201: passkeyView },
        detail: extension(
          'addPasskey',
          'Add a passkey',
          'Takes the result of `navigator.credentials.create()`, with its bytes as base64url. 409 if the challenge was already used, has expired, or belongs to another session.',
          [409, 422],
        ),
      },
    )
}

function changingPasskeys(app: App) {
  return new Elysia({ prefix: '/passkeys' })
    .use(auth)
    .patch(
      '/:passkeyId',
      async ({ workspace, credential, params, body }) => {
        const { userId } = signedIn({ workspace, credential })
        const { name } = body
        return toPasskeyView(await write(app, (tx) => renamePasskey(tx, { userId, id: params.passkeyId, name })))
      },
      {
        session: 'viewer',
        body: renameBody,
        response: passkeyView,
        detail: extension(
          'renamePasskey',
          'Rename one of your passkeys',
          'The name helps you tell your passkeys apart.',
        ),
      },
    )
    .delete(
      '/:passkeyId',
      async ({ workspace, credential, params }) => {
        const asking = signedIn({ workspace, credential })
        await write(app, (tx) => removePasskey(tx, params.passkeyId, asking))
        return { success: true as const, message: 'This passkey can no longer be used to sign in.' }
      },
      {
        session: 'viewer',
        response: successBody,
        detail: extension(
          'removePasskey',
          'Remove one of your passkeys',
          'It can no longer be used to sign in. Your other sessions end, and unused login links become invalid. The device keeps its part of the passkey until you delete it there.',
        ),
      },
    )
}

function passkeyLogin(app: App) {
  const deviceOf = createDeviceOf(app.config.trustedProxies)
  return new Elysia({ prefix: '/login/passkey' })
    .post(
      '/options',
      async ({ set }) => {
        const { challenge, cookie } = await newChallenge(app, 'sign-in')
        set.headers['set-cookie'] = cookie
        return requestOptions(app, challenge)
      },
      {
        response: requestView,
        detail: {
          ...extension(
            'beginPasskeyLogin',
            'Get the options for signing in with a passkey',
            'For `navigator.credentials.get()`. The challenge can be used once, within five minutes, with the cookie of this response.',
            [403, 409],
          ),
          ...looking,
          ...signInCall,
        },
      },
    )
    .post(
      '',
      async ({ body: { credential }, request, server, set }) => {
        const challenge = await getChallenge(app, request, 'sign-in')
        const { id, response: answer } = credential
        const visit = { device: deviceOf(request, server), oldToken: sessionToken(app, request.headers.get('cookie')) }
        const userHandle = answer.userHandle ?? null
        const { user, token } = await loginWithPasskey(app, { challenge, id, userHandle, answer, ...visit })
        set.headers['set-cookie'] = sessionCookies(app, token)
        const { email, name } = user
        const workspaces = toPlaceViews(await listPlaces(app, user.id))
        return { success: true as const, user: { id: user.id, email, name }, workspaces }
      },
      {
        body: loginBody,
        response: loginView,
        detail: {
          ...extension(
            'loginWithPasskey',
            'Sign in with a passkey',
            'Takes the result of `navigator.credentials.get()`, with its bytes as base64url. No password and no code is required, because the device has verified the person. Sets the cookie `session`, as `POST /v1/auth/login` does.',
            [401, 403, 409],
          ),
          ...signInCall,
        },
      },
    )
}
