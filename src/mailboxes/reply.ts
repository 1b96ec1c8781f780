// Answering a received mail: to its sender and nobody else, in its thread, as a message like any other (suppression, outbox,
// Email Activity). What a machine wrote is never answered, and nobody is answered without end.

import { and, count, eq, gt } from 'drizzle-orm'
import { mailboxReplies } from '../../db/tables/mailboxes.ts'
import type { App, Reader, Tx } from '../app.ts'
import { findContactByEmail } from '../consent/find-contact.ts'
import { idempotent } from '../http/idempotency.ts'
import { hour } from '../lib/duration.ts'
import { addressDomain, parseAddress } from '../lib/email-address.ts'
import { AppError, invalidField } from '../lib/error.ts'
import { newId } from '../lib/id.ts'
import { loopHeader } from '../mail/automatic.ts'
import { compileContent } from '../rendering/compile.ts'
import type { Node } from '../rendering/nodes.ts'
import { parseTree } from '../rendering/tree.ts'
import { checkVariables } from '../rendering/variables.ts'
import { deliverMessage } from '../sending/deliver-message.ts'
import { queueMessages, suppressedText } from '../sending/queue.ts'
import { addRevision } from '../templates/revisions.ts'
import { publish } from '../webhooks/publish.ts'
import { checkAddress } from '../workspaces/domain-owners.ts'
import { markRead, type ReadMessage, readMessage } from './inbox.ts'
import type { OpenMailbox } from './tokens.ts'

/** In any hour. */
const repliesPerToken = 20
const repliesPerThread = 20
const maxReferences = 20
const maxSubjectChars = 500
const maxTextChars = 100_000

/** The words of others are values and never part of a template: `{{…}}` in them is just text. */
const subjectVariable = 'reply_subject'
const textVariable = 'reply_text'
const plainReply: Node[] = [{ type: 'text', text: `{{${textVariable}}}` }]

export interface ReplyInput {
  messageId: string
  text?: string | undefined
  /** A component tree, in place of `text`. */
  content?: unknown
  idempotencyKey?: string | undefined
}

export interface ReplyAnswer {
  /** The public Activity id of what was sent. */
  messageId: string
  to: string
  /** Null for a mail without a Message-ID. */
  inReplyTo: string | null
}

/** Throws `not_found`, `forbidden` for what is never answered, `rate_limit_exceeded`, `recipient_suppressed`. */
export async function replyTo(app: App, open: OpenMailbox, input: ReplyInput): Promise<ReplyAnswer> {
  const { workspace, mailbox } = open
  const { idempotencyKey: key = null, ...body } = input
  const request = { workspaceId: workspace.id, route: `reply of ${mailbox.id}`, key, body }
  const { response } = await idempotent<ReplyAnswer>(app, request, async () => {
    const reply = await checkReply(app, open, input)
    return (tx) => acceptReply(tx, open, reply)
  })
  return response
}

interface Reply {
  original: ReadMessage
  to: string
  contactId: string | null
  content: Node[]
  variables: Record<string, string>
}

async function checkReply(app: App, { workspace, mailbox }: OpenMailbox, input: ReplyInput): Promise<Reply> {
  const original = await readMessage(app, mailbox.id, input.messageId)
  const { automatic } = original.row
  if (automatic !== null) {
    throw new AppError('forbidden', `this mail cannot be answered: it was written by a machine (${automatic})`, {
      errors: [{ path: 'messageId', message: `written by a machine: ${automatic}`, code: automatic }],
    })
  }
  // Nobody is there to be warned: in capture mode the answer is accepted, and captured.
  await checkAddress(app, workspace.id, { address: mailbox.address, path: 'mailbox' })
  const to = recipientOf(original, mailbox.address)
  const contact = await findContactByEmail(app, workspace.id, to)
  const subject = answerSubject(original.mail.subject)
  const { content, variables } = contentOf(input, subject, workspace.primaryLocale)
  return { original, to, contactId: contact?.id ?? null, content, variables }
}

/** Where answers go: the sender. Reply-To counts only where it is as trustworthy as From: same domain, or a passed DMARC check. */
export function recipientOf({ mail, row }: Pick<ReadMessage, 'mail' | 'row'>, ownAddress: string): string {
  const sender = parseAddress(mail.from.address)
  if (!sender.ok) throw invalidField('messageId', `the sender of this mail ${sender.reason}`, 'invalid_email')
  const wished = mail.replyTo ? parseAddress(mail.replyTo.address) : sender
  const isTrusted = wished.ok && (wished.domain === sender.domain || row.auth.dmarc === 'pass')
  const to = isTrusted ? wished.address : sender.address
  if (to.toLowerCase() !== ownAddress.toLowerCase()) return to
  throw new AppError('forbidden', 'this mail cannot be answered: the answer would come back to this mailbox', {
    errors: [{ path: 'messageId', message: 'own address', code: 'own_address' }],
  })
}

function contentOf({ text, content }: ReplyInput, subject: string, locale: string) {
  if ((text === undefined) === (content === undefined))
    throw invalidField('text', 'send either text or content', 'one_of_two')
  if (text !== undefined && (text.trim() === '' || text.length > maxTextChars))
    throw invalidField('text', `must have 1 to ${maxTextChars} characters`)
  const variables = { [subjectVariable]: subject, ...(text === undefined ? {} : { [textVariable]: text }) }
  if (text !== undefined) return { content: plainReply, variables }
  const tree = parseTree(content).content
  checkVariables(compileContent({ ...looks(locale), content: tree }), variables)
  return { content: tree, variables }
}

function looks(locale: string) {
  return { subject: `{{${subjectVariable}}}`, previewText: '', locale, kind: 'transactional' as const }
}

function answerSubject(subject: string): string {
  return (/^re:/i.test(subject) ? subject : `Re: ${subject}`).slice(0, maxSubjectChars)
}

async function acceptReply(tx: Tx, { workspace, mailbox, token }: OpenMailbox, reply: Reply) {
  const { original, to, contactId, content, variables } = reply
  const { row, mail } = original
  await refuseTooMany(tx, token.id, row.threadId)
  const locale = workspace.primaryLocale
  const { subject, previewText } = looks(locale)
  const owner = { workspaceId: workspace.id, ownerKind: 'mailbox', ownerId: mailbox.id } as const
  const revisionId = await addRevision(tx, { ...owner, locale, subject, previewText, content })
  const messageId = newId(tx, 'msg', tx.now)
  const [refused = null] = await queueMessages(tx, deliverMessage, [
    {
      id: messageId,
      workspaceId: workspace.id,
      kind: 'reply',
      email: to,
      contactId,
      templateId: null,
      revisionId,
      subject: variables[subjectVariable] ?? '',
      locale,
      fromName: mailbox.name === '' ? null : mailbox.name,
      fromEmail: mailbox.address,
      replyTo: null,
      headers: threadHeaders(mail, mailbox.address),
      variables,
      payload: { messageId },
    },
  ])
  if (refused)
    return { refusal: new AppError('recipient_suppressed', suppressedText(refused), { extra: { messageId } }) }
  await tx.db.insert(mailboxReplies).values({
    messageId,
    workspaceId: workspace.id,
    mailboxId: mailbox.id,
    receivedId: row.id,
    threadId: row.threadId,
    tokenId: token.id,
    messageIdHeader: `${messageId}@${addressDomain(mailbox.address)}`,
    createdAt: tx.now,
  })
  await markRead(tx, row.id, true)
  await publish(tx, workspace.id, 'mailbox.email.replied', {
    mailbox: { id: mailbox.id, address: mailbox.address },
    message: { id: messageId },
  })
  return { status: 200, response: { messageId, to, inReplyTo: mail.messageId } }
}

/** RFC 5322, 3.6.4, and the marks by which machines leave an answer alone (RFC 3834, 5). */
function threadHeaders(mail: ReadMessage['mail'], ownAddress: string): Record<string, string> {
  const isPlain = (id: string) => /^[\x21-\x7e]+$/.test(id)
  const marks = { 'Auto-Submitted': 'auto-replied', [loopHeader]: ownAddress }
  if (mail.messageId === null || !isPlain(mail.messageId)) return marks
  const earlier = mail.references.length > 0 ? mail.references : mail.inReplyTo.slice(0, 1)
  const references = [...earlier.filter(isPlain), mail.messageId].slice(-maxReferences)
  return {
    'In-Reply-To': `<${mail.messageId}>`,
    References: references.map((id) => `<${id}>`).join(' '),
    ...marks,
  }
}

async function refuseTooMany(tx: Tx, tokenId: string, threadId: string): Promise<void> {
  const since = new Date(tx.now.getTime() - hour)
  const byToken = await countReplies(tx, and(eq(mailboxReplies.tokenId, tokenId), gt(mailboxReplies.createdAt, since)))
  const inThread = and(eq(mailboxReplies.threadId, threadId), gt(mailboxReplies.createdAt, since))
  if (byToken < repliesPerToken && (await countReplies(tx, inThread)) < repliesPerThread) return
  const message = `a token sends at most ${repliesPerToken} replies an hour, and ${repliesPerThread} into one thread`
  throw new AppError('rate_limit_exceeded', message, { retryAfterSeconds: hour / repliesPerToken / 1000 })
}

async function countReplies(reader: Reader, which: ReturnType<typeof and>): Promise<number> {
  const [row] = await reader.db.select({ total: count() }).from(mailboxReplies).where(which)
  return row?.total ?? 0
}
