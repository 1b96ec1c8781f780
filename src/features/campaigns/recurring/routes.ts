// Recurring campaigns over REST. Whatever changes one makes mail leave later, so all that writes needs the scope of sending.

import { Elysia, t } from 'elysia'
import { type App, type Tx, write } from '../../../core/app.ts'
import { readIdempotencyKey, reply } from '../../../core/http/idempotency.ts'
import { extension, looking, repeatable } from '../../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { auth, type Credential } from '../../../people/access/auth.ts'
import { successBody } from '../../../people/access/schema.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { previewMail } from '../../sending/preview.ts'
import { mainContent } from './edition.ts'
import { prepareEdition } from './make.ts'
import { runNow } from './occur.ts'
import { planAhead } from './plan.ts'
import {
  deleteRecurring,
  getRecurring,
  listRecurring,
  listRuns,
  pauseRecurring,
  type Recurring,
  resumeRecurring,
} from './recurring.ts'
import { saveChange, saveNew } from './save.ts'
import {
  createBody,
  planAnswer,
  planBody,
  previewAnswer,
  previewBody,
  recurringListItem,
  recurringView,
  runView,
  toItemView,
  toListItem,
  toView,
  updateBody,
} from './schema.ts'

const path = '/v1/recurring-campaigns'
const reading = { scope: 'campaigns.read', session: true } as const
const sending = { scope: 'campaigns.send', session: true } as const

const editorOf = ({ kind }: Credential) => ({ byPerson: kind === 'session' })

export function recurringRoutes(app: App) {
  return new Elysia({ prefix: path }).use(listRoutes(app)).use(oneRoutes(app)).use(stateRoutes(app)).use(runRoutes(app))
}

async function loadView(app: App, recurring: Recurring) {
  return toView(recurring, await listRuns(app, recurring.id))
}

function listRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listRecurring(app, workspace.id, bounds)
        return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toListItem })
      },
      {
        auth: reading,
        query: t.Object(pageQuery),
        response: pageOf(recurringListItem),
        detail: {
          ...extension('listRecurringCampaigns', 'List recurring campaigns, newest first', 'With their next time.'),
          tool: {
            name: 'list_recurring_campaigns',
            says: {
              purpose: 'Lists what makes campaigns by itself: on a schedule, or of what is new in a feed.',
              notFor: 'The campaigns that were made: those are in list_campaigns.',
              returns:
                '`data` with id, name, state, the next time and failures in a row, newest first, and `pagination`.',
              whenToUse: 'To find one by its name, or to see which fail.',
            },
            touches: { reads: 'own', acts: 'no' },
            shows: ['id', 'name', 'state', 'nextAt', 'failures'],
          },
          command: ['id', 'state', 'name', 'nextAt'],
        },
      },
    )
    .post(
      '',
      async ({ workspace, credential, body, set }) => {
        const recurring = await saveNew(app, workspace, body, editorOf(credential))
        set.status = 201
        return await loadView(app, recurring)
      },
      {
        auth: sending,
        body: createBody,
        response: { 201: recurringView },
        detail: extension(
          'createRecurringCampaign',
          'Make campaigns on a schedule, or from a feed',
          'It is active at once: at each time of its schedule a campaign is made of its fields and sent as if it had been scheduled, or waits for an approval where `agentsNeedApproval` is set. With `feed`, only if the feed has new items.',
          [422],
        ),
      },
    )
}

function oneRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get(
      '/:recurringCampaignId',
      async ({ workspace, params }) =>
        await loadView(app, await getRecurring(app, workspace.id, params.recurringCampaignId)),
      {
        auth: reading,
        response: recurringView,
        detail: extension(
          'getRecurringCampaign',
          'Fetch one, with what became of its last times',
          '`runs` has the campaign of each time, or says why there is none.',
        ),
      },
    )
    .patch(
      '/:recurringCampaignId',
      async ({ workspace, credential, params, body }) =>
        await loadView(app, await saveChange(app, workspace, params.recurringCampaignId, body, editorOf(credential))),
      {
        auth: sending,
        body: updateBody,
        response: recurringView,
        detail: extension(
          'updateRecurringCampaign',
          'Change what it sends, or when',
          'Only the fields in the request change; campaigns that were made stay as they are. Another schedule begins with its first time from now on.',
          [422],
        ),
      },
    )
    .delete(
      '/:recurringCampaignId',
      async ({ workspace, params }) => {
        await write(app, (tx) => deleteRecurring(tx, workspace.id, params.recurringCampaignId))
        return { success: true as const, message: 'Recurring campaign deleted.' }
      },
      {
        auth: sending,
        response: successBody,
        detail: extension('deleteRecurringCampaign', 'Delete it', 'The campaigns that it made stay.'),
      },
    )
}

/** Changes one in one transaction and shows it. */
async function changed(app: App, move: (tx: Tx) => Promise<Recurring>) {
  return await loadView(app, await write(app, move))
}

function stateRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .post(
      '/:recurringCampaignId/pause',
      ({ workspace, params }) => changed(app, (tx) => pauseRecurring(tx, workspace.id, params.recurringCampaignId)),
      {
        auth: sending,
        response: recurringView,
        detail: extension(
          'pauseRecurringCampaign',
          'Make no more for now',
          'A campaign that it has made goes on: pause that one by itself.',
          [409],
        ),
      },
    )
    .post(
      '/:recurringCampaignId/resume',
      ({ workspace, params }) => changed(app, (tx) => resumeRecurring(tx, workspace.id, params.recurringCampaignId)),
      {
        auth: sending,
        response: recurringView,
        detail: extension(
          'resumeRecurringCampaign',
          'Go on with its next time',
          'Times that passed while it was paused are not made up for.',
          [409],
        ),
      },
    )
}

function runRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .post('/plan', async ({ workspace, body }) => await planAhead(app, workspace, body), {
      auth: sending,
      body: planBody,
      response: planAnswer,
      detail: {
        ...extension(
          'planRecurringCampaign',
          'Show the next times of a schedule, and what is in a feed',
          'For one that is not stored yet. Fetches the feed; nothing is stored or sent.',
          [422],
        ),
        ...looking,
      },
    })
    .post(
      '/:recurringCampaignId/preview',
      async ({ workspace, params, body }) =>
        await preview(app, workspace, await getRecurring(app, workspace.id, params.recurringCampaignId), body.email),
      {
        auth: { scope: 'campaigns.read', session: 'viewer' },
        body: previewBody,
        response: previewAnswer,
        detail: {
          ...extension(
            'previewRecurringCampaign',
            'What it would send now',
            'Fetches its feed. Nothing is stored or sent.',
          ),
          ...looking,
        },
      },
    )
    .post(
      '/:recurringCampaignId/run',
      async ({ workspace, credential, params, request, set }) => {
        const recurring = await getRecurring(app, workspace.id, params.recurringCampaignId)
        const by = { ...editorOf(credential), key: readIdempotencyKey(request) }
        return reply(set, await runNow(app, recurring, by))
      },
      {
        auth: sending,
        response: runView,
        detail: repeatable(
          extension(
            'runRecurringCampaign',
            'Make one now, beside its schedule',
            'As at one of its times, also while it is paused. A feed that cannot be fetched is not tried again by itself. 409 if it was changed or run in the same moment.',
            [409],
          ),
        ),
      },
    )
}

async function preview(app: App, workspace: Workspace, recurring: Recurring, email: string | undefined) {
  const prepared = await prepareEdition(app, workspace, recurring, { at: app.clock.now() })
  if (prepared.outcome !== 'ready') return { ...prepared, items: [], mail: null }
  const { edition, taken } = prepared
  const content = await mainContent(app, workspace.id, edition)
  const input = { ...content, kind: 'marketing' as const, fromName: edition.input.fromName ?? null }
  const mail = await previewMail(app, workspace, input, { email }, edition.warnings)
  const items = (taken?.shown ?? []).map(toItemView)
  return { outcome: 'made' as const, code: null, reason: null, items, mail }
}
