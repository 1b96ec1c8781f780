// Drafts of campaigns, for REST and the tools: validates the body, stores it, and returns the campaign with warnings.

import type { App } from '../../core/app.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError, type Issue } from '../../kit/error.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { EmbeddedPicture } from '../content/media/embedded.ts'
import { writeShowing } from '../content/media/keep.ts'
import { asGiven } from '../content/rendering/content.ts'
import { checkedLocale } from '../content/templates/contents.ts'
import { readContent } from '../content/templates/read-content.ts'
import { chooseSender } from '../sending/sender.ts'
import { readTest } from './ab-test.ts'
import type { Campaign } from './campaign.ts'
import {
  type CampaignFields,
  createCampaign,
  getCampaign,
  type NewCampaign,
  putContent,
  updateCampaign,
} from './campaigns.ts'
import { type CampaignBody, checkTexts, updateBody } from './schema.ts'
import { checkVariantAddresses, mustShareDomain } from './test-senders.ts'

export interface SavedDraft {
  campaign: Campaign
  warnings: Issue[]
}

/** Who edits it: only a signed-in member may disable the limit of mails per recipient. */
export interface Editor {
  byPerson: boolean
}

export type NewDraft = CampaignBody & { name: string; subject: string; mailingListId: string }

/** Throws 422 with every fault of the texts, the tree, the list, the template or the sender. */
export async function draftCampaign(
  app: App,
  workspace: Workspace,
  body: NewDraft,
  editor: Editor,
): Promise<SavedDraft> {
  const { input, warnings, pictures } = await readDraft(app, workspace, body, editor)
  const made = await writeShowing(app, workspace.id, pictures, (tx) => createCampaign(tx, workspace.id, input))
  return { campaign: made.campaign, warnings: [...warnings, ...made.warnings] }
}

/** What createCampaign() takes. Throws 422 with every fault of the texts, the tree or the sender. */
export async function readDraft(
  app: App,
  workspace: Workspace,
  body: NewDraft,
  editor: Editor,
): Promise<{ input: NewCampaign; warnings: Issue[]; pictures: EmbeddedPicture[] }> {
  const { fields, ...read } = await readBody(app, workspace, body, editor)
  const { name, subject, mailingListId } = body
  const locale = fields.locale ?? workspace.primaryLocale
  return { input: { ...fields, name, subject, mailingListId, locale }, ...read }
}

export async function changeDraft(
  app: App,
  workspace: Workspace,
  campaignId: string,
  body: CampaignBody,
  editor: Editor,
): Promise<SavedDraft> {
  const before = await getCampaign(app, workspace.id, campaignId)
  const { fields, warnings, pictures } = await readBody(app, workspace, body, editor, before)
  const made = await writeShowing(app, workspace.id, pictures, (tx) =>
    updateCampaign(tx, workspace.id, campaignId, fields),
  )
  return { campaign: made.campaign, warnings: [...warnings, ...made.warnings] }
}

export interface LocaleContent {
  content: unknown
  subject?: string | undefined
  previewText?: string | undefined
  expectedRevisionId?: string | undefined
}

export async function putLocale(
  app: App,
  workspace: Workspace,
  { campaignId, locale: given, body }: { campaignId: string; locale: string; body: LocaleContent },
) {
  const { subject, previewText } = await getCampaign(app, workspace.id, campaignId)
  checkTexts({ subject: body.subject, previewText: body.previewText })
  const locale = checkedLocale('locale', given)
  const { content, warnings, pictures } = await readContent(app, workspace.id, body.content)
  const words = { subject: body.subject ?? subject, previewText: body.previewText ?? previewText }
  const said = { locale, content, ...words, expectedRevisionId: body.expectedRevisionId }
  const put = await writeShowing(app, workspace.id, pictures, (tx) => putContent(tx, workspace.id, campaignId, said))
  return {
    locale,
    ...words,
    content: asGiven(content),
    revisionId: put.revisionId,
    warnings: [...warnings, ...put.warnings],
  }
}

async function readBody(
  app: App,
  workspace: Workspace,
  body: CampaignBody,
  { byPerson }: Editor,
  before: Pick<Campaign, 'fromEmail' | 'test'> = { fromEmail: null, test: null },
) {
  checkTexts(body)
  if (body.ignoreGuardrail === true && !byPerson)
    throw new AppError('forbidden', 'Only a signed-in member may override the limit of mails per recipient.')
  const { content: given, locale, ...rest } = body
  const tree = given === undefined ? null : await readContent(app, workspace.id, given)
  const from = { fromName: null, fromEmail: body.fromEmail ?? null, replyTo: null }
  const sender = await chooseSender(app, workspace, from, {})
  const test = body.test ? readTest(body.test) : body.test
  const testWarnings = await checkTestSenders(app, workspace, {
    ...before,
    ...withoutUndefined({ fromEmail: body.fromEmail, test }),
  })
  const known = Object.keys(updateBody.properties)
  const fields = {
    ...Object.fromEntries(Object.entries(rest).filter(([name, value]) => known.includes(name) && value !== undefined)),
    ...withoutUndefined({ test }),
    ...(locale === undefined ? {} : { locale: checkedLocale('locale', locale) }),
    ...(tree === null ? {} : { content: tree.content }),
  } as CampaignFields
  const warnings = [...sender.warnings, ...testWarnings, ...(tree?.warnings ?? [])]
  return { fields, warnings, pictures: tree?.pictures ?? [] }
}

async function checkTestSenders(
  app: App,
  workspace: Workspace,
  { fromEmail, test }: Pick<Campaign, 'fromEmail' | 'test'>,
): Promise<Issue[]> {
  if (test === null) return []
  const { email } = await chooseSender(app, workspace, { fromName: null, fromEmail, replyTo: null }, {})
  mustShareDomain({ test }, addressDomain(email))
  return await checkVariantAddresses(app, workspace, { test })
}
