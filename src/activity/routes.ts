// Email Activity over REST: what became of each message, also when the caller never saw the reply to its send.

import { Elysia, t } from 'elysia'
import type { App } from '../app.ts'
import { jsonStream } from '../http/json-stream.ts'
import { extension } from '../http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../http/pagination.ts'
import { auth } from '../workspaces/auth.ts'
import { countActivity, getActivity, listActivity } from './activity.ts'
import { findCapturedOf } from './captured.ts'
import { activityFilter, activityView, toActivityView, toCapturedView } from './schema.ts'

const path = '/v1/activity'

export function activityRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const { idempotencyKey, status, email } = query
        const filter = { idempotencyKey, status, email }
        const rows = await listActivity(app, workspace.id, { ...filter, before: bounds.after, limit: bounds.limit + 1 })
        const total = await countActivity(app, workspace.id, filter)
        return writePage(app, request, bounds, { rows, total, idOf: ({ message }) => message.id, view: toActivityView })
      },
      {
        auth: { scope: 'activity.read', session: true },
        query: t.Object({ ...activityFilter, ...pageQuery }),
        response: pageOf(activityView),
        detail: extension(
          'listActivity',
          'List messages, newest first; find the one of an Idempotency-Key',
          'What became of each message. With `idempotencyKey`, the one message of that send: the way to find out after a time-out.',
        ),
      },
    )
    .get(
      '/:messageId',
      async ({ workspace, params }) => {
        const record = await getActivity(app, workspace.id, params.messageId)
        const captured = await findCapturedOf(app, record.message.messageIdHeader)
        const view = toActivityView(record)
        const more = captured ? { captured: await toCapturedView(captured, app.config.baseUrl) } : {}
        return new Response(jsonStream({ ...view, ...more }), { headers: { 'content-type': 'application/json' } })
      },
      {
        auth: { scope: 'activity.read', session: true },
        response: activityView,
        detail: extension(
          'getActivity',
          'One message with its history',
          'Its present status, and every step with its time and what the mail server replied. In capture mode the mail itself, too.',
        ),
      },
    )
}
