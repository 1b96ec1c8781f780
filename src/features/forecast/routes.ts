// The rehearsal of a campaign: when the last of its mails would leave, and what limits it.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { extension, looking } from '../../core/http/operation.ts'
import { AppError } from '../../kit/error.ts'
import { auth } from '../../people/access/auth.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { getCampaign } from '../campaigns/campaigns.ts'
import { forecast } from './forecast.ts'
import { campaignForecastView, defaultForecastDays, rehearseCampaignBody, toCampaignForecastView } from './schema.ts'

const over = ['sent', 'cancelled', 'failed']

export function forecastRoutes(app: App) {
  return new Elysia({ prefix: '/v1/campaigns/:campaignId' })
    .use(auth)
    .post(
      '/rehearse',
      async ({ workspace, params, body }) =>
        await rehearseCampaign(app, workspace, params.campaignId, body.days ?? defaultForecastDays),
      {
        auth: { scope: 'campaigns.read', session: 'viewer' },
        body: rehearseCampaignBody,
        response: campaignForecastView,
        detail: {
          ...extension(
            'rehearseCampaign',
            'Rehearse a campaign',
            'When the last of its mails would leave and what limits it, by the day. A draft or a paused campaign is rehearsed as if it were sent now, beside all published sequences and all other campaigns that are scheduled or being sent. Nothing is sent or stored. One rehearsal of a workspace at a time: 409 while another runs, and for a campaign that is over.',
            [409],
          ),
          tool: {
            name: 'rehearse_campaign',
            says: {
              purpose:
                'Says when the last mail of a campaign would leave, and what limits it, by the day. Nothing is sent or stored.',
              notFor: 'Who would get it (list_campaign_audience), or sending it.',
              returns: '`lastAt`, `limit`, `leaves`, `left` and `days`.',
              whenToUse: 'Before a send, to know how long it takes.',
            },
            touches: { reads: 'own', acts: 'no' },
          },
          ...looking,
        },
      },
    )
}

const running = () => new Set<string>()

async function rehearseCampaign(app: App, workspace: Workspace, campaignId: string, days: number) {
  const { status } = await getCampaign(app, workspace.id, campaignId)
  if (over.includes(status))
    throw new AppError('invalid_state_transition', `a campaign that is ${status} cannot be rehearsed`)
  const busy = app.own(running)
  if (busy.has(workspace.id))
    throw new AppError('conflict', 'a rehearsal of this workspace is running: try again when it is over')
  busy.add(workspace.id)
  try {
    const told = await forecast(app, workspace, { days, campaignId })
    const source = told.sources.find(({ id }) => id === campaignId)
    if (source === undefined) throw new Error('a campaign that was asked for is not in its forecast')
    return toCampaignForecastView(told, source)
  } finally {
    busy.delete(workspace.id)
  }
}
