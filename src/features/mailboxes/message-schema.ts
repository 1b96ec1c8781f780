// Wire shapes of received mail, and how a row becomes one.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { refusing } from '../../core/http/unknown-fields.ts'
import { nullableText, oneOf, time } from '../../core/http/wire.ts'
import { hiddenIn } from '../../kit/visible.ts'
import { actorView } from '../../people/access/audit/schema.ts'
import { contentSchema } from '../content/rendering/nodes.ts'
import { type AttachmentPage, pageChars } from './attachments.ts'
import type { ReadMessage } from './inbox.ts'
import { maxLabelChars } from './labels.ts'
import type { ReceivedMessage } from './receive.ts'
import { maxQueryChars } from './search-text.ts'
import type { Answer } from './thread.ts'

export const receivedView = t.Object({
  id: t.String(),
  threadId: t.String({ description: 'The same for a mail and its answers.' }),
  from: t.Object({ name: t.String(), address: t.String() }),
  subject: t.String(),
  snippet: t.String({ description: 'The first 200 characters of its text.' }),
  receivedAt: time,
  readAt: t.Union([time, t.Null()], { description: 'Null: unread.' }),
  hasAttachments: t.Boolean(),
  sizeBytes: Type.Integer(),
  auth: t.Object(
    { spf: t.String(), dkim: t.String(), dmarc: t.String() },
    { description: 'Results of the SPF, DKIM and DMARC checks.' },
  ),
  automatic: t.Union([t.String(), t.Null()], { description: 'Why this mail cannot be replied to; null if it can be.' }),
  labels: t.Array(t.String()),
})

const yesOrNo = (description: string) => t.Optional(oneOf(['true', 'false'] as const, description))
const searchText = (description: string) => t.Optional(t.String({ maxLength: maxQueryChars, description }))

export const searchQuery = {
  q: searchText(
    'Words in subject, sender, text or file names; all must occur, in any case and with or without accents. `"Several words"` in quotes stand together.',
  ),
  from: searchText('A name, an address or a domain of the sender, as whole words.'),
  label: t.Optional(t.String({ maxLength: maxLabelChars, description: 'One of its labels, in any case.' })),
  unread: yesOrNo('Whether it is unread.'),
  hasAttachments: yesOrNo('Whether it has attachments.'),
  before: t.Optional(t.String({ maxLength: 40, description: 'Received before this time: ISO 8601 with its offset.' })),
  after: t.Optional(t.String({ maxLength: 40, description: 'Received then or later: ISO 8601 with its offset.' })),
}

export const hiddenView = t.Object({
  at: Type.Integer({ description: 'Its offset in the original `text` followed by `quotedText`, in UTF-16 units.' }),
  codePoints: t.Array(t.String(), {
    description: '`U+200B`, …; the first 200. `U+FFFA` stands for a passage that the HTML does not show.',
  }),
  reads: t.Union([t.String(), t.Null()], {
    description:
      'The hidden text that a program would have read: of a passage, its first 2,000 characters; null if the characters stand for no text.',
  }),
})

const answerView = t.Object({
  id: t.String({ description: 'The id of the message: in Email Activity once it is sent, in `/v1/approvals` before.' }),
  status: t.Union([t.Literal('sent'), t.Literal('waiting'), t.Literal('refused')]),
  receivedId: t.Union([t.String(), t.Null()], {
    description: 'The id of the mail that it replies to; null: it began the thread.',
  }),
  at: time,
  author: actorView,
  text: t.Union([t.String(), t.Null()], { description: 'Its text, as plain text; null once it is no longer stored.' }),
})

export const replyBody = refusing(
  t.Object({
    text: t.Optional(t.String({ minLength: 1, maxLength: 100_000, description: 'The reply, as plain text.' })),
    content: t.Optional({ ...contentSchema, description: 'The reply as a component tree, instead of `text`.' }),
  }),
)
export const replyView = t.Object({
  messageId: t.String({ description: 'The id of the reply, in Email Activity.' }),
  to: t.String(),
  inReplyTo: nullableText,
})

const answers = t.Array(answerView, { description: 'The replies in its thread, oldest first; at most 200.' })

export const threadView = t.Object({
  received: t.Array(receivedView, { description: 'The mails of the thread, oldest first, at most 100.' }),
  answers,
})

export const messageView = t.Composite([
  receivedView,
  t.Object({
    to: t.String(),
    date: t.Union([t.String(), t.Null()], { description: 'As the sender wrote it.' }),
    messageIdHeader: nullableText,
    text: t.String({ description: 'What the sender wrote; the text of the HTML part where there is no other.' }),
    quotedText: t.String({ description: 'The text that they quoted below it.' }),
    hidden: t.Array(hiddenView, {
      description:
        'Hidden parts of both, the first 100: invisible characters, and passages that the HTML hides. Agents do not get them.',
    }),
    html: t.Union([t.String(), t.Null()], { description: 'The original HTML: show it only in a sandbox.' }),
    attachments: t.Array(t.Object({ filename: t.String(), contentType: t.String(), sizeBytes: Type.Integer() })),
    isComplete: t.Boolean({ description: 'False: too large or too deep to read; see the source.' }),
    replyGoesTo: t.Union([t.String(), t.Null()], {
      description: 'The address that a reply goes to; null: it cannot be replied to.',
    }),
    answers,
  }),
])

export const attachmentTextView = t.Object({
  filename: t.String(),
  contentType: t.String({ description: 'As the sender declared it.' }),
  sizeBytes: Type.Integer(),
  kind: t.String({ description: 'How it was read: `pdf`, `docx`, `ics`, `html`, `eml` or `text`.' }),
  text: t.String({ description: `One page of its text, at most ${pageChars} characters.` }),
  hidden: t.Array(hiddenView, {
    description:
      'Hidden parts of this page, the first 100: invisible characters, and passages that a reader of the file would not see. Agents do not get them.',
  }),
  totalChars: Type.Integer({ description: 'Of the whole text, in UTF-16 units.' }),
  nextCursor: t.Union([t.String(), t.Null()], { description: 'The `cursor` of the next page; null on the last.' }),
  isComplete: t.Boolean({
    description: 'False: it has more pages or text than are read, or letters that its fonts do not tell.',
  }),
})

export function toAttachmentTextView(page: AttachmentPage): typeof attachmentTextView.static {
  const { file, kind, text, passages, totalChars, nextCursor, isComplete } = page
  const { filename, contentType, sizeBytes } = file
  const hidden = hiddenIn(text, passages)
  return { filename, contentType, sizeBytes, kind, text, hidden, totalChars, nextCursor, isComplete }
}

export function toReceivedView(row: ReceivedMessage, labels: string[]): typeof receivedView.static {
  return { ...toListedView(row), labels }
}

/** Without its labels. */
export function toListedView(row: ReceivedMessage): Omit<typeof receivedView.static, 'labels'> {
  const { id, threadId, subject, snippet, sizeBytes, auth, automatic } = row
  return {
    id,
    threadId,
    from: { name: row.fromName, address: row.fromAddress },
    subject,
    snippet: snippet ?? '',
    receivedAt: row.createdAt.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
    hasAttachments: row.attachmentCount > 0,
    sizeBytes,
    auth,
    automatic,
  }
}

export function toMessageView({
  row,
  mail,
  own,
  quoted,
}: ReadMessage): Omit<typeof messageView.static, 'replyGoesTo' | 'answers' | 'labels'> {
  const { to, date, messageId, html, sealed } = mail
  return {
    ...toListedView(row),
    to,
    date,
    messageIdHeader: messageId,
    text: own,
    quotedText: quoted,
    hidden: hiddenIn(own + quoted, mail.passages),
    html,
    attachments: mail.attachments,
    isComplete: !sealed,
  }
}

export function toAnswerView({ at, ...answer }: Answer): typeof answerView.static {
  return { ...answer, at: at.toISOString() }
}
