// One message by its id: its content, and what can be done about it. Not under /v1/activity, where {messageId}/cancel could be captured/{capturedId}.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { idempotent, readIdempotencyKey, reply } from '../../core/http/idempotency.ts'
import { extension, repeatable } from '../../core/http/operation.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { issue, nullableText, time } from '../../core/http/wire.ts'
import { AppError } from '../../kit/error.ts'
import { auth } from '../../people/access/auth.ts'
import { getActivity } from './activity/activity.ts'
import { cancelMessage, rescheduleMessage, resendMessage } from './message-acts.ts'
import { readOwnContent } from './own-content.ts'
import { parseSchedule } from './schedule.ts'

const sending = { scope: 'transactional.send', session: true } as const
const success = t.Literal(true)

const prefix = '/v1/messages/:messageId'

export function messageRoutes(app: App) {
  return new Elysia().use(contentRoutes(app)).use(actRoutes(app))
}

function contentRoutes(app: App) {
  return new Elysia({ prefix }).use(auth).get(
    '/content',
    async ({ workspace, params: { messageId } }) => {
      await getActivity(app, workspace.id, messageId)
      const content = await readOwnContent(app, messageId)
      if (content === null) throw new AppError('not_found', 'this message has no stored content of its own')
      return { messageId, ...content }
    },
    {
      auth: { scope: 'activity.read', session: 'member' },
      response: t.Object({
        messageId: t.String(),
        subject: t.String(),
        html: nullableText,
        text: nullableText,
        warnings: t.Array(issue, { description: 'What was removed from the HTML that the caller supplied.' }),
      }),
      detail: extension(
        'getMessageContent',
        'Read the content of a message, if the caller supplied it',
        'Subject, HTML and text as they are sent, for a message whose `content` is `own`. HTML supplied by a caller is sanitised: only elements, attributes and styles that a mail may contain remain. Stored for 30 days. 404 after that, and for a message that was rendered from a template.',
      ),
    },
  )
}

function actRoutes(app: App) {
  return new Elysia({ prefix })
    .use(auth)
    .post(
      '/cancel',
      async ({ workspace, params: { messageId } }) => {
        const outcome = await write(app, (tx) => cancelMessage(tx, workspace.id, messageId))
        return { success: true as const, messageId, outcome }
      },
      {
        auth: sending,
        response: t.Object({
          success,
          messageId: t.String(),
          outcome: t.Union([t.Literal('cancelled'), t.Literal('cancel_requested')], {
            description:
              '`cancel_requested`: it is being sent at this moment, and is cancelled if the mail server does not have it yet; see its status.',
          }),
        }),
        detail: extension(
          'cancelMessage',
          'Cancel a message that was not sent yet',
          'A scheduled or delayed message is then never sent. 409 if it was already sent or has ended in another way, and for a campaign message: a campaign can only be cancelled as a whole.',
          [409],
        ),
      },
    )
    .post(
      '/reschedule',
      async ({ workspace, params: { messageId }, body }) => {
        const runAt = parseSchedule(app, 'scheduledAt', body.scheduledAt)
        const at = await write(app, (tx) => rescheduleMessage(tx, workspace.id, { messageId, runAt }))
        return { success: true as const, messageId, scheduledAt: at.toISOString() }
      },
      {
        auth: sending,
        body: refusing(
          t.Object({
            scheduledAt: t.String({
              description:
                'ISO 8601 with an offset, e.g. `2027-01-15T12:00:00Z`; at most 365 days ahead. A time in the past means now.',
            }),
          }),
        ),
        response: t.Object({ success, messageId: t.String(), scheduledAt: time }),
        detail: extension(
          'rescheduleMessage',
          'Reschedule a message that is waiting',
          'The new time may be earlier or later. 409 if the message is no longer waiting.',
          [409],
        ),
      },
    )
    .post(
      '/resend',
      async ({ workspace, params: { messageId }, request, set }) => {
        const asked = {
          workspaceId: workspace.id,
          route: 'POST /v1/messages/{messageId}/resend',
          key: readIdempotencyKey(request),
          body: { messageId },
        }
        return reply(set, await idempotent(app, asked, resendMessage(app, workspace.id, messageId)))
      },
      {
        auth: sending,
        response: t.Object({
          success,
          messageId: t.String({ description: 'The new message.' }),
          resendOf: t.String({ description: 'The message that it resends.' }),
        }),
        detail: repeatable(
          extension(
            'resendMessage',
            'Send a message again',
            'Sends the same mail, from the same revision with the same variables and attachments, as a new message that refers to the old one (`resendOf`). Only for transactional mail of the last 30 days that has reached a final status; otherwise 409. A suppressed recipient is refused as in a send.',
            [409, 422],
          ),
        ),
      },
    )
}
