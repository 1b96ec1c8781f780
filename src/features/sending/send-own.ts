// Accepts mails whose content is their caller's own (own-content.ts). All mails of a request are one transaction, with the reply that is kept
// for its Idempotency-Key.

import type { SuppressionReason } from '../../../db/tables/contacts.ts'
import type { GroupRecipient } from '../../../db/tables/messages.ts'
import type { App, Tx } from '../../core/app.ts'
import { type Answer, idempotent, type KeyedRequest } from '../../core/http/idempotency.ts'
import { expectAttached } from '../../kit/content-id.ts'
import { type Issue, invalidField, missingField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { mustTakeMails } from '../../people/limits.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { findContacts } from '../contacts/consent/find-contact.ts'
import { insertGroups } from './activity/groups.ts'
import { insertAttachments, isTooMuch, storeAttachmentsAhead } from './attachment-store.ts'
import { type AttachmentInput, readAttachments } from './attachments.ts'
import { checkHeaders } from './headers.ts'
import { type Content, forgetContent, partsContent } from './own-content.ts'
import { type WriteHtml, writesOnce } from './own-html.ts'
import { type OwnMessage, queueOwn } from './queue-own.ts'
import { maxRecipients } from './schema.ts'
import { chooseSender } from './sender.ts'

export interface OwnMail {
  from: { name: string | null; address: string }
  recipients: Pick<GroupRecipient, 'as' | 'name' | 'email'>[]
  replyTo?: string | undefined
  /** The same object for mails that share it. */
  content: { subject: string; html?: string | undefined; text?: string | undefined }
  headers?: Record<string, string> | undefined
  attachments?: AttachmentInput[] | undefined
  tags?: string[] | undefined
  metadata?: Record<string, string> | undefined
  /** Default: now. */
  runAt?: Date | undefined
}

/** What became of one mail: its messages, in the order of its recipients. */
export interface OwnSent {
  messages: { as: GroupRecipient['as']; email: string; messageId: string; suppressed: SuppressionReason | null }[]
  /** What of its HTML is not sent. */
  warnings: Issue[]
}

interface RecipientMessage {
  as: GroupRecipient['as']
  name: string | null
  message: OwnMessage
}

/** A mail that is ready to be written. */
interface SendPlan {
  messages: RecipientMessage[]
  warnings: Issue[]
  groupId: string | null
  attachments: Parameters<typeof insertAttachments>[2]
}

/** Throws AppError for the first mail that is refused; then none is accepted. Each recipient is mailed once. */
export async function acceptOwn(
  app: App,
  workspace: Workspace,
  request: Pick<KeyedRequest, 'route' | 'key' | 'body'>,
  mails: () => OwnMail[] | Promise<OwnMail[]>,
): Promise<Answer<OwnSent[]> & { replayed: boolean }> {
  const contents = new Map<OwnMail['content'], Content>()
  const writeHtml = writesOnce(app)
  let isWritten = false
  try {
    const answer = await idempotent<OwnSent[]>(app, { ...request, workspaceId: workspace.id }, async () => {
      const plans: SendPlan[] = []
      for (const mail of await mails())
        plans.push(await planMail(app, workspace, { mail, contents, writeHtml, key: request.key }))
      return async (tx) => ({ status: 200, response: await writePlans(tx, workspace, plans) })
    })
    isWritten = !answer.replayed
    return answer
  } finally {
    // What cannot be deleted now, and attachments, are swept later.
    if (!isWritten) for (const content of contents.values()) await forgetContent(app, content)
  }
}

interface Context {
  mail: OwnMail
  contents: Map<OwnMail['content'], Content>
  writeHtml: WriteHtml
  key: string | null
}

async function planMail(
  app: App,
  workspace: Workspace,
  { mail, contents, writeHtml, key }: Context,
): Promise<SendPlan> {
  const recipients = distinctRecipients(mail.recipients)
  const { from, headers, tags = null, metadata = null, runAt } = mail
  const wanted = { fromName: from.name, fromEmail: from.address, replyTo: null }
  const sender = await chooseSender(app, workspace, wanted, mail.replyTo === undefined ? {} : { replyTo: mail.replyTo })
  const shared = {
    workspaceId: workspace.id,
    locale: workspace.primaryLocale,
    fromName: sender.name,
    fromEmail: sender.email,
    replyTo: sender.replyTo,
    headers: checkHeaders(headers, 'own'),
    tags,
    metadata,
    idempotencyKey: key,
    runAt,
  }
  const attachments = await readAttachments(workspace, mail.attachments ?? [])
  const content = contents.get(mail.content) ?? (await checkContent(app, mail.content, writeHtml))
  contents.set(mail.content, content)
  expectAttached(content.shows, attachments, 'html')
  const contacts = await findContacts(
    app,
    recipients.map(({ email }) => ({ workspaceId: workspace.id, email, userId: null })),
  )
  const now = app.clock.now()
  const isGroup = recipients.length > 1 || recipients.some(({ name }) => name !== null)
  const groupId = isGroup ? newId(app, 'grp', now) : null
  const messages = recipients.map(({ as, name, email }, index) => {
    const contactId = contacts[index]?.id ?? null
    return { as, name, message: { ...shared, id: newId(app, 'msg', now), email, contactId, groupId, content } }
  })
  const { warnings } = content
  if (!isTooMuch(attachments)) return { messages, warnings, groupId, attachments }
  await storeAttachmentsAhead(app, groupId ?? messages[0]?.message.id ?? '', attachments)
  return { messages, warnings, groupId, attachments: [] }
}

async function checkContent(app: App, content: OwnMail['content'], writeHtml: WriteHtml): Promise<Content> {
  return await partsContent(app, { kind: 'parts', ...content }, writeHtml)
}

/** Case does not make another person. */
function distinctRecipients(recipients: OwnMail['recipients']): OwnMail['recipients'] {
  if (recipients.length === 0) throw missingField('to', 'name a recipient: to')
  if (recipients.length > maxRecipients)
    throw invalidField(
      'to',
      `to, cc and bcc name ${recipients.length} recipients; the limit is ${maxRecipients}`,
      'too_many',
    )
  const byAddress = new Map<string, OwnMail['recipients'][number]>()
  for (const one of recipients) if (!byAddress.has(one.email.toLowerCase())) byAddress.set(one.email.toLowerCase(), one)
  return [...byAddress.values()]
}

async function writePlans(tx: Tx, workspace: Workspace, plans: SendPlan[]): Promise<OwnSent[]> {
  const { id: workspaceId } = workspace
  const reasons = await queueOwn(
    tx,
    plans.flatMap(({ messages }) => messages.map(({ message }) => message)),
  )
  await mustTakeMails(tx, workspace, reasons.filter((reason) => reason === null).length)
  const sent: OwnSent[] = []
  for (const { messages, warnings, groupId, attachments } of plans) {
    const suppressed = reasons.splice(0, messages.length)
    sent.push({
      messages: messages.map(({ as, message: { email, id } }, index) => {
        return { as, email, messageId: id, suppressed: suppressed[index] ?? null }
      }),
      warnings,
    })
    const owner = groupId ?? messages[0]?.message.id ?? ''
    if (suppressed.every((reason) => reason !== null)) continue
    const recipients = messages.map(({ as, name, message }) => ({
      as,
      name,
      email: message.email,
      messageId: message.id,
    }))
    if (groupId !== null) await insertGroups(tx, [{ id: groupId, workspaceId, recipients }])
    await insertAttachments(tx, owner, attachments)
  }
  return sent
}
