// Subscription sources: where consent comes from, and with what wording. Deleting one archives it, because the consent given through it
// must stay provable.

import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import { type SourceGuards, subscriptionSources } from '../../../db/tables/lists.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { operator } from '../../people/access/grants.ts'
import { activeListsNamed } from '../contacts/consent/named-lists.ts'
import { resolveTemplate, usesByLocale } from '../content/templates/resolve.ts'
import { missingInConfirmation } from '../content/templates/use-warnings.ts'

export type Source = typeof subscriptionSources.$inferSelect

type Settable =
  | 'name'
  | 'type'
  | 'mailingListIds'
  | 'optIn'
  | 'consentText'
  | 'confirmationTemplateId'
  | 'redirectUrl'
  | 'formRedirectUrl'
  | 'allowedOrigins'
  | 'guards'
  | 'active'
export const noGuards: SourceGuards = { honeypot: null, leastSeconds: 0, proofOfWork: false }

export type SourceFields = Partial<Pick<Source, Settable>>

export interface NewSource extends SourceFields {
  name: string
  /** Default: the operator. */
  madeBy?: string | null
}

const defaults = {
  type: 'api',
  mailingListIds: [],
  optIn: 'list',
  consentText: '',
  confirmationTemplateId: null,
  redirectUrl: null,
  formRedirectUrl: null,
  allowedOrigins: [],
  guards: null,
  active: true,
} satisfies SourceFields

export async function createSource(tx: Tx, workspaceId: string, fields: NewSource): Promise<Source> {
  await checkFields(tx, workspaceId, fields)
  const row: Source = {
    ...defaults,
    madeBy: operator,
    ...fields,
    id: newId(tx, 'src', tx.now),
    workspaceId,
    consentTextVersion: 1,
    archivedAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await tx.db.insert(subscriptionSources).values(row)
  return row
}

const living = (workspaceId: string) =>
  and(eq(subscriptionSources.workspaceId, workspaceId), isNull(subscriptionSources.archivedAt))

export async function listSources(
  reader: Reader,
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Source[]> {
  return await reader.db
    .select()
    .from(subscriptionSources)
    .where(and(living(workspaceId), after === undefined ? undefined : gt(subscriptionSources.id, after)))
    .orderBy(asc(subscriptionSources.id))
    .limit(limit)
}

export async function countSources(reader: Reader, workspaceId: string): Promise<number> {
  const [row] = await reader.db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM subscription_sources WHERE workspace_id = ${workspaceId} AND archived_at IS NULL`,
  )
  return row?.count ?? 0
}

/** Undefined for an archived one, and for another workspace's. */
export async function findSource(reader: Reader, workspaceId: string, id: string): Promise<Source | undefined> {
  const [row] = await reader.db
    .select()
    .from(subscriptionSources)
    .where(and(living(workspaceId), eq(subscriptionSources.id, id)))
  return row
}

/** Of any workspace: its id is public. Undefined for an archived one. */
export async function openSource(reader: Reader, id: string): Promise<Source | undefined> {
  const [row] = await reader.db
    .select()
    .from(subscriptionSources)
    .where(and(eq(subscriptionSources.id, id), isNull(subscriptionSources.archivedAt)))
  return row
}

/** Throws not_found where findSource() finds nothing. */
export async function getSource(reader: Reader, workspaceId: string, id: string): Promise<Source> {
  const row = await findSource(reader, workspaceId, id)
  if (!row) throw new AppError('not_found', 'there is no such subscription source')
  return row
}

/** A changed text is a new version: the ledger names the one that each person saw. */
export async function updateSource(tx: Tx, workspaceId: string, id: string, fields: SourceFields): Promise<Source> {
  const before = await getSource(tx, workspaceId, id)
  await checkFields(tx, workspaceId, fields)
  const reworded = fields.consentText !== undefined && fields.consentText !== before.consentText
  const after: Source = {
    ...before,
    ...fields,
    consentTextVersion: before.consentTextVersion + Number(reworded),
    updatedAt: tx.now,
  }
  await tx.db.update(subscriptionSources).set(after).where(eq(subscriptionSources.id, id))
  return after
}

export async function archiveSource(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await getSource(tx, workspaceId, id)
  await tx.db
    .update(subscriptionSources)
    .set({ active: false, archivedAt: tx.now, updatedAt: tx.now })
    .where(eq(subscriptionSources.id, id))
}

async function checkFields(tx: Tx, workspaceId: string, fields: SourceFields): Promise<void> {
  await activeListsNamed(tx, workspaceId, fields.mailingListIds ?? [], 'mailingListIds')
  if (fields.confirmationTemplateId) await checkConfirmation(tx, workspaceId, fields.confirmationTemplateId)
  const { redirectUrl, formRedirectUrl } = fields
  if (redirectUrl && !isWebAddress(redirectUrl))
    throw invalidField('redirectUrl', 'must be an http or https URL', 'invalid_url')
  if (formRedirectUrl && !(isWebAddress(formRedirectUrl) && new URL(formRedirectUrl).protocol === 'https:'))
    throw invalidField('formRedirectUrl', 'must be an https URL', 'invalid_url')
  const { honeypot } = fields.guards ?? {}
  if (honeypot && reservedFields.has(honeypot))
    throw invalidField('guards.honeypot', 'must not be the name of a field of the form', 'invalid')
  const foreign = (fields.allowedOrigins ?? []).findIndex((origin) => !isOrigin(origin))
  if (foreign !== -1)
    throw invalidField(`allowedOrigins[${foreign}]`, 'must be an origin like https://shop.example', 'invalid_origin')
}

/** Fields that a form has anyway. */
const reservedFields = new Set([
  'email',
  'seen',
  'altcha',
  'firstName',
  'lastName',
  'locale',
  'timezone',
  'sourceId',
  'source',
])

/** The template must exist, contain the link in each of its locales, and use only variables that a confirmation fills. */
async function checkConfirmation(tx: Tx, workspaceId: string, slug: string): Promise<void> {
  const path = 'confirmationTemplateId'
  const template = await resolveTemplate(tx, workspaceId, slug)
  if (!template) throw invalidField(path, `there is no active template ${JSON.stringify(slug)}`, 'unknown_template')
  for (const [locale, uses] of await usesByLocale(tx, template.revisions, {})) {
    const missing = missingInConfirmation(uses)
    if (missing.length === 0) continue
    const why = missing.includes('confirm_url') ? 'has no {{confirm_url}}' : `asks for ${missing.join(', ')}`
    throw invalidField(
      path,
      `the template ${why} in ${locale}; it cannot be used as a confirmation mail`,
      'missing_variable',
    )
  }
}

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && !/[\s\x00-\x1f]/.test(text)
}

function isOrigin(text: string): boolean {
  return isWebAddress(text) && new URL(text).origin === text
}
