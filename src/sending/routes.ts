// Sending one message, and the domains that may send.

import { Elysia, t } from 'elysia'
import type { App } from '../app.ts'
import { idempotencyKeyOf, reply } from '../http/idempotency.ts'
import { refusing } from '../http/unknown-fields.ts'
import { auth } from '../workspaces/auth.ts'
import { checksOf, type DomainCheck, getDomain, standingOf } from './domain-checks.ts'
import { createDomain, dnsRecordsOf, listDomains, type SendingDomain } from './domains.ts'
import { sendAnswer, sendBody } from './schema.ts'
import { acceptSend } from './send.ts'

const verdict = t.Union([t.Literal('ok'), t.Literal('missing'), t.Literal('wrong'), t.Literal('unknown')])

const domainView = t.Object({
  id: t.String(),
  domain: t.String(),
  dnsRecords: t.Array(t.Object({ type: t.Literal('TXT'), name: t.String(), value: t.String() }), {
    description: 'To publish, so that receivers can check our signatures.',
  }),
  status: t.Union([t.Literal('pending'), t.Literal('verified'), t.Literal('failed')], {
    description: 'pending: the DNS was not asked yet. verified: it holds our DKIM key.',
  }),
  dkim: t.Union([verdict, t.Null()]),
  spf: t.Union([verdict, t.Null()]),
  dmarc: t.Union([verdict, t.Null()], { description: 'Campaigns need one from trust level M2 on.' }),
  detail: t.Union([t.String(), t.Null()], { description: 'What is missing or wrong.' }),
  checkedAt: t.Union([t.String({ format: 'date-time' }), t.Null()]),
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
        async ({ workspace }) => {
          const rows = await listDomains(app, workspace.id)
          const checks = await checksOf(
            app,
            rows.map(({ id }) => id),
          )
          return { data: rows.map((row) => toDomainView(row, checks.get(row.id))) }
        },
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
          body: refusing(t.Object({ domain: t.String({ maxLength: 253 }) })),
          response: { 201: domainView },
          detail: extension('createDomain', 'Add a sending domain with fresh DKIM keys'),
        },
      )
      .post(
        '/v1/sending-domains/:domainId/verify',
        async ({ workspace, params }) => {
          const row = await getDomain(app, workspace.id, params.domainId)
          const { check } = await standingOf(app, row, 0)
          return toDomainView(row, check)
        },
        {
          auth: { scope: 'domains.write', session: true },
          response: domainView,
          detail: extension('verifyDomain', 'Ask the DNS now whether the domain is set up'),
        },
      )
  )
}

function toDomainView(row: SendingDomain, check?: DomainCheck): typeof domainView.static {
  const { id, domain, createdAt } = row
  return {
    id,
    domain,
    dnsRecords: dnsRecordsOf(row),
    status: check === undefined ? 'pending' : isVerified(check) ? 'verified' : 'failed',
    dkim: check?.dkim ?? null,
    spf: check?.spf ?? null,
    dmarc: check?.dmarc ?? null,
    detail: check?.detail ?? null,
    checkedAt: check?.checkedAt.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

/** While the DNS does not answer, what it said last. */
function isVerified({ dkim, dkimGoodAt }: DomainCheck): boolean {
  return dkim === 'ok' || (dkim === 'unknown' && dkimGoodAt !== null)
}
