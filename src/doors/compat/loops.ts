// What the SDK of Loops calls under names of its own: under /api/v1 only. Its contacts, lists and events are our routes by their own names.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import type { Campaign } from '../../features/campaigns/campaign.ts'
import { getCampaign, listCampaigns } from '../../features/campaigns/campaigns.ts'
import { changeDraft, draftCampaign } from '../../features/campaigns/draft.ts'
import {
  countSegments,
  createSegment,
  getSegment,
  listSegments,
  type Segment,
} from '../../features/contacts/segments/segments.ts'
import { changeTemplate, draftTemplate, loadContents } from '../../features/content/templates/draft.ts'
import { toTemplateView } from '../../features/content/templates/schema.ts'
import { getTemplate, listTemplates, type Template } from '../../features/content/templates/templates.ts'
import { listEventNames } from '../../features/events/history.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import { auth } from '../../people/access/auth.ts'
import type { Scope } from '../../people/access/scopes.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { audienceFilter, toAudienceFilter, toSegmentFilter } from './loops-filter.ts'

const root = '/api/v1'
const hidden = { detail: { hide: true } } as const
const paged = t.Object(pageQuery)
const name = t.String({ minLength: 1, maxLength: 200 })
const optionalId = t.Optional(t.Union([t.String({ maxLength: 100 }), t.Null()]))

export function loopsRoutes(app: App) {
  return new Elysia()
    .use(transactionalRoutes(app))
    .use(campaignRoutes(app))
    .use(segmentRoutes(app))
    .use(eventRoutes(app))
    .use(absentRoutes())
}

function transactionalRoutes(app: App) {
  const path = `${root}/transactional-emails`
  const read = { scope: 'transactional.read', session: true } as const
  const change = { scope: 'transactional.write', session: true } as const
  const viewOf = async (workspace: Workspace, slug: string) =>
    toEmail(app, workspace, await getTemplate(app, workspace.id, slug))
  return new Elysia({ prefix: path, ...hidden })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listTemplates(app, workspace.id, bounds)
        const views = new Map(
          await Promise.all(rows.map(async (row) => [row.id, await toEmail(app, workspace, row)] as const)),
        )
        return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: ({ id }) => views.get(id) })
      },
      { auth: read, query: paged },
    )
    .get('/:templateId', ({ workspace, params }) => viewOf(workspace, params.templateId), { auth: read })
    .post(
      '',
      async ({ workspace, body }) => {
        // Theirs gets its subject with its content, later; ours always has one.
        const { id } = await draftTemplate(app, workspace, { name: body.name, subject: body.name })
        return { ...(await viewOf(workspace, id)), draftEmailMessageContentRevisionId: null }
      },
      { auth: change, body: refusing(t.Object({ name })) },
    )
    .post(
      '/:templateId',
      async ({ workspace, params, body }) => {
        await changeTemplate(app, workspace, { id: params.templateId, ...withoutUndefined(body) })
        return await viewOf(workspace, params.templateId)
      },
      { auth: change, body: refusing(t.Object({ name: t.Optional(name) })) },
    )
    .post(
      '/:templateId/publish',
      async ({ workspace, params: { templateId: id } }) => {
        await changeTemplate(app, workspace, { id, status: 'active' })
        return await viewOf(workspace, id)
      },
      { auth: change },
    )
}

/** The content is the current revision of the template, and there are no groups. */
async function toEmail(app: App, workspace: Workspace, template: Template) {
  const shown = toTemplateView(template, await loadContents(app, workspace, template))
  const { id, name, status, revisionId, createdAt, updatedAt, dataVariables } = shown
  const isPublished = status === 'active'
  return {
    id,
    url: `${app.config.baseUrl}/v1/transactional/${id}`,
    name,
    draftEmailMessageId: isPublished ? null : revisionId,
    publishedEmailMessageId: isPublished ? revisionId : null,
    transactionalGroupId: null,
    createdAt,
    updatedAt,
    dataVariables,
  }
}

const scheduling = t.Optional(t.Object({ method: t.String(), timestamp: t.Optional(t.String()) }))
const campaignFields = { mailingListId: optionalId, audienceSegmentId: optionalId, scheduling }

function campaignRoutes(app: App) {
  const path = `${root}/campaigns`
  const read = { scope: 'campaigns.read', session: true } as const
  const change = { scope: 'campaigns.write', session: true } as const
  const by = { byPerson: false }
  return new Elysia({ prefix: path, ...hidden })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const found = await listCampaigns(app, workspace.id, { status: undefined, ...bounds })
        return writePage(app, request, bounds, { ...found, idOf: ({ id }) => id, view: (row) => toCampaign(app, row) })
      },
      { auth: read, query: paged },
    )
    .get(
      '/:campaignId',
      async ({ workspace, params }) => toCampaign(app, await getCampaign(app, workspace.id, params.campaignId)),
      { auth: read },
    )
    .post(
      '',
      async ({ workspace, body }) => {
        const fields = campaignFrom(body)
        const { mailingListId } = fields
        if (mailingListId === undefined)
          throw invalidField('mailingListId', 'a campaign here goes to a mailing list: name it', 'required')
        const draft = { ...fields, mailingListId, name: body.name, subject: body.name }
        const { campaign } = await draftCampaign(app, workspace, draft, by)
        return { ...toCampaign(app, campaign), emailMessageContentRevisionId: null }
      },
      { auth: change, body: refusing(t.Object({ name, ...campaignFields })) },
    )
    .post(
      '/:campaignId',
      async ({ workspace, params, body }) => {
        const change = { ...campaignFrom(body), ...withoutUndefined({ name: body.name }) }
        return toCampaign(app, (await changeDraft(app, workspace, params.campaignId, change, by)).campaign)
      },
      { auth: change, body: refusing(t.Object({ name: t.Optional(name), ...campaignFields })) },
    )
}

interface CampaignGiven {
  mailingListId?: string | null
  audienceSegmentId?: string | null
  scheduling?: { method: string; timestamp?: string }
}

function campaignFrom({ mailingListId, audienceSegmentId: segmentId, scheduling }: CampaignGiven) {
  if (scheduling !== undefined && scheduling.method !== 'now')
    throw invalidField('scheduling', 'a campaign is scheduled with POST /v1/campaigns/{campaignId}/schedule')
  if (mailingListId === null)
    throw invalidField('mailingListId', 'a campaign here goes to a mailing list: name it', 'required')
  return withoutUndefined({ mailingListId, segmentId })
}

const statusOf: Record<Campaign['status'], 'Draft' | 'Scheduled' | 'Sending' | 'Sent'> = {
  draft: 'Draft',
  approved: 'Draft',
  scheduled: 'Scheduled',
  sending: 'Sending',
  paused: 'Sending',
  sent: 'Sent',
  cancelled: 'Sent',
  failed: 'Sent',
}

function toCampaign(app: App, campaign: Campaign) {
  const { id, name, status, mailingListId, segmentId, scheduledAt, createdAt, updatedAt } = campaign
  const timestamp = scheduledAt?.toISOString() ?? null
  return {
    id,
    url: `${app.config.baseUrl}/v1/campaigns/${id}`,
    name,
    status: statusOf[status],
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    emailMessageId: null,
    campaignGroupId: null,
    mailingListId,
    audienceSegmentId: segmentId,
    audienceFilter: null,
    scheduling: { method: timestamp === null ? 'now' : 'schedule', timestamp },
  }
}

function segmentRoutes(app: App) {
  const path = `${root}/audience-segments`
  const read = { scope: 'contacts.read', session: true } as const
  return new Elysia({ prefix: path, ...hidden })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const rows = await listSegments(app, workspace.id, { after: bounds.after, limit: bounds.limit + 1 })
        const total = await countSegments(app, workspace.id)
        return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toSegment })
      },
      { auth: read, query: paged },
    )
    .get(
      '/:segmentId',
      async ({ workspace, params }) => toSegment(await getSegment(app, workspace.id, params.segmentId)),
      { auth: read },
    )
    .post(
      '',
      async ({ workspace, body }) => {
        const made = { name: body.name, filter: toSegmentFilter(body.filter) }
        return toSegment(await write(app, (tx) => createSegment(tx, workspace.id, made)))
      },
      {
        auth: { scope: 'contacts.write', session: true },
        body: refusing(t.Object({ name, filter: audienceFilter })),
      },
    )
}

function toSegment({ id, name, filter, createdAt, updatedAt }: Segment) {
  return {
    id,
    name,
    description: null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    filter: toAudienceFilter(filter),
  }
}

/** The names of events that were seen are the patterns; what they carried is in the events. */
function eventRoutes(app: App) {
  const path = `${root}/event-patterns`
  return new Elysia({ prefix: path, ...hidden }).use(auth).get(
    '',
    async ({ workspace, query }) => {
      const request = { workspaceId: workspace.id, path, query }
      const bounds = await readPage(app, request)
      const found = await listEventNames(app, workspace.id, bounds)
      const view = ({ name }: { name: string }) => ({ id: name, eventName: name, incomingWebhookPlatform: null })
      return writePage(app, request, bounds, { ...found, idOf: ({ name }) => name, view })
    },
    { auth: { scope: 'events.read', session: true }, query: paged },
  )
}

const content = 'content: PUT /v1/transactional/{templateId}/content/{locale}, or of campaigns'
const rules = 'event rules: /v1/event-rules'
const brand = 'the brand: PATCH /v1/workspace'

/** What has no counterpart here: its paths, the scope of what to use instead, and that. */
const absent: [scope: Scope, use: string, paths: string[]][] = [
  ['rules.read', rules, ['GET|POST workflows', 'GET|POST|DELETE workflows/:id', 'POST workflows/:id/mailing-list']],
  ['rules.read', rules, ['POST workflows/:id/nodes', 'GET|POST|DELETE workflows/:id/nodes/:nodeId']],
  ['rules.read', rules, ['add-branch', 'reroute'].map((step) => `POST workflows/:id/nodes/:nodeId/${step}`)],
  ['rules.read', rules, ['DELETE workflows/:id/nodes/:nodeId/recursive']],
  ['events.read', 'events: GET /v1/events', ['GET event-patterns/:id', 'GET event-patterns/by-name/:name']],
  ['workspace.read', brand, ['GET|POST themes', 'GET|POST themes/:id']],
  ['transactional.read', 'component trees: docs/api.md', ['GET|POST components', 'GET|POST components/:id']],
  ['transactional.read', content, ['GET|POST email-messages/:id', 'POST transactional-emails/:templateId/draft']],
  ['transactional.read', 'a preview: POST /v1/transactional/{templateId}/preview', ['POST email-messages/:id/preview']],
  [
    'transactional.read',
    'warnings of the template: GET /v1/transactional/{templateId}',
    ['GET email-messages/:id/guardian'],
  ],
  ['campaigns.read', 'names of campaigns', ['GET|POST campaign-groups', 'GET|POST campaign-groups/:id']],
  ['transactional.read', 'names of templates', ['GET|POST transactional-groups', 'GET|POST transactional-groups/:id']],
  ['transactional.read', 'pictures at an address of yours', ['POST uploads', 'POST uploads/:id/complete']],
  ['domains.read', 'sending domains: GET /v1/sending-domains', ['GET dedicated-sending-ips']],
]

function absentRoutes() {
  const routes = new Elysia(hidden).use(auth)
  for (const [scope, use, paths] of absent)
    for (const [methods = '', path = ''] of paths.map((one) => one.split(' ')))
      for (const method of methods.split('|'))
        routes.route(
          method,
          `${root}/${path}`,
          () => {
            throw new AppError('not_implemented', `This is not part of Paquebot. Use ${use}.`)
          },
          { auth: { scope, session: true } },
        )
  return routes
}
