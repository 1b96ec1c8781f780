// Choosing the winner of the test of a send step by hand.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { auth } from '../../people/access/auth.ts'
import { sequenceView } from './schema.ts'
import { stepWinnerBody } from './test-schema.ts'
import { loadSequenceView } from './views.ts'
import { chooseStepWinnerByHand } from './winner.ts'

export function stepWinnerRoutes(app: App) {
  return new Elysia().use(auth).post(
    '/:sequenceId/steps/:stepId/winner',
    async ({ workspace, params, body: { variant } }) => {
      const sequence = await write(app, (tx) => chooseStepWinnerByHand(tx, workspace.id, { ...params, variant }))
      return await loadSequenceView(app, workspace, sequence)
    },
    {
      auth: { scope: 'sequences.send', session: true },
      body: stepWinnerBody,
      response: sequenceView,
      detail: extension(
        'chooseStepWinner',
        'Choose the winner of the test of a step by hand',
        'Of the version that people begin. Whoever comes to the step from now on gets this variant. Also before the time at which clicks would decide. 409 when the step has no test, or its winner was chosen.',
        [409, 422],
      ),
    },
  )
}
