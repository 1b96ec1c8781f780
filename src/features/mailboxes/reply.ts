// Replies to received mail, by an agent or a person: to the sender alone, in the same thread, as an ordinary message (suppression, outbox,
// Email Activity). Automatic mail is never replied to, and the number of replies is limited.

import { heldReplies, mailboxReplies, type ReplyContent } from '../../../db/tables/mailboxes.ts'
import type { App, Tx } from '../../core/app.ts'
import { idempotent } from '../../core/http/idempotency.ts'
import { addressDomain, parseAddress } from '../../kit/email-address.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { loopHeader } from '../../mail/automatic.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { findContactByEmail } from '../contacts/consent/find-contact.ts'
import { compileContent } from '../content/rendering/compile.ts'
import { fill } from '../content/rendering/fill.ts'
import type { Node } from '../content/rendering/nodes.ts'
import { parseTree } from '../content/rendering/tree.ts'
import { checkVariables } from '../content/rendering/variables.ts'
import { brandLook } from '../content/templates/resolve.ts'
import { addRevision } from '../content/templates/revisions.ts'
import { deliverMessage } from '../sending/deliver-message.ts'
import { queueMessages, suppressedText } from '../sending/queue.ts'
import { fixedValues } from '../sending/values.ts'
import { publish } from '../webhooks/publish.ts'
import { markRead, type ReadMessage, readMessage } from './inbox.ts'
import { getMailbox, type Mailbox } from './mailboxes.ts'
import { type Author, authorOfId, refuseTooMany } from './reply-limits.ts'

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

/** Who answers, and from where: an agent by its token, or a person. */
export type Replier = { workspace: Workspace; mailbox: Mailbox } & ({ token: { id: string } } | { userId: string })

function toAuthor(from: Replier): Author {
  return authorOfId('token' in from ? from.token.id : from.userId)
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

/** Throws `not_found`, `forbidden` for what is never answered, `rate_limit_exceeded`, `recipient_suppressed`. */
export async function replyTo(app: App, from: Replier, input: ReplyInput): Promise<ReplyAnswer> {
  return (await acceptReply(app, from, input)).response
}

/** The same, with whether it is the answer of an earlier request. */
export async function acceptReply(app: App, from: Replier, input: ReplyInput) {
  const { workspace, mailbox } = from
  const author = toAuthor(from)
  const { idempotencyKey: key = null, ...body } = input
  const request = { workspaceId: workspace.id, route: `reply of ${mailbox.id}`, key, body }
  return await idempotent<ReplyAnswer>(app, request, async () => {
    const { reply, inReplyTo } = await checkReply(app, from, input)
    return async (tx) => {
      await refuseTooMany(tx, author, reply.threadId)
      const messageId = newId(tx, 'msg', tx.now)
      const isHeld = author.kind !== 'person' && (await getMailbox(tx, workspace.id, mailbox.id)).holdReplies
      const refusal = isHeld
        ? await hold(tx, { ...reply, id: messageId })
        : await sendReply(tx, from, { ...reply, id: messageId })
      if (refusal) return { refusal }
      await markRead(tx, reply.receivedId, true)
      return {
        status: 200,
        response: { messageId, to: reply.email, inReplyTo, ...(isHeld ? { held: true } : {}) },
      }
    }
  })
}

async function hold(tx: Tx, { authorId: tokenId, ...reply }: Reply): Promise<null> {
  await tx.db
    .insert(heldReplies)
    .values({ ...reply, tokenId, state: 'held', first: reply.said, createdAt: tx.now, updatedAt: tx.now })
  return null
}

/** A reply as it was checked: sent at once, or once a person has approved it. */
export interface Reply {
  /** Of the message that it becomes. */
  id: string
  workspaceId: string
  mailboxId: string
  receivedId: string
  threadId: string
  authorId: string
  email: string
  subject: string
  headers: Record<string, string>
  said: ReplyContent
}

async function checkReply(app: App, from: Replier, input: ReplyInput) {
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
  const reply: Omit<Reply, 'id'> = {
    workspaceId: workspace.id,
    mailboxId: mailbox.id,
    receivedId: row.id,
    threadId: row.threadId,
    authorId: author.id,
    email,
    subject,
    headers: { ...threadHeaders(mail), ...(author.kind === 'person' ? {} : marksOfMachine(mailbox.address)) },
    said,
  }
  return { reply, inReplyTo: mail.messageId }
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

/** Either a text or a tree, without a variable that nobody fills. */
export function checkedWords(
  { text, content }: Pick<ReplyInput, 'text' | 'content'>,
  subject: string,
  locale: string,
): ReplyContent {
  if ((text === undefined) === (content === undefined))
    throw invalidField('text', 'send either text or content', 'one_of_two')
  if (text !== undefined && (text.trim() === '' || text.length > maxTextChars))
    throw invalidField('text', `must have 1 to ${maxTextChars} characters`)
  if (text !== undefined) return { text }
  const tree = parseTree(content).content
  checkVariables(compileContent({ ...replySource(locale), content: tree }), { [subjectVariable]: subject })
  return { content: tree }
}

/** The tree and its variables: the words of a plain text are a value. */
function toContent({ said: { text, content }, subject }: Pick<Reply, 'subject' | 'said'>): {
  content: Node[]
  variables: Record<string, string>
} {
  const variables = { [subjectVariable]: subject }
  if (text !== undefined) return { content: plainReply, variables: { ...variables, [textVariable]: text } }
  return { content: content as Node[], variables }
}

/** The text of a message that was made of a reply. */
export function sentWords(content: unknown[], variables: Record<string, unknown>): ReplyContent {
  const text = variables[textVariable]
  return typeof text === 'string' ? { text } : { content }
}

/** As plain text. */
export function writtenText({ text, content }: ReplyContent): string {
  if (text !== undefined) return text
  return fill(compileContent({ ...replySource('en'), content: content as Node[] }).text, {}).trim()
}

function replySource(locale: string) {
  return { subject: `{{${subjectVariable}}}`, previewText: '', locale, kind: 'transactional' as const }
}

function answerSubject(subject: string): string {
  return (/^re:/i.test(subject) ? subject : `Re: ${subject}`).slice(0, maxSubjectChars)
}

/** Makes it a message and queues it. Returns what refused it: the mail is recorded then, and does not leave. */
export async function sendReply(
  tx: Tx,
  { workspace, mailbox }: Pick<Replier, 'workspace' | 'mailbox'>,
  reply: Reply,
): Promise<AppError | null> {
  const { id: messageId, workspaceId, mailboxId, receivedId, threadId, authorId, email, subject, headers } = reply
  const { content, variables } = toContent(reply)
  const locale = workspace.primaryLocale
  const { subject: heading, previewText } = replySource(locale)
  const owner = { workspaceId, ownerKind: 'mailbox', ownerId: mailboxId } as const
  const revisionId = await addRevision(tx, { ...owner, locale, subject: heading, previewText, content })
  const contact = await findContactByEmail(tx, workspaceId, email)
  const [refused = null] = await queueMessages(tx, deliverMessage, [
    {
      id: messageId,
      workspaceId,
      kind: 'reply',
      email,
      contactId: contact?.id ?? null,
      templateId: null,
      revisionId,
      subject,
      locale,
      fromName: mailbox.name === '' ? null : mailbox.name,
      fromEmail: mailbox.address,
      replyTo: null,
      headers,
      variables,
      payload: { messageId },
    },
  ])
  if (refused) return new AppError('recipient_suppressed', suppressedText(refused), { extra: { messageId } })
  const messageIdHeader = `${messageId}@${addressDomain(mailbox.address)}`
  const record = { messageId, workspaceId, mailboxId, receivedId, threadId, authorId, messageIdHeader }
  await tx.db.insert(mailboxReplies).values({ ...record, createdAt: tx.now })
  await publish(tx, workspaceId, 'mailbox.email.replied', {
    mailbox: { id: mailboxId, address: mailbox.address },
    message: { id: messageId },
  })
  return null
}

/** What the recipient would see now of a reply, for comparing: its mail, who it is from, and what is filled in. */
export function renderedReply(workspace: Workspace, { name }: Mailbox, reply: Pick<Reply, 'subject' | 'said'>) {
  const locale = workspace.primaryLocale
  const { content, variables } = toContent(reply)
  const { subject, html, text } = compileContent({ ...replySource(locale), content, brand: brandLook(workspace.brand) })
  const fromName = name === '' ? null : name
  return { subject, html, text, variables, fromName, values: fixedValues(workspace, { locale, fromName }) }
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

/** These keep other machines from replying (RFC 3834, 5). A person's reply may be answered by anybody. */
function marksOfMachine(ownAddress: string): Record<string, string> {
  return { 'Auto-Submitted': 'auto-replied', [loopHeader]: ownAddress }
}
