// Campaigns over REST, for the dashboard and for scripts. Approving and the settings are for signed-in members: an agent with an API
// key can neither approve its own campaign nor lift the rule that asks for it.

import { Elysia, t } from 'elysia'
import { type App, type Tx, write } from '../app.ts'
import { idempotencyKeyOf } from '../http/idempotency.ts'
import { pageOf, pageQuery, readPage, writePage } from '../http/pagination.ts'
import { AppError } from '../lib/error.ts'
import { auth, type Credential } from '../workspaces/auth.ts'
import { successBody } from '../workspaces/schema.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { deleteCampaign, getCampaign, listCampaigns, listRecipients } from './campaigns.ts'
import { effectiveContents } from './contents.ts'
import { changeDraft, draftCampaign, putLocale } from './draft.ts'
import { explainRecipient } from './explain.ts'
import { audienceOf, countsOf, countsOfMany } from './ledger.ts'
import {
  approveCampaign,
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  scheduleTime,
  unscheduleCampaign,
} from './lifecycle.ts'
import { campaignPreviewRoutes } from './preview-routes.ts'
import { providerHookRoutes } from './provider-hooks.ts'
import { reactionRoutes } from './reactions.ts'
import {
  approveBody,
  campaignFilter,
  campaignListItem,
  campaignView,
  contentBody,
  contentList,
  contentView,
  createBody,
  explanationView,
  linksView,
  recipientFilter,
  recipientView,
  scheduleBody,
  sendBody,
  sendView,
  settingsBody,
  settingsView,
  toCampaignView,
  toExplanationView,
  toRecipientView,
  updateBody,
} from './schema.ts'
import { sendCampaign } from './send.ts'
import { checkSender } from './sender-check.ts'
import { changeSettings, settingsOf } from './settings.ts'
import { getCampaignTool } from './tools.ts'
import { linkClicks } from './tracking.ts'

const path = '/v1/campaigns'
const read = { scope: 'campaigns.read', session: true } as const
const change = { scope: 'campaigns.write', session: true } as const
const send = { scope: 'campaigns.send', session: true } as const
const detail = (operationId: string, summary: string, description?: string) => ({
  operationId,
  summary,
  ...(description === undefined ? {} : { description }),
  tags: ['Extensions'],
})

export function campaignRoutes(app: App) {
  return new Elysia()
    .use(draftRoutes(app))
    .use(launchRoutes(app))
    .use(holdRoutes(app))
    .use(campaignPreviewRoutes(app))
    .use(ledgerRoutes(app))
    .use(linkRoutes(app))
    .use(reactionRoutes(app))
    .use(settingsRoutes(app))
    .use(providerHookRoutes(app))
}

const viewOf = (app: App, workspace: Workspace, campaignId: string) => getCampaignTool(app, workspace, { campaignId })

const isPerson = ({ kind }: Credential) => kind === 'session'

function draftRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listCampaigns(app, workspace.id, { status: query.status, ...bounds })
        const counts = await countsOfMany(
          app,
          rows.map(({ id }) => id),
        )
        const view = (row: (typeof rows)[number]) => toCampaignView(row, counts.get(row.id) ?? {})
        return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view })
      },
      {
        auth: read,
        query: t.Object({ ...campaignFilter, ...pageQuery }),
        response: pageOf(campaignListItem),
        detail: detail('listCampaigns', 'List campaigns, newest first'),
      },
    )
    .post(
      '',
      async ({ workspace, credential, body, set }) => {
        const { campaign, warnings } = await draftCampaign(app, workspace, body, { byPerson: isPerson(credential) })
        set.status = 201
        return { ...(await viewOf(app, workspace, campaign.id)), warnings }
      },
      {
        auth: change,
        body: createBody,
        response: { 201: campaignView },
        detail: detail('createCampaign', 'Make a draft'),
      },
    )
    .get('/:campaignId', ({ workspace, params }) => viewOf(app, workspace, params.campaignId), {
      auth: read,
      response: campaignView,
      detail: detail('getCampaign', 'One campaign with its numbers'),
    })
    .patch(
      '/:campaignId',
      async ({ workspace, credential, params, body }) => {
        const by = { byPerson: isPerson(credential) }
        const { warnings } = await changeDraft(app, workspace, params.campaignId, body, by)
        return { ...(await viewOf(app, workspace, params.campaignId)), warnings }
      },
      {
        auth: change,
        body: updateBody,
        response: campaignView,
        detail: detail('updateCampaign', 'Change a campaign that has not begun; it is a draft again'),
      },
    )
    .delete(
      '/:campaignId',
      async ({ workspace, params }) => {
        await write(app, (tx) => deleteCampaign(tx, workspace.id, params.campaignId))
        return { success: true as const, message: 'Campaign deleted.' }
      },
      { auth: change, response: successBody, detail: detail('deleteCampaign', 'Delete a campaign that never began') },
    )
    .get(
      '/:campaignId/content',
      async ({ workspace, params }) => ({
        data: await effectiveContents(app, await getCampaign(app, workspace.id, params.campaignId)),
      }),
      { auth: read, response: contentList, detail: detail('listCampaignContent', 'What it says, per locale') },
    )
    .put(
      '/:campaignId/content/:locale',
      ({ workspace, params, body }) => putLocale(app, workspace, { ...params, body }),
      {
        auth: change,
        body: contentBody,
        response: contentView,
        detail: detail('setCampaignContent', 'Set the component tree of one locale; the campaign is a draft again'),
      },
    )
}

/** Makes the move and shows the campaign as it is then. */
async function moved(app: App, workspace: Workspace, campaignId: string, move: (tx: Tx) => Promise<unknown>) {
  await write(app, move)
  return await viewOf(app, workspace, campaignId)
}

function launchRoutes(app: App) {
  return new Elysia({ prefix: `${path}/:campaignId` })
    .use(auth)
    .post(
      '/approve',
      ({ workspace, credential, params: { campaignId }, body }) => {
        const approvedBy = credential.kind === 'session' ? credential.userId : ''
        const approval = { approvedBy, contentHash: body.contentHash }
        return moved(app, workspace, campaignId, (tx) => approveCampaign(tx, workspace.id, campaignId, approval))
      },
      {
        session: true,
        body: approveBody,
        response: campaignView,
        detail: detail(
          'approveCampaign',
          'Approve what was seen',
          '`contentHash` is that of the answer that was looked at; when the campaign has changed since, this is 409 `revision_mismatch`. An edit, also of the template it sends or of the brand, undoes the approval.',
        ),
      },
    )
    .post(
      '/schedule',
      async ({ workspace, credential, params: { campaignId }, body }) => {
        const campaign = await getCampaign(app, workspace.id, campaignId)
        const at = scheduleTime(workspace, body.scheduledAt, app.clock.now())
        const asker = { byPerson: isPerson(credential), contentHash: body.contentHash }
        await checkSender(app, workspace, campaign)
        return moved(app, workspace, campaignId, (tx) => scheduleCampaign(tx, workspace.id, campaignId, { at, asker }))
      },
      {
        auth: send,
        body: scheduleBody,
        response: campaignView,
        detail: detail(
          'scheduleCampaign',
          'Send it at a time',
          'More than an hour too late it is paused (`missed_window`) instead.',
        ),
      },
    )
    .post(
      '/unschedule',
      ({ workspace, params: { campaignId } }) =>
        moved(app, workspace, campaignId, (tx) => unscheduleCampaign(tx, workspace.id, campaignId)),
      { auth: send, response: campaignView, detail: detail('unscheduleCampaign', 'Take back the schedule') },
    )
    .post(
      '/send',
      async ({ workspace, credential, params, body, request, set }) => {
        const { result, replayed } = await sendCampaign(app, workspace, params.campaignId, {
          ...body,
          idempotencyKey: idempotencyKeyOf(request),
          byPerson: isPerson(credential),
        })
        if (replayed) set.headers['idempotency-replayed'] = 'true'
        return result
      },
      {
        auth: send,
        body: sendBody,
        response: sendView,
        detail: detail(
          'sendCampaign',
          'Send it to its list, or tell what would happen',
          'A second send is 409 `invalid_state_transition` and sends nothing; with the same `Idempotency-Key` it gets the first answer.',
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
      { auth: send, response: campaignView, detail: detail('pauseCampaign', 'Hold what has not left yet') },
    )
    .post(
      '/resume',
      async ({ workspace, credential, params: { campaignId } }) => {
        await checkSender(app, workspace, await getCampaign(app, workspace.id, campaignId))
        const asker = { byPerson: isPerson(credential) }
        return moved(app, workspace, campaignId, (tx) => resumeCampaign(tx, workspace.id, campaignId, asker))
      },
      { auth: send, response: campaignView, detail: detail('resumeCampaign', 'Go on where it stopped') },
    )
    .post(
      '/cancel',
      ({ workspace, params: { campaignId } }) =>
        moved(app, workspace, campaignId, (tx) => cancelCampaign(tx, workspace.id, campaignId)),
      { auth: send, response: campaignView, detail: detail('cancelCampaign', 'End it for good') },
    )
}

function ledgerRoutes(app: App) {
  return new Elysia({ prefix: `${path}/:campaignId/recipients` })
    .use(auth)
    .get(
      '',
      async ({ workspace, params: { campaignId }, query }) => {
        await getCampaign(app, workspace.id, campaignId)
        const request = { workspaceId: workspace.id, path: `${path}/${campaignId}/recipients`, query }
        const bounds = await readPage(app, request)
        const { state } = query
        const rows = await listRecipients(app, campaignId, { state, ...bounds })
        const counts = await countsOf(app, campaignId)
        const total = state === undefined ? audienceOf(counts) : counts[state]
        return writePage(app, request, bounds, { rows, total, idOf: (row) => row.contactId, view: toRecipientView })
      },
      {
        auth: read,
        query: t.Object({ ...recipientFilter, ...pageQuery }),
        response: pageOf(recipientView),
        detail: detail('listRecipients', 'The ledger: every contact with its outcome and reason'),
      },
    )
    .get(
      '/:contactId',
      async ({ workspace, params }) =>
        toExplanationView(await explainRecipient(app, workspace, params.campaignId, params.contactId)),
      {
        auth: read,
        response: explanationView,
        detail: detail('explainRecipient', 'Why a contact got it, or did not: every check, and the attempts'),
      },
    )
}

function linkRoutes(app: App) {
  return new Elysia({ prefix: `${path}/:campaignId/links` }).use(auth).get(
    '',
    async ({ workspace, params: { campaignId } }) => {
      await getCampaign(app, workspace.id, campaignId)
      return { data: await linkClicks(app, campaignId) }
    },
    { auth: read, response: linksView, detail: detail('listCampaignLinks', 'Its tracked links, most clicked first') },
  )
}

function settingsRoutes(app: App) {
  return new Elysia({ prefix: '/v1/campaign-settings' })
    .use(auth)
    .get('', async ({ workspace }) => settingsOf(app, workspace.id), {
      auth: read,
      response: settingsView,
      detail: detail('getCampaignSettings', 'Limits per recipient, approval, warm-up'),
    })
    .patch(
      '',
      ({ workspace, body }) => {
        for (const name of ['hoursBetween', 'mailsPerWeek'] as const)
          if (body[name] !== undefined && !Number.isInteger(body[name]))
            throw new AppError('validation_failed', `${name} must be a whole number`, {
              errors: [{ path: name, message: `${name} must be a whole number`, code: 'invalid' }],
            })
        return write(app, (tx) => changeSettings(tx, workspace.id, body))
      },
      {
        session: true,
        body: settingsBody,
        response: settingsView,
        detail: detail('updateCampaignSettings', 'Change what is given'),
      },
    )
}
