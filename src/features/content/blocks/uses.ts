// What uses a block: templates, campaigns that have not begun, recurring campaigns. A tree that uses one names its id, which nothing else has.

import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type CampaignStatus, campaignContents, campaigns } from '../../../../db/tables/campaigns.ts'
import { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import { recurringCampaigns } from '../../../../db/tables/recurring.ts'
import { templateContents, templates } from '../../../../db/tables/templates.ts'
import type { Reader } from '../../../core/app.ts'
import { toContent } from '../rendering/content.ts'
import { blocksIn } from '../templates/fill-blocks.ts'
import { listed } from '../templates/uses.ts'

type Revision = typeof contentRevisions.$inferSelect

/** A locale of a template or a campaign that uses it, as it stands. */
export interface Use {
  kind: 'template' | 'campaign'
  /** Of a template its slug. */
  id: string
  name: string
  revision: Revision
}

export interface Uses {
  contents: Use[]
  recurring: { id: string; name: string }[]
}

const notBegun: CampaignStatus[] = ['draft', 'approved', 'scheduled']

export async function findUses(reader: Reader, workspaceId: string, blockId: string): Promise<Uses> {
  const holds = sql`instr(${contentRevisions.content}, ${blockId}) > 0`
  const inTemplates = await reader.db
    .select({ id: templates.slug, name: templates.name, revision: contentRevisions })
    .from(templates)
    .innerJoin(templateContents, eq(templateContents.templateId, templates.id))
    .innerJoin(contentRevisions, eq(contentRevisions.id, templateContents.revisionId))
    .where(and(eq(templates.workspaceId, workspaceId), isNull(templates.deletedAt), holds))
    .orderBy(asc(templates.slug), asc(templateContents.locale))
  const inCampaigns = await reader.db
    .select({ id: campaigns.id, name: campaigns.name, revision: contentRevisions })
    .from(campaigns)
    .innerJoin(campaignContents, eq(campaignContents.campaignId, campaigns.id))
    .innerJoin(contentRevisions, eq(contentRevisions.id, campaignContents.revisionId))
    .where(and(eq(campaigns.workspaceId, workspaceId), inArray(campaigns.status, notBegun), holds))
    .orderBy(asc(campaigns.id), asc(campaignContents.locale))
  const recurring = await reader.db
    .select({ id: recurringCampaigns.id, name: recurringCampaigns.name })
    .from(recurringCampaigns)
    .where(
      and(eq(recurringCampaigns.workspaceId, workspaceId), sql`instr(${recurringCampaigns.draft}, ${blockId}) > 0`),
    )
  const contents: Use[] = [
    ...inTemplates.map((row): Use => ({ ...row, kind: 'template' })),
    ...inCampaigns.map((row): Use => ({ ...row, kind: 'campaign' })),
  ]
  // A text may say the id, too.
  return {
    contents: contents.filter(({ revision }) => blocksIn(toContent(revision.content)).includes(blockId)),
    recurring,
  }
}

/** In a sentence; '' for none. */
export function describeUses(uses: Uses): string {
  const { templates, campaigns, recurring } = usersOf(uses)
  const named = { templates, campaigns, 'recurring campaigns': recurring }
  return Object.entries(named)
    .flatMap(([what, users]) => (users.length > 0 ? [`${what} (${listed(users.map(({ id }) => id))})`] : []))
    .join(' and ')
}

/** Each once, whatever locales of it use the block. */
function usersOf({ contents, recurring }: Uses) {
  const of = (kind: Use['kind']) => {
    const names = new Map(contents.flatMap((use) => (use.kind === kind ? [[use.id, use.name] as const] : [])))
    return [...names].map(([id, name]) => ({ id, name }))
  }
  return { templates: of('template'), campaigns: of('campaign'), recurring }
}

export function toUsesView(uses: Uses) {
  const { recurring, ...users } = usersOf(uses)
  return { ...users, recurringCampaigns: recurring }
}
