// What shows a picture in mail that is yet to be sent: templates as they are now, campaigns that have not ended, those that recur, and the
// brand.

import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type CampaignStatus, campaignContents, campaigns } from '../../../../db/tables/campaigns.ts'
import { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import { mediaUses } from '../../../../db/tables/media.ts'
import { recurringCampaigns } from '../../../../db/tables/recurring.ts'
import { templateContents, templates } from '../../../../db/tables/templates.ts'
import { workspaces } from '../../../../db/tables/workspaces.ts'
import type { Reader } from '../../../core/app.ts'
import { AppError } from '../../../kit/error.ts'
import { realIdOf } from '../../../kit/id.ts'
import type { MediaRow } from './store.ts'

export const userKinds = ['template', 'campaign', 'recurringCampaign', 'brand'] as const

export interface User {
  kind: (typeof userKinds)[number]
  /** As the API knows it: the slug of a template. */
  id: string
  name: string
}

const unsent: CampaignStatus[] = ['draft', 'approved', 'scheduled', 'sending', 'paused']
/** Of each kind. */
const most = 50
const namedAtMost = 10

export async function listUsers(reader: Reader, { workspaceId, key }: MediaRow): Promise<User[]> {
  return [
    ...(await templatesShowing(reader, workspaceId, key)),
    ...(await campaignsShowing(reader, workspaceId, key)),
    ...(await recurringShowing(reader, workspaceId, key)),
    ...(await brandShowing(reader, workspaceId, key)),
  ]
}

/** Throws 409 `media_in_use`, naming what shows it. */
export async function refuseInUse(reader: Reader, row: MediaRow): Promise<void> {
  const users = await listUsers(reader, row)
  if (users.length === 0) return
  const message = `this picture is shown by ${listedUsers(users)}: take it out there, or delete it with force=true, and its place stays empty, also in mails that were sent`
  throw new AppError('media_in_use', message, { errors: [{ path: 'force', message, code: 'media_in_use' }] })
}

/** `template welcome, campaign cmp_… and more`. */
function listedUsers(users: User[]): string {
  const named = users
    .slice(0, namedAtMost)
    .map(({ kind, id }) => (kind === 'brand' ? 'the brand' : `${words[kind]} ${id}`))
  return named.join(', ') + (users.length > namedAtMost ? ' and more' : '')
}

const words = { template: 'template', campaign: 'campaign', recurringCampaign: 'recurring campaign' }

async function templatesShowing(reader: Reader, workspaceId: string, key: string): Promise<User[]> {
  const rows = await reader.db
    .selectDistinct({ id: templates.slug, name: templates.name })
    .from(mediaUses)
    .innerJoin(contentRevisions, eq(contentRevisions.id, mediaUses.sourceId))
    .innerJoin(
      templateContents,
      and(
        eq(templateContents.templateId, contentRevisions.ownerId),
        eq(templateContents.locale, contentRevisions.locale),
        eq(templateContents.revisionId, contentRevisions.id),
      ),
    )
    .innerJoin(templates, eq(templates.id, templateContents.templateId))
    .where(and(eq(mediaUses.mediaKey, key), eq(templates.workspaceId, workspaceId), isNull(templates.deletedAt)))
    .limit(most)
  return rows.map((row) => ({ kind: 'template', ...row }))
}

async function campaignsShowing(reader: Reader, workspaceId: string, key: string): Promise<User[]> {
  const rows = await reader.db
    .selectDistinct({ id: campaigns.id, name: campaigns.name })
    .from(mediaUses)
    .innerJoin(contentRevisions, eq(contentRevisions.id, mediaUses.sourceId))
    .innerJoin(
      campaignContents,
      and(
        eq(campaignContents.campaignId, contentRevisions.ownerId),
        eq(campaignContents.locale, contentRevisions.locale),
        eq(campaignContents.revisionId, contentRevisions.id),
      ),
    )
    .innerJoin(campaigns, eq(campaigns.id, campaignContents.campaignId))
    .where(and(eq(mediaUses.mediaKey, key), eq(campaigns.workspaceId, workspaceId), inArray(campaigns.status, unsent)))
    .limit(most)
  return rows.map((row) => ({ kind: 'campaign', ...row }))
}

/** Their content is no revision until they make a campaign. */
async function recurringShowing(reader: Reader, workspaceId: string, key: string): Promise<User[]> {
  const { id, name, draft } = recurringCampaigns
  const rows = await reader.db
    .select({ id, name })
    .from(recurringCampaigns)
    .where(and(eq(recurringCampaigns.workspaceId, workspaceId), sql`instr(${draft}, ${`/media/${key}.`}) > 0`))
    .limit(most)
  return rows.map((row) => ({ kind: 'recurringCampaign', ...row }))
}

/** A test workspace has the brand of its own. */
async function brandShowing(reader: Reader, workspaceId: string, key: string): Promise<User[]> {
  const rows = await reader.db
    .select({ id: workspaces.id, name: workspaces.name })
    .from(workspaces)
    .where(
      and(
        eq(workspaces.id, realIdOf(workspaceId)),
        sql`instr(coalesce(${workspaces.brand} ->> 'logoUrl', '') || ' ' || coalesce(${workspaces.brand} ->> 'darkLogoUrl', ''), ${`/media/${key}.`}) > 0`,
      ),
    )
  return rows.map((row) => ({ kind: 'brand', ...row }))
}
