// The payment integration of a workspace: its URL, whether it is enabled, and the provider's signing secret, sealed. It is created when
// first read, because the provider needs the URL before there is a secret.

import { eq } from 'drizzle-orm'
import { paymentIntegrations } from '../../../../db/tables/payments.ts'
import { type App, type Reader, type Tx, write } from '../../../core/app.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import type { Grantor } from '../../../people/access/grants.ts'

export type Integration = typeof paymentIntegrations.$inferSelect

const idLength = 24
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'
const secretPattern = /^[\x21-\x7e]{8,255}$/

export async function getIntegration(app: App, workspaceId: string): Promise<Integration> {
  const known = await findRow(app, workspaceId)
  return known ?? (await write(app, (tx) => madeOnce(tx, workspaceId)))
}

/** Finds it by the id in its URL. */
export async function findIntegration(reader: Reader, id: string): Promise<Integration | null> {
  const [row] = await reader.db.select().from(paymentIntegrations).where(eq(paymentIntegrations.id, id))
  return row ?? null
}

export interface SettingsChange {
  enabled?: boolean
  /** Null clears it and disables the integration. */
  signing_secret?: string | null
  create_contacts?: boolean
}

/** Throws `signing_secret_required` when it would be enabled without a secret. */
export async function updateIntegration(
  app: App,
  workspaceId: string,
  { userId: madeBy }: Pick<Grantor, 'userId'>,
  change: SettingsChange,
): Promise<Integration> {
  const { id } = await getIntegration(app, workspaceId)
  const { signing_secret: secret } = change
  const sealed = typeof secret === 'string' ? await app.sealer.seal(checkedSecret(secret), sealContext(id)) : secret
  return await write(app, async (tx) => {
    const before = await madeOnce(tx, workspaceId)
    const signingSecretSealed = sealed === undefined ? before.signingSecretSealed : sealed
    const wanted = change.enabled ?? before.enabled
    if (change.enabled && signingSecretSealed === null) throw secretRequired()
    const enabled = wanted && signingSecretSealed !== null
    const createContacts = change.create_contacts ?? before.createContacts
    const secretMadeBy = sealed === undefined ? before.secretMadeBy : madeBy
    const settings = { enabled, signingSecretSealed, secretMadeBy, createContacts }
    const after: Integration = { ...before, ...settings, updatedAt: tx.now }
    await tx.db.update(paymentIntegrations).set(after).where(eq(paymentIntegrations.id, id))
    return after
  })
}

/** The secret in plain text, or null when the integration accepts nothing. */
export async function openSecret(app: App, integration: Integration | null): Promise<string | null> {
  if (!integration?.enabled || integration.signingSecretSealed === null) return null
  return await app.sealer.open(integration.signingSecretSealed, sealContext(integration.id))
}

/** The context for which an integration's signing secret is sealed. */
export function sealContext(id: string): string {
  return `payments ${id}`
}

async function findRow(reader: Reader, workspaceId: string): Promise<Integration | undefined> {
  const [row] = await reader.db
    .select()
    .from(paymentIntegrations)
    .where(eq(paymentIntegrations.workspaceId, workspaceId))
  return row
}

async function madeOnce(tx: Tx, workspaceId: string): Promise<Integration> {
  const known = await findRow(tx, workspaceId)
  if (known) return known
  const row: Integration = {
    id: newIntegrationId(tx),
    workspaceId,
    enabled: false,
    signingSecretSealed: null,
    secretMadeBy: null,
    createContacts: true,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await tx.db.insert(paymentIntegrations).values(row)
  return row
}

/** Random and not sortable by time like other ids, because it is part of a URL that must not be guessable. */
function newIntegrationId({ random }: Tx): string {
  const letters = Array.from(random.bytes(idLength * 2), (byte) => (byte < 252 ? alphabet[byte % 36] : ''))
  return `int_${letters.join('').slice(0, idLength)}`
}

function checkedSecret(secret: string): string {
  const trimmed = secret.trim()
  if (secretPattern.test(trimmed)) return trimmed
  throw invalidField('signing_secret', 'must be 8 to 255 printable ASCII characters without spaces', 'invalid_secret')
}

function secretRequired(): AppError {
  const message = 'store the signing secret of the provider first, or with the same request'
  return new AppError('signing_secret_required', message, {
    errors: [{ path: 'signing_secret', message, code: 'signing_secret_required' }],
  })
}
