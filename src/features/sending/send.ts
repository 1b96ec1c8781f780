// Accepts a transactional message: everything that can be refused is refused here, and what is accepted is one transaction: the message,
// its attachments, its job, and the reply stored for the same Idempotency-Key.

import { eq, inArray } from 'drizzle-orm'
import { messages } from '../../../db/tables/messages.ts'
import { type App, write } from '../../core/app.ts'
import { type Answer, idempotentBy, type RequestKey } from '../../core/http/idempotency.ts'
import { deletePieces } from '../../core/pieces.ts'
import { underAnyName } from '../../kit/aliases.ts'
import { type AddressResult, type MailboxResult, parseAddress, parseRecipient } from '../../kit/email-address.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { canonicalLocale } from '../../kit/locale.ts'
import { currentTrace } from '../../kit/trace.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { Evidence } from '../contacts/consent/ledger.ts'
import { contactOfRecipient } from '../contacts/contacts.ts'
import { type ResolvedTemplate, resolveTemplate } from '../content/templates/resolve.ts'
import { isGroup, type Recipient, type SendRequest, type SendResult, sendAccepter } from './accept.ts'
import { groupPieces } from './activity/groups.ts'
import { indexContact } from './activity/search-index.ts'
import { attachmentPieces, isTooMuch, storeAttachmentsAhead } from './attachment-store.ts'
import { type AttachmentInput, readAttachments } from './attachments.ts'
import { checkHeaders } from './headers.ts'
import { parseSchedule } from './schedule.ts'
import { maxRecipients, type SendAnswer, type SendBody } from './schema.ts'
import { chooseSender } from './sender.ts'

const sendRoute = 'POST /v1/transactional/send'

/**
 * Accepts or refuses one message. Throws AppError for every refusal; one for a suppressed recipient is logged, and names the message that
 * logs it.
 */
export async function acceptSend(
  app: App,
  workspace: Workspace,
  body: SendBody,
  { key, evidence }: { key: string | null; evidence: Evidence },
): Promise<Answer<SendAnswer> & { replayed: boolean }> {
  const request = { workspaceId: workspace.id, route: sendRoute, key, body }
  let ahead: string | null = null
  let isAccepted = false
  try {
    const prepare = async () => {
      const checked = await checkRequest(app, workspace, body, key)
      if (isTooMuch(checked.attachments)) ahead = await storeAhead(app, checked)
      return { ...checked, ahead }
    }
    const commit = (request: SendRequest, key: RequestKey | null) =>
      app.own(sendAccepter)({ requests: [request], key, answer: only })
    const answer = await idempotentBy(app, request, prepare, commit)
    isAccepted = !answer.replayed
    if (isAccepted && wantsContacts(body))
      await linkRecipients(app, workspace.id, body, { answer: answer.response, evidence })
    return answer
  } catch (error) {
    // It may have been accepted, with its attachments.
    if (error instanceof AppError && error.code === 'outcome_unknown') ahead = null
    throw error
  } finally {
    if (!isAccepted) await forgetAhead(app, ahead)
  }
}

export function only([result]: SendResult[]): SendResult {
  if (result === undefined) throw new Error('a send was neither accepted nor refused')
  return result
}

/** Throws AppError for what is wrong with a request itself. */
export async function checkRequest(
  app: App,
  workspace: Workspace,
  body: SendBody,
  idempotencyKey: string | null,
): Promise<Omit<SendRequest, 'ahead'>> {
  wantsContacts(body)
  const template = await getTemplateToSend(app, workspace, body)
  return {
    workspace,
    body,
    template,
    ...readRecipients(body),
    sender: await chooseSender(app, workspace, template, body),
    headers: checkHeaders(body.headers),
    attachments: body.attachments ? await readAttachments(workspace, body.attachments.map(toAttachmentInput)) : [],
    runAt: parseSchedule(app, 'scheduledAt', body.scheduledAt),
    idempotencyKey,
    trace: currentTrace(),
  }
}

/** Throws `missing_required_field` without a name, `not_found`. */
export async function getTemplateToSend(
  app: App,
  workspace: Workspace,
  body: Pick<SendBody, 'templateId' | 'transactionalId'>,
): Promise<ResolvedTemplate> {
  const slug = underAnyName(body, ['templateId', 'transactionalId'])?.value
  if (slug === undefined) throw missing('templateId', 'name the template to send: templateId')
  const template = await app.share(`template ${workspace.id} ${slug}`, () => resolveTemplate(app, workspace.id, slug))
  if (!template) throw new AppError('not_found', `there is no active template ${JSON.stringify(slug.slice(0, 80))}`)
  return template
}

function missing(path: string, message: string): AppError {
  return new AppError('missing_required_field', message, { errors: [{ path, message, code: 'required' }] })
}

function readRecipients(body: SendBody): Pick<SendRequest, 'recipients' | 'recipientField'> {
  const field = underAnyName(body, ['email', 'to'])
  if (field === null && body.userId === undefined)
    throw missing('email', 'name the recipient: email, or userId of a contact')
  const recipientField = field?.name ?? 'userId'
  const recipients = [
    ...(field === null ? [{ as: 'to' as const, name: null, address: null }] : parseRecipients(field.name, field.value)),
    ...parseRecipients('cc', body.cc ?? []),
    ...parseRecipients('bcc', body.bcc ?? []),
  ]
  if (recipients.length > maxRecipients) {
    const message = `to, cc and bcc name ${recipients.length} recipients; the limit is ${maxRecipients} in all`
    throw invalidField(recipientField, message, 'too_many')
  }
  return { recipients, recipientField }
}

/** `email` is a plain address; the others may have a name. */
function parseRecipients(field: 'email' | 'to' | 'cc' | 'bcc', addresses: string | string[]): Recipient[] {
  const list = typeof addresses === 'string' ? [addresses] : addresses
  return list.map((text, index) => {
    const parsed = field === 'email' ? asMailbox(parseAddress(text)) : parseRecipient(text)
    const path = typeof addresses === 'string' ? field : `${field}[${index}]`
    if (!parsed.ok) throw invalidField(path, parsed.reason, 'invalid_email')
    return { as: field === 'email' ? 'to' : field, name: parsed.name, address: parsed.address }
  })
}

function asMailbox(parsed: AddressResult): MailboxResult {
  return parsed.ok ? { ...parsed, name: null } : parsed
}

function toAttachmentInput(attachment: NonNullable<SendBody['attachments']>[number], index: number): AttachmentInput {
  const path = `attachments[${index}]`
  const within = `${path}.`
  const filename = underAnyName(attachment, ['filename', 'name'], { within })?.value
  const contentType = underAnyName(attachment, ['contentType', 'content_type'], { within })?.value
  const data = underAnyName(attachment, ['data', 'content'], { within })?.value
  const contentId = underAnyName(attachment, ['contentId', 'content_id'], { within })?.value
  if (filename === undefined) throw missing(`${path}.filename`, 'an attachment needs a filename')
  if (contentType === undefined) throw missing(`${path}.contentType`, 'an attachment needs a contentType')
  if (data === undefined) throw missing(`${path}.data`, 'an attachment needs data, in base64')
  return { filename, contentType, data, contentId }
}

/** Stores attachments before the transaction of their message; returns the id they are stored under. */
export async function storeAhead(
  app: App,
  { attachments, recipients }: Pick<SendRequest, 'attachments' | 'recipients'>,
): Promise<string> {
  const id = newId(app, isGroup(recipients) ? 'grp' : 'msg', app.clock.now())
  await storeAttachmentsAhead(app, id, attachments)
  return id
}

/** Those of a message that was accepted stay; what cannot be deleted now is swept later. */
export async function forgetAhead(app: App, ahead: string | null): Promise<void> {
  if (ahead === null) return
  const pieces = ahead.startsWith(groupPieces.prefix) ? groupPieces : attachmentPieces
  await deletePieces(app, pieces, ahead).catch(() => {})
}

/** Throws `conflicting_fields`. */
export function wantsContacts(body: SendBody): boolean {
  return underAnyName(body, ['addToContact', 'addToAudience'])?.value === true
}

/** Adds those who were accepted as contacts. Best effort: the messages are accepted whatever the result. */
export async function linkRecipients(
  app: App,
  workspaceId: string,
  body: SendBody,
  { answer, evidence }: { answer: SendAnswer; evidence: Evidence },
): Promise<void> {
  const messageIds = queuedIn(answer)
  const locale = body.locale === undefined ? null : canonicalLocale(body.locale)
  try {
    await write(app, async (tx) => {
      for (const message of await tx.db.select().from(messages).where(inArray(messages.id, messageIds))) {
        if (message.contactId !== null && locale === null) continue
        const contact = await contactOfRecipient(tx, workspaceId, { email: message.email, locale }, evidence)
        if (message.contactId !== null) continue
        await tx.db.update(messages).set({ contactId: contact.id }).where(eq(messages.id, message.id))
        await indexContact(tx, workspaceId, message.id, contact.id)
      }
    })
  } catch (error) {
    app.log.warn('a recipient could not be added as a contact', { messageIds, error })
  }
}

function queuedIn({ messageId, messages: several }: SendAnswer): string[] {
  if (several === undefined) return [messageId]
  return several.filter(({ status }) => status === 'queued').map((one) => one.messageId)
}
