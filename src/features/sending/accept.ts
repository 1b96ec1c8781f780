// Accepts concurrent sends together: the recipient and the content of each are determined, then one transaction writes the messages,
// attachments, jobs, and the replies kept for repeats. A refusal is a value and does not affect the others.

import { isUnavailable } from '../../../db/faults.ts'
import type { SuppressionReason } from '../../../db/tables/contacts.ts'
import type { GroupRecipient } from '../../../db/tables/messages.ts'
import { type App, type Reader, type Tx, writeRoutine } from '../../core/app.ts'
import { coalesceRequests } from '../../core/http/coalesce-requests.ts'
import {
  type Answer,
  type KeptRefusal,
  keepOutcomes,
  type Outcome,
  outcomeOf,
  type RequestKey,
} from '../../core/http/idempotency.ts'
import { expectAttached } from '../../kit/content-id.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { canonicalLocale, localeChain } from '../../kit/locale.ts'
import type { Trace } from '../../kit/trace.ts'
import { createPace } from '../../kit/turn.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Contact, findContacts } from '../contacts/consent/find-contact.ts'
import { findSuppressions } from '../contacts/consent/suppression.ts'
import { fill } from '../content/rendering/fill.ts'
import { checkVariables, unionOfUses } from '../content/rendering/variables.ts'
import {
  getRevision,
  pickRevision,
  type ResolvedTemplate,
  type Revision,
  usesByLocale,
} from '../content/templates/resolve.ts'
import { listeningWorkspaces } from '../webhooks/publish.ts'
import { insertGroups, type NewGroup } from './activity/groups.ts'
import { insertAttachments } from './attachment-store.ts'
import type { Attachment } from './attachments.ts'
import { type DeliverMessage, deliverMessage } from './deliver-message.ts'
import { type NewMessage, queueMessages, suppressedText } from './queue.ts'
import type { SendAnswer, SendBody } from './schema.ts'
import type { Sender } from './sender.ts'
import { valuesOf } from './values.ts'

/** A request whose own fields are valid. The rest depends on the recipient. */
export interface SendRequest {
  /** The id of the message, or of its group, if its attachments are already stored. */
  ahead: string | null
  workspace: Workspace
  body: SendBody
  template: ResolvedTemplate
  /** At least one, in the order of to, cc and bcc. */
  recipients: Recipient[]
  /** The field that named the first. */
  recipientField: 'email' | 'to' | 'userId'
  sender: Sender
  headers: Record<string, string> | null
  attachments: Attachment[]
  runAt: Date | undefined
  idempotencyKey: string | null
  /** Which its messages belong to. */
  trace: Trace | null
}

export interface Recipient extends Pick<GroupRecipient, 'as' | 'name'> {
  /** Null when the userId of the request names the recipient. */
  address: string | null
}

/** Whether its messages need a group: a single one to a plain address does not. */
export function isGroup(recipients: Recipient[]): boolean {
  return recipients.length > 1 || recipients.some(({ name }) => name !== null)
}

/** Requests that are accepted in one transaction, under one key. */
export interface Asked<T> {
  requests: SendRequest[]
  key: RequestKey | null
  /** The answer, of what became of each. An AppError: all are refused, and nothing is written. */
  answer(verdicts: Verdict[]): Answer<T> | KeptRefusal | AppError
}

/** Of one request: accepted, a refusal that is logged, or refused. */
export type Verdict = Answer<SendAnswer> | KeptRefusal | AppError

/** The message to one recipient. */
interface Letter {
  as: Recipient['as']
  name: string | null
  message: NewMessage<DeliverMessage>
  suppressed: SuppressionReason | null
}

/** A request that is ready to be written. */
interface Draft {
  request: SendRequest
  /** One for each address, at least one. */
  letters: Letter[]
  /** Null for a message to one plain address, and if nothing is sent. */
  groupId: string | null
  warnings: Issue[]
}

/** What is known of a recipient. */
interface Known {
  contact: Contact | null
  suppressed: SuppressionReason | null
}

/** Accepts requests, together with others that arrive meanwhile. Throws AppError for a refusal. */
export function sendAccepter(app: App): (asked: Asked<SendAnswer>) => Promise<Outcome<SendAnswer>> {
  const accept = coalesceRequests(app, (list: Asked<SendAnswer>[]) => acceptAll(app, list))
  return async (asked) => outcomeOrThrow(await accept(asked))
}

/** The same for what is a list already, and waits for no others. */
export async function acceptTogether<T>(app: App, asked: Asked<T>): Promise<Outcome<T>> {
  const [result = lost()] = await acceptAll(app, [asked])
  return outcomeOrThrow(result)
}

function outcomeOrThrow<T>(result: Outcome<T> | AppError): Outcome<T> {
  if (result instanceof AppError) throw result
  return result
}

/** Several with a key each: all of them in one transaction, or none. Throws the AppError of one that is refused. */
export async function acceptEach<T>(app: App, list: Asked<T>[]): Promise<Outcome<T>[]> {
  const { judged, isToldOf } = await judgeAll(app, list)
  const accepted = judged.map((one) => {
    if (one instanceof AppError) throw one
    return one
  })
  await writeRoutine(app, (tx) => writeAll(tx, accepted, isToldOf))
  return accepted.map(({ outcome }) => outcome)
}

async function acceptAll<T>(app: App, list: Asked<T>[]): Promise<(Outcome<T> | AppError)[]> {
  const { judged, isToldOf } = await judgeAll(app, list)
  const accepted = judged.flatMap((one) => (one instanceof AppError ? [] : [one]))
  if (accepted.length > 0) await writeRoutine(app, (tx) => writeAll(tx, accepted, isToldOf))
  return judged.map((one) => (one instanceof AppError ? one : one.outcome))
}

async function judgeAll<T>(app: App, list: Asked<T>[]) {
  const requests = list.flatMap((asked) => asked.requests)
  const { known, isToldOf } = await look(app, requests)
  const drafts = await draftAll(app, requests, known)
  return { judged: list.map((asked) => judge(asked, drafts)), isToldOf }
}

/** What is to be written of requests that were asked together. */
interface Accepted<T> {
  key: RequestKey | null
  outcome: Outcome<T>
  drafts: Draft[]
}

function judge<T>(
  { requests, key, answer }: Asked<T>,
  made: Map<SendRequest, Draft | AppError>,
): Accepted<T> | AppError {
  const own = requests.map((request) => made.get(request) ?? lost())
  const result = answer(own.map((one) => (one instanceof AppError ? one : answerOf(one))))
  if (result instanceof AppError) return result
  return { key, outcome: outcomeOf(result), drafts: own.flatMap((one) => (one instanceof AppError ? [] : [one])) }
}

/** As many as are drafted, or written, in one turn of the event loop. */
const inOneTurn = 128

async function draftAll(
  app: App,
  requests: SendRequest[],
  known: Map<Recipient, Known>,
): Promise<Map<SendRequest, Draft | AppError>> {
  const drafts = new Map<SendRequest, Draft | AppError>()
  const pace = createPace()
  for (let at = 0; at < requests.length; at += inOneTurn) {
    await Promise.all(
      requests.slice(at, at + inOneTurn).map(async (one) => drafts.set(one, await draft(app, one, known))),
    )
    await pace()
  }
  return drafts
}

function lost(): never {
  throw new Error('a send was neither written nor refused')
}

/** What is known of the recipients, with one query per table. */
async function look(app: App, requests: SendRequest[]) {
  const recipients = requests.flatMap((request) => request.recipients)
  const names = requests.flatMap(({ workspace, recipients, body }) =>
    recipients.map(({ address }) => ({ workspaceId: workspace.id, email: address, userId: body.userId ?? null })),
  )
  const [contacts, byAddress, listening] = await Promise.all([
    findContacts(app, names),
    findSuppressions(app, names.map(addressed)),
    listeningWorkspaces(
      app,
      requests.map(({ workspace }) => workspace.id),
    ),
  ])
  const isKnown = names.every(({ email }) => email !== null)
  const found = names.map((name, index) => ({ ...name, email: name.email ?? contacts[index]?.email ?? null }))
  const reasons = isKnown ? byAddress : await findSuppressions(app, found.map(addressed))
  const known = new Map(
    recipients.map((one, index): [Recipient, Known] => {
      return [one, { contact: contacts[index] ?? null, suppressed: reasons[index] ?? null }]
    }),
  )
  return { known, isToldOf: listening.size > 0 }
}

function addressed({ workspaceId, email }: { workspaceId: string; email: string | null }) {
  return { workspaceId, email: email ?? '' }
}

async function draft(app: App, request: SendRequest, known: Map<Recipient, Known>): Promise<Draft | AppError> {
  try {
    return await written(app, request, known)
  } catch (error) {
    if (error instanceof AppError && !isUnavailable(error)) return error
    throw error
  }
}

/** The messages. Throws AppError for an unknown recipient, missing content or missing variables. */
async function written(app: App, request: SendRequest, known: Map<Recipient, Known>): Promise<Draft> {
  const to = addresseesOf(request, known)
  const isTogether = isGroup(request.recipients) && to.some(({ suppressed }) => suppressed === null)
  const groupId = isTogether ? (request.ahead ?? newId(app, 'grp', app.clock.now())) : null
  const letters: Letter[] = []
  let unused: Issue[] = []
  for (const one of to) {
    const found = revisionOf(app, request, request.body.locale ?? one.contact?.locale ?? undefined)
    const revision = found instanceof Promise ? await found : found
    unused = checkVariables(revision.compiled, request.body.dataVariables ?? {})
    expectAttached(revision.compiled.contentIds, request.attachments, 'attachments')
    const { as, name, suppressed } = one
    letters.push({ as, name, suppressed, message: { ...messageTo(app, request, one, revision), groupId } })
  }
  if (unused.length > 0) unused = await unusedIn(app, request, unused)
  return { request, letters, groupId, warnings: [...request.sender.warnings, ...unused] }
}

type Addressee = Known & Pick<Recipient, 'as' | 'name'> & { email: string }

/** Each address once, where it was named first: case does not make another person. */
function addresseesOf(request: SendRequest, known: Map<Recipient, Known>): Addressee[] {
  const byAddress = new Map<string, Addressee>()
  for (const recipient of request.recipients) {
    const { contact = null, suppressed = null } = known.get(recipient) ?? {}
    const email = recipient.address ?? contact?.email
    if (email === undefined)
      throw invalidField('userId', 'no contact has this userId; send an email instead', 'unknown_contact')
    const key = email.toLowerCase()
    if (!byAddress.has(key)) byAddress.set(key, { as: recipient.as, name: recipient.name, email, contact, suppressed })
  }
  return [...byAddress.values()]
}

function messageTo(
  app: App,
  request: SendRequest,
  { email, contact }: Addressee,
  revision: Revision,
): NewMessage<DeliverMessage> {
  const { workspace, body, sender } = request
  const now = app.clock.now()
  const id = isGroup(request.recipients) ? newId(app, 'msg', now) : (request.ahead ?? newId(app, 'msg', now))
  const about = { id, email, locale: revision.locale, variables: body.dataVariables ?? {} }
  const senderName = sender.name ?? workspace.name
  const values = valuesOf({ workspace, message: about, contact, senderName, now })
  return {
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
    trace: request.trace,
  }
}

async function writeAll<T>(tx: Tx, accepted: Accepted<T>[], isToldOf: boolean): Promise<void> {
  const drafts = accepted.flatMap((one) => one.drafts)
  for (let at = 0; at < drafts.length; at += inOneTurn) {
    // Not a turn of long work: that might wait for this transaction.
    if (at > 0) await new Promise(setImmediate)
    await writeDrafts(tx, drafts.slice(at, at + inOneTurn), isToldOf)
  }
  await keepOutcomes(tx, accepted)
}

async function writeDrafts(tx: Tx, drafts: Draft[], isToldOf: boolean): Promise<void> {
  const letters = drafts.flatMap((one) => one.letters)
  await queueMessages(
    tx,
    deliverMessage,
    letters.map(({ message }) => message),
    { suppressed: letters.map((one) => one.suppressed), isToldOf },
  )
  await insertGroups(tx, drafts.flatMap(groupOf))
  for (const { request, letters, groupId } of drafts) {
    if (request.attachments.length === 0 || request.ahead !== null) continue
    const owner = groupId ?? letters.find(({ suppressed }) => suppressed === null)?.message.id
    if (owner !== undefined) await insertAttachments(tx, owner, request.attachments)
  }
}

function groupOf({ groupId, letters, request }: Draft): NewGroup[] {
  if (groupId === null) return []
  const recipients = letters.map(({ as, name, message }) => ({ as, name, email: message.email, messageId: message.id }))
  return [{ id: groupId, workspaceId: request.workspace.id, recipients }]
}

function answerOf({ request, letters, warnings }: Draft): Answer<SendAnswer> | KeptRefusal {
  const first = letters.find(({ suppressed }) => suppressed === null) ?? letters[0] ?? lost()
  const { message, suppressed } = first
  const each = letters.length > 1 ? { messages: letters.map(toView) } : {}
  if (suppressed !== null)
    return { refusal: recipientSuppressed({ messageId: message.id, ...each }, request.recipientField, suppressed) }
  const warned = warnings.length > 0 ? { warnings } : {}
  return { status: 200, response: { success: true as const, messageId: message.id, ...each, ...warned } }
}

function toView({
  message: { id: messageId, email },
  suppressed,
}: Letter): NonNullable<SendAnswer['messages']>[number] {
  if (suppressed === null) return { email, messageId, status: 'queued' }
  return { email, messageId, status: 'suppressed', reason: suppressed }
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

function recipientSuppressed(extra: Record<string, unknown>, path: string, reason: SuppressionReason): AppError {
  const message = suppressedText(reason)
  const errors = [{ path, message, code: 'recipient_suppressed' }]
  return new AppError('recipient_suppressed', message, { errors, extra })
}
