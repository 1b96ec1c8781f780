// Resend: its errors, its routes, and which of its calls have no equivalent here.

import { Elysia } from 'elysia'
import { ownValue } from '../../kit/own-value.ts'
import type { Dialect } from './dialect.ts'
import { resendContactRoutes } from './resend-contacts.ts'
import { resendMailRoutes } from './resend-mail.ts'
import { resendSuppressionRoutes } from './resend-suppressions.ts'

const names: Record<string, string> = {
  unauthorized: 'missing_api_key',
  invalid_api_key: 'invalid_api_key',
  insufficient_scope: 'restricted_api_key',
  domain_not_verified: 'invalid_from_address',
  missing_required_field: 'missing_required_field',
  idempotency_key_mismatch: 'invalid_idempotent_request',
  idempotency_key_in_use: 'concurrent_idempotent_requests',
  limit_reached: 'daily_quota_exceeded',
  rate_limit_exceeded: 'rate_limit_exceeded',
  method_not_allowed: 'method_not_allowed',
  attachment_type_not_allowed: 'invalid_attachment',
  attachment_too_large: 'invalid_attachment',
  too_many_attachments: 'invalid_attachment',
}

export const resend: Dialect = {
  name: 'resend',
  service: 'Resend',
  refusal({ status, code, detail }) {
    const byStatus = status === 404 ? 'not_found' : status >= 500 ? 'application_error' : 'validation_error'
    return { status, body: { statusCode: status, name: ownValue(names, code) ?? byStatus, message: detail } }
  },
  routes: (app) =>
    new Elysia().use(resendMailRoutes(app)).use(resendContactRoutes(app)).use(resendSuppressionRoutes(app)),
  absent: [
    ['figures: GET /v1/stats', /^GET \/(emails\/metrics|usage)$/],
    ['the log: GET /v1/activity', /^GET \/logs/],
    ['mailboxes: GET /v1/mailboxes/{mailboxId}/messages', / \/(inboxes|emails\/receiving)/],
    ['what was sent: GET /v1/messages/{messageId}/content', / \/emails\/[^/]+\/(share|attachments)/],
    ['an import: POST /v1/contacts/import', / \/contacts\/imports/],
    ['mailing lists: /v1/mailing-lists', / \/(topics|contacts\/[^/]+\/topics)/],
    ['properties of contacts: PATCH /v1/contacts/{contactId}', / \/contact-properties/],
    ['the DNS record that proves its ownership: POST /v1/sending-domains', / \/domains\/(claim$|[^/]+\/claim)/],
    ['sending domains: /v1/sending-domains', /^PATCH \/domains/],
    ['campaigns: /v1/campaigns', / \/broadcasts/],
    ['templates: /v1/transactional', / \/templates/],
    ['event rules: /v1/event-rules', / \/automations/],
    ['events: POST /v1/events/send', / \/events/],
    ['webhooks: /v1/webhook-endpoints', / \/webhooks/],
    ['API keys: /v1/api-keys', / \/(api-keys|oauth)/],
  ],
}
