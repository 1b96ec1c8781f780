// The labels of a mailbox: which there are, and putting them on mails. Their answers hold nothing that a sender wrote.

import { Type } from '@sinclair/typebox'
import { write } from '../../core/app.ts'
import {
  labelMail,
  listLabels,
  maxLabelChars,
  maxLabelledAtOnce,
  maxLabelsPerMail,
} from '../../features/mailboxes/labels.ts'
import type { MailboxCaller } from './callers.ts'
import { defineTool, type Tool } from './tool.ts'

const output = Type.Object({
  labels: Type.Array(
    Type.Object({
      label: Type.String(),
      messages: Type.Integer({ description: 'How many mails have it; counting stops at 10,000.' }),
    }),
  ),
})
const labels = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: maxLabelChars }), { maxItems: maxLabelsPerMail, description }),
  )

const listLabelsTool = defineTool({
  name: 'list_labels',
  scope: 'read',
  title: 'List labels',
  says: {
    purpose: 'Lists the labels of this mailbox, each with how many mails have it.',
    notFor: 'Finding the mails of a label: search_mail or list_threads with `label`.',
    returns: 'All labels, at most 200.',
    whenToUse: 'Before label_mail.',
  },
  input: Type.Object({}, { additionalProperties: false }),
  output,
  /** An agent may have written down what a mail told it to. */
  touches: { reads: 'untrusted', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { open: { mailbox } }: MailboxCaller) {
    return { structured: { labels: await listLabels(app, mailbox.id) } }
  },
})

const labelMailTool = defineTool({
  name: 'label_mail',
  scope: 'read',
  title: 'Label mail',
  says: {
    purpose: 'Adds labels to received mails, takes them away, or marks the mails as read or unread.',
    notFor: 'Deleting or answering mail. A label changes nothing but how mail is found.',
    returns: 'The labels of the mailbox, each with how many mails have it.',
    whenToUse: 'To sort mail, or to remember what is done.',
  },
  input: Type.Object(
    {
      messageIds: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: maxLabelledAtOnce,
        description: 'All of them, or none is changed.',
      }),
      add: labels(`New ones are made. A mail has at most ${maxLabelsPerMail}.`),
      remove: labels('One that a mail does not have is ignored.'),
      markRead: Type.Optional(Type.Boolean({ description: 'True: read; false: unread.' })),
    },
    { additionalProperties: false },
  ),
  output,
  touches: { reads: 'untrusted', acts: 'inside' },
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(app, { open: { mailbox } }: MailboxCaller, { markRead: read, ...labelling }) {
    await write(app, (tx) => labelMail(tx, mailbox.id, { ...labelling, read }))
    return { structured: { labels: await listLabels(app, mailbox.id) } }
  },
})

export const labelTools: Tool<MailboxCaller>[] = [listLabelsTool, labelMailTool]
