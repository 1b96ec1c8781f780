// Accepting a transactional message: everything that can be refused is refused here, and what is accepted is one transaction:
// the message, its attachments, its job and the reply kept for the same Idempotency-Key.

import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import type { SuppressionReason } from '../../db/tables/contacts.ts'
import { messageAttachments, messages } from '../../db/tables/messages.ts'
import { type Message, recordStatus } from '../activity/activity.ts'
import { publishEmail } from '../activity/email-events.ts'
import { type App, type Tx, write } from '../app.ts'
import { type Contact, contactOfRecipient, findContactByEmail, findContactByUserId } from '../contacts/contacts.ts'
import { type Answer, idempotent, type KeptRefusal } from '../http/idempotency.ts'
import { unknownFields } from '../http/unknown-fields.ts'
import { day } from '../lib/duration.ts'
import { addressDomain, parseAddress } from '../lib/email-address.ts'
import { AppError, type Issue, invalidField } from '../lib/error.ts'
import { newId } from '../lib/id.ts'
import { canonicalLocale, localeChain } from '../lib/locale.ts'
import { enqueue } from '../outbox/outbox.ts'
import { fill } from '../rendering/fill.ts'
import { checkVariables } from '../rendering/variables.ts'
import { isSuppressed } from '../suppression/suppression.ts'
import {
  getRevision,
  pickRevision,
  type ResolvedTemplate,
  type Revision,
  resolveTemplate,
} from '../templates/resolve.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { type Attachment, type AttachmentInput, readAttachments } from './attachments.ts'
import { deliverMessage } from './deliver-message.ts'
import { checkHeaders } from './headers.ts'
import { type SendAnswer, type SendBody, sendBody } from './schema.ts'
import { senderOf } from './sender.ts'
import { valuesOf } from './values.ts'

export const sendRoute = 'POST /v1/transactional/send'
const maxScheduleMs = 365 * day

/** A send that has passed every check and needs only to be written. */
interface Checked {
  message: Omit<Message, 'id' | 'messageIdHeader' | 'jobId' | 'createdAt' | 'updatedAt' | 'status' | 'attempts'>
  senderDomain: string
  attachments: Attachment[]
  runAt: Date | undefined
  warnings: Issue[]
}

/**
 * Accepts or refuses one message. Throws AppError for every refusal (docs/api.md, "Sending"); that of a suppressed recipient is
 * logged, and names the message that logs it.
 */
export async function acceptSend(
  app: App,
  workspace: Workspace,
  body: SendBody,
  key: string | null,
): Promise<Answer<SendAnswer> & { replayed: boolean }> {
  const request = { workspaceId: workspace.id, route: sendRoute, key, body }
  const answer = await idempotent<SendAnswer>(app, request, async () => {
    const checked = await checkSend(app, workspace, body, key)
    return (tx) => acceptChecked(tx, checked)
  })
  const wanted = body.addToContact ?? body.addToAudience ?? false
  if (wanted && !answer.replayed) await linkContact(app, workspace.id, answer.response.messageId)
  return answer
}

async function checkSend(app: App, workspace: Workspace, body: SendBody, key: string | null): Promise<Checked> {
  const template = await templateOf(app, workspace, body)
  const { email, contact } = await recipientOf(app, workspace, body)
  const revision = await revisionOf(app, workspace, template, body.locale ?? contact?.locale ?? undefined)
  const dataVariables = body.dataVariables ?? {}
  const warnings = [...checkVariables(revision.compiled, dataVariables), ...unknownFields(body, sendBody)]
  const sender = await senderOf(app, workspace, template, body)
  const { locale } = revision
  const about = { id: '', email, locale, variables: dataVariables }
  const senderName = sender.name ?? workspace.name
  const values = valuesOf({ workspace, message: about, contact, senderName, now: app.clock.now() })
  return {
    message: {
      workspaceId: workspace.id,
      kind: 'transactional',
      email,
      contactId: contact?.id ?? null,
      templateId: template.slug,
      revisionId: revision.id,
      campaignId: null,
      ruleId: null,
      subject: fill(revision.compiled.subject, values),
      locale,
      fromName: sender.name,
      fromEmail: sender.email,
      replyTo: sender.replyTo,
      headers: checkHeaders(body.headers),
      variables: dataVariables,
      tags: body.tags ?? null,
      metadata: body.metadata ?? null,
      idempotencyKey: key,
    },
    senderDomain: addressDomain(sender.email),
    attachments: readAttachments((body.attachments ?? []).map(attachmentInput)),
    runAt: scheduleOf(app, body.scheduledAt),
    warnings,
  }
}

async function templateOf(app: App, workspace: Workspace, body: SendBody): Promise<ResolvedTemplate> {
  const slug = body.templateId ?? body.transactionalId
  if (slug === undefined) throw missing('templateId', 'name the template to send: templateId')
  const template = await app.share(`template ${workspace.id} ${slug}`, () => resolveTemplate(app, workspace.id, slug))
  if (!template) throw new AppError('not_found', `there is no active template ${JSON.stringify(slug.slice(0, 80))}`)
  return template
}

function missing(path: string, message: string): AppError {
  return new AppError('missing_required_field', message, { errors: [{ path, message, code: 'required' }] })
}

async function recipientOf(
  app: App,
  workspace: Workspace,
  body: SendBody,
): Promise<{ email: string; contact: Contact | null }> {
  const given = body.email ?? body.to
  if (given === undefined) {
    if (body.userId === undefined) throw missing('email', 'name the recipient: email, or userId of a contact')
    const contact = await findContactByUserId(app, workspace.id, body.userId)
    if (!contact) throw invalidField('userId', 'no contact has this userId; send an email instead', 'unknown_contact')
    return { email: contact.email, contact }
  }
  const parsed = parseAddress(given)
  if (!parsed.ok) throw invalidField(body.email === undefined ? 'to' : 'email', parsed.reason, 'invalid_email')
  return { email: parsed.address, contact: await findContactByEmail(app, workspace.id, parsed.address) }
}

/** The aliases of docs/choices.md, row 27. */
function attachmentInput(given: NonNullable<SendBody['attachments']>[number], index: number): AttachmentInput {
  const path = `attachments[${index}]`
  const filename = given.filename ?? given.name
  const contentType = given.contentType ?? given.content_type
  const data = given.data ?? given.content
  if (filename === undefined) throw missing(`${path}.filename`, 'an attachment needs a filename')
  if (contentType === undefined) throw missing(`${path}.contentType`, 'an attachment needs a contentType')
  if (data === undefined) throw missing(`${path}.data`, 'an attachment needs data, in base64')
  return { filename, contentType, data }
}

/** exact -> base -> brand -> English (api.md, "Rendering rules"). */
async function revisionOf(
  app: App,
  workspace: Workspace,
  template: ResolvedTemplate,
  wanted: string | undefined,
): Promise<Revision> {
  const requested = wanted === undefined ? workspace.primaryLocale : canonicalLocale(wanted)
  if (requested === null)
    throw invalidField('locale', 'must be a language tag like en or pt-BR (BCP 47)', 'invalid_locale')
  const chain = localeChain(requested, workspace.primaryLocale)
  const revisionId = pickRevision(template, chain)
  if (revisionId === null) throw new AppError('no_content', `the template has no content for ${chain.join(', ')}`)
  return getRevision(app, revisionId, workspace.brand)
}

function scheduleOf(app: App, scheduledAt: string | undefined): Date | undefined {
  if (scheduledAt === undefined) return undefined
  const at = new Date(scheduledAt)
  const delayMs = at.getTime() - app.clock.now().getTime()
  if (Number.isNaN(delayMs) || delayMs > maxScheduleMs) {
    throw invalidField('scheduledAt', 'must be an ISO 8601 time at most 365 days ahead', 'invalid_time')
  }
  return delayMs > 0 ? at : undefined
}

const insertMessage = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .insert(messages)
    .values({
      id: p('id'),
      workspaceId: p('workspaceId'),
      kind: p('kind'),
      status: p('status'),
      email: p('email'),
      contactId: p('contactId'),
      templateId: p('templateId'),
      revisionId: p('revisionId'),
      campaignId: p('campaignId'),
      ruleId: p('ruleId'),
      subject: p('subject'),
      locale: p('locale'),
      fromName: p('fromName'),
      fromEmail: p('fromEmail'),
      replyTo: p('replyTo'),
      headers: sql`${p('headers')}`,
      variables: p('variables'),
      tags: sql`${p('tags')}`,
      metadata: sql`${p('metadata')}`,
      messageIdHeader: p('messageIdHeader'),
      idempotencyKey: p('idempotencyKey'),
      jobId: p('jobId'),
      attempts: 0,
      createdAt: p('createdAt'),
      updatedAt: p('createdAt'),
    })
    .prepare()
})

async function acceptChecked(tx: Tx, checked: Checked): Promise<Answer<SendAnswer> | KeptRefusal> {
  const { message, warnings } = checked
  const { workspaceId } = message
  const id = newId(tx, 'msg', tx.now)
  const suppressed = await isSuppressed(tx, workspaceId, message.email)
  const runAt = checked.runAt ? { runAt: checked.runAt } : {}
  const jobId = suppressed
    ? null
    : await enqueue(tx, deliverMessage, { workspaceId, payload: { messageId: id }, ...runAt })
  await insertMessage(tx.db).run({
    ...message,
    id,
    jobId,
    status: suppressed ? 'suppressed' : 'queued',
    headers: jsonOrNull(message.headers),
    tags: jsonOrNull(message.tags),
    metadata: jsonOrNull(message.metadata),
    messageIdHeader: `${id}@${checked.senderDomain}`,
    createdAt: tx.now,
  })
  if (suppressed) return { refusal: await logRefusal(tx, id, suppressed) }
  if (checked.attachments.length > 0) await insertAttachments(tx, id, checked.attachments)
  const { kind } = message
  await publishEmail(tx, { workspaceId, messageId: id, kind, status: 'queued', code: null, detail: null })
  return { status: 200, response: { success: true, messageId: id, ...(warnings.length > 0 ? { warnings } : {}) } }
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

async function logRefusal(tx: Tx, messageId: string, reason: SuppressionReason): Promise<AppError> {
  const message = `The recipient is on the suppression list (${reason}); nothing was sent.`
  await recordStatus(tx, { messageId, jobId: null, status: 'suppressed', attempts: 0, code: reason, detail: message })
  const errors = [{ path: 'email', message, code: 'recipient_suppressed' }]
  return new AppError('recipient_suppressed', message, { errors, extra: { messageId } })
}

async function insertAttachments(tx: Tx, messageId: string, attachments: Attachment[]): Promise<void> {
  const rows = attachments.map((attachment, index) => {
    return { ...attachment, messageId, number: index + 1, sizeBytes: attachment.data.length }
  })
  await tx.db.insert(messageAttachments).values(rows)
}

const attachmentsPerDelete = 100

/** Deletes attachments of messages that were accepted before `horizon` and have ended. Returns how many; call until 0. */
export async function deleteOldAttachments(tx: Tx, horizon: Date): Promise<number> {
  const ended = sql`(SELECT a.message_id FROM message_attachments a JOIN messages m ON m.id = a.message_id
    WHERE m.created_at < ${horizon.getTime()} AND m.status NOT IN ('queued', 'sending', 'delayed', 'uncertain') LIMIT ${attachmentsPerDelete})`
  const gone = await tx.db
    .delete(messageAttachments)
    .where(sql`message_id IN ${ended}`)
    .returning({ number: messageAttachments.number })
  return gone.length
}

/** Best effort (api.md, "Contact linking"): the message is accepted whatever becomes of this. */
async function linkContact(app: App, workspaceId: string, messageId: string): Promise<void> {
  try {
    await write(app, async (tx) => {
      const [message] = await tx.db.select().from(messages).where(eq(messages.id, messageId))
      if (!message || message.contactId !== null) return
      const { email, locale } = message
      const contact = await contactOfRecipient(tx, workspaceId, { email, locale })
      await tx.db.update(messages).set({ contactId: contact.id }).where(eq(messages.id, messageId))
    })
  } catch (error) {
    app.log.warn('a recipient could not be added as a contact', { messageId, error })
  }
}
