// Payments: the settings (session only), the provider's callback (a signature is its credential), and the archive.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { alias, extension, specified } from '../../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { callback } from '../../../core/http/surface.ts'
import { refusing } from '../../../core/http/unknown-fields.ts'
import { nullableText, time } from '../../../core/http/wire.ts'
import { auth, type Caller, toGrantor } from '../../../people/access/auth.ts'
import { type ArchivedEvent, archiveName, listArchive, reprocess, reprocessIgnored } from './archive.ts'
import { supportedTypes } from './event-types.ts'
import { receivePaymentEvent } from './receive.ts'
import { getIntegration, type Integration, type SettingsChange, updateIntegration } from './settings.ts'

const settingsPath = '/v1/settings/integrations/payments'
const callbackPath = '/v1/integrations/payments/webhook'
const archivePath = '/v1/payment-events'

const settingsView = t.Object({
  enabled: t.Boolean({ description: 'Whether payment events are accepted.' }),
  has_signing_secret: t.Boolean({ description: 'Whether a signing secret is stored.' }),
  webhook_url: t.String({ description: 'The URL that the payment provider must call.' }),
  supported_events: t.Array(t.String()),
  create_contacts: t.Boolean({
    description: 'Whether an event about an unknown address creates a contact, which is not subscribed.',
  }),
})

const settingsBody = refusing(
  t.Object(
    {
      enabled: t.Optional(t.Boolean({ description: 'Requires a stored secret, or one in the same request.' })),
      signing_secret: t.Optional(
        t.Union([t.String({ maxLength: 300 }), t.Null()], {
          description:
            "The provider's secret, `whsec_…`. It is never shown again. Null clears it and disables the integration.",
        }),
      ),
      create_contacts: t.Optional(
        t.Boolean({
          description:
            'Default true: an event that names an unknown address creates a contact (`subscribed: false`, source `payments`), and empty fields of a known contact (name, locale, userId) are filled in. Consent is never changed.',
        }),
      ),
    },
    { additionalProperties: t.Unknown() },
  ),
)

const received = t.Object({
  received: t.Literal(true),
  status: t.Union([t.Literal('processed'), t.Literal('ignored'), t.Literal('duplicate')]),
  eventId: t.String({ description: 'The id of the event at the provider.' }),
  reason: t.Optional(t.String({ description: 'For an ignored event: `unsupported_type` or `no_contact`.' })),
  conflict: t.Optional(
    t.Literal(true, { description: 'An event with this id was received earlier with different content.' }),
  ),
})

const status = t.Union([t.Literal('processed'), t.Literal('ignored')])

const archivedView = t.Object({
  eventId: t.String({ description: 'The id of the event at the provider.' }),
  type: t.String(),
  status,
  reason: t.Union([t.String(), t.Null()], { description: 'Why it was ignored: `unsupported_type` or `no_contact`.' }),
  contactEventId: t.Union([t.String(), t.Null()], { description: 'The id of the event that it was turned into.' }),
  contactId: nullableText,
  conflict: t.Boolean({ description: 'The same id was received again with different content; the first one counts.' }),
  receivedAt: time,
  updatedAt: time,
})

const reprocessed = t.Object({
  success: t.Literal(true),
  status,
  reason: t.Optional(t.String()),
  contactEventId: t.Optional(t.String()),
})

export function paymentRoutes(app: App) {
  const change = async ({ workspace, credential, body }: Caller & { body: SettingsChange }) =>
    toSettingsView(app, await updateIntegration(app, workspace.id, toGrantor(credential), body))
  return new Elysia()
    .use(auth)
    .get(settingsPath, async ({ workspace }) => toSettingsView(app, await getIntegration(app, workspace.id)), {
      session: true,
      response: settingsView,
      detail: specified(
        'getPaymentSettings',
        'Fetch the payment integration',
        'Whether payment events are accepted, and the URL that the provider must call. The signing secret itself is never shown.',
      ),
    })
    .patch(settingsPath, change, {
      session: true,
      body: settingsBody,
      response: settingsView,
      detail: specified(
        'updatePaymentSettings',
        'Store the signing secret, enable or disable the integration',
        'Only the fields in the request change. `enabled: true` requires a stored signing secret, or one in the same request; otherwise 409 `signing_secret_required`.',
        [409],
      ),
    })
    .put(settingsPath, change, {
      session: true,
      body: settingsBody,
      response: settingsView,
      detail: alias(
        specified(
          'putPaymentSettings',
          'The same as PATCH',
          'The same as PATCH: fields that are not given stay as they are.',
          [409],
        ),
      ),
    })
    .post(
      `${callbackPath}/:integrationId`,
      ({ params, request }) => receivePaymentEvent(app, params.integrationId, request),
      {
        parse: 'none',
        response: received,
        detail: {
          ...specified(
            'receivePaymentEvent',
            'Receive an event from the payment provider',
            'Called by the provider. Requires the header `Payments-Signature: t=<seconds>,v1=<hex>`, an HMAC-SHA256 of `t.body` with the signing secret; the timestamp may differ from the current time by at most 300 s. At most 1 MB. An event that was received before is answered as a duplicate and changes nothing.',
          ),
          ...callback,
        },
      },
    )
}

export function paymentArchiveRoutes(app: App) {
  const write = { scope: 'payments.write', session: true } as const
  return new Elysia({ prefix: archivePath })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path: archivePath, query }
        const { limit, after } = await readPage(app, request)
        const page = { status: query.status, before: after, limit: limit + 1 }
        const { rows, total } = await listArchive(app, workspace.id, page)
        return writePage(app, request, { limit, after }, { rows, total, idOf: archiveName, view: toArchivedView })
      },
      {
        auth: { scope: 'payments.read', session: true },
        query: t.Object({
          status: t.Optional({ ...status, description: 'Only those with this status.' }),
          ...pageQuery,
        }),
        response: pageOf(archivedView),
        detail: extension(
          'listPaymentEvents',
          'List archived payment events, newest first',
          'Every event that the provider sent, whether it became a contact event, and if not, why.',
        ),
      },
    )
    .post(
      '/reprocess',
      async ({ workspace }) => ({ success: true as const, ...(await reprocessIgnored(app, workspace.id)) }),
      {
        auth: write,
        response: t.Object({
          success: t.Literal(true),
          tried: Type.Integer({ description: 'How many events were tried again.' }),
          processed: Type.Integer({ description: 'How many of them became contact events.' }),
        }),
        detail: extension(
          'reprocessPaymentEvents',
          'Retry events that were ignored because they had no contact',
          'For events that arrived before their contact: the oldest 1,000 are tried again. `processed` counts those that became contact events.',
        ),
      },
    )
    .post(
      '/:paymentEventId/reprocess',
      async ({ workspace, params }) => {
        const became = await reprocess(app, workspace.id, params.paymentEventId)
        if (became.status === 'ignored') return { success: true as const, status: became.status, reason: became.reason }
        return { success: true as const, status: became.status, contactEventId: became.eventId }
      },
      {
        auth: write,
        response: reprocessed,
        detail: extension(
          'reprocessPaymentEvent',
          'Retry an ignored payment event',
          'It becomes a contact event if its contact exists by now. 409 if it was already processed.',
          [409],
        ),
      },
    )
}

function toSettingsView(
  app: App,
  { id, enabled, signingSecretSealed, createContacts }: Integration,
): typeof settingsView.static {
  return {
    enabled,
    has_signing_secret: signingSecretSealed !== null,
    webhook_url: `${app.config.baseUrl}${callbackPath}/${id}`,
    supported_events: supportedTypes,
    create_contacts: createContacts,
  }
}

function toArchivedView(row: ArchivedEvent): typeof archivedView.static {
  const { providerEventId, type, status, reason, eventId, contactId, conflict, createdAt, updatedAt } = row
  return {
    eventId: providerEventId,
    type,
    status,
    reason,
    contactEventId: eventId,
    contactId,
    conflict,
    receivedAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
