// Approvals over REST, for signed-in people only: no API key and no token of an agent opens these.

import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { extension, looking } from '../../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { auth, type Credential, toActor } from '../../../people/access/auth.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { getApproval, listApprovals } from './approvals.ts'
import { beginConfirmation, confirm } from './confirm.ts'
import { approve, decideAll, edit, refuse } from './decide.ts'
import {
  approvalDetailView,
  approvalView,
  approveBody,
  confirmationView,
  decisionsBody,
  decisionsView,
  editBody,
  toApprovalView,
  toDecisionsView,
} from './schema.ts'

const path = '/v1/approvals'

export function approvalRoutes(app: App) {
  return new Elysia().use(readingRoutes(app)).use(decidingRoutes(app))
}

function readingRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listApprovals(app, workspace, bounds)
        return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toApprovalView })
      },
      {
        session: true,
        query: t.Object(pageQuery),
        response: pageOf(approvalView),
        detail: {
          ...extension(
            'listApprovals',
            'List what waits for approval, newest first',
            'Draft campaigns, where `agentsNeedApproval` is set; mail by agents that waits, because its mailbox has `holdReplies`, because they have read what people outside wrote, or because they asked for a draft; and what they would have done outside otherwise. API keys have no access; this requires a signed-in member.',
          ),
          command: ['id', 'kind', 'subject', 'to', 'contentHash'],
        },
      },
    )
    .get(
      '/:approvalId',
      async ({ workspace, params }) => toApprovalView(await getApproval(app, workspace, params.approvalId)),
      {
        session: true,
        response: approvalDetailView,
        detail: extension(
          'getApproval',
          'Fetch what is to be approved',
          'What would be sent; for a reply, the mail that it answers, with its hidden parts; and what has changed since the last approval or since an agent wrote it.',
        ),
      },
    )
}

function decidingRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .patch(
      '/:approvalId',
      async ({ workspace, credential, params, body: { contentHash, ...words } }) =>
        toApprovalView(await edit(app, workspace, params.approvalId, { contentHash, by: toActor(credential), words })),
      {
        session: true,
        body: editBody,
        response: approvalView,
        detail: extension(
          'editApproval',
          'Edit mail of an agent before it is sent',
          'Takes `text` or `content`. The mail goes on waiting for approval, with a new `contentHash`. Campaigns are edited at their own routes.',
          [409],
        ),
      },
    )
    .post(
      '/options',
      async ({ credential, body: { approvals }, set }) => {
        const { options, cookie } = await beginConfirmation(app, credential, approvals)
        if (cookie !== null) set.headers['set-cookie'] = cookie
        return { passkey: options }
      },
      {
        session: true,
        body: decisionsBody,
        response: confirmationView,
        detail: {
          ...extension(
            'beginApprovals',
            'Get the options for approving with a passkey',
            'Whoever has a passkey approves mail and calls of agents with it. The challenge is for exactly this list, and can be answered once, within five minutes, with the cookie of this response and this session. `passkey` is null when none is needed: for campaigns, for people without a passkey, and where passkeys are not available.',
          ),
          ...looking,
          command: false,
        },
      },
    )
    .post(
      '/approve',
      async ({ workspace, credential, body, request }) => {
        await confirm(app, request, { credential, approvals: body.approvals, answer: body.credential })
        return await decide(app, approve, { workspace, credential, body })
      },
      {
        session: true,
        body: approveBody,
        response: decisionsView,
        detail: extension(
          'grantApprovals',
          'Approve exactly what was reviewed, one or many',
          'Mail leaves at once, a call is made, a campaign may be sent from now on. Each is decided by itself: one that has changed since it was reviewed has the error `revision_mismatch` with the current `contentHash`, one that was decided before `invalid_state_transition`, and the others are approved. Whoever has a passkey sends its answer to the options for this list: 403 `passkey_required` without it, 409 for a challenge that was used, is older than five minutes, or is for another list.',
          [409],
        ),
      },
    )
    .post('/refuse', ({ workspace, credential, body }) => decide(app, refuse, { workspace, credential, body }), {
      session: true,
      body: decisionsBody,
      response: decisionsView,
      detail: extension(
        'refuseApprovals',
        'Refuse what was seen, one or many',
        'Mail never leaves and a call is never made. A campaign stays a draft, and is not listed for approval again until it is edited.',
      ),
    })
}

async function decide(
  app: App,
  by: typeof approve,
  given: { workspace: Workspace; credential: Credential; body: typeof decisionsBody.static },
) {
  const { workspace, credential, body } = given
  const results = await decideAll(app, workspace, by, { approvals: body.approvals, by: toActor(credential) })
  return toDecisionsView(results)
}
