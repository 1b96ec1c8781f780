// All that a campaign would send, with the variants of its test: checked, and copied when it starts.

import type { TestVariant } from '../../../db/tables/ab-tests.ts'
import type { VariantContent } from '../../../db/tables/campaigns.ts'
import type { Brand } from '../../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { type Issue, invalidField } from '../../kit/error.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { loadCampaignSettings } from '../../people/campaign-settings.ts'
import { findSame } from '../ab-tests/variants.ts'
import { getRevision, type Revision, resolveTemplate } from '../content/templates/resolve.ts'
import { refuseTransactional } from '../events/purpose.ts'
import { testPlace } from './ab-test.ts'
import type { Campaign } from './campaign.ts'
import {
  addCampaignRevision,
  type CampaignContent,
  checkContents,
  deleteCampaignContents,
  effectiveContents,
  listContents,
  noContent,
  setCampaignContent,
} from './contents.ts'

/** What a variant says: the content of its template, or that of the campaign, with its own subject in the campaign's locale. */
export async function variantContents(
  reader: Reader,
  campaign: Campaign,
  { name, templateId, subject, previewText }: TestVariant,
): Promise<CampaignContent[]> {
  const frozen = (campaign.variantContents ?? []).filter(({ variant }) => variant === name)
  if (frozen.length > 0) return await listContents(reader, frozen)
  const words = withoutUndefined({ subject, previewText })
  const contents = await effectiveContents(reader, { ...campaign, templateId: templateId ?? campaign.templateId })
  return contents.map((content) => (content.locale === campaign.locale ? { ...content, ...words } : content))
}

/** The warnings of its variants. Throws 422 for what would prevent the test. */
export async function checkVariants(reader: Reader, campaign: Campaign): Promise<Issue[]> {
  const { workspaceId, test } = campaign
  if (test === null) return []
  if (test.winner?.by === 'clicks' && !(await loadCampaignSettings(reader, workspaceId)).trackClicks) {
    const message = 'needs trackClicks of the campaign settings: without it nobody counts clicks; or choose by hand'
    throw invalidField('test.winner.by', message, 'clicks_not_tracked')
  }
  refuseSame(campaign, test.variants)
  const warnings: Issue[] = []
  for (const [index, variant] of test.variants.entries()) {
    const path = testPlace.of(index)
    if (variant.templateId !== undefined)
      await checkTemplate(reader, workspaceId, variant.templateId, `${path}.templateId`)
    warnings.push(...checkContents(campaign, await variantContents(reader, campaign, variant), path))
  }
  return warnings
}

/** Two that say the same from the same sender, with what they take from the campaign. */
function refuseSame(campaign: Campaign, variants: TestVariant[]): void {
  const { subject, previewText, fromName, fromEmail, replyTo, templateId } = campaign
  const same = findSame(variants, { subject, previewText, fromName, fromEmail, replyTo, templateId })
  if (same !== null) throw invalidField(testPlace.of(same.index), same.message, 'contradiction')
}

async function checkTemplate(reader: Reader, workspaceId: string, templateId: string, path: string): Promise<void> {
  if (!(await resolveTemplate(reader, workspaceId, templateId))) {
    const message = `there is no active template ${JSON.stringify(templateId)}`
    throw invalidField(path, message, 'unknown_template')
  }
  await refuseTransactional(reader, workspaceId, templateId, path)
}

/** What would be sent now, with warnings. Throws `no_content`, and 422 for a variable that nothing fills or a test that cannot be. */
export async function contentsToSend(
  reader: Reader,
  campaign: Campaign,
): Promise<{ contents: CampaignContent[]; warnings: Issue[] }> {
  const contents = await effectiveContents(reader, campaign)
  if (contents.length === 0) throw noContent(campaign)
  const warnings = [...checkContents(campaign, contents), ...(await checkVariants(reader, campaign))]
  return { contents, warnings }
}

/** Copies the content of templates to the campaign, so that later changes of these have no effect. Returns that of its variants. */
export async function freezeContents(tx: Tx, campaign: Campaign): Promise<Pick<Campaign, 'variantContents'>> {
  const { contents } = await contentsToSend(tx, campaign)
  const frozen = await freezeVariants(tx, campaign)
  if (campaign.templateId !== null) {
    await deleteCampaignContents(tx, campaign.id)
    for (const content of contents) await setCampaignContent(tx, campaign, content)
  }
  return frozen
}

async function freezeVariants(tx: Tx, campaign: Campaign): Promise<Pick<Campaign, 'variantContents'>> {
  if (campaign.test === null) return { variantContents: null }
  const frozen: VariantContent[] = []
  for (const variant of campaign.test.variants.filter(saysOther))
    for (const content of await variantContents(tx, campaign, variant)) {
      const revisionId = await addCampaignRevision(tx, campaign, content)
      frozen.push({ variant: variant.name, locale: content.locale, revisionId })
    }
  return { variantContents: frozen }
}

/** Than the campaign. */
function saysOther({ subject, previewText, templateId }: TestVariant): boolean {
  return subject !== undefined || previewText !== undefined || templateId !== undefined
}

/** Compiled, by variant and locale; not those that say what the campaign does. */
export async function compiledVariants(
  reader: Reader,
  { variantContents: frozen }: Pick<Campaign, 'variantContents'>,
  brand: Brand,
): Promise<Map<string, Map<string, Revision>>> {
  const compiled = new Map<string, Map<string, Revision>>()
  for (const { variant, locale, revisionId } of frozen ?? []) {
    const ofVariant = compiled.get(variant) ?? new Map<string, Revision>()
    compiled.set(variant, ofVariant.set(locale, await getRevision(reader, revisionId, brand, 'marketing')))
  }
  return compiled
}
