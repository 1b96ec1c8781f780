// Whose revisions a screen shows: those of a template, of a campaign or of a block. They differ in where they are.

import { type Got, get, post } from '../../api.ts'

const ofTemplate = '/v1/transactional/:templateId/revisions'
const ofCampaign = '/v1/campaigns/:campaignId/revisions'
const ofBlock = '/v1/blocks/:blockId/revisions'

type Page = Got<typeof ofTemplate>
export type Revision = Page['data'][number]
type Content = Got<'/v1/transactional/:templateId/revisions/:revisionId'>
type Difference = Got<'/v1/transactional/:templateId/revisions/:revisionId/diff'>
interface Query {
  perPage: number
  cursor?: string
  locale?: string
}

export interface Revised {
  kind: 'template' | 'campaign' | 'block'
  id: string
  /** Where it is written in the dashboard. */
  screen: string
  /** Of the list, in the API. */
  path: string
  params: Record<string, string>
  list: (query: Query, signal: AbortSignal) => Promise<Page>
  read: (revisionId: string, signal: AbortSignal) => Promise<Content>
  compare: (revisionId: string, signal: AbortSignal) => Promise<Difference>
  restore: (revisionId: string, body: { expectedRevisionId?: string }) => Promise<unknown>
}

/** By the parameters of a route. */
export function toRevised({ templateId, campaignId, blockId = '' }: Record<string, string | undefined>): Revised {
  if (templateId !== undefined) return templateRevised(templateId)
  return campaignId === undefined ? blockRevised(blockId) : campaignRevised(campaignId)
}

function templateRevised(templateId: string): Revised {
  const params = { templateId }
  const one = (revisionId: string) => ({ templateId, revisionId })
  return {
    ...{ kind: 'template', id: templateId, screen: `/templates/${templateId}`, path: ofTemplate, params },
    list: (query, signal) => get(ofTemplate, { params, query }, signal),
    read: (id, signal) => get(`${ofTemplate}/:revisionId`, { params: one(id) }, signal),
    compare: (id, signal) => get(`${ofTemplate}/:revisionId/diff`, { params: one(id) }, signal),
    restore: (id, body) => post(`${ofTemplate}/:revisionId/restore`, { params: one(id), body }),
  }
}

function campaignRevised(campaignId: string): Revised {
  const params = { campaignId }
  const one = (revisionId: string) => ({ campaignId, revisionId })
  return {
    ...{ kind: 'campaign', id: campaignId, screen: `/campaigns/${campaignId}`, path: ofCampaign, params },
    list: (query, signal) => get(ofCampaign, { params, query }, signal),
    read: (id, signal) => get(`${ofCampaign}/:revisionId`, { params: one(id) }, signal),
    compare: (id, signal) => get(`${ofCampaign}/:revisionId/diff`, { params: one(id) }, signal),
    restore: (id, body) => post(`${ofCampaign}/:revisionId/restore`, { params: one(id), body }),
  }
}

function blockRevised(blockId: string): Revised {
  const params = { blockId }
  const one = (revisionId: string) => ({ blockId, revisionId })
  return {
    ...{ kind: 'block', id: blockId, screen: `/blocks/${blockId}`, path: ofBlock, params },
    list: (query, signal) => get(ofBlock, { params, query }, signal),
    read: (id, signal) => get(`${ofBlock}/:revisionId`, { params: one(id) }, signal),
    compare: (id, signal) => get(`${ofBlock}/:revisionId/diff`, { params: one(id) }, signal),
    restore: (id, body) => post(`${ofBlock}/:revisionId/restore`, { params: one(id), body }),
  }
}
