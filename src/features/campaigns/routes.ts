// Campaigns over REST, for the dashboard and for scripts. Approving and the settings are for signed-in members: an agent with an API key
// can neither approve its own campaign nor drop the requirement of an approval.

import { Elysia, t } from 'elysia'
import { type App, type Reader, type Tx, write } from '../../core/app.ts'
import { readIdempotencyKey } from '../../core/http/idempotency.ts'
import { extension, repeatable } from '../../core/http/operation.ts'
import { type PageRequest, pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { sortingOf, sortQuery } from '../../core/http/sorting.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { auth, type Credential, toActor } from '../../people/access/auth.ts'
import { successBody } from '../../people/access/schema.ts'
import { changeSettings, loadCampaignSettings } from '../../people/campaign-settings.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { asGiven } from '../content/rendering/content.ts'
import type { Campaign } from './campaign.ts'
import { loadCampaignView } from './campaign-view.ts'
import { type CampaignSort, campaignOrders, deleteCampaign, getCampaign, listCampaigns } from './campaigns.ts'
import { forecastCompletion } from './completion.ts'
import { effectiveContents } from './contents.ts'
import { changeDraft, draftCampaign, putLocale } from './draft.ts'
import { countsOfMany } from './ledger.ts'
import { audienceRoutes, ledgerRoutes, linkRoutes } from './ledger-routes.ts'
import {
  approveCampaign,
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  unscheduleCampaign,
} from './lifecycle.ts'
import { campaignPreviewRoutes } from './preview-routes.ts'
import { checkSender } from './reputation/sender-check.ts'
import { readSchedule, type ScheduleRequest } from './schedule.ts'
import {
  approveBody,
  campaignFilter,
  campaignListItem,
  campaignView,
  contentBody,
  contentList,
  contentView,
  createBody,
  scheduleBody,
  sendBody,
  sendView,
  toCampaignView,
  updateBody,
} from './schema.ts'
import { sendCampaign } from './send.ts'
import { settingsBody, settingsView } from './settings-schema.ts'
import { winnerRoutes } from './winner-routes.ts'

const path = '/v1/campaigns'
const read = { scope: 'campaigns.read', session: true } as const
const change = { scope: 'campaigns.write', session: true } as const
const send = { scope: 'campaigns.send', session: true } as const

export function campaignRoutes(app: App) {
  return new Elysia()
    .use(draftRoutes(app))
    .use(contentRoutes(app))
    .use(launchRoutes(app))
    .use(holdRoutes(app))
    .use(winnerRoutes(app))
    .use(campaignPreviewRoutes(app))
    .use(ledgerRoutes(app))
    .use(audienceRoutes(app))
    .use(linkRoutes(app))
    .use(settingsRoutes(app))
}

const isPerson = ({ kind }: Credential) => kind === 'session'

function draftRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get('', ({ workspace, query }) => campaignPage(app, workspace, query), {
      auth: read,
      query: t.Object({ ...campaignFilter, ...sortQuery(campaignOrders), ...pageQuery }),
      response: pageOf(campaignListItem),
      detail: {
        ...extension(
          'listCampaigns',
          'List campaigns, newest first',
          'Each with its counts so far. `status` filters by state.',
        ),
        command: ['id', 'status', 'name', 'subject'],
      },
    })
    .post(
      '',
      async ({ workspace, credential, body, set }) => {
        const { campaign, warnings } = await draftCampaign(app, workspace, body, { byPerson: isPerson(credential) })
        set.status = 201
        return { ...(await loadCampaignView(app, workspace, campaign.id)), warnings }
      },
      {
        auth: change,
        body: createBody,
        response: { 201: campaignView },
        detail: extension(
          'createCampaign',
          'Make a draft',
          'The campaign has a content tree of its own, or uses the template named by `templateId`. Nothing is mailed until it is sent or scheduled.',
        ),
      },
    )
    .get('/:campaignId', ({ workspace, params }) => loadCampaignView(app, workspace, params.campaignId), {
      auth: read,
      response: campaignView,
      detail: extension(
        'getCampaign',
        'Fetch a campaign with its counts',
        '`stats` counts recipients by outcome; `contentHash` identifies exactly this content and audience, and an approval refers to it.',
      ),
    })
    .patch(
      '/:campaignId',
      async ({ workspace, credential, params, body }) => {
        const by = { byPerson: isPerson(credential) }
        const { warnings } = await changeDraft(app, workspace, params.campaignId, body, by)
        return { ...(await loadCampaignView(app, workspace, params.campaignId)), warnings }
      },
      {
        auth: change,
        body: updateBody,
        response: campaignView,
        detail: extension(
          'updateCampaign',
          'Change a campaign that has not started; it becomes a draft again',
          'Only the fields in the request change. Any approval or schedule is withdrawn. 409 once it has started.',
          [409],
        ),
      },
    )
    .delete(
      '/:campaignId',
      async ({ workspace, params }) => {
        await write(app, (tx) => deleteCampaign(tx, workspace.id, params.campaignId))
        return { success: true as const, message: 'Campaign deleted.' }
      },
      {
        auth: change,
        response: successBody,
        detail: extension(
          'deleteCampaign',
          'Delete a campaign that never started',
          '409 once it has started: cancel it instead.',
          [409],
        ),
      },
    )
}

async function campaignPage(
  app: App,
  workspace: Workspace,
  query: PageRequest['query'] & { status?: Campaign['status']; sort?: CampaignSort },
) {
  const request = { workspaceId: workspace.id, path, query }
  const bounds = await readPage(app, request)
  const { rows, total } = await listCampaigns(app, workspace.id, { ...query, ...bounds })
  const { placeOf } = sortingOf(campaignOrders, query.sort)
  const ids = rows.map(({ id }) => id)
  const counts = await countsOfMany(app, ids)
  const view = (row: Campaign) => toCampaignView(row, counts.get(row.id) ?? {}, workspace)
  return writePage(app, request, bounds, { rows, total, idOf: placeOf, view })
}

async function listContent(reader: Reader, campaign: Campaign) {
  const contents = await effectiveContents(reader, campaign)
  return contents.map(({ content, ...said }) => ({ ...said, content: asGiven(content) }))
}

function contentRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get(
      '/:campaignId/content',
      async ({ workspace, params }) => ({
        data: await listContent(app, await getCampaign(app, workspace.id, params.campaignId)),
      }),
      {
        auth: read,
        response: contentList,
        detail: extension(
          'listCampaignContent',
          'Fetch the content of a campaign, per locale',
          'What would be sent: its own content, or that of its template.',
        ),
      },
    )
    .put(
      '/:campaignId/content/:locale',
      ({ workspace, params, body }) => putLocale(app, workspace, { ...params, body }),
      {
        auth: change,
        body: contentBody,
        response: contentView,
        detail: extension(
          'setCampaignContent',
          'Set the content of one locale; the campaign becomes a draft again',
          'Replaces the content of this locale: a component tree, or HTML or MJML with its `kind`. Any approval or schedule is withdrawn. 409 once it has started.',
          [409],
        ),
      },
    )
}

/** Makes the change and returns the campaign after it. */
async function moved(app: App, workspace: Workspace, campaignId: string, move: (tx: Tx) => Promise<unknown>) {
  await write(app, move)
  return await loadCampaignView(app, workspace, campaignId)
}

async function foreseeSchedule(app: App, workspace: Workspace, campaign: Campaign, asked: ScheduleRequest) {
  const schedule = await readSchedule(app, workspace, campaign, asked)
  return { ...schedule, forecast: await forecastCompletion(app, workspace, campaign, schedule) }
}

function launchRoutes(app: App) {
  return new Elysia({ prefix: `${path}/:campaignId` })
    .use(auth)
    .post(
      '/approve',
      async ({ workspace, credential, params: { campaignId }, body }) => {
        const approval = { approvedBy: toActor(credential), contentHash: body.contentHash }
        await approveCampaign(app, workspace.id, campaignId, approval)
        return loadCampaignView(app, workspace, campaignId)
      },
      {
        session: true,
        body: approveBody,
        response: campaignView,
        detail: extension(
          'approveCampaign',
          'Approve the campaign exactly as reviewed',
          'Pass the `contentHash` of the campaign that was reviewed; if the campaign has changed since, the answer is 409 `revision_mismatch`. Any edit withdraws the approval, including an edit of its template or of the workspace. Where `agentsNeedApproval` is set, it is also withdrawn when the audience has grown by a tenth, or when an API key changes contact data that the mail shows.',
          [409],
        ),
      },
    )
    .post(
      '/schedule',
      async ({ workspace, credential, params: { campaignId }, body }) => {
        const asker = { byPerson: isPerson(credential), contentHash: body.contentHash }
        const schedule = await foreseeSchedule(app, workspace, await getCampaign(app, workspace.id, campaignId), body)
        return moved(app, workspace, campaignId, (tx) =>
          scheduleCampaign(tx, workspace.id, campaignId, { ...schedule, asker }),
        )
      },
      {
        auth: send,
        body: scheduleBody,
        response: campaignView,
        detail: extension(
          'scheduleCampaign',
          'Send it at a time',
          'It starts automatically at `scheduledAt`, at most 365 days ahead. If it could only start more than an hour late, it is paused (`missed_window`) instead. With `inRecipientZone` it starts when the first time zone of its audience reaches that local time; each recipient gets it at that time in their own time zone, spread over ten minutes, or at once if the time has passed there. `timing` of a dry run counts both.',
          [409],
        ),
      },
    )
    .post(
      '/unschedule',
      ({ workspace, params: { campaignId } }) =>
        moved(app, workspace, campaignId, (tx) => unscheduleCampaign(tx, workspace.id, campaignId)),
      {
        auth: send,
        response: campaignView,
        detail: extension(
          'unscheduleCampaign',
          'Cancel the schedule',
          'It becomes a draft again, or approved if it was approved before.',
          [409],
        ),
      },
    )
    .post(
      '/send',
      async ({ workspace, credential, params, body, request, set }) => {
        const { result, replayed } = await sendCampaign(app, workspace, params.campaignId, {
          ...body,
          idempotencyKey: readIdempotencyKey(request),
          byPerson: isPerson(credential),
        })
        if (replayed) set.headers['idempotency-replayed'] = 'true'
        return result
      },
      {
        auth: send,
        body: sendBody,
        response: sendView,
        detail: repeatable(
          extension(
            'sendCampaign',
            'Send a campaign to its list, or report what would happen',
            'It is sent in the background: see `stats` of the campaign. A second send is refused with 409 `invalid_state_transition` and sends nothing; a repeat with the same `Idempotency-Key` gets the first response. `dryRun` reports how many would get it, and changes nothing.',
            [409],
          ),
        ),
      },
    )
}

function holdRoutes(app: App) {
  return new Elysia({ prefix: `${path}/:campaignId` })
    .use(auth)
    .post(
      '/pause',
      ({ workspace, params: { campaignId } }) =>
        moved(app, workspace, campaignId, (tx) => pauseCampaign(tx, workspace.id, campaignId)),
      {
        auth: send,
        response: campaignView,
        detail: extension(
          'pauseCampaign',
          'Pause sending',
          'Messages that are being handed to the mail server at this moment may still be sent.',
          [409],
        ),
      },
    )
    .post(
      '/resume',
      async ({ workspace, credential, params: { campaignId } }) => {
        await checkSender(app, workspace, await getCampaign(app, workspace.id, campaignId))
        const asker = { byPerson: isPerson(credential) }
        return moved(app, workspace, campaignId, (tx) => resumeCampaign(tx, workspace.id, campaignId, asker))
      },
      {
        auth: send,
        response: campaignView,
        detail: extension(
          'resumeCampaign',
          'Resume sending',
          'Nobody gets it twice. Refused for the same reasons as a send: it is not approved, its sender is not allowed to send, or it has no content.',
          [409, 422],
        ),
      },
    )
    .post(
      '/cancel',
      ({ workspace, params: { campaignId } }) =>
        moved(app, workspace, campaignId, (tx) => cancelCampaign(tx, workspace.id, campaignId)),
      {
        auth: send,
        response: campaignView,
        detail: extension(
          'cancelCampaign',
          'Cancel a campaign for good',
          'Recipients who have not received it yet will not receive it, and the ledger records that. This cannot be undone.',
          [409],
        ),
      },
    )
}

function settingsRoutes(app: App) {
  return new Elysia({ prefix: '/v1/campaign-settings' })
    .use(auth)
    .get('', async ({ workspace }) => loadCampaignSettings(app, workspace.id), {
      auth: read,
      response: settingsView,
      detail: extension(
        'getCampaignSettings',
        'Fetch the campaign settings: limits per recipient, approval, warm-up',
        'They apply to all campaigns of the workspace.',
      ),
    })
    .patch(
      '',
      ({ workspace, body }) => {
        for (const name of ['hoursBetween', 'mailsPerWeek'] as const)
          if (body[name] !== undefined && !Number.isInteger(body[name]))
            throw new AppError('validation_failed', `${name} must be a whole number`, {
              errors: [{ path: name, message: `${name} must be a whole number`, code: 'invalid' }],
            })
        if (body.quietHours && body.quietHours.from === body.quietHours.to)
          throw invalidField('quietHours.to', 'is the same as from: quiet hours have an end; null turns them off')
        return write(app, (tx) => changeSettings(tx, workspace.id, body))
      },
      {
        session: true,
        body: settingsBody,
        response: settingsView,
        detail: extension(
          'updateCampaignSettings',
          'Change the campaign settings',
          'Only the settings in the request change. They also apply to campaigns that are already being sent.',
        ),
      },
    )
}
