// GET /tls/ask?domain=…: whether a proxy may get a certificate for a name (`ask` of Caddy's on-demand TLS). 200 for the host of BASE_URL and
// for link domains that are proved, or are found to be now; else 404. It would tell the world which domains there are, so only the
// operator's proxy may ask; to everybody else there is nothing.

import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { linkDomains } from '../../../db/tables/domains.ts'
import type { App } from '../../core/app.ts'
import { isOfOperator } from '../../core/http/machine-gate.ts'
import { minute } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { checkLinkDomain } from './check.ts'
import { stands } from './link-domains.ts'

/** Of workspaces that ask for the same name, so many are looked at: only one of them can prove it. */
const mostClaims = 5
/** Of each the DNS is asked so often at most. */
const checkEveryMs = minute

export function tlsAskRoutes(app: App) {
  const { tlsAskToken: token } = app.config
  return new Elysia({ detail: { hide: true } }).get('/tls/ask', async ({ query, request, server }) => {
    const { domain = '', token: given } = query
    if (!isOfOperator({ token, given }, request, server))
      throw new AppError('not_found', 'There is nothing at this address.')
    const name = domain.toLowerCase()
    return new Response(null, { status: (await app.share(`tls ask ${name}`, () => mayServe(app, name))) ? 200 : 404 })
  })
}

async function mayServe(app: App, domain: string): Promise<boolean> {
  if (domain === new URL(app.config.baseUrl).hostname) return true
  const rows = await app.db.select().from(linkDomains).where(eq(linkDomains.domain, domain)).limit(mostClaims)
  if (rows.some(stands)) return true
  const askedBefore = app.clock.now().getTime() - checkEveryMs
  const due = rows.filter(({ checkedAt }) => checkedAt === null || checkedAt.getTime() <= askedBefore)
  for (const row of due) if (stands(await checkLinkDomain(app, row))) return true
  return false
}
