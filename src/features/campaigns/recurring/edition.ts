// What one campaign of a recurring one says: its draft, with the items of the feed in the content of each locale. It is checked when the
// recurring campaign is stored, with an item that stands for those to come, and made when its time comes.

import type { RecurringFeed } from '../../../../db/tables/recurring.ts'
import type { App, Reader, Tx } from '../../../core/app.ts'
import { type Issue, invalidField } from '../../../kit/error.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { type Content, isTree, toContent } from '../../content/rendering/content.ts'
import type { Node } from '../../content/rendering/nodes.ts'
import { parseTree } from '../../content/rendering/tree.ts'
import { refuseTransactional } from '../../events/purpose.ts'
import { checkedCampaign, type NewCampaign } from '../campaigns.ts'
import { checkContents, effectiveContents, type NewCampaignContent } from '../contents.ts'
import { type NewDraft, readDraft } from '../draft.ts'
import { fillFeed, fillFeedWords, toFeedValues } from './fill-feed.ts'
import { wallTimeOf } from './occurrences.ts'
import type { Feed } from './parse-feed.ts'
import type { Recurring, RecurringFields } from './recurring.ts'

export interface Edition {
  input: NewCampaign
  /** The other locales of a template that a feed is written into. */
  others: NewCampaignContent[]
  warnings: Issue[]
}

type Source = Pick<Recurring, keyof RecurringFields>

const maxNameChars = 200
const maxWordsChars = 500

/** `feed`: the items to show; null where it has no feed. Throws 422 as for a draft. */
export async function composeEdition(
  app: App,
  workspace: Workspace,
  source: Source,
  { feed, at }: { feed: Feed | null; at: Date },
): Promise<Edition> {
  const draft = { ...source.draft, name: nameAt(source, at) } as NewDraft
  const [first, ...others] = feed === null ? [] : await contentsWith(app, workspace, source, feed)
  const body = first === undefined ? draft : { ...draft, ...first, templateId: null }
  // Whoever stored `ignoreGuardrail` was asked then.
  const { input, warnings } = await readDraft(app, workspace, body, { byPerson: true })
  return { input, others, warnings }
}

/** Throws 422 for content or settings with which no campaign could be made; writes nothing. */
export async function checkEdition(tx: Tx, workspaceId: string, { input, others }: Edition): Promise<Issue[]> {
  const { campaign, warnings } = await checkedCampaign(tx, workspaceId, input)
  return [...warnings, ...checkContents(campaign, others)]
}

/** In the locale of the draft, or in another where there is none in that. */
export async function mainContent(
  reader: Reader,
  workspaceId: string,
  { input }: Edition,
): Promise<NewCampaignContent> {
  const contents = await loadContents(reader, workspaceId, input)
  const found = contents.find(({ locale }) => locale === input.locale) ?? contents[0]
  if (found) return found
  throw new RangeError('an edition has content')
}

/** Stands for the items to come: as many as one mail may show. */
export function sampleFeed({ url, maxItems }: RecurringFeed): Feed {
  const item = {
    marks: [],
    title: 'An item',
    link: url,
    summary: 'What it is about.',
    date: '2026-01-01T00:00:00.000Z',
  }
  return { title: 'A feed', link: url, items: Array.from({ length: maxItems }, () => item), marks: [] }
}

/** `Weekly, 2027-01-15` */
function nameAt(source: Source, at: Date): string {
  const [date = ''] = wallTimeOf(source, at).split('T')
  return `${source.name.slice(0, maxNameChars - date.length - 2).toWellFormed()}, ${date}`
}

/** The content in each locale, filled; that of the draft's own locale first. */
async function contentsWith(
  app: App,
  workspace: Workspace,
  { draft, timeZone }: Source,
  feed: Feed,
): Promise<NewCampaignContent[]> {
  const locale = draft.locale ?? workspace.primaryLocale
  const contents = (await loadContents(app, workspace.id, { ...draft, locale })).map((content) => {
    const values = toFeedValues(feed, content.locale, timeZone)
    const words = (text: string) => fillFeedWords(text, values).slice(0, maxWordsChars).toWellFormed()
    const tree = parseTree(fillFeed(treeOf(content.content), values), { blocks: 'named' })
    const { subject, previewText } = content
    return { locale: content.locale, subject: words(subject), previewText: words(previewText), content: tree.content }
  })
  return contents.sort((one, other) => Number(other.locale === locale) - Number(one.locale === locale))
}

/** Items are entries of a list, which a source does not have. */
function treeOf(content: Content): Node[] {
  if (isTree(content)) return content
  throw invalidField('content', 'of HTML or MJML cannot show a feed; use a component tree', 'no_tree')
}

async function loadContents(
  reader: Reader,
  workspaceId: string,
  { templateId = null, content, ...draft }: Source['draft'] & { locale: string },
): Promise<NewCampaignContent[]> {
  const { locale, subject, previewText = '' } = draft
  if (templateId === null) return [{ locale, subject, previewText, content: toContent(content ?? []) }]
  await refuseTransactional(reader, workspaceId, templateId)
  const choice = { id: '', workspaceId, templateId, startedAt: null, subject, previewText, locale }
  const contents = await effectiveContents(reader, choice)
  if (contents.length > 0) return contents.map(({ revisionId: _, ...said }) => said)
  throw invalidField('templateId', `there is no active template ${JSON.stringify(templateId)}`, 'unknown_template')
}
