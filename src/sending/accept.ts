// Accepts concurrent sends together: the recipient and the content of each are determined, then one transaction writes the messages,
// attachments, jobs, and the replies kept for repeats. A refusal is a value and does not affect the others.

import { isUnavailable } from '../../db/faults.ts'
import type { SuppressionReason } from '../../db/tables/contacts.ts'
import { type App, type Reader, type Tx, writeRoutine } from '../app.ts'
import { type Contact, findContacts } from '../consent/find-contact.ts'
import { suppressionsOf } from '../consent/suppression.ts'
import { coalesceRequests } from '../http/coalesce-requests.ts'
import { keepOutcomes, type Outcome, outcomeOf, type RequestKey } from '../http/idempotency.ts'
import { AppError, type Issue, invalidField } from '../lib/error.ts'
import { newId } from '../lib/id.ts'
import { canonicalLocale, localeChain } from '../lib/locale.ts'
import { fill } from '../rendering/fill.ts'
import { checkVariables, unionOfUses } from '../rendering/variables.ts'
import { getRevision, pickRevision, type ResolvedTemplate, type Revision, usesByLocale } from '../templates/resolve.ts'
import { listeningWorkspaces } from '../webhooks/publish.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { insertAttachments } from './attachment-store.ts'
import type { Attachment } from './attachments.ts'
import { type DeliverMessage, deliverMessage } from './deliver-message.ts'
import { type NewMessage, queueMessages, suppressedText } from './queue.ts'
import type { SendAnswer, SendBody } from './schema.ts'
import type { Sender } from './sender.ts'
import { valuesOf } from './values.ts'

/** A request whose own fields are valid. The rest depends on the recipient. */
export interface SendRequest {
  /** The id of the message, if its attachments are already stored. */
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

interface Asked {
  request: SendRequest
  key: RequestKey | null
}

/** A request that is ready to be written. */
interface Draft extends Asked {
  message: NewMessage<DeliverMessage>
  suppressed: SuppressionReason | null
  warnings: Issue[]
}

type Verdict = Outcome<SendAnswer> | AppError

/** Accepts a request, together with others that arrive meanwhile. Throws AppError for a refusal. */
export function sendAccepter(app: App): (asked: Asked) => Promise<Outcome<SendAnswer>> {
  const accept = coalesceRequests(app, (list: Asked[]) => acceptAll(app, list))
  return async (asked) => {
    const verdict = await accept(asked)
    if (verdict instanceof AppError) throw verdict
    return verdict
  }
}

async function acceptAll(app: App, list: Asked[]): Promise<Verdict[]> {
  const { contacts, suppressed, listening } = await look(app, list)
  const judged = await Promise.all(
    list.map((asked, index) => draft(app, asked, contacts[index] ?? null, suppressed[index] ?? null)),
  )
  const drafts = judged.flatMap((one) => (one instanceof AppError ? [] : [one]))
  const isToldOf = listening.size > 0
  const outcomes = drafts.length === 0 ? [] : await writeRoutine(app, (tx) => writeDrafts(tx, drafts, isToldOf))
  const written = new Map(drafts.map((one, index) => [one, outcomes[index]]))
  return judged.map((one) => (one instanceof AppError ? one : (written.get(one) ?? lost())))
}

function lost(): never {
  throw new Error('a send was neither written nor refused')
}

/** What is known of the recipients, with one query per table. */
async function look(app: App, list: Asked[]) {
  const names = list.map(({ request: { workspace, address, body } }) => {
    return { workspaceId: workspace.id, email: address, userId: body.userId ?? null }
  })
  const [contacts, byAddress, listening] = await Promise.all([
    findContacts(app, names),
    suppressionsOf(app, names.map(addressed)),
    listeningWorkspaces(
      app,
      names.map(({ workspaceId }) => workspaceId),
    ),
  ])
  if (names.every(({ email }) => email !== null)) return { contacts, suppressed: byAddress, listening }
  const known = names.map((name, index) => ({ ...name, email: name.email ?? contacts[index]?.email ?? null }))
  return { contacts, suppressed: await suppressionsOf(app, known.map(addressed)), listening }
}

function addressed({ workspaceId, email }: { workspaceId: string; email: string | null }) {
  return { workspaceId, email: email ?? '' }
}

async function draft(
  app: App,
  asked: Asked,
  contact: Contact | null,
  suppressed: SuppressionReason | null,
): Promise<Draft | AppError> {
  try {
    return { ...asked, suppressed, ...(await written(app, asked.request, contact)) }
  } catch (error) {
    if (error instanceof AppError && !isUnavailable(error)) return error
    throw error
  }
}

/** The message. Throws AppError for an unknown recipient, missing content or missing variables. */
async function written(
  app: App,
  request: SendRequest,
  contact: Contact | null,
): Promise<Pick<Draft, 'message' | 'warnings'>> {
  const { workspace, body, sender } = request
  const email = request.address ?? contact?.email
  if (email === undefined)
    throw invalidField('userId', 'no contact has this userId; send an email instead', 'unknown_contact')
  const revision = await revisionOf(app, request, body.locale ?? contact?.locale ?? undefined)
  const variables = body.dataVariables ?? {}
  const unknown = checkVariables(revision.compiled, variables)
  const unused = unknown.length === 0 ? unknown : await unusedIn(app, request, unknown)
  const now = app.clock.now()
  const id = request.ahead ?? newId(app, 'msg', now)
  const about = { id, email, locale: revision.locale, variables }
  const senderName = sender.name ?? workspace.name
  const values = valuesOf({ workspace, message: about, contact, senderName, now })
  const message: NewMessage<DeliverMessage> = {
    ...about,
    payload: { messageId: id },
    workspaceId: workspace.id,
    kind: 'transactional',
    contactId: contact?.id ?? null,
    templateId: request.template.slug,
    revisionId: revision.id,
    subject: fill(revision.compiled.subject, values),
    fromName: sender.name,
    fromEmail: sender.email,
    replyTo: sender.replyTo,
    headers: request.headers,
    tags: body.tags ?? null,
    metadata: body.metadata ?? null,
    idempotencyKey: request.idempotencyKey,
    runAt: request.runAt,
  }
  return { message, warnings: [...sender.warnings, ...unused] }
}

async function writeDrafts(tx: Tx, drafts: Draft[], isToldOf: boolean): Promise<Outcome<SendAnswer>[]> {
  const suppressed = drafts.map((one) => one.suppressed)
  await queueMessages(
    tx,
    deliverMessage,
    drafts.map(({ message }) => message),
    { suppressed, isToldOf },
  )
  for (const { request, message, suppressed } of drafts) {
    const isWritten = suppressed === null && request.ahead === null && request.attachments.length > 0
    if (isWritten) await insertAttachments(tx, message.id, request.attachments)
  }
  const outcomes = drafts.map((one) => ({ key: one.key, outcome: outcomeOf<SendAnswer>(answerOf(one)) }))
  await keepOutcomes(tx, outcomes)
  return outcomes.map(({ outcome }) => outcome)
}

function answerOf({ request, message: { id }, suppressed, warnings }: Draft) {
  if (suppressed !== null) return { refusal: recipientSuppressed(id, request.recipientField, suppressed) }
  return {
    status: 200,
    response: { success: true as const, messageId: id, ...(warnings.length > 0 ? { warnings } : {}) },
  }
}

/** exact -> base -> brand -> English. */
function revisionOf(
  reader: Reader,
  { workspace, template }: SendRequest,
  wanted: string | undefined,
): Revision | Promise<Revision> {
  const requested = wanted === undefined ? workspace.primaryLocale : canonicalLocale(wanted)
  if (requested === null)
    throw invalidField('locale', 'must be a language tag like en or pt-BR (BCP 47)', 'invalid_locale')
  const exact = template.revisions.get(requested)
  if (exact !== undefined) return getRevision(reader, exact, workspace.brand)
  const chain = localeChain(requested, workspace.primaryLocale)
  const revisionId = pickRevision(template, chain)
  if (revisionId === null) throw noContent(`the template has no content for ${chain.join(', ')}`)
  return getRevision(reader, revisionId, workspace.brand)
}

function noContent(message: string): AppError {
  return new AppError('no_content', message, { errors: [{ path: 'locale', message, code: 'no_content' }] })
}

/** Without those that another locale of the template uses, because a caller sends the same variables for all locales. */
async function unusedIn(reader: Reader, { workspace, template }: SendRequest, unused: Issue[]): Promise<Issue[]> {
  if (template.revisions.size === 1) return unused
  const uses = unionOfUses(await usesByLocale(reader, template.revisions, workspace.brand))
  const used = new Set(uses.map(({ name }) => `dataVariables.${name}`))
  return unused.filter(({ path }) => !used.has(path))
}

function recipientSuppressed(messageId: string, path: string, reason: SuppressionReason): AppError {
  const message = suppressedText(reason)
  const errors = [{ path, message, code: 'recipient_suppressed' }]
  return new AppError('recipient_suppressed', message, { errors, extra: { messageId } })
}
