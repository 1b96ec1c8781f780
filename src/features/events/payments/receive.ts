// The callback of the payment provider. Strangers learn nothing: an unknown URL, a disabled one and one without a secret take the same time
// and get the same answer. A signed event is archived once, together with the contact event that it becomes.

import { and, eq } from 'drizzle-orm'
import { paymentEvents } from '../../../../db/tables/payments.ts'
import { type App, type Tx, write } from '../../../core/app.ts'
import { maxCallbackBytes, readBody } from '../../../core/http/body.ts'
import { actIn } from '../../../kit/act.ts'
import { AppError } from '../../../kit/error.ts'
import { createPace } from '../../../kit/turn.ts'
import { rulesOfEvent } from '../matching.ts'
import type { ProviderEvent } from './event-types.ts'
import { eventPrefix, normalise } from './normalise.ts'
import { decodeText, parseContent, parseProviderEvent } from './provider-event.ts'
import { findIntegration, type Integration, openSecret } from './settings.ts'
import { isSigned, type Presented, readSignature } from './signature.ts'

/** The API's name, and the provider's own name for the same header. */
const signatureHeaders = ['payments-signature', 'stripe-signature']
/** Stands in for a missing secret, so that the check takes the same time. */
const noSecret = 'whsec_00000000000000000000000000000000'

export interface Received {
  received: true
  status: 'processed' | 'ignored' | 'duplicate'
  /** The provider's id of the event. */
  eventId: string
  reason?: string
  /** The id was used before by an event with other content; the first one counts. */
  conflict?: true
}

/** Throws `signature_missing`, `signature_invalid`, `not_found`, `payload_too_large`, `invalid_json`. */
export async function receivePaymentEvent(app: App, integrationId: string, request: Request): Promise<Received> {
  const presented = presentedBy(request)
  const body = await readBody(request, maxCallbackBytes)
  const integration = await findIntegration(app, integrationId)
  const secret = await openSecret(app, integration)
  const nowSeconds = Math.floor(app.clock.now().getTime() / 1_000)
  const pace = createPace()
  const signed = isSigned(presented, { secret: secret ?? noSecret, body, nowSeconds })
  if (!integration || secret === null) throw new AppError('not_found', 'There is nothing at this address.')
  if (!signed) throw invalidSignature()
  actIn(integration.workspaceId)
  const text = decodeText(body)
  await pace()
  const event = await parseProviderEvent(app, text)
  await pace()
  const rules = await rulesOfEvent(app, integration.workspaceId, eventPrefix + event.type)
  const { before, answer } = await write(app, async (tx) => {
    const before = await findArchived(tx, integration.id, event.id)
    if (before) return { before }
    const normalised = await normalise(tx, integration, rules, event)
    await archive(tx, integration, event, text, normalised)
    const { status } = normalised
    const reason = status === 'ignored' ? { reason: normalised.reason } : {}
    return { answer: { received: true, status, eventId: event.id, ...reason } as const }
  })
  return before ? await repeated(app, before, text) : answer
}

/** Throws `signature_missing`; `signature_invalid`, also for two headers that differ. */
function presentedBy({ headers }: Request): Presented {
  const given = new Set(signatureHeaders.flatMap((name) => headers.get(name) || []))
  const [header] = given
  if (header === undefined)
    throw new AppError('signature_missing', 'The header Payments-Signature (or Stripe-Signature) is missing.')
  const presented = given.size === 1 ? readSignature(header) : null
  if (!presented) throw invalidSignature()
  return presented
}

function invalidSignature(): AppError {
  return new AppError('signature_invalid', 'The signature is not valid for this body, or too old.')
}

type Archived = typeof paymentEvents.$inferSelect

async function findArchived(tx: Tx, integrationId: string, eventId: string): Promise<Archived | null> {
  const one = and(eq(paymentEvents.integrationId, integrationId), eq(paymentEvents.providerEventId, eventId))
  const [row] = await tx.db.select().from(paymentEvents).where(one)
  return row ?? null
}

/** The provider repeats a delivery until it gets an answer; repetitions may differ only in their number of attempts. */
async function repeated(app: App, before: Archived, text: string): Promise<Received> {
  const { integrationId, providerEventId } = before
  const answer = { received: true, status: 'duplicate', eventId: providerEventId } as const
  if (await isSame(app, before.body, text)) return answer
  const one = and(eq(paymentEvents.integrationId, integrationId), eq(paymentEvents.providerEventId, providerEventId))
  if (!before.conflict)
    await write(app, (tx) => tx.db.update(paymentEvents).set({ conflict: true, updatedAt: tx.now }).where(one))
  return { ...answer, conflict: true }
}

async function isSame(app: App, archived: string, text: string): Promise<boolean> {
  if (archived === text) return true
  const pace = createPace()
  const first = await parseContent(app, archived)
  await pace()
  const later = await parseContent(app, text)
  await pace()
  return Bun.deepEquals(first, later)
}

async function archive(
  tx: Tx,
  { id: integrationId, workspaceId }: Integration,
  { id: providerEventId, type }: ProviderEvent,
  body: string,
  normalised: Awaited<ReturnType<typeof normalise>>,
): Promise<void> {
  const became =
    normalised.status === 'processed'
      ? { eventId: normalised.eventId, contactId: normalised.contactId, reason: null }
      : { eventId: null, contactId: null, reason: normalised.reason }
  const { status } = normalised
  const times = { createdAt: tx.now, updatedAt: tx.now }
  await tx.db
    .insert(paymentEvents)
    .values({ integrationId, providerEventId, workspaceId, type, status, ...became, body, conflict: false, ...times })
}
