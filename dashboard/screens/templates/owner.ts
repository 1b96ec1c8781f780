// What the editor edits: the content of a template, that of a campaign, or what a block holds. They differ in where it is stored. A source is a node here.

import { type Call, type Got, get, type Posted, post, put, Refusal, toCall } from '../../api.ts'
import type { Campaign, Template } from '../../nouns.ts'
import type { DraftText, StoredDraft } from './history.ts'
import { asContent, asNodes } from './source.ts'
import { withoutCopies } from './tree.ts'

const ofTemplate = '/v1/transactional/:templateId'
const update = '/v1/transactional/update'
const ofCampaign = '/v1/campaigns/:campaignId'
const ofBlock = '/v1/blocks/:blockId'

/** What a caller has said so far, in a locale. */
type Unsaved = DraftText & { locale: string }
type MailToShow = Unsaved & { dataVariables: Record<string, unknown> }
/** `emails`: members; without them whoever is signed in. */
type Test = MailToShow & { emails?: string[] }
/** What is not finished is no refusal. */
type ToShow = MailToShow & { email?: string; marks: true; draft: true }
type ToSave = DraftText & { expectedRevisionId?: string }

export type Preview = Posted<'/v1/transactional/:templateId/preview'>
type Tests = Posted<'/v1/transactional/:templateId/test'>

export interface Owner {
  id: string
  name: string
  locales: string[]
  primaryLocale: string
  /** Where it is written in the dashboard. */
  screen: string
  /** What a locale without content begins with. */
  words: { subject: string; previewText: string }
  /** Null where the locale has no content. */
  load: (locale: string) => Promise<StoredDraft | null>
  /** The locale that readers of this one get. */
  localeFor: (locale: string) => Promise<string>
  call: (locale: string, body: ToSave) => Call
  save: (locale: string, body: ToSave) => Promise<{ revisionId: string }>
  preview: (body: ToShow) => Promise<Preview>
  /** Null for what is no mail by itself: it has no subject either, and holds no blocks. */
  test: ((body: Test) => Promise<Tests>) | null
}

/** The API makes a template active with its first content; here publishing is an act of its own. */
export function templateOwner(template: Template): Owner {
  const { id: templateId, name, status, locales, primaryLocale, subject, previewText } = template
  const isFirst = (locale: string) => status === 'draft' && locale === primaryLocale
  const draft = (body: ToSave) => ({ ...toBody(body), id: templateId, status: 'draft' as const })
  const params = { templateId }
  const path = `${ofTemplate}/content/:locale` as const
  return {
    id: templateId,
    name,
    locales,
    primaryLocale,
    screen: `/templates/${templateId}`,
    words: { subject, previewText },
    load: (locale) => orNull(get(path, { params: { templateId, locale } })),
    localeFor: async (locale) => (await post(`${ofTemplate}/preview`, { params, body: { locale } })).locale,
    call: (locale, body) =>
      isFirst(locale)
        ? toCall('PUT', update, { body: draft(body) })
        : toCall('PUT', path, { params: { templateId, locale }, body: toBody(body) }),
    save: async (locale, body) => {
      if (!isFirst(locale)) return await put(path, { params: { templateId, locale }, body: toBody(body) })
      const { revisionId } = await put(update, { body: draft(body) })
      if (revisionId === null) throw new Error('a template that was saved has no revision')
      return { revisionId }
    },
    preview: (body) => post(`${ofTemplate}/preview`, { params, body: toBody(body) }),
    test: (body) => post(`${ofTemplate}/test`, { params, body: toBody(body) }),
  }
}

/** `locales`: those that have content. */
export function campaignOwner(campaign: Campaign, locales: string[]): Owner {
  const { id: campaignId, name, locale: primaryLocale, subject, previewText } = campaign
  const params = { campaignId }
  const path = `${ofCampaign}/content/:locale` as const
  return {
    id: campaignId,
    name,
    locales,
    primaryLocale,
    screen: `/campaigns/${campaignId}/content`,
    words: { subject, previewText },
    load: async (locale) => {
      const { data } = await get(`${ofCampaign}/content`, { params })
      return storedIn(data.find((one) => one.locale === locale))
    },
    localeFor: async (locale) => (await post(`${ofCampaign}/preview`, { params, body: { locale } })).locale,
    call: (locale, body) => toCall('PUT', path, { params: { campaignId, locale }, body: toBody(body) }),
    save: (locale, body) => put(path, { params: { campaignId, locale }, body: toBody(body) }),
    // Nobody gives a campaign data: contacts fill it.
    preview: ({ dataVariables: _, ...body }) => post(`${ofCampaign}/preview`, { params, body: toBody(body) }),
    test: ({ dataVariables: _, ...body }) => post(`${ofCampaign}/test`, { params, body: toBody(body) }),
  }
}

const toBody = <T extends DraftText>({ content, ...words }: T) => ({ ...words, content: asContent(content) })

/** A block is shown as a mail of nothing else. */
export function blockOwner(block: Got<'/v1/blocks/:blockId'>): Owner {
  const { id: blockId, name, locales, primaryLocale } = block
  const path = `${ofBlock}/content/:locale` as const
  const words = { subject: name, previewText: '' }
  const bodyOf = ({ content, expectedRevisionId }: ToSave) => ({
    content,
    ...(expectedRevisionId !== undefined && { expectedRevisionId }),
  })
  return {
    id: blockId,
    name,
    locales,
    primaryLocale,
    screen: `/blocks/${blockId}`,
    words,
    load: async (locale) => storedIn({ ...(await get(path, { params: { blockId, locale } })), ...words }),
    localeFor: async () => primaryLocale,
    call: (locale, body) => toCall('PUT', path, { params: { blockId, locale }, body: bodyOf(body) }),
    save: (locale, body) => put(path, { params: { blockId, locale }, body: bodyOf(body) }),
    preview: async (body) => {
      const shown = await post('/v1/transactional/preview', { body })
      const isOfContent = ({ path }: { path: string }) => path !== 'subject' && path !== 'previewText'
      return { ...shown, findings: shown.findings.filter(isOfContent), inbox: [] }
    },
    test: null,
  }
}

type StoredText = Omit<StoredDraft, 'content'> & { content: unknown }

function storedIn(kept: StoredText | undefined): StoredDraft | null {
  if (kept === undefined) return null
  const { content, subject, previewText, revisionId } = kept
  return { content: withoutCopies(asNodes(content)), subject, previewText, revisionId }
}

async function orNull(loading: Promise<StoredText>): Promise<StoredDraft | null> {
  try {
    return storedIn(await loading)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}
