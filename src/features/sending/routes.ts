// Sending one message.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { readIdempotencyKey, reply } from '../../core/http/idempotency.ts'
import { extension, repeatable, specified } from '../../core/http/operation.ts'
import { wholeMail } from '../../core/http/surface.ts'
import { auth, type Credential } from '../../people/access/auth.ts'
import { byRequest } from '../contacts/consent/ledger.ts'
import { batchAnswer, batchBody, sendAnswer, sendBody } from './schema.ts'
import { acceptSend } from './send.ts'
import { acceptBatch } from './send-batch.ts'

/** What a send takes from its request besides the body. */
function askedBy(credential: Credential, request: Request) {
  return { key: readIdempotencyKey(request), evidence: byRequest(credential, 'POST /v1/transactional/send') }
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
          detail: {
            ...repeatable(
              specified(
                'send',
                'Render one template and send it to one recipient',
                'Accepted means that the message and its delivery job are stored, not that it was delivered; see Email Activity for its status. With an `Idempotency-Key`, a repeat gets the first response (`Idempotency-Replayed: true`) and sends nothing.',
                [404, 409],
              ),
            ),
            ...wholeMail,
          },
        },
      )
      .post(
        '/v1/transactional/send-batch',
        async ({ workspace, credential, body, request, set }) => {
          const evidence = byRequest(credential, 'POST /v1/transactional/send-batch')
          return reply(set, await acceptBatch(app, workspace, body, { key: readIdempotencyKey(request), evidence }))
        },
        {
          auth: 'transactional.send',
          body: batchBody,
          response: batchAnswer,
          detail: {
            ...repeatable(
              extension(
                'sendBatch',
                'Send up to 500 messages in one request',
                'Each message has its own result, in the order of the request: a refused message does not affect the others. All accepted messages are stored in one transaction. With an `Idempotency-Key`, which applies to the whole batch, a repeat gets the first response. At most 1,000 recipients and 25 MB in total.',
              ),
            ),
            ...wholeMail,
          },
        },
      )
      // The name that Loops clients use.
      .post(
        '/api/v1/transactional',
        async ({ workspace, credential, body, request, set }) =>
          reply(set, await acceptSend(app, workspace, body, askedBy(credential, request))),
        { auth: 'transactional.send', body: sendBody, response: sendAnswer, detail: { hide: true, ...wholeMail } },
      )
  )
}
