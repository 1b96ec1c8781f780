// Approvals over REST, for signed-in people only: no API key and no token of an agent opens these.

import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { extension } from '../../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { auth, toActor } from '../../../people/access/auth.ts'
import { approve, edit, getApproval, listApprovals, refuse } from './approvals.ts'
import { approvalDetailView, approvalView, decisionBody, editBody, toApprovalView } from './schema.ts'

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
            'Draft campaigns, where `agentsNeedApproval` is set, and replies by agents from mailboxes with `holdReplies`. API keys have no access; this requires a signed-in member.',
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
          'Edit a reply before it is sent',
          'Takes `text` or `content`. The reply goes on waiting for approval, with a new `contentHash`. Campaigns are edited at their own routes.',
          [409],
        ),
      },
    )
    .post(
      '/:approvalId/approve',
      async ({ workspace, credential, params, body: { contentHash } }) =>
        toApprovalView(await approve(app, workspace, params.approvalId, { contentHash, by: toActor(credential) })),
      {
        session: true,
        body: decisionBody,
        response: approvalView,
        detail: extension(
          'grantApproval',
          'Approve exactly what was reviewed',
          'A reply is sent at once; a campaign may be sent from now on. If it has changed since it was reviewed, the answer is 409 `revision_mismatch` with the current `contentHash`.',
          [409],
        ),
      },
    )
    .post(
      '/:approvalId/refuse',
      async ({ workspace, credential, params, body: { contentHash } }) =>
        toApprovalView(await refuse(app, workspace, params.approvalId, { contentHash, by: toActor(credential) })),
      {
        session: true,
        body: decisionBody,
        response: approvalView,
        detail: extension(
          'refuseApproval',
          'Refuse what was seen',
          'A reply is never sent. A campaign stays a draft, and is not listed for approval again until it is edited.',
          [409],
        ),
      },
    )
}
