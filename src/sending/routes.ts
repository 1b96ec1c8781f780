// Sending one message.

import { Elysia } from 'elysia'
import type { App } from '../app.ts'
import { byRequest } from '../consent/ledger.ts'
import { idempotencyKeyOf, reply } from '../http/idempotency.ts'
import { repeatable, specified } from '../http/operation.ts'
import { auth, type Credential } from '../workspaces/auth.ts'
import { sendAnswer, sendBody } from './schema.ts'
import { acceptSend } from './send.ts'

/** What a request to send says of itself. */
function askedBy(credential: Credential, request: Request) {
  return { key: idempotencyKeyOf(request), evidence: byRequest(credential, 'POST /v1/transactional/send') }
}

export function sendingRoutes(app: App) {
  return (
    new Elysia()
      .use(auth)
      .post(
        '/v1/transactional/send',
        async ({ workspace, credential, body, request, set }) =>
          reply(set, await acceptSend(app, workspace, body, askedBy(credential, request))),
        {
          auth: 'transactional.send',
          body: sendBody,
          response: sendAnswer,
          detail: repeatable(
            specified(
              'send',
              'Render one template and send it to one recipient',
              'Accepted means stored, with the job that delivers it; what became of it is in Email Activity. With an `Idempotency-Key` a repeat gets the first answer (`Idempotency-Replayed: true`) and sends nothing.',
              [404, 409],
            ),
          ),
        },
      )
      // The name that Loops clients use.
      .post(
        '/api/v1/transactional',
        async ({ workspace, credential, body, request, set }) =>
          reply(set, await acceptSend(app, workspace, body, askedBy(credential, request))),
        { auth: 'transactional.send', body: sendBody, response: sendAnswer, detail: { hide: true } },
      )
  )
}
