// Replies to received mail: to the sender alone, in the same thread. Automatic mail is never replied to, and the number of replies is limited.

import type { WaitsFor } from '../../../db/tables/mailboxes.ts'
import type { App } from '../../core/app.ts'
import { idempotent } from '../../core/http/idempotency.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import { markRead, type ReadMessage, readMessage } from './inbox.ts'
import {
  checkedWords,
  type GivenWords,
  marksOfMachine,
  maxSubjectChars,
  toAuthor,
  type Writer,
  writeMail,
} from './outgoing.ts'

const maxReferences = 20

export interface ReplyInput extends GivenWords {
  messageId: string
  idempotencyKey?: string | undefined
}

export interface ReplyAnswer {
  /** The public Activity id of what was sent, or will be once a person has approved it. */
  messageId: string
  to: string
  /** Null for a mail without a Message-ID. */
  inReplyTo: string | null
  /** It waits for a person. */
  held?: true
}

/**
 * `waitsFor`: what an agent writes waits for a person. Throws `not_found`, `forbidden` for what is never answered, `rate_limit_exceeded`,
 * `recipient_suppressed`.
 */
export async function replyTo(
  app: App,
  from: Writer,
  input: ReplyInput,
  waitsFor: WaitsFor | null = null,
): Promise<ReplyAnswer> {
  return (await acceptReply(app, from, input, waitsFor)).response
}

/** The same, with whether it is the answer of an earlier request. */
export async function acceptReply(app: App, from: Writer, input: ReplyInput, waitsFor: WaitsFor | null = null) {
  const { workspace, mailbox } = from
  const { idempotencyKey: key = null, ...body } = input
  const request = { workspaceId: workspace.id, route: `reply of ${mailbox.id}`, key, body }
  return await idempotent<ReplyAnswer>(app, request, async () => {
    const { mail, inReplyTo } = await checkReply(app, from, input)
    return async (tx) => {
      const written = await writeMail(tx, from, { mail, wanted: waitsFor })
      if (written.refusal) return { refusal: written.refusal }
      await markRead(tx, mail.receivedId, true)
      const { messageId } = written
      const held = written.waitsFor === null ? {} : { held: true as const }
      return { status: 200, response: { messageId, to: mail.email, inReplyTo, ...held } }
    }
  })
}

async function checkReply(app: App, from: Writer, input: ReplyInput) {
  const { workspace, mailbox } = from
  const author = toAuthor(from)
  const original = await readMessage(app, mailbox.id, input.messageId)
  const { row, mail } = original
  const { automatic } = row
  if (automatic !== null) {
    throw new AppError('forbidden', `this mail cannot be answered: it was written by a machine (${automatic})`, {
      errors: [{ path: 'messageId', message: `written by a machine: ${automatic}`, code: automatic }],
    })
  }
  // Nobody is there to be warned: in capture mode the answer is accepted, and captured.
  await checkAddress(app, workspace.id, { address: mailbox.address, path: 'mailbox' })
  const email = toRecipient(original, mailbox.address)
  const subject = answerSubject(mail.subject)
  const said = checkedWords(input, subject, workspace.primaryLocale)
  const headers = { ...threadHeaders(mail), ...marksOfMachine(author, mailbox.address, 'auto-replied') }
  const { id: receivedId, threadId } = row
  const place = { workspaceId: workspace.id, mailboxId: mailbox.id, receivedId, threadId, authorId: author.id }
  return { mail: { ...place, email, subject, headers, said }, inReplyTo: mail.messageId }
}

/** Where answers go: the sender. Reply-To counts only where it is as trustworthy as From: same domain, or a passed DMARC check. */
function toRecipient({ mail, row }: Pick<ReadMessage, 'mail' | 'row'>, ownAddress: string): string {
  const sender = parseAddress(mail.from.address)
  if (!sender.ok) throw invalidField('messageId', `the sender of this mail ${sender.reason}`, 'invalid_email')
  const wished = mail.replyTo ? parseAddress(mail.replyTo.address) : sender
  const isTrusted = wished.ok && (wished.domain === sender.domain || row.auth.dmarc === 'pass')
  const to = isTrusted ? wished.address : sender.address
  if (to.toLowerCase() !== ownAddress.toLowerCase()) return to
  throw new AppError('forbidden', 'this mail cannot be replied to: the reply would come back to this mailbox', {
    errors: [{ path: 'messageId', message: 'own address', code: 'own_address' }],
  })
}

/** Null for what is never answered. */
export function findRecipient(message: Pick<ReadMessage, 'mail' | 'row'>, ownAddress: string): string | null {
  if (message.row.automatic !== null) return null
  try {
    return toRecipient(message, ownAddress)
  } catch {
    return null
  }
}

function answerSubject(subject: string): string {
  return (/^re:/i.test(subject) ? subject : `Re: ${subject}`).slice(0, maxSubjectChars).toWellFormed()
}

/** RFC 5322, 3.6.4. */
function threadHeaders(mail: ReadMessage['mail']): Record<string, string> {
  const isPlain = (id: string) => /^[\x21-\x7e]+$/.test(id)
  if (mail.messageId === null || !isPlain(mail.messageId)) return {}
  const earlier = mail.references.length > 0 ? mail.references : mail.inReplyTo.slice(0, 1)
  const references = [...earlier.filter(isPlain), mail.messageId].slice(-maxReferences)
  return {
    'In-Reply-To': `<${mail.messageId}>`,
    References: references.map((id) => `<${id}>`).join(' '),
  }
}
