// Mail that is written from a mailbox, by an agent or a person: to one recipient, as an ordinary message (suppression, outbox, Email Activity).
// It leaves at once, or waits as a draft for a person (drafts.ts).

import { mailboxDrafts, mailboxReplies, type ReplyContent, type WaitsFor } from '../../../db/tables/mailboxes.ts'
import type { Tx } from '../../core/app.ts'
import { addressDomain } from '../../kit/email-address.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { loopHeader } from '../../mail/automatic.ts'
import { mustTakeMails } from '../../people/limits.ts'
import { askByMail } from '../../people/members/approval-mail.ts'
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
import { getMailbox, type Mailbox } from './mailboxes.ts'
import { type Author, authorOfId, refuseTooMany, refuseTooManyDrafts } from './reply-limits.ts'

export const maxSubjectChars = 500
const maxTextChars = 100_000

/** The words of others are values and never part of a template: `{{…}}` in them is just text. */
const subjectVariable = 'reply_subject'
const textVariable = 'reply_text'
const plainReply: Node[] = [{ type: 'text', text: `{{${textVariable}}}` }]

/** Either a text, or a component tree. */
export interface GivenWords {
  text?: string | undefined
  content?: unknown
}

/** Who writes, and from where: an agent by its token or connection, or a person. */
export type Writer = { workspace: Workspace; mailbox: Mailbox } & ({ token: { id: string } } | { userId: string })

export function toAuthor(from: Writer): Author {
  return authorOfId('token' in from ? from.token.id : from.userId)
}

/** As it was checked. */
export interface Outgoing {
  /** Of the message that it becomes. */
  id: string
  workspaceId: string
  mailboxId: string
  /** What it answers; null: it begins its thread. */
  receivedId: string | null
  threadId: string
  authorId: string
  email: string
  subject: string
  headers: Record<string, string>
  said: ReplyContent
}

/** What became of it: `refusal` where it was recorded and does not leave. */
interface WriteOutcome {
  messageId: string
  waitsFor: WaitsFor | null
  refusal: AppError | null
}

/** It leaves, or waits: for `wanted`, or because the mailbox holds what agents write. Throws `rate_limit_exceeded`. */
export async function writeMail(
  tx: Tx,
  from: Writer,
  { mail, wanted }: { mail: Omit<Outgoing, 'id'>; wanted: WaitsFor | null },
): Promise<WriteOutcome> {
  const author = toAuthor(from)
  await refuseTooMany(tx, author, mail.threadId)
  const outgoing = { ...mail, id: newId(tx, 'msg', tx.now) }
  const { holdReplies } = await getMailbox(tx, mail.workspaceId, mail.mailboxId)
  const waitsFor = author.kind === 'person' ? null : (wanted ?? (holdReplies ? 'mailbox' : null))
  const refusal = waitsFor === null ? await sendOutgoing(tx, from, outgoing) : await keep(tx, outgoing, waitsFor)
  return { messageId: outgoing.id, waitsFor, refusal }
}

async function keep(tx: Tx, mail: Outgoing, waitsFor: WaitsFor): Promise<null> {
  await refuseTooManyDrafts(tx, mail.mailboxId)
  const row = { ...mail, state: 'waiting', waitsFor, first: mail.said, createdAt: tx.now, updatedAt: tx.now } as const
  await tx.db.insert(mailboxDrafts).values(row)
  // Who holds every answer of a mailbox knows where they are.
  if (waitsFor !== 'mailbox') await askByMail(tx, mail)
  return null
}

/** Either a text or a tree, without a variable that nobody fills. */
export function checkedWords({ text, content }: GivenWords, subject: string, locale: string): ReplyContent {
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
function toContent({ said: { text, content }, subject }: Pick<Outgoing, 'subject' | 'said'>): {
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

/** Makes it a message and queues it. Returns what refused it: the mail is recorded then, and does not leave. */
export async function sendOutgoing(
  tx: Tx,
  { workspace, mailbox }: Pick<Writer, 'workspace' | 'mailbox'>,
  mail: Outgoing,
): Promise<AppError | null> {
  const { id: messageId, workspaceId, mailboxId, receivedId, threadId, authorId, email, subject, headers } = mail
  const { content, variables } = toContent(mail)
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
  await mustTakeMails(tx, workspace, 1)
  const messageIdHeader = `${messageId}@${addressDomain(mailbox.address)}`
  const record = { messageId, workspaceId, mailboxId, receivedId, threadId, authorId, messageIdHeader }
  await tx.db.insert(mailboxReplies).values({ ...record, createdAt: tx.now })
  await publish(tx, workspaceId, 'mailbox.email.replied', {
    mailbox: { id: mailboxId, address: mailbox.address },
    message: { id: messageId },
  })
  return null
}

/** What the recipient would see of it now, for comparing: its mail, who it is from, and what is filled in. */
export function renderedMail(workspace: Workspace, { name }: Mailbox, mail: Pick<Outgoing, 'subject' | 'said'>) {
  const locale = workspace.primaryLocale
  const { content, variables } = toContent(mail)
  const { subject, html, text } = compileContent({ ...replySource(locale), content, brand: brandLook(workspace.brand) })
  const fromName = name === '' ? null : name
  return { subject, html, text, variables, fromName, values: fixedValues(workspace, { locale, fromName }) }
}

/**
 * These keep other machines from replying (RFC 3834, 5); what a person writes may be answered by anybody. `auto-generated` begins a thread.
 */
export function marksOfMachine(
  { kind }: Author,
  ownAddress: string,
  submitted: 'auto-replied' | 'auto-generated',
): Record<string, string> {
  return kind === 'person' ? {} : { 'Auto-Submitted': submitted, [loopHeader]: ownAddress }
}
