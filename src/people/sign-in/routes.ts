// Signing in and out, and a new password.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { createDeviceOf } from '../../core/http/client-ip.ts'
import { extension } from '../../core/http/operation.ts'
import { signInCall } from '../../core/http/surface.ts'
import { auth } from '../access/auth.ts'
import { noSessionCookies, sessionCookies, sessionToken } from '../access/cookie.ts'
import {
  loginBody,
  loginView,
  passwordBody,
  sessionView,
  successBody,
  toPlaceViews,
  toUserView,
} from '../access/schema.ts'
import { endSession } from '../access/sessions.ts'
import { listPlaces } from '../access/users.ts'
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
          workspaces: toPlaceViews(await listPlaces(app, id)),
        }
      },
      {
        body: loginBody,
        response: loginView,
        detail: {
          ...extension(
            'login',
            'Sign in with a password',
            'Sets the cookie `session`, which other routes accept, and the same value as `session_ID`, where ID is the id of the installation, so that another installation on the same host does not overwrite it. The session ends 12 hours after its last use, or after 30 days. At most 5 wrong passwords in 5 minutes from one IP address.',
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
      async ({ caller }) => {
        const user = toUserView(caller)
        const places = await listPlaces(app, user.id)
        return { user, workspaceId: caller.workspace.id, workspaces: toPlaceViews(places) }
      },
      {
        session: true,
        response: sessionView,
        detail: extension(
          'getSession',
          'Who is signed in',
          'Returns the signed-in user, their workspaces, and the workspace of this request.',
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
          'Requires the current password. Every other session of the user ends, and this response sets the cookie of a new session.',
        ),
      },
    )
}
