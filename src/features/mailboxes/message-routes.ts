// Received mail for the people of the workspace, over their session; no API key opens these. Whatever is handed out as a file is
// a download and nothing that a browser would run.

import type { Static, TObject } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { download, downloadAttachment, downloadResponse } from '../../core/http/download.ts'
import { readIdempotencyKey, reply } from '../../core/http/idempotency.ts'
import { extension, repeatable } from '../../core/http/operation.ts'
import { type PageRequest, pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { AppError } from '../../kit/error.ts'
import { maxFileBytes, readableKinds } from '../../mail/attachment-text/reading.ts'
import { auth, toActor } from '../../people/access/auth.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { readAttachmentText } from './attachments.ts'
import { countReceived, getReceived, getSource, markRead, readMessage } from './inbox.ts'
import { loadLabels } from './labels.ts'
import { getMailbox } from './mailboxes.ts'
import {
  attachmentTextView,
  messageView,
  receivedView,
  replyBody,
  replyView,
  searchQuery,
  threadView,
  toAnswerView,
  toAttachmentTextView,
  toMessageView,
  toReceivedView,
} from './message-schema.ts'
import type { ReceivedMessage } from './receive.ts'
import { acceptReply, findRecipient } from './reply.ts'
import { searchReceived } from './search.ts'
import { withSnippets } from './snippets.ts'
import { listAnswers, listThread } from './thread.ts'
import { overviewRoutes } from './thread-routes.ts'

interface MessagePath {
  mailboxId: string
  messageId: string
}

const prefix = '/v1/mailboxes/:mailboxId/messages'

export function mailboxMessageRoutes(app: App) {
  return new Elysia().use(readingRoutes(app)).use(attachmentRoutes(app)).use(threadRoutes(app)).use(overviewRoutes(app))
}

function readingRoutes(app: App) {
  return new Elysia({ prefix })
    .use(auth)
    .get('', ({ workspace, params, query }) => list(app, workspace, params.mailboxId, query), {
      session: true,
      query: t.Object({ ...pageQuery, ...searchQuery }),
      response: pageOf(receivedView),
      detail: extension(
        'listReceived',
        'List or search the mail of a mailbox, newest first',
        'Sender, subject, labels and the beginning of each message. A message must match all the filters that are given. With filters, at most 50,000 messages are looked at per request: a page may then hold fewer than `perPage`, even none, although more pages follow, and `totalResults` counts the messages found so far. API keys cannot read mail; this requires a signed-in member.',
      ),
    })
    .get('/:messageId', ({ workspace, params }) => read(app, workspace, params), {
      session: true,
      response: messageView,
      detail: extension(
        'getReceived',
        'Read one received mail',
        'Text, HTML and attachments of one message, its hidden parts, and the replies to it. Reading does not mark it as read.',
      ),
    })
    .patch(
      '/:messageId',
      async ({ workspace, params, body }) => {
        const mailbox = await getMailbox(app, workspace.id, params.mailboxId)
        const found = await getReceived(app, mailbox.id, params.messageId)
        await write(app, (tx) => markRead(tx, found.id, body.read))
        const [row = found] = await withSnippets(app, [found])
        const labels = await loadLabels(app, [row.id])
        return toReceivedView(
          { ...row, readAt: body.read ? (row.readAt ?? app.clock.now()) : null },
          labels.get(row.id) ?? [],
        )
      },
      {
        session: true,
        body: t.Object({ read: t.Boolean({ description: 'False: unread again.' }) }),
        response: receivedView,
        detail: extension(
          'markReceived',
          'Mark a received mail as read or unread',
          '`read: true` marks it as read, `false` as unread.',
        ),
      },
    )
    .get(
      '/:messageId/source',
      async ({ workspace, params }) => {
        const { id } = await getMailbox(app, workspace.id, params.mailboxId)
        const { raw } = await getSource(app, id, params.messageId)
        return download(raw, `${params.messageId}.eml`, 'message/rfc822')
      },
      {
        session: true,
        detail: {
          ...extension('getReceivedSource', 'The mail as it came', 'The raw message (RFC 5322), as a download.'),
          ...downloadResponse('message/rfc822'),
        },
      },
    )
}

function attachmentRoutes(app: App) {
  return new Elysia({ prefix })
    .use(auth)
    .get(
      '/:messageId/attachments/:number',
      async ({ workspace, params }) => {
        const { id } = await getMailbox(app, workspace.id, params.mailboxId)
        const { raw } = await getSource(app, id, params.messageId)
        return await downloadAttachment(app, raw, params.number)
      },
      {
        session: true,
        detail: {
          ...extension(
            'getReceivedAttachment',
            'Download one attachment of a received mail',
            'Attachments are numbered from 1.',
          ),
          ...downloadResponse(),
        },
      },
    )
    .get(
      '/:messageId/attachments/:number/text',
      async ({ workspace, params: { mailboxId, messageId, number }, query: { cursor } }) => {
        const { id } = await getMailbox(app, workspace.id, mailboxId)
        const which = { index: /^\d{1,3}$/.test(number) ? Number(number) - 1 : -1 }
        const page = await readAttachmentText(app, { workspaceId: workspace.id, id }, { messageId, which, cursor })
        return toAttachmentTextView(page)
      },
      {
        session: true,
        query: t.Object({ cursor: pageQuery.cursor }),
        response: attachmentTextView,
        detail: extension(
          'readReceivedAttachment',
          'Read one attachment of a received mail as text',
          `The text of ${readableKinds}, in pages. Attachments are numbered from 1. Anything else, and what is encrypted, damaged, has more than ${maxFileBytes} bytes, or takes more than 10 s or too much memory to read, is refused (422).`,
          [422],
        ),
      },
    )
}

function threadRoutes(app: App) {
  return new Elysia({ prefix })
    .use(auth)
    .get(
      '/:messageId/thread',
      async ({ workspace, params: { mailboxId, messageId } }) => {
        const { id } = await getMailbox(app, workspace.id, mailboxId)
        const row = await getReceived(app, id, messageId)
        const received = await toReceivedViews(app, await listThread(app, row))
        return { received, answers: (await listAnswers(app, row)).map(toAnswerView) }
      },
      {
        session: true,
        response: threadView,
        detail: extension(
          'getReceivedThread',
          'Read the thread of a received mail',
          'The received mails and the replies of its thread, each oldest first: the full text of the replies, and the beginning of each mail.',
        ),
      },
    )
    .post(
      '/:messageId/reply',
      async ({ workspace, credential, params: { mailboxId, messageId }, body, request, set }) => {
        const mailbox = await getMailbox(app, workspace.id, mailboxId)
        if (mailbox.status !== 'active')
          throw new AppError(
            'invalid_state_transition',
            'This mailbox is disabled: it could not receive a reply to what it sends.',
          )
        const idempotencyKey = readIdempotencyKey(request) ?? undefined
        const from = { workspace, mailbox, userId: toActor(credential) }
        return reply(set, await acceptReply(app, from, { messageId, ...body, idempotencyKey }))
      },
      {
        session: true,
        body: replyBody,
        response: replyView,
        detail: repeatable(
          extension(
            'replyToReceived',
            'Reply to a received mail as a person',
            'Takes `text` or `content`. The reply is sent from the mailbox to the sender of the mail (`replyGoesTo`) and nobody else, in the same thread, without waiting for approval. Automatic mail cannot be replied to (403). At most 200 replies an hour per person, and 20 per thread.',
            [403, 409, 422],
          ),
        ),
      },
    )
}

async function read(app: App, workspace: Workspace, { mailboxId, messageId }: MessagePath) {
  const { id, address } = await getMailbox(app, workspace.id, mailboxId)
  const found = await readMessage(app, id, messageId)
  return {
    ...toMessageView(found),
    labels: (await loadLabels(app, [found.row.id])).get(found.row.id) ?? [],
    replyGoesTo: findRecipient(found, address),
    answers: (await listAnswers(app, found.row)).map(toAnswerView),
  }
}

type ListQuery = PageRequest['query'] & Static<TObject<typeof searchQuery>>

async function list(app: App, workspace: Workspace, mailboxId: string, query: ListQuery) {
  const { id } = await getMailbox(app, workspace.id, mailboxId)
  const request = { workspaceId: workspace.id, path: `/v1/mailboxes/${id}/messages`, query }
  const bounds = await readPage(app, request)
  const { q, from, label, before, after, unread, hasAttachments } = query
  const search = { q, from, label, before, after, unread: isTrue(unread), hasAttachments: isTrue(hasAttachments) }
  const isSearch = Object.values(search).some((one) => one !== undefined)
  const [, counted = '0', at = undefined] = /^(?:(\d+) )?(.+)$/.exec(bounds.after ?? '') ?? []
  const found = await searchReceived(app, id, search, { limit: bounds.limit, at })
  const total = isSearch ? Number(counted) + found.rows.length : await countReceived(app, id)
  return writePage(app, request, bounds, {
    rows: await toReceivedViews(app, found.rows),
    total,
    idOf: (view) => view.id,
    next: found.next === null ? null : `${total} ${found.next}`,
    view: (view) => view,
  })
}

function isTrue(text: 'true' | 'false' | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'true'
}

async function toReceivedViews(app: App, rows: ReceivedMessage[]) {
  const labels = await loadLabels(
    app,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toReceivedView(row, labels.get(row.id) ?? []))
}
