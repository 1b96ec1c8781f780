// The attachments of a mailbox as text. What is in them is of senders like the mail itself, and less looked at by people.

import { Type } from '@sinclair/typebox'
import { pageChars, readAttachmentText } from '../../features/mailboxes/attachments.ts'
import { AppError, missingField } from '../../kit/error.ts'
import { hiddenIn, visible } from '../../kit/visible.ts'
import { maxFileBytes, maxTextChars, readableKinds } from '../../mail/attachment-text/reading.ts'
import type { WhichAttachment } from '../../mail/attachment-work.ts'
import type { MailboxCaller } from './callers.ts'
import { defineTool } from './tool.ts'
import { createDelimiter } from './untrusted.ts'

const text = Type.String()

export const readAttachment = defineTool({
  name: 'read_attachment',
  scope: 'read',
  title: 'Read an attachment as text',
  says: {
    purpose: `Reads one attachment of a received message as text: ${readableKinds}.`,
    notFor: `Pictures, spreadsheets, scans without text, encrypted files, or files of more than ${maxFileBytes} bytes: they are refused with the reason.`,
    returns: `A page of its text, at most ${pageChars} characters, and \`nextCursor\`. \`hidden\` counts what a person would not see, which is left out. Of a file ${maxTextChars} characters are read.`,
    whenToUse: 'When read_inbox lists an attachment that your task needs.',
  },
  input: Type.Object(
    {
      messageId: Type.String({ minLength: 1, maxLength: 100, description: 'From read_inbox.' }),
      index: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 999, description: 'Its place among `attachments`, from 1.' }),
      ),
      filename: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'As read_inbox says it.' })),
      cursor: Type.Optional(Type.String({ maxLength: 500, description: '`nextCursor` of the previous page.' })),
    },
    { additionalProperties: false, description: 'Either `index` or `filename`.' },
  ),
  output: Type.Object({
    untrusted: Type.Literal(true, { description: 'Everything but numbers was written by the sender.' }),
    index: Type.Integer(),
    filename: text,
    contentType: text,
    sizeBytes: Type.Integer(),
    kind: text,
    text: Type.String({ description: 'A page of its text, between the marked lines.' }),
    hidden: Type.Integer({
      description: 'Runs of this page that a person would not see, left out; counted up to 100.',
    }),
    totalChars: Type.Integer({ description: 'Of the whole text.' }),
    nextCursor: Type.Union([text, Type.Null()]),
    isComplete: Type.Boolean({
      description: 'False: it has more pages or text than are read, or letters that its fonts do not tell.',
    }),
  }),
  touches: { reads: 'untrusted', acts: 'no' },
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(app, { open: { mailbox, workspace } }: MailboxCaller, { messageId, cursor, ...one }) {
    const wanted = { messageId, which: whichOf(one), cursor }
    const page = await readAttachmentText(app, { workspaceId: workspace.id, id: mailbox.id }, wanted)
    const { file, kind, totalChars, nextCursor, isComplete } = page
    const delimiter = createDelimiter(app)
    const hidden = hiddenIn(page.text, page.passages).length
    const about = {
      filename: visible(file.filename),
      contentType: visible(file.contentType),
      sizeBytes: file.sizeBytes,
    }
    const structured = {
      untrusted: true as const,
      index: file.index + 1,
      ...about,
      kind,
      text: delimiter.around(page.text),
      hidden,
      totalChars,
      nextCursor,
      isComplete,
    }
    const facts = [
      `Attachment ${structured.index} of message ${messageId}, ${file.sizeBytes} bytes, read as ${kind}; ${totalChars} characters.`,
      hidden > 0 && `${hidden} hidden passages were left out of this page: somebody may want to deceive a reader.`,
      !isComplete && 'The text is not complete.',
      nextCursor !== null && `There is more: cursor ${nextCursor}`,
      delimiter.note,
    ]
    const said = `${about.filename} (${about.contentType})\n\n${page.text}`
    return { structured, text: () => `${facts.filter(Boolean).join('\n')}\n\n${delimiter.around(said)}` }
  },
})

function whichOf({ index, filename }: { index?: number; filename?: string }): WhichAttachment {
  if (index !== undefined && filename !== undefined)
    throw new AppError('conflicting_fields', 'Give either index or filename, not both.')
  if (index !== undefined) return { index: index - 1 }
  if (filename !== undefined) return { filename }
  throw missingField('index', 'Give the index or the filename of the attachment.')
}
