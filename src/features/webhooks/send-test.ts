// A test delivery: one attempt, at once, by the same code as every delivery, even to a disabled endpoint. It is logged like the others; its
// failure does not count against the endpoint.

import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { webhookDeliveries, webhookSecrets } from '../../../db/tables/webhooks.ts'
import { type App, write } from '../../core/app.ts'
import { second } from '../../kit/duration.ts'
import { type AttemptReport, attemptDelivery } from './attempt.ts'
import { recordAttempts } from './deliver.ts'
import { addDeliveries } from './deliveries.ts'
import { getEndpoint } from './endpoints.ts'
import { testEventType } from './event-types.ts'
import { recordEvents } from './publish.ts'

/** Somebody waits for the result. */
const totalMs = 15 * second

export interface TestResult {
  webhookId: string
  deliveryId: string
  attempt: AttemptReport
}

/** Throws `not_found`. The result is what the endpoint does or fails to do. */
export async function sendTest(app: App, workspaceId: string, endpointId: string): Promise<TestResult> {
  const prepared = await write(app, async (tx) => {
    const { url } = await getEndpoint(tx, workspaceId, endpointId)
    const unexpired = or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, tx.now))
    const secrets = await tx.db
      .select({ sealed: webhookSecrets.secretSealed })
      .from(webhookSecrets)
      .where(and(eq(webhookSecrets.endpointId, endpointId), unexpired))
    const [event] = await recordEvents(tx, [{ workspaceId, type: testEventType, data: { message: 'test' } }])
    if (!event) throw new Error('an event was not recorded')
    // Until its result is known it counts as failed, so a crash in between leaves no pending delivery without a job.
    const [deliveryId = ''] = await addDeliveries(tx, [{ event, endpointId, state: 'failed' }])
    return { url, event, deliveryId, secrets: secrets.map(({ sealed }) => sealed) }
  })
  const { url, event, deliveryId, secrets } = prepared
  const target = { endpointId, url, secrets, webhookId: event.id, payload: event.payload, hops: event.hops }
  const attempt = await attemptDelivery(app, target, { totalMs })
  const { status, code } = attempt
  await write(app, async (tx) => {
    await tx.db
      .update(webhookDeliveries)
      .set({
        state: code === null ? 'delivered' : 'failed',
        attempts: 1,
        lastStatus: status,
        lastCode: code,
        updatedAt: tx.now,
      })
      .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.id, deliveryId)))
    await recordAttempts(tx, [{ deliveryId, report: attempt }])
  })
  return { webhookId: event.id, deliveryId, attempt }
}
