// Sending one message, and the domains that may send.

import { Elysia, t } from 'elysia'
import type { App } from '../app.ts'
import { idempotencyKeyOf, reply } from '../http/idempotency.ts'
import { auth } from '../workspaces/auth.ts'
import { createDomain, dnsRecordsOf, listDomains, type SendingDomain } from './domains.ts'
import { sendAnswer, sendBody } from './schema.ts'
import { acceptSend } from './send.ts'

const domainView = t.Object({
  id: t.String(),
  domain: t.String(),
  dnsRecords: t.Array(t.Object({ type: t.Literal('TXT'), name: t.String(), value: t.String() }), {
    description: 'To publish, so that receivers can check our signatures.',
  }),
  createdAt: t.String({ format: 'date-time' }),
})

const extension = (operationId: string, summary: string) => ({ operationId, summary, tags: ['Extensions'] })

export function sendingRoutes(app: App) {
  return (
    new Elysia()
      .use(auth)
      .post(
        '/v1/transactional/send',
        async ({ workspace, body, request, set }) =>
          reply(set, await acceptSend(app, workspace, body, idempotencyKeyOf(request))),
        {
          auth: 'transactional.send',
          body: sendBody,
          response: sendAnswer,
          detail: {
            operationId: 'send',
            summary: 'Render one template and send it to one recipient',
            description:
              'Accepted means committed, not delivered: see Email Activity. With an `Idempotency-Key` a repeat gets the first reply (`Idempotency-Replayed: true`) and sends nothing.',
            tags: ['Transactional'],
          },
        },
      )
      // What clients of the family call the same (docs/choices.md, "Family").
      .post(
        '/api/v1/transactional',
        async ({ workspace, body, request, set }) =>
          reply(set, await acceptSend(app, workspace, body, idempotencyKeyOf(request))),
        { auth: 'transactional.send', body: sendBody, response: sendAnswer, detail: { hide: true } },
      )
      .get(
        '/v1/sending-domains',
        async ({ workspace }) => ({ data: (await listDomains(app, workspace.id)).map(toDomainView) }),
        {
          auth: { scope: 'domains.read', session: true },
          response: t.Object({ data: t.Array(domainView) }),
          detail: extension('listDomains', 'List the sending domains'),
        },
      )
      .post(
        '/v1/sending-domains',
        async ({ workspace, body, set }) => {
          set.status = 201
          return toDomainView(await createDomain(app, workspace.id, body.domain))
        },
        {
          auth: { scope: 'domains.write', session: true },
          body: t.Object({ domain: t.String({ maxLength: 253 }) }),
          response: { 201: domainView },
          detail: extension('createDomain', 'Add a sending domain with fresh DKIM keys'),
        },
      )
  )
}

function toDomainView(row: SendingDomain): typeof domainView.static {
  return { id: row.id, domain: row.domain, dnsRecords: dnsRecordsOf(row), createdAt: row.createdAt.toISOString() }
}
