// Accepting a transactional message: everything that can be refused is refused here, and what is accepted is one transaction:
// the message, its attachments, its job and the reply kept for the same Idempotency-Key.

import { eq } from 'drizzle-orm'
import type { SuppressionReason } from '../../db/tables/contacts.ts'
import { messages } from '../../db/tables/messages.ts'
import { type App, type Reader, type Tx, write } from '../app.ts'
import type { Evidence } from '../contacts/consent.ts'
import { type Contact, contactOfRecipient, findContactByEmail, findContactByUserId } from '../contacts/contacts.ts'
import { type Answer, idempotent, type KeptRefusal } from '../http/idempotency.ts'
import { underAnyName } from '../lib/aliases.ts'
import { day } from '../lib/duration.ts'
import { parseAddress } from '../lib/email-address.ts'
import { AppError, type Issue, invalidField } from '../lib/error.ts'
import { newId } from '../lib/id.ts'
import { canonicalLocale, localeChain } from '../lib/locale.ts'
import { parseTime } from '../lib/time.ts'
import { deletePieces } from '../pieces.ts'
import { fill } from '../rendering/fill.ts'
import { checkVariables, unionOfUses } from '../rendering/variables.ts'
import {
  getRevision,
  pickRevision,
  type ResolvedTemplate,
  type Revision,
  resolveTemplate,
  usesByLocale,
} from '../templates/resolve.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { acceptMessage, suppressedText } from './accept-message.ts'
import { attachmentPieces, insertAttachments, isTooMuch, storeAttachmentsAhead } from './attachment-store.ts'
import { type Attachment, type AttachmentInput, readAttachments } from './attachments.ts'
import { deliverMessage } from './deliver-message.ts'
import { checkHeaders } from './headers.ts'
import type { SendAnswer, SendBody } from './schema.ts'
import { type Sender, senderOf } from './sender.ts'
import { valuesOf } from './values.ts'

const sendRoute = 'POST /v1/transactional/send'
const maxScheduleMs = 365 * day

/** A request whose own parts are in order. What is left needs the recipient, and is checked in the transaction. */
interface Request {
  /** Id of the message, where its attachments are stored already. */
  ahead: string | null
  workspace: Workspace
  body: SendBody
  template: ResolvedTemplate
  /** Null when a userId names the recipient. */
  address: string | null
  /** The field that named the recipient. */
  recipientField: 'email' | 'to' | 'userId'
  sender: Sender
  headers: Record<string, string> | null
  attachments: Attachment[]
  runAt: Date | undefined
  idempotencyKey: string | null
}

/**
 * Accepts or refuses one message. Throws AppError for every refusal (docs/api.md, "Sending"); that of a suppressed recipient is
 * logged, and names the message that logs it.
 */
export async function acceptSend(
  app: App,
  workspace: Workspace,
  body: SendBody,
  { key, evidence }: { key: string | null; evidence: Evidence },
): Promise<Answer<SendAnswer> & { replayed: boolean }> {
  const wanted = underAnyName(body, ['addToContact', 'addToAudience'])?.value ?? false
  const request = { workspaceId: workspace.id, route: sendRoute, key, body }
  let ahead: string | null = null
  let accepted: string | null = null
  try {
    const answer = await idempotent<SendAnswer>(app, request, async () => {
      const checked = await checkRequest(app, workspace, body, key)
      ahead = await storeAhead(app, checked.attachments)
      return (tx) => accept(tx, { ...checked, ahead })
    })
    accepted = answer.response.messageId
    if (wanted && !answer.replayed) await linkContact(app, workspace.id, accepted, { wanted: body.locale, evidence })
    return answer
  } catch (error) {
    // It may have been accepted, with its attachments.
    if (error instanceof AppError && error.code === 'outcome_unknown') ahead = null
    throw error
  } finally {
    // What cannot be deleted now is swept.
    if (ahead !== null && ahead !== accepted) await deletePieces(app, attachmentPieces, ahead).catch(() => {})
  }
}

async function checkRequest(
  app: App,
  workspace: Workspace,
  body: SendBody,
  idempotencyKey: string | null,
): Promise<Omit<Request, 'ahead'>> {
  const template = await templateOf(app, workspace, body)
  return {
    workspace,
    body,
    template,
    ...addressOf(body),
    sender: await senderOf(app, workspace, template, body),
    headers: checkHeaders(body.headers),
    attachments: await readAttachments((body.attachments ?? []).map(attachmentInput)),
    runAt: scheduleOf(app, body.scheduledAt),
    idempotencyKey,
  }
}

async function templateOf(app: App, workspace: Workspace, body: SendBody): Promise<ResolvedTemplate> {
  const slug = underAnyName(body, ['templateId', 'transactionalId'])?.value
  if (slug === undefined) throw missing('templateId', 'name the template to send: templateId')
  const template = await app.share(`template ${workspace.id} ${slug}`, () => resolveTemplate(app, workspace.id, slug))
  if (!template) throw new AppError('not_found', `there is no active template ${JSON.stringify(slug.slice(0, 80))}`)
  return template
}

function missing(path: string, message: string): AppError {
  return new AppError('missing_required_field', message, { errors: [{ path, message, code: 'required' }] })
}

function addressOf(body: SendBody): Pick<Request, 'address' | 'recipientField'> {
  const given = underAnyName(body, ['email', 'to'])
  if (given === null && body.userId === undefined)
    throw missing('email', 'name the recipient: email, or userId of a contact')
  if (given === null) return { address: null, recipientField: 'userId' }
  const { name: recipientField, value } = given
  const parsed = parseAddress(value)
  if (!parsed.ok) throw invalidField(recipientField, parsed.reason, 'invalid_email')
  return { address: parsed.address, recipientField }
}

async function recipientOf(
  reader: Reader,
  { workspace, body, address }: Request,
): Promise<{ email: string; contact: Contact | null }> {
  if (address !== null) return { email: address, contact: await findContactByEmail(reader, workspace.id, address) }
  const contact = await findContactByUserId(reader, workspace.id, body.userId ?? '')
  if (!contact) throw invalidField('userId', 'no contact has this userId; send an email instead', 'unknown_contact')
  return { email: contact.email, contact }
}

/** The aliases of docs/choices.md, row 27. */
function attachmentInput(given: NonNullable<SendBody['attachments']>[number], index: number): AttachmentInput {
  const path = `attachments[${index}]`
  const within = `${path}.`
  const filename = underAnyName(given, ['filename', 'name'], { within })?.value
  const contentType = underAnyName(given, ['contentType', 'content_type'], { within })?.value
  const data = underAnyName(given, ['data', 'content'], { within })?.value
  if (filename === undefined) throw missing(`${path}.filename`, 'an attachment needs a filename')
  if (contentType === undefined) throw missing(`${path}.contentType`, 'an attachment needs a contentType')
  if (data === undefined) throw missing(`${path}.data`, 'an attachment needs data, in base64')
  return { filename, contentType, data }
}

/** exact -> base -> brand -> English (api.md, "Rendering rules"). */
async function revisionOf(
  reader: Reader,
  { workspace, template }: Request,
  wanted: string | undefined,
): Promise<Revision> {
  const requested = wanted === undefined ? workspace.primaryLocale : canonicalLocale(wanted)
  if (requested === null)
    throw invalidField('locale', 'must be a language tag like en or pt-BR (BCP 47)', 'invalid_locale')
  const chain = localeChain(requested, workspace.primaryLocale)
  const revisionId = pickRevision(template, chain)
  if (revisionId === null) throw noContent(`the template has no content for ${chain.join(', ')}`)
  return getRevision(reader, revisionId, workspace.brand)
}

function noContent(message: string): AppError {
  return new AppError('no_content', message, { errors: [{ path: 'locale', message, code: 'no_content' }] })
}

function scheduleOf(app: App, scheduledAt: string | undefined): Date | undefined {
  if (scheduledAt === undefined) return undefined
  const at = parseTime(scheduledAt)
  if (at === null) {
    throw invalidField(
      'scheduledAt',
      'must be an ISO 8601 time with an offset, like 2027-01-15T12:00:00Z',
      'invalid_time',
    )
  }
  const delayMs = at.getTime() - app.clock.now().getTime()
  if (delayMs > maxScheduleMs) throw invalidField('scheduledAt', 'must be at most 365 days ahead', 'invalid_time')
  return delayMs > 0 ? at : undefined
}

/** Stores attachments that are too much for the transaction of their message; returns the id they wait for. */
async function storeAhead(app: App, attachments: Attachment[]): Promise<string | null> {
  if (!isTooMuch(attachments)) return null
  const id = newId(app, 'msg', app.clock.now())
  await storeAttachmentsAhead(app, id, attachments)
  return id
}

/** Everything in one transaction; it reads before it writes, so that a refusal costs the neighbours of its group nothing. */
async function accept(tx: Tx, request: Request): Promise<Answer<SendAnswer> | KeptRefusal> {
  const { ahead, workspace, body, sender, attachments } = request
  const { email, contact } = await recipientOf(tx, request)
  const revision = await revisionOf(tx, request, body.locale ?? contact?.locale ?? undefined)
  const variables = body.dataVariables ?? {}
  const unused = await unusedIn(tx, request, checkVariables(revision.compiled, variables))
  const warnings = [...sender.warnings, ...unused]
  const id = ahead ?? newId(tx, 'msg', tx.now)
  const about = { id, email, locale: revision.locale, variables }
  const senderName = sender.name ?? workspace.name
  const values = valuesOf({ workspace, message: about, contact, senderName, now: tx.now })
  const refused = await acceptMessage(tx, deliverMessage, {
    id,
    workspaceId: workspace.id,
    kind: 'transactional',
    email,
    contactId: contact?.id ?? null,
    templateId: request.template.slug,
    revisionId: revision.id,
    subject: fill(revision.compiled.subject, values),
    locale: revision.locale,
    fromName: sender.name,
    fromEmail: sender.email,
    replyTo: sender.replyTo,
    headers: request.headers,
    variables,
    tags: body.tags ?? null,
    metadata: body.metadata ?? null,
    idempotencyKey: request.idempotencyKey,
    runAt: request.runAt,
  })
  if (refused) return { refusal: recipientSuppressed(id, request.recipientField, refused) }
  if (ahead === null) await insertAttachments(tx, id, attachments)
  return { status: 200, response: { success: true, messageId: id, ...(warnings.length > 0 ? { warnings } : {}) } }
}

/** Without those that another locale of the template uses: a caller sends the same variables in all of them. */
async function unusedIn(tx: Tx, { workspace, template }: Request, unused: Issue[]): Promise<Issue[]> {
  if (unused.length === 0 || template.revisions.size === 1) return unused
  const uses = unionOfUses(await usesByLocale(tx, template.revisions, workspace.brand))
  const used = new Set(uses.map(({ name }) => `dataVariables.${name}`))
  return unused.filter(({ path }) => !used.has(path))
}

function recipientSuppressed(messageId: string, path: string, reason: SuppressionReason): AppError {
  const message = suppressedText(reason)
  const errors = [{ path, message, code: 'recipient_suppressed' }]
  return new AppError('recipient_suppressed', message, { errors, extra: { messageId } })
}

/** Best effort (api.md, "Contact linking"): the message is accepted whatever becomes of this. */
async function linkContact(
  app: App,
  workspaceId: string,
  messageId: string,
  { wanted, evidence }: { wanted: string | undefined; evidence: Evidence },
): Promise<void> {
  const locale = wanted === undefined ? null : canonicalLocale(wanted)
  try {
    await write(app, async (tx) => {
      const [message] = await tx.db.select().from(messages).where(eq(messages.id, messageId))
      if (!message || (message.contactId !== null && locale === null)) return
      const contact = await contactOfRecipient(tx, workspaceId, { email: message.email, locale }, evidence)
      if (message.contactId === null)
        await tx.db.update(messages).set({ contactId: contact.id }).where(eq(messages.id, messageId))
    })
  } catch (error) {
    app.log.warn('a recipient could not be added as a contact', { messageId, error })
  }
}
