// What a mailbox holds at a glance, for signed-in people: its threads and its labels; and labelling its mails.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { oneOf } from '../../core/http/wire.ts'
import { auth } from '../../people/access/auth.ts'
import { labelMail, listLabels, maxLabelChars, maxLabelledAtOnce, maxLabelsPerMail } from './labels.ts'
import { getMailbox } from './mailboxes.ts'
import { receivedView, searchQuery, toListedView } from './message-schema.ts'
import { listThreads, type ThreadSummary } from './threads.ts'

const summaryView = t.Object({
  id: t.String(),
  last: t.Omit(receivedView, ['labels'], { description: 'The newest mail that was received in it.' }),
  people: t.Array(t.Object({ name: t.String(), address: t.String() }), {
    description: 'Who wrote its newest 20 mails, the last one first.',
  }),
  received: Type.Integer({ description: 'How many mails were received in it; counting stops at 1,000.' }),
  unread: Type.Integer({ description: 'How many of them are unread.' }),
  sent: Type.Integer({ description: 'How many replies were sent in it.' }),
  labels: t.Array(t.String(), { description: 'The labels of its mails.' }),
})

const labelList = t.Object({
  data: t.Array(
    t.Object({
      label: t.String(),
      messages: Type.Integer({ description: 'How many mails have it; counting stops at 10,000.' }),
    }),
  ),
})

const labels = (description: string) =>
  t.Optional(t.Array(t.String({ minLength: 1, maxLength: maxLabelChars }), { maxItems: maxLabelsPerMail, description }))

const labelBody = refusing(
  t.Object({
    messageIds: t.Array(t.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: maxLabelledAtOnce,
      description: 'Received mails of this mailbox.',
    }),
    add: labels('Labels that they get. A label that is new is made.'),
    remove: labels('Labels that they lose. A label that no mail has is gone.'),
    read: t.Optional(t.Boolean({ description: 'True marks them as read, false as unread.' })),
  }),
)

export function overviewRoutes(app: App) {
  return new Elysia({ prefix: '/v1/mailboxes/:mailboxId' })
    .use(auth)
    .get(
      '/threads',
      async ({ workspace, params, query }) => {
        const { id } = await getMailbox(app, workspace.id, params.mailboxId)
        const request = { workspaceId: workspace.id, path: `/v1/mailboxes/${id}/threads`, query }
        const bounds = await readPage(app, request)
        const [, counted = '0', at = undefined] = /^(\d+) (.+)$/.exec(bounds.after ?? '') ?? []
        const search = { label: query.label, unread: query.unread === 'true' }
        const { threads, next } = await listThreads(app, id, search, { limit: bounds.limit, at })
        const total = Number(counted) + threads.length
        return writePage(app, request, bounds, {
          rows: threads,
          total,
          idOf: ({ last }) => last.id,
          next: next === null ? null : `${total} ${next}`,
          view: toSummaryView,
        })
      },
      {
        session: true,
        query: t.Object({
          ...pageQuery,
          label: searchQuery.label,
          unread: t.Optional(oneOf(['true'] as const, 'Only threads with an unread mail.')),
        }),
        response: pageOf(summaryView),
        detail: extension(
          'listReceivedThreads',
          'List the threads of a mailbox',
          'Those first that received a mail last. `totalResults` counts the threads found so far. At most 50,000 mails are looked at per request: a page may then hold fewer than `perPage` threads although more pages follow.',
        ),
      },
    )
    .get(
      '/labels',
      async ({ workspace, params }) => {
        const { id } = await getMailbox(app, workspace.id, params.mailboxId)
        return { data: await listLabels(app, id) }
      },
      {
        session: true,
        response: labelList,
        detail: extension('listReceivedLabels', 'List the labels of a mailbox', 'Each with how many mails have it.'),
      },
    )
    .post(
      '/labels',
      async ({ workspace, params, body }) => {
        const { id } = await getMailbox(app, workspace.id, params.mailboxId)
        await write(app, (tx) => labelMail(tx, id, body))
        return { data: await listLabels(app, id) }
      },
      {
        session: true,
        body: labelBody,
        response: labelList,
        detail: extension(
          'labelReceived',
          'Label received mails, or mark them as read',
          'Adds and removes labels of up to 50 mails, all or none of them. A label is of one mail, in any case: it has at most 50 characters. A mail has at most 20, a mailbox at most 200 different ones. Answers with the labels of the mailbox.',
          [422],
        ),
      },
    )
}

function toSummaryView({ last, ...rest }: ThreadSummary): typeof summaryView.static {
  return { id: last.threadId, last: toListedView(last), ...rest }
}
