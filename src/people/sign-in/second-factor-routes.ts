// The second factor of the person who is signed in.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { createDeviceOf } from '../../core/http/client-ip.ts'
import { extension } from '../../core/http/operation.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { auth } from '../access/auth.ts'
import { signedIn, successBody } from '../access/schema.ts'
import { expectPassword } from './login.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  expectCode,
  removeSecondFactor,
  secondFactorState,
} from './second-factor.ts'

const code = t.String({
  maxLength: 40,
  description: 'Six digits from the authenticator app, or a recovery code.',
  examples: ['123456'],
})

const stateView = t.Object({
  enabled: t.Boolean({ description: 'Whether signing in with your password requires a code.' }),
  since: t.Union([t.String({ format: 'date-time' }), t.Null()]),
  recoveryCodesLeft: Type.Integer(),
})
const beginBody = refusing(
  t.Object({
    currentPassword: t.Optional(
      t.String({ maxLength: 1024, description: 'Your password; not needed if you have none.' }),
    ),
  }),
)
const secretView = t.Object({
  secret: t.String({ description: 'To type into the app. It is shown only once.' }),
  uri: t.String({ description: '`otpauth://totp/…`, to show as a QR code.' }),
})

export function secondFactorRoutes(app: App) {
  const deviceOf = createDeviceOf(app.config.trustedProxies)
  return new Elysia({ prefix: '/v1/auth/second-factor' })
    .use(auth)
    .get(
      '',
      async ({ caller }) => {
        const { since, recoveryCodesLeft } = await secondFactorState(app, signedIn(caller).userId)
        return { enabled: since !== null, since: since?.toISOString() ?? null, recoveryCodesLeft }
      },
      {
        session: 'viewer',
        response: stateView,
        detail: extension(
          'getSecondFactor',
          'Check whether signing in requires a code',
          'The response also has the number of recovery codes that are left.',
        ),
      },
    )
    .post(
      '',
      async ({ workspace, credential, body, request, server, set }) => {
        const { userId, email } = signedIn({ workspace, credential })
        await expectPassword(app, { email, password: body.currentPassword, device: deviceOf(request, server) })
        set.status = 201
        return await beginSecondFactor(app, { userId, email })
      },
      {
        session: 'viewer',
        body: beginBody,
        response: { 201: secretView },
        detail: extension(
          'beginSecondFactor',
          'Get a secret for an authenticator app',
          'Nothing changes until it is confirmed with a code from the app: POST …/confirm.',
          [409, 422],
        ),
      },
    )
    .post(
      '/confirm',
      async ({ workspace, credential, body }) => {
        const asking = signedIn({ workspace, credential })
        return { success: true as const, recoveryCodes: await confirmSecondFactor(app, asking, body.code) }
      },
      {
        session: 'viewer',
        body: refusing(t.Object({ code })),
        response: t.Object({
          success: t.Literal(true),
          recoveryCodes: t.Array(t.String(), { description: 'Each works once in place of a code. Shown only once.' }),
        }),
        detail: extension(
          'confirmSecondFactor',
          'Require a code at each sign-in',
          'Takes a current code from the app, and returns ten recovery codes in case it is lost. Your other sessions end, and unused login links become invalid, because they were issued without a code.',
          [409],
        ),
      },
    )
    .delete(
      '',
      async ({ workspace, credential, body }) => {
        const asking = signedIn({ workspace, credential })
        await expectCode(app, asking.userId, body.code)
        await write(app, (tx) => removeSecondFactor(tx, asking))
        return { success: true as const, message: 'Signing in no longer requires a code.' }
      },
      {
        session: 'viewer',
        body: refusing(t.Object({ code })),
        response: successBody,
        detail: extension(
          'removeSecondFactor',
          'Stop requiring a code',
          'Requires a code, so that nobody can do this with a session that was left open. Your other sessions end. If the app and the recovery codes are lost, the operator can run `paquebot user reset-second-factor`.',
        ),
      },
    )
}
