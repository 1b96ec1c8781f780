// A person's legal rights: access to their data, and erasure.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { App } from '../../core/app.ts'
import { jsonStream } from '../../core/http/json-stream.ts'
import { extension } from '../../core/http/operation.ts'
import { getContact } from '../../features/contacts/consent/find-contact.ts'
import { auth } from '../../people/access/auth.ts'
import { erasePerson } from './erase.ts'
import { exportPerson } from './export.ts'
import { timelineRoutes } from './timeline-routes.ts'

const records = t.Array(t.Object({}, { additionalProperties: t.Unknown() }))
const record = t.Object({}, { additionalProperties: t.Unknown() })

const personView = t.Object({
  exportedAt: t.String({ format: 'date-time' }),
  contact: record,
  subscriptions: records,
  consent: records,
  confirmations: records,
  suppression: Type.Union([record, Type.Null()]),
  messages: records,
  events: records,
  ruleRuns: records,
  sequenceRuns: records,
  paymentCustomers: records,
})

const erasedView = t.Object({
  success: t.Literal(true),
  message: t.String(),
  messages: Type.Integer(),
  events: Type.Integer(),
  consentRecords: Type.Integer(),
  suppressed: t.Boolean({ description: 'Whether the hash of the address stays suppressed.' }),
})

export function privacyRoutes(app: App) {
  return new Elysia().use(timelineRoutes(app)).use(rightsRoutes(app))
}

function rightsRoutes(app: App) {
  return new Elysia({ prefix: '/v1/contacts' })
    .use(auth)
    .get(
      '/:contactId/export',
      async ({ workspace, params }) => {
        const person = await exportPerson(app, await getContact(app, workspace.id, params.contactId))
        return new Response(jsonStream(person), { headers: { 'content-type': 'application/json' } })
      },
      {
        auth: { scope: 'contacts.read', session: 'member' },
        response: personView,
        detail: extension(
          'exportContact',
          'Export everything that is stored about one person',
          'GDPR, Articles 15 and 20: the contact, lists, consent, suppression, mails (those not rendered from a template with their content, while it is stored) and events.',
        ),
      },
    )
    .delete(
      '/:contactId/data',
      async ({ workspace, params }) => {
        const erased = await erasePerson(app, workspace.id, params.contactId)
        return { success: true as const, message: 'Everything about this person was erased.', ...erased }
      },
      {
        auth: { scope: 'contacts.write', session: true },
        response: erasedView,
        detail: extension(
          'eraseContact',
          'Erase one person',
          'GDPR, Article 17. Unsent mail is cancelled. If the address is suppressed, only its hash is kept, so that it stays suppressed. This cannot be undone.',
        ),
      },
    )
}
