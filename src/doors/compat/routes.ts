// The routes of clients of other services. They are not in the OpenAPI document, which describes what is ours: each of them is described by
// the service whose words it speaks.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { loopsRoutes } from './loops.ts'
import { postmarkRoutes } from './postmark.ts'
import { postmarkBounceRoutes } from './postmark-bounces.ts'
import { postmarkStatsRoutes } from './postmark-stats.ts'
import { resendMailRoutes } from './resend.ts'
import { resendContactRoutes } from './resend-contacts.ts'
import { resendSuppressionRoutes } from './resend-suppressions.ts'
import { sendgridRoutes } from './sendgrid.ts'
import { sesRoutes } from './ses.ts'

export function compatRoutes(app: App) {
  return new Elysia()
    .use(loopsRoutes(app))
    .use(resendMailRoutes(app))
    .use(resendContactRoutes(app))
    .use(resendSuppressionRoutes(app))
    .use(postmarkRoutes(app))
    .use(postmarkBounceRoutes(app))
    .use(postmarkStatsRoutes(app))
    .use(sendgridRoutes(app))
    .use(sesRoutes(app))
}
