// Creates, changes, reads and deletes campaigns. Moving one from state to state is in lifecycle.ts.

import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import type { AbTest } from '../../../db/tables/ab-tests.ts'
import {
  type AudienceCondition,
  type CampaignStatus,
  campaignCounts,
  type campaignRecipients,
  campaigns,
  startOrder,
} from '../../../db/tables/campaigns.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { type Sort, sortingOf } from '../../core/http/sorting.ts'
import { currentActor } from '../../kit/act.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { activeListNamed } from '../contacts/consent/named-lists.ts'
import { findSegment } from '../contacts/segments/segments.ts'
import type { Content } from '../content/rendering/content.ts'
import { expectRevision } from '../content/templates/contents.ts'
import { fillBlocks } from '../content/templates/fill-blocks.ts'
import { resolveTemplate } from '../content/templates/resolve.ts'
import { refuseTransactional } from '../events/purpose.ts'
import type { Campaign } from './campaign.ts'
import {
  checkContents,
  deleteCampaignContents,
  effectiveContents,
  type NewCampaignContent,
  ownContents,
  setCampaignContent,
} from './contents.ts'
import { checkFilter } from './filter.ts'
import { checkVariants } from './variant-contents.ts'
import { endSchedule } from './wake.ts'

export interface CampaignFields {
  name?: string
  subject?: string
  previewText?: string
  fromName?: string | null
  fromEmail?: string | null
  replyTo?: string | null
  mailingListId?: string
  templateId?: string | null
  locale?: string
  audienceFilter?: AudienceCondition[] | null
  segmentId?: string | null
  ignoreGuardrail?: boolean
  test?: AbTest | null
  /** For the campaign's locale. */
  content?: Content
}

export type NewCampaign = CampaignFields & { name: string; subject: string; mailingListId: string; locale: string }

/** Not started: only these may be changed or deleted. */
const editable: CampaignStatus[] = ['draft', 'approved', 'scheduled']

export async function createCampaign(
  tx: Tx,
  workspaceId: string,
  input: NewCampaign,
): Promise<{ campaign: Campaign; warnings: Issue[] }> {
  const { campaign, warnings } = await checkedCampaign(tx, workspaceId, input)
  await tx.db.insert(campaigns).values(campaign)
  if (input.content !== undefined) await setCampaignContent(tx, campaign, contentIn(campaign, input.content))
  return { campaign, warnings: [...warnings, ...(await checkVariants(tx, campaign))] }
}

/** A draft as it would be stored. Throws 422 for one that is not; writes nothing. */
export async function checkedCampaign(
  tx: Tx,
  workspaceId: string,
  input: NewCampaign,
): Promise<{ campaign: Campaign; warnings: Issue[] }> {
  const { content, ...fields } = input
  const campaign: Campaign = {
    ...blank,
    ...defined(fields),
    name: input.name,
    subject: input.subject,
    mailingListId: input.mailingListId,
    locale: input.locale,
    id: newId(tx, 'cmp', tx.now),
    workspaceId,
    createdBy: currentActor(),
    audienceFilter: checkFilter(input.audienceFilter),
    ...(await getSegment(tx, workspaceId, input.segmentId ?? null)),
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  await checkCampaign(tx, campaign, content)
  await takeTemplate(tx, campaign, null)
  return { campaign, warnings: checkContents(campaign, await saidBy(tx, campaign, content)) }
}

/** What an approval binds, where there is none. */
export const unbound = { approvedHash: null, watched: null, newcomers: 0, shownChange: null } as const

const blank = {
  status: 'draft',
  previewText: '',
  fromName: null,
  fromEmail: null,
  replyTo: null,
  templateId: null,
  ignoreGuardrail: false,
  ...unbound,
  approvedBy: null,
  approvedAt: null,
  approved: null,
  refusedBy: null,
  scheduledAt: null,
  localTime: null,
  forecast: null,
  startedAt: null,
  endedAt: null,
  pauseReason: null,
  snapshotCursor: '',
  snapshotDoneAt: null,
  fillCursor: '',
  nextSendAt: null,
  test: null,
  variantContents: null,
  winnerDueAt: null,
  winner: null,
  winnerChosenAt: null,
} as const

/** Changes what is given. The campaign becomes a draft again, even if approved or scheduled. */
export async function updateCampaign(
  tx: Tx,
  workspaceId: string,
  id: string,
  change: CampaignFields,
): Promise<{ campaign: Campaign; warnings: Issue[] }> {
  const before = await getCampaign(tx, workspaceId, id)
  mustBeEditable(before)
  const { content, audienceFilter, segmentId, ...fields } = change
  const campaign: Campaign = {
    ...before,
    ...defined(fields),
    audienceFilter: audienceFilter === undefined ? before.audienceFilter : checkFilter(audienceFilter),
    ...(segmentId === undefined ? {} : await getSegment(tx, workspaceId, segmentId)),
    ...draftAgain,
    updatedAt: tx.now,
  }
  await checkCampaign(tx, campaign, content)
  await takeTemplate(tx, campaign, before.templateId)
  const own = content ?? (await renamed(tx, before, campaign))
  const warnings = checkContents(campaign, await saidBy(tx, campaign, own))
  if (before.status === 'scheduled') await endSchedule(tx, before)
  await tx.db.update(campaigns).set(campaign).where(eq(campaigns.id, id))
  if (own !== undefined) await setCampaignContent(tx, campaign, contentIn(campaign, own))
  if (campaign.templateId !== null && before.templateId === null) await deleteCampaignContents(tx, id)
  return { campaign, warnings: [...warnings, ...(await checkVariants(tx, campaign))] }
}

/** Throws 422 for a segment that is not there. */
async function getSegment(tx: Tx, workspaceId: string, segmentId: string | null) {
  if (segmentId === null) return { segmentId, segmentFilter: null }
  const segment = await findSegment(tx, workspaceId, segmentId)
  if (segment) return { segmentId, segmentFilter: segment.filter }
  throw invalidField('segmentId', `there is no segment ${JSON.stringify(segmentId.slice(0, 100))}`, 'unknown_segment')
}

/** Stores the tree again when only subject or preview text changed, because they are part of the revision. */
async function renamed(tx: Tx, before: Campaign, after: Campaign): Promise<Content | undefined> {
  if (after.templateId !== null) return undefined
  if (before.subject === after.subject && before.previewText === after.previewText) return undefined
  const contents = await ownContents(tx, after.id)
  return contents.find(({ locale }) => locale === after.locale)?.content
}

const draftAgain = {
  status: 'draft',
  ...unbound,
  approvedBy: null,
  approvedAt: null,
  refusedBy: null,
  scheduledAt: null,
  localTime: null,
  forecast: null,
} as const

export interface ContentChange extends NewCampaignContent {
  expectedRevisionId?: string | undefined
}

/** Sets the tree for another locale; the campaign becomes a draft again. */
export async function putContent(
  tx: Tx,
  workspaceId: string,
  id: string,
  { expectedRevisionId, ...given }: ContentChange,
): Promise<{ revisionId: string; warnings: Issue[] }> {
  const before = await getCampaign(tx, workspaceId, id)
  mustBeEditable(before)
  if (before.templateId !== null)
    throw invalidField('content', 'the campaign sends a template; set templateId to null first', 'contradiction')
  const content = { ...given, content: await fillBlocks(tx, { workspaceId, locale: given.locale }, given.content) }
  const current = (await ownContents(tx, id)).find(({ locale }) => locale === content.locale)
  expectRevision(expectedRevisionId, current?.revisionId)
  const warnings = checkContents(before, [content])
  const isMain = content.locale === before.locale
  const words = isMain ? { subject: content.subject, previewText: content.previewText } : {}
  if (before.status === 'scheduled') await endSchedule(tx, before)
  await tx.db
    .update(campaigns)
    .set({ ...draftAgain, ...words, updatedAt: tx.now })
    .where(eq(campaigns.id, id))
  return { revisionId: await setCampaignContent(tx, before, content), warnings }
}

/** The contents to check after a change: the template's, or its own as given. */
async function saidBy(tx: Tx, campaign: Campaign, own: Content | undefined): Promise<NewCampaignContent[]> {
  if (campaign.templateId !== null) return await effectiveContents(tx, campaign)
  if (own === undefined) return []
  return [contentIn(campaign, await fillBlocks(tx, campaign, own))]
}

/** Throws 422 for a template that goes to people who agreed to nothing. */
async function takeTemplate(tx: Tx, { workspaceId, templateId }: Campaign, former: string | null): Promise<void> {
  if (templateId !== null && templateId !== former) await refuseTransactional(tx, workspaceId, templateId)
}

async function checkCampaign(tx: Tx, campaign: Campaign, content: Content | undefined): Promise<void> {
  const { workspaceId, mailingListId, templateId } = campaign
  await activeListNamed(tx, workspaceId, mailingListId, 'mailingListId')
  if (templateId !== null && content !== undefined)
    throw invalidField('templateId', 'give content or a template, not both', 'contradiction')
  if (templateId !== null && !(await resolveTemplate(tx, workspaceId, templateId)))
    throw invalidField('templateId', `there is no active template ${JSON.stringify(templateId)}`, 'unknown_template')
}

function contentIn({ locale, subject, previewText }: Campaign, content: Content): NewCampaignContent {
  return { locale, content, subject, previewText }
}

function mustBeEditable({ status }: Campaign): void {
  if (editable.includes(status)) return
  throw new AppError('invalid_state_transition', `a campaign that is ${status} cannot be changed`)
}

/** Deletes a campaign that was never sent. Throws `invalid_state_transition` for any other, which is part of the record. */
export async function deleteCampaign(tx: Tx, workspaceId: string, id: string): Promise<void> {
  const { startedAt, status } = await getCampaign(tx, workspaceId, id)
  if (startedAt !== null || !(editable.includes(status) || status === 'cancelled'))
    throw new AppError('invalid_state_transition', `a campaign that is ${status} cannot be deleted; cancel it instead`)
  if (status === 'scheduled') await endSchedule(tx, { id, workspaceId })
  await deleteCampaignContents(tx, id)
  await tx.db.delete(campaignCounts).where(eq(campaignCounts.campaignId, id))
  await tx.db.delete(campaigns).where(eq(campaigns.id, id))
}

const findCampaign = prepared((db: ReadDb) => {
  const p = sql.placeholder
  return db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, p('workspaceId')), eq(campaigns.id, p('id'))))
    .prepare()
})

/** Throws `not_found`, also for another workspace's. */
export async function getCampaign(reader: Reader, workspaceId: string, id: string): Promise<Campaign> {
  const row = await findCampaign(reader.db).get({ workspaceId, id })
  if (!row) throw new AppError('not_found', 'there is no such campaign')
  return row
}

const byId = { column: campaigns.id, of: ({ id }: Campaign) => id }
const started = { column: startOrder, of: ({ startedAt }: Campaign) => startedAt?.getTime() ?? 0 }
export const campaignOrders = {
  first: '-createdAt',
  named: { createdAt: { key: byId }, startedAt: { by: started, key: byId } },
} as const
export type CampaignSort = Sort<keyof typeof campaignOrders.named>

interface CampaignFilter {
  status?: CampaignStatus | undefined
}

interface CampaignPage extends CampaignFilter {
  sort?: CampaignSort | undefined
  after?: string | undefined
  limit: number
}

/** Newest first, unless asked otherwise; one more than `limit`. */
export async function listCampaigns(
  reader: Reader,
  workspaceId: string,
  { status, sort, after, limit }: CampaignPage,
): Promise<{ rows: Campaign[]; total: number }> {
  const { order, beyond } = sortingOf(campaignOrders, sort)
  const matching = and(
    eq(campaigns.workspaceId, workspaceId),
    status === undefined ? undefined : eq(campaigns.status, status),
  )
  const rows = await reader.db
    .select()
    .from(campaigns)
    .where(and(matching, beyond(after)))
    .orderBy(order)
    .limit(limit + 1)
  const [counted] = await reader.db.select({ total: sql<number>`count(*)` }).from(campaigns).where(matching)
  return { rows, total: counted?.total ?? 0 }
}

export type Recipient = typeof campaignRecipients.$inferSelect

/** A ledger row as listed; `updatedAt` in ms. */
export interface RecipientRow extends Omit<Recipient, 'updatedAt' | 'sendAfter' | 'campaignId'> {
  sendAfter: number | null
  email: string | null
  updatedAt: number
}

/** By contact id; one more than `limit`. */
export async function listRecipients(
  reader: Reader,
  campaignId: string,
  { state, after, limit }: { state?: Recipient['state'] | undefined; after?: string | undefined; limit: number },
): Promise<RecipientRow[]> {
  return await reader.db.all(
    sql`SELECT r.contact_id AS contactId, r.state AS state, r.reason AS reason,
      r.message_id AS messageId, r.send_after AS sendAfter, r.variant AS variant, r.updated_at AS updatedAt, coalesce(m.email, c.email) AS email
      FROM campaign_recipients r LEFT JOIN contacts c ON c.id = r.contact_id LEFT JOIN messages m ON m.id = r.message_id
      WHERE r.campaign_id = ${campaignId} AND r.contact_id > ${after ?? ''} ${state === undefined ? sql`` : sql`AND +r.state = ${state}`}
      ORDER BY r.contact_id LIMIT ${limit + 1}`,
  )
}

/** Drops members that were not given. */
function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
