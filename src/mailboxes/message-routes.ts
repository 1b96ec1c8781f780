// Received mail for the people of the workspace, over their session; no API key opens these. Whatever is handed out as a file is
// a download and nothing that a browser would run.

import { Elysia, t } from 'elysia'
import { type App, write } from '../app.ts'
import { download, downloadAttachment, downloadOf } from '../http/download.ts'
import { extension } from '../http/operation.ts'
import { type PageRequest, pageOf, pageQuery, readPage, writePage } from '../http/pagination.ts'
import { auth } from '../workspaces/auth.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { countReceived, getReceived, getSource, listAnswers, listReceived, markRead, readMessage } from './inbox.ts'
import { getMailbox } from './mailboxes.ts'
import { messageView, receivedView, toAnswerView, toMessageView, toReceivedView } from './message-schema.ts'

interface MessagePath {
  mailboxId: string
  messageId: string
}

export function mailboxMessageRoutes(app: App) {
  const source = async (workspace: Workspace, { mailboxId, messageId }: MessagePath) => {
    const mailbox = await getMailbox(app, workspace.id, mailboxId)
    return (await getSource(app, mailbox.id, messageId)).raw
  }
  return new Elysia({ prefix: '/v1/mailboxes/:mailboxId/messages' })
    .use(auth)
    .get('', ({ workspace, params, query }) => list(app, workspace, params.mailboxId, query), {
      session: true,
      query: t.Object(pageQuery),
      response: pageOf(receivedView),
      detail: extension(
        'listReceived',
        'List the mail of a mailbox, newest first',
        'Sender, subject and the beginning of each message. No API key opens these.',
      ),
    })
    .get('/:messageId', ({ workspace, params }) => read(app, workspace, params), {
      session: true,
      response: messageView,
      detail: extension(
        'getReceived',
        'Read one received mail',
        'Text, HTML and attachments of one message, with what was hidden in it and what was answered. It is not marked as read by this.',
      ),
    })
    .patch(
      '/:messageId',
      async ({ workspace, params, body }) => {
        const mailbox = await getMailbox(app, workspace.id, params.mailboxId)
        const row = await getReceived(app, mailbox.id, params.messageId)
        await write(app, (tx) => markRead(tx, row.id, body.read))
        return toReceivedView({ ...row, readAt: body.read ? (row.readAt ?? app.clock.now()) : null })
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
        const raw = await source(workspace, params)
        return download(raw, `${params.messageId}.eml`, 'message/rfc822')
      },
      {
        session: true,
        detail: {
          ...extension('getReceivedSource', 'The mail as it came', 'The raw message (RFC 5322), as a download.'),
          ...downloadOf('message/rfc822'),
        },
      },
    )
    .get(
      '/:messageId/attachments/:number',
      async ({ workspace, params }) => {
        const raw = await source(workspace, params)
        return await downloadAttachment(app, raw, params.number)
      },
      {
        session: true,
        detail: {
          ...extension(
            'getReceivedAttachment',
            'One attachment, counted from 1',
            'As a download. Attachments are counted from 1.',
          ),
          ...downloadOf(),
        },
      },
    )
}

async function read(app: App, workspace: Workspace, { mailboxId, messageId }: MessagePath) {
  const { id } = await getMailbox(app, workspace.id, mailboxId)
  const found = await readMessage(app, id, messageId)
  return { ...toMessageView(found), answers: (await listAnswers(app, found.row)).map(toAnswerView) }
}

async function list(app: App, workspace: Workspace, mailboxId: string, query: PageRequest['query']) {
  const { id } = await getMailbox(app, workspace.id, mailboxId)
  const request = { workspaceId: workspace.id, path: `/v1/mailboxes/${id}/messages`, query }
  const bounds = await readPage(app, request)
  const rows = await listReceived(app, id, { ...bounds, unreadOnly: false })
  const total = await countReceived(app, id)
  return writePage(app, request, bounds, { rows, total, idOf: (row) => row.id, view: toReceivedView })
}
