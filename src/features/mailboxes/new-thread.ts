// Mail that an agent writes of its own accord, to one person whom the owner of the mailbox allows. It begins a thread: answers to it join it.

import type { WaitsFor } from '../../../db/tables/mailboxes.ts'
import type { App } from '../../core/app.ts'
import { idempotent } from '../../core/http/idempotency.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { isOneLine } from '../../kit/text.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import { requireAllowed } from './allowed-recipients.ts'
import { getMailbox } from './mailboxes.ts'
import {
  checkedWords,
  type GivenWords,
  marksOfMachine,
  maxSubjectChars,
  toAuthor,
  type Writer,
  writeMail,
} from './outgoing.ts'

export interface NewThreadInput extends GivenWords {
  to: string
  subject: string
  idempotencyKey?: string | undefined
}

export interface NewThreadAnswer {
  /** The public Activity id of what was sent, or will be once a person has approved it. */
  messageId: string
  threadId: string
  to: string
  held?: true
}

/** Throws `validation_failed`, 403 `recipient_not_allowed`, `rate_limit_exceeded`, `recipient_suppressed`. */
export async function startThread(
  app: App,
  from: Writer,
  input: NewThreadInput,
  waitsFor: WaitsFor | null = null,
): Promise<NewThreadAnswer> {
  const { workspace, mailbox } = from
  const { idempotencyKey: key = null, ...body } = input
  const request = { workspaceId: workspace.id, route: `new thread of ${mailbox.id}`, key, body }
  const { response } = await idempotent<NewThreadAnswer>(app, request, async () => {
    await checkAddress(app, workspace.id, { address: mailbox.address, path: 'mailbox' })
    const mail = checkMail(from, input)
    return async (tx) => {
      await requireAllowed(tx, await getMailbox(tx, workspace.id, mailbox.id), mail.email)
      const threadId = newId(tx, 'thr', tx.now)
      const written = await writeMail(tx, from, { mail: { ...mail, threadId }, wanted: waitsFor })
      if (written.refusal) return { refusal: written.refusal }
      const held = written.waitsFor === null ? {} : { held: true as const }
      return { status: 200, response: { messageId: written.messageId, threadId, to: mail.email, ...held } }
    }
  })
  return response
}

function checkMail(from: Writer, { to, subject: given, ...words }: NewThreadInput) {
  const { workspace, mailbox } = from
  const author = toAuthor(from)
  const parsed = parseAddress(to)
  if (!parsed.ok) throw invalidField('to', parsed.reason, 'invalid_email')
  const subject = given.trim()
  if (subject === '' || subject.length > maxSubjectChars || !isOneLine(subject))
    throw invalidField('subject', `must have 1 to ${maxSubjectChars} characters and no line breaks`)
  return {
    workspaceId: workspace.id,
    mailboxId: mailbox.id,
    receivedId: null,
    authorId: author.id,
    email: parsed.address,
    subject,
    headers: marksOfMachine(author, mailbox.address, 'auto-generated'),
    said: checkedWords(words, subject, workspace.primaryLocale),
  }
}
