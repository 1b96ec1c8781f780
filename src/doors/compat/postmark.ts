// Postmark: its keys, its errors, its routes, and which of its calls have no equivalent here.

import { Elysia } from 'elysia'
import { ownValue } from '../../kit/own-value.ts'
import type { Dialect } from './dialect.ts'
import { postmarkBounceRoutes } from './postmark-bounces.ts'
import { codes, postmarkRoutes, root } from './postmark-mail.ts'
import { postmarkStatsRoutes } from './postmark-stats.ts'

export const postmark: Dialect = {
  name: 'postmark',
  service: 'Postmark',
  authorization(headers) {
    const token = headers.get('x-postmark-server-token') ?? headers.get('x-postmark-account-token')
    return token === null ? null : `Bearer ${token}`
  },
  refusal({ status, code, detail, instance }) {
    const isBounce = code === 'not_found' && instance.startsWith(`${root}/bounces`)
    const shownCode = isBounce ? 407 : (ownValue(codes, code) ?? 300)
    const isToken = shownCode === 10
    // Its clients take any other 4xx for a fault of theirs.
    const shown = isToken ? 401 : status < 500 && status !== 429 ? 422 : status
    return { status: shown, body: { ErrorCode: shownCode, Message: detail } }
  },
  routes: (app) => new Elysia().use(postmarkRoutes(app)).use(postmarkBounceRoutes(app)).use(postmarkStatsRoutes(app)),
  absent: [
    ['campaigns: /v1/campaigns', / \/email\/bulk/],
    ['the detail of the bounce, or GET /v1/activity/{messageId}', /^GET \/bounces\/[^/]+\/dump/],
    ['templates: /v1/transactional', / \/templates/],
    ['the workspace: /v1/workspace', / \/servers?(\/|$)/],
    ['what was sent: GET /v1/messages/{messageId}/content', /^GET \/messages\/outbound\/[^/]+\/dump/],
    ['figures: GET /v1/stats', / \/(stats\/outbound\/(?!(sends|spam)\/?$).|messages\/outbound\/(opens|clicks))/],
    ['the log: GET /v1/activity', / \/messages\/outbound/],
    ['mailboxes: GET /v1/mailboxes/{mailboxId}/messages', / \/(messages\/inbound|triggers)/],
    ['webhooks: /v1/webhook-endpoints', / \/webhooks/],
    ['mailing lists: /v1/mailing-lists', / \/message-streams(\/[^/]+(\/(un)?archive)?)?$/],
    ['sending domains: /v1/sending-domains', / \/(domains|senders)/],
    ['the data of a person: DELETE /v1/contacts/{contactId}/data', / \/data-removals/],
  ],
}
