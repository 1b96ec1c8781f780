// What a list has sent to everybody on it, for anybody to read: campaigns that ended, without those for a part of it, as somebody sees them
// whom we do not know. With a test, what won.

import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm'
import { campaigns } from '../../../../db/tables/campaigns.ts'
import { mailingLists } from '../../../../db/tables/lists.ts'
import type { App } from '../../../core/app.ts'
import { localeChain } from '../../../kit/locale.ts'
import { publicBase } from '../../../people/links/base.ts'
import { getWorkspace, type Workspace } from '../../../people/workspaces.ts'
import type { MailingList } from '../../contacts/consent/named-lists.ts'
import { fill } from '../../content/rendering/fill.ts'
import { getRevision } from '../../content/templates/resolve.ts'
import { atBase } from '../../sending/at-base.ts'
import { senderNameOf, toValues } from '../../sending/values.ts'
import { findVariant } from '../ab-test.ts'
import type { Campaign } from '../campaign.ts'
import { type CampaignContent, ownContents } from '../contents.ts'
import { variantContents } from '../variant-contents.ts'

export interface PublicList {
  list: MailingList
  workspace: Workspace
}

export interface PublicLetter {
  id: string
  subject: string
  previewText: string
  locale: string
  sentAt: Date
  url: string
}

export interface WholePublicLetter extends PublicLetter {
  html: string
}

export function archiveUrl({ config }: Pick<App, 'config'>, { list, workspace }: PublicList): string {
  return `${publicBase(config, workspace)}/archive/${list.id}`
}

/** Null for a list that is not there, or not for everybody to read. */
export async function findPublicList(app: App, listId: string): Promise<PublicList | null> {
  const [list] = await app.db.select().from(mailingLists).where(eq(mailingLists.id, listId))
  if (!list?.hasPublicArchive || list.status !== 'active') return null
  return { list, workspace: await getWorkspace(app, list.workspaceId) }
}

export interface Reader {
  /** Of their browser; null: not known. */
  locale: string | null
}

/** Newest first; `before`: those that are older than this one. */
export async function listLetters(
  app: App,
  of: PublicList,
  { locale, before, limit }: Reader & { before?: string | undefined; limit: number },
): Promise<PublicLetter[]> {
  const older = before === undefined ? undefined : await findSent(app, of.list.id, before)
  const rows = await app.db
    .select()
    .from(campaigns)
    .where(and(sentTo(of.list.id), older?.endedAt ? lt(campaigns.endedAt, older.endedAt) : undefined))
    .orderBy(desc(campaigns.endedAt), desc(campaigns.id))
    .limit(limit)
  const letters = await Promise.all(rows.map((campaign) => render(app, of, campaign, locale)))
  return letters.flatMap((letter) => letter ?? [])
}

export async function findLetter(
  app: App,
  of: PublicList,
  id: string,
  { locale }: Reader,
): Promise<WholePublicLetter | null> {
  const campaign = await findSent(app, of.list.id, id)
  return campaign === undefined ? null : await render(app, of, campaign, locale)
}

function sentTo(listId: string) {
  return and(
    eq(campaigns.mailingListId, listId),
    eq(campaigns.status, 'sent'),
    isNull(campaigns.audienceFilter),
    isNull(campaigns.segmentId),
    sql`ended_at IS NOT NULL`,
  )
}

async function findSent(app: App, listId: string, id: string): Promise<Campaign | undefined> {
  const [row] = await app.db
    .select()
    .from(campaigns)
    .where(and(sentTo(listId), eq(campaigns.id, id)))
  return row
}

async function render(
  app: App,
  of: PublicList,
  campaign: Campaign,
  wanted: string | null,
): Promise<WholePublicLetter | null> {
  const { workspace } = of
  const content = pick(await loadContents(app, campaign), localeChain(wanted, campaign.locale))
  if (content === undefined || campaign.endedAt === null) return null
  const { compiled } = await getRevision(app, content.revisionId, workspace.brand, 'marketing')
  const home = archiveUrl(app, of)
  const url = `${home}/${campaign.id}`
  const values = toValues({
    workspace,
    message: { id: '', email: '', locale: content.locale, variables: {} },
    contact: null,
    senderName: senderNameOf(campaign.fromName, workspace),
    now: campaign.endedAt,
    // There is nobody to unsubscribe.
    links: { unsubscribe_url: home, preferences_url: home, view_in_browser_url: url },
  })
  const { id, endedAt: sentAt } = campaign
  const [subject, previewText] = [fill(compiled.subject, values), fill(compiled.previewText, values)]
  return {
    id,
    subject,
    previewText,
    locale: content.locale,
    sentAt,
    url,
    html: fill(atBase(app.config, publicBase(app.config, workspace), compiled).html, values),
  }
}

async function loadContents(app: App, campaign: Campaign): Promise<CampaignContent[]> {
  const winner = campaign.winner === null ? null : findVariant(campaign, campaign.winner)
  return winner === null ? await ownContents(app, campaign.id) : await variantContents(app, campaign, winner)
}

/** The first locale of the chain that there is; else any. */
function pick(contents: CampaignContent[], chain: string[]): CampaignContent | undefined {
  for (const locale of chain) {
    const found = contents.find((content) => content.locale === locale)
    if (found !== undefined) return found
  }
  return contents[0]
}
