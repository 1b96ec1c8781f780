// Signing secrets: created by a rotation, shown once, stored sealed. The newest one is current; earlier ones also sign until they expire,
// so that a receiver can switch without missing a delivery.

import { and, desc, eq, gt, isNull, lt, or, type SQL } from 'drizzle-orm'
import { webhookSecrets } from '../../../db/tables/webhooks.ts'
import { type App, type Tx, write } from '../../core/app.ts'
import { day } from '../../kit/duration.ts'
import { newSigningSecret, signingKey } from '../../kit/signature.ts'
import { getEndpoint } from './endpoints.ts'

export const defaultOverlapMs = day
export const maxOverlapMs = 7 * day
/** The most signatures on one delivery. */
const maxSigning = 3

export interface Rotation {
  /** Shown only this once. */
  signingSecret: string
  createdAt: Date
  /** When the previous secret stops signing; null when there was none. */
  previousSecretExpiresAt: Date | null
}

/** Creates a secret; the previous one also signs for `overlapMs`. At most three sign at once. Throws `not_found`. */
export async function rotateSecret(
  app: App,
  workspaceId: string,
  endpointId: string,
  overlapMs: number,
): Promise<Rotation> {
  const signingSecret = newSigningSecret(app)
  const secretSealed = await app.sealer.seal(signingSecret, sealContext(endpointId))
  return write(app, async (tx) => {
    await getEndpoint(tx, workspaceId, endpointId)
    const earlier = await signing(tx, endpointId)
    const [previous] = earlier
    const overlapUntil = new Date(tx.now.getTime() + overlapMs)
    for (const { number } of earlier.slice(maxSigning - 1)) await expire(tx, endpointId, number, tx.now)
    if (previous) await expire(tx, endpointId, previous.number, overlapUntil)
    // The newest never expires, so its number is the highest.
    const number = (previous?.number ?? 0) + 1
    await tx.db.insert(webhookSecrets).values({ endpointId, number, secretSealed, expiresAt: null, createdAt: tx.now })
    await tx.db.delete(webhookSecrets).where(and(of(endpointId), lt(webhookSecrets.expiresAt, tx.now)))
    return { signingSecret, createdAt: tx.now, previousSecretExpiresAt: previous ? overlapUntil : null }
  })
}

/** Stops all secrets but the newest at once. Throws `not_found`. Returns how many there were. */
export async function revokePreviousSecrets(tx: Tx, workspaceId: string, endpointId: string): Promise<number> {
  await getEndpoint(tx, workspaceId, endpointId)
  const earlier = (await signing(tx, endpointId)).slice(1)
  for (const { number } of earlier) await expire(tx, endpointId, number, tx.now)
  return earlier.length
}

/** The secrets that sign, newest first. */
async function signing(tx: Tx, endpointId: string) {
  return await tx.db
    .select()
    .from(webhookSecrets)
    .where(and(of(endpointId), or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, tx.now))))
    .orderBy(desc(webhookSecrets.number))
}

async function expire(tx: Tx, endpointId: string, number: number, expiresAt: Date): Promise<void> {
  await tx.db
    .update(webhookSecrets)
    .set({ expiresAt })
    .where(and(of(endpointId), eq(webhookSecrets.number, number)))
}

function of(endpointId: string): SQL {
  return eq(webhookSecrets.endpointId, endpointId)
}

/** Opened secrets are cached, because opening one costs more than signing with it. */
const opened = () => new Map<string, Buffer>()
const maxOpened = 10_000

/** The key bytes of a sealed secret. */
export async function openSigningKey(app: App, endpointId: string, sealed: string): Promise<Buffer> {
  const keys = app.own(opened)
  let key = keys.get(sealed)
  if (!key) {
    key = signingKey(await app.sealer.open(sealed, sealContext(endpointId)))
    if (keys.size >= maxOpened) keys.clear()
    keys.set(sealed, key)
  }
  return key
}

/** The context for which the signing secrets of an endpoint are sealed. */
export function sealContext(endpointId: string): string {
  return `webhook ${endpointId}`
}
