// What receivers report of a sending domain: day by day, server by server, and report by report.

import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { extension } from '../../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { auth } from '../../../people/access/auth.ts'
import { getDomain, loadChecks, publishedDmarc } from '../domains/checks.ts'
import { proposedDmarc, reportAddress } from '../domains/report-address.ts'
import { advise, keyOf, listReceived, listSources, readDays } from './days.ts'
import { judgeRequirements } from './requirements.ts'
import {
  daysView,
  receivedView,
  requirementsView,
  sourceView,
  toAdvice,
  toDay,
  toReceived,
  toRequirement,
  toSource,
  verdict,
} from './schema.ts'

const reading = { scope: 'domains.read', session: true } as const

export function reportRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get(
      '/v1/sending-domains/:domainId/reports',
      async ({ workspace, params, query }) => {
        const domain = await getDomain(app, workspace.id, params.domainId)
        const path = `/v1/sending-domains/${domain.id}/reports`
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listSources(app, domain.id, { ...bounds, verdict: query.verdict })
        return await writePage(app, request, bounds, { rows, total, idOf: keyOf, view: toSource })
      },
      {
        auth: reading,
        query: t.Object({ ...pageQuery, verdict: t.Optional(verdict) }),
        response: pageOf(sourceView),
        detail: extension(
          'listDomainReports',
          'List what receivers report of a domain',
          'For each day the servers that sent as this domain, whose mail it was, and what receivers did with it; the newest day first. Reports that nobody vouches for are left out.',
        ),
      },
    )
    .get(
      '/v1/sending-domains/:domainId/reports/days',
      async ({ workspace, params }) => {
        const domain = await getDomain(app, workspace.id, params.domainId)
        const days = await readDays(app, domain, app.clock.now())
        const check = (await loadChecks(app, [domain.id])).get(domain.id)
        const address = reportAddress(app, domain.id)
        const record = proposedDmarc(publishedDmarc(check), address)
        const advice = toAdvice(advise(days, { policy: check?.dmarcPolicy ?? null, record }), domain.domain)
        return { address, data: days.map(toDay), advice }
      },
      {
        auth: reading,
        response: daysView,
        detail: extension(
          'getDomainReportDays',
          'Count what receivers report of a domain, day by day',
          'The last 30 days: what was handed over, and whose mail receivers saw. A report counts what one receiver saw, not what was delivered. `advice` proposes a policy of DMARC; it is never changed by itself.',
        ),
      },
    )
    .get(
      '/v1/sending-domains/:domainId/reports/received',
      async ({ workspace, params, query }) => {
        const domain = await getDomain(app, workspace.id, params.domainId)
        const path = `/v1/sending-domains/${domain.id}/reports/received`
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listReceived(app, domain.id, bounds)
        return await writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toReceived })
      },
      {
        auth: reading,
        query: t.Object(pageQuery),
        response: pageOf(receivedView),
        detail: extension(
          'listReceivedDomainReports',
          'List the reports that came about a domain',
          'Each report with its reporter and what it said, newest first; also those that nobody vouches for, which count nowhere.',
        ),
      },
    )
    .get(
      '/v1/sending-domains/:domainId/requirements',
      async ({ workspace, params }) => {
        const domain = await getDomain(app, workspace.id, params.domainId)
        return { data: (await judgeRequirements(app, domain)).map(toRequirement) }
      },
      {
        auth: reading,
        response: requirementsView,
        detail: extension(
          'getDomainRequirements',
          'Show which requirements of large receivers a domain meets',
          'Each requirement of Gmail, Yahoo and Microsoft: met, not met or unknown, with the evidence. A refusal by a receiver counts for more than what is known here.',
        ),
      },
    )
}
