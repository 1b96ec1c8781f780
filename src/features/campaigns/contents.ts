// The content of a campaign per locale: revisions of its own, or those of a template, copied when it starts.

import { and, asc, eq, inArray } from 'drizzle-orm'
import { campaignContents } from '../../../db/tables/campaigns.ts'
import { contentRevisions } from '../../../db/tables/content-revisions.ts'
import type { Brand } from '../../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { compileContent, showsUnsubscribe } from '../content/rendering/compile.ts'
import { type Content, isTree, toContent } from '../content/rendering/content.ts'
import { unfillable } from '../content/rendering/variables.ts'
import { getRevision, type Revision, resolveTemplate } from '../content/templates/resolve.ts'
import { addRevision } from '../content/templates/revisions.ts'
import type { Campaign } from './campaign.ts'

export interface CampaignContent {
  locale: string
  content: Content
  subject: string
  previewText: string
  revisionId: string
}

export interface NewCampaignContent extends Omit<CampaignContent, 'revisionId'> {}

/** A new revision of one locale, which is its content from now on. */
export async function setCampaignContent(tx: Tx, campaign: Campaign, given: NewCampaignContent): Promise<string> {
  const { locale } = given
  const { id: campaignId } = campaign
  const revisionId = await addCampaignRevision(tx, campaign, given)
  const current = { revisionId, updatedAt: tx.now }
  await tx.db
    .insert(campaignContents)
    .values({ campaignId, locale, ...current })
    .onConflictDoUpdate({ target: [campaignContents.campaignId, campaignContents.locale], set: current })
  return revisionId
}

export async function addCampaignRevision(tx: Tx, campaign: Campaign, given: NewCampaignContent): Promise<string> {
  const { locale, content, subject, previewText } = given
  const { id: ownerId, workspaceId } = campaign
  const said = { locale, subject, previewText, content, settings: settingsIn(campaign) }
  return await addRevision(tx, { workspaceId, ownerKind: 'campaign', ownerId, ...said })
}

/** What a recipient sees beside the content, and who is one. */
export function settingsIn(campaign: Campaign) {
  const { fromName, fromEmail, replyTo, mailingListId, audienceFilter, segmentId, ignoreGuardrail, test } = campaign
  return { fromName, fromEmail, replyTo, mailingListId, audienceFilter, segmentId, ignoreGuardrail, test }
}

export async function deleteCampaignContents(tx: Tx, campaignId: string): Promise<void> {
  await tx.db.delete(campaignContents).where(eq(campaignContents.campaignId, campaignId))
}

/** Its own content, by locale. */
export async function ownContents(reader: Reader, campaignId: string): Promise<CampaignContent[]> {
  const rows = await reader.db
    .select({ locale: campaignContents.locale, revision: contentRevisions })
    .from(campaignContents)
    .innerJoin(contentRevisions, eq(contentRevisions.id, campaignContents.revisionId))
    .where(eq(campaignContents.campaignId, campaignId))
    .orderBy(asc(campaignContents.locale))
  return rows.map(({ locale, revision }) => ({ ...saidIn(revision), locale, revisionId: revision.id }))
}

/** The contents of these revisions. */
export async function listContents(
  reader: Reader,
  revisions: { locale: string; revisionId: string }[],
): Promise<CampaignContent[]> {
  const ids = revisions.map(({ revisionId }) => revisionId)
  const rows = await reader.db.select().from(contentRevisions).where(inArray(contentRevisions.id, ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return revisions.flatMap(({ locale, revisionId }) => {
    const row = byId.get(revisionId)
    return row ? [{ ...saidIn(row), locale, revisionId }] : []
  })
}

/** Revisions are valid: they were read before they were stored. */
function saidIn({ content, subject, previewText }: typeof contentRevisions.$inferSelect) {
  return { content: toContent(content), subject, previewText }
}

type ContentChoice = Pick<
  Campaign,
  'id' | 'workspaceId' | 'templateId' | 'startedAt' | 'subject' | 'previewText' | 'locale'
>

/** What would be sent now: its own content, or that of its template with the campaign's subject. */
export async function effectiveContents(reader: Reader, campaign: ContentChoice): Promise<CampaignContent[]> {
  const { id, workspaceId, templateId, startedAt, subject, previewText } = campaign
  if (templateId === null || startedAt !== null) return ownContents(reader, id)
  const template = await resolveTemplate(reader, workspaceId, templateId)
  if (!template) return []
  const contents: CampaignContent[] = []
  for (const [locale, revisionId] of template.revisions) {
    const [row] = await reader.db
      .select()
      .from(contentRevisions)
      .where(and(eq(contentRevisions.id, revisionId), eq(contentRevisions.workspaceId, workspaceId)))
    if (!row) continue
    const own = saidIn(row)
    const words = locale === campaign.locale ? { subject, previewText: previewText || own.previewText } : {}
    contents.push({ ...own, ...words, locale, revisionId })
  }
  return contents.sort((one, other) => (one.locale < other.locale ? -1 : 1))
}

export function noContent({ templateId }: Campaign): AppError {
  const message =
    templateId === null
      ? 'the campaign has no content yet'
      : `there is no active template ${JSON.stringify(templateId)}`
  return new AppError('no_content', message, { errors: [{ path: 'content', message, code: 'no_content' }] })
}

/**
 * The warnings of the compiled mails. Throws 422 for a variable that nothing fills, because a campaign has no caller to supply it, and for a
 * source that should bring a way to leave and shows none; `path` is
 * what brings it along.
 */
export function checkContents(
  { templateId }: Pick<Campaign, 'templateId'>,
  contents: NewCampaignContent[],
  path = templateId === null ? 'content' : 'templateId',
): Issue[] {
  if (contents.some(({ content }) => !isTree(content) && content.footer === 'own' && !showsUnsubscribe(content)))
    throw invalidField(path, 'shows no unsubscribe link, and its footer is to be its own', 'no_unsubscribe')
  const compiled = contents.map(({ content, subject, previewText, locale }) =>
    compileContent({ content, subject, previewText, locale, kind: 'marketing' }),
  )
  const missing = [...new Set(compiled.flatMap(({ uses }) => unfillable(uses)))]
  if (missing.length > 0) {
    throw invalidField(
      path,
      `nothing fills ${missing.join(', ')} in a campaign; use contact.… or a fallback like {{${missing[0]}|…}}`,
      'missing_variable',
    )
  }
  return compiled.flatMap(({ warnings }) => warnings)
}

/** Compiled, by locale, as deliveries need them. */
export async function compiledContents(
  reader: Reader,
  campaignId: string,
  brand: Brand,
): Promise<Map<string, Revision>> {
  const rows = await reader.db.select().from(campaignContents).where(eq(campaignContents.campaignId, campaignId))
  const entries: [string, Revision][] = []
  for (const { locale, revisionId } of rows)
    entries.push([locale, await getRevision(reader, revisionId, brand, 'marketing')])
  return new Map(entries)
}
