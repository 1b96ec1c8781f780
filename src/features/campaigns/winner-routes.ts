// Choosing the winner of a test by hand.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { auth } from '../../people/access/auth.ts'
import { winnerBody } from '../ab-tests/schema.ts'
import { loadCampaignView } from './campaign-view.ts'
import { campaignView } from './schema.ts'
import { chooseByHand } from './winner.ts'

export function winnerRoutes(app: App) {
  return new Elysia({ prefix: '/v1/campaigns/:campaignId' }).use(auth).post(
    '/winner',
    async ({ workspace, params: { campaignId }, body }) => {
      await write(app, (tx) => chooseByHand(tx, workspace.id, campaignId, body.variant))
      return await loadCampaignView(app, workspace, campaignId)
    },
    {
      auth: { scope: 'campaigns.send', session: true },
      body: winnerBody,
      response: campaignView,
      detail: extension(
        'chooseWinner',
        'Choose the winner of a test by hand',
        'Everybody who waits gets this variant, in a paused campaign once it is resumed. Also before the time at which clicks would decide. 409 when there is no test, or its winner was chosen.',
        [409, 422],
      ),
    },
  )
}
