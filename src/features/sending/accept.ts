// Accepts concurrent sends together. The facts about all recipients are loaded, each request becomes a plan or a refusal, and one
// transaction writes the messages, groups, attachments and jobs of all plans, with the replies kept for repeats. A refusal is a value
// and does not affect the others.

import { isUnavailable } from '../../../db/faults.ts'
import type { SuppressionReason } from '../../../db/tables/contacts.ts'
import type { GroupRecipient } from '../../../db/tables/messages.ts'
import { type App, type Tx, writeRoutine } from '../../core/app.ts'
import { coalesceRequests } from '../../core/http/coalesce-requests.ts'
import {
  type Answer,
  type KeptRefusal,
  keepOutcomes,
  type Outcome,
  type RequestKey,
  toOutcome,
} from '../../core/http/idempotency.ts'
import { expectAttached } from '../../kit/content-id.ts'
import { AppError, type Issue, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import type { Trace } from '../../kit/trace.ts'
import { createPace } from '../../kit/turn.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { type Contact, findContacts } from '../contacts/consent/find-contact.ts'
import { findSuppressions } from '../contacts/consent/suppression.ts'
import { fill } from '../content/rendering/fill.ts'
import { checkVariables } from '../content/rendering/variables.ts'
import type { ResolvedTemplate, Revision } from '../content/templates/resolve.ts'
import { takeForEach } from '../webhooks/limit-events.ts'
import { listeningWorkspaces } from '../webhooks/listening.ts'
import { insertGroups, type NewGroup } from './activity/groups.ts'
import { insertAttachments } from './attachment-store.ts'
import type { Attachment } from './attachments.ts'
import { chooseRevision, findUnused } from './choose-revision.ts'
import { type DeliverMessage, deliverMessage } from './deliver-message.ts'
import { type NewMessage, queueMessages, suppressedText } from './queue.ts'
import type { SendAnswer, SendBody } from './schema.ts'
import type { Sender } from './sender.ts'
import { toValues } from './values.ts'

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
  /** The trace that its messages belong to. */
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

/** Requests that are accepted in one transaction, under one Idempotency-Key. */
export interface Batch<T> {
  requests: SendRequest[]
  key: RequestKey | null
  /** The answer to the batch. An AppError: the whole batch is refused, and nothing is written. */
  answer(results: SendResult[]): Answer<T> | KeptRefusal | AppError
}

/** Of one request: accepted, refused with a message in the log (a suppressed recipient), or refused. */
export type SendResult = Answer<SendAnswer> | KeptRefusal | AppError

/** The message to one recipient. */
interface RecipientMessage {
  as: Recipient['as']
  name: string | null
  message: NewMessage<DeliverMessage>
  suppressed: SuppressionReason | null
}

/** What is written for one request. */
interface SendPlan {
  request: SendRequest
  /** One for each address, at least one. */
  messages: RecipientMessage[]
  /** Null for a message to one plain address, and if nothing is sent. */
  groupId: string | null
  warnings: Issue[]
}

/** What the database says about a recipient. */
interface RecipientFacts {
  contact: Contact | null
  suppressed: SuppressionReason | null
}

/** Accepts batches, together with others that arrive at the same time. Throws AppError for a refusal. */
export function sendAccepter(app: App): (batch: Batch<SendAnswer>) => Promise<Outcome<SendAnswer>> {
  const accept = coalesceRequests(app, (batches: Batch<SendAnswer>[]) => acceptAll(app, batches))
  return async (batch) => outcomeOrThrow(await accept(batch))
}

/** Accepts one batch at once, without waiting for others. Throws AppError for a refusal. */
export async function acceptTogether<T>(app: App, batch: Batch<T>): Promise<Outcome<T>> {
  const [result = missingPlan()] = await acceptAll(app, [batch])
  return outcomeOrThrow(result)
}

function outcomeOrThrow<T>(result: Outcome<T> | AppError): Outcome<T> {
  if (result instanceof AppError) throw result
  return result
}

/** Accepts all batches in one transaction, or none of them. Throws the AppError of the first that is refused. */
export async function acceptEach<T>(app: App, batches: Batch<T>[]): Promise<Outcome<T>[]> {
  const { decisions, hasListeners } = await decideAll(app, batches)
  const accepted = decisions.map((decision) => {
    if (decision instanceof AppError) throw decision
    return decision
  })
  await writeRoutine(app, async (tx) => {
    for (const refused of (await writeAll(tx, accepted, hasListeners)).values()) throw refused
  })
  return accepted.map(({ outcome }) => outcome)
}

async function acceptAll<T>(app: App, batches: Batch<T>[]): Promise<(Outcome<T> | AppError)[]> {
  const { decisions, hasListeners } = await decideAll(app, batches)
  const accepted = decisions.flatMap((decision) => (decision instanceof AppError ? [] : [decision]))
  if (accepted.length === 0) return decisions.flatMap((decision) => (decision instanceof AppError ? [decision] : []))
  const refused = await writeRoutine(app, (tx) => writeAll(tx, accepted, hasListeners))
  return decisions.map((decision) =>
    decision instanceof AppError ? decision : (refused.get(decision) ?? decision.outcome),
  )
}

async function decideAll<T>(app: App, batches: Batch<T>[]) {
  const requests = batches.flatMap((batch) => batch.requests)
  const { facts, hasListeners } = await loadFacts(app, requests)
  const plans = await planAll(app, requests, facts)
  return { decisions: batches.map((batch) => decide(batch, plans)), hasListeners }
}

/** A batch that is accepted: what is written for it, and its answer. */
interface AcceptedBatch<T> {
  key: RequestKey | null
  outcome: Outcome<T>
  plans: SendPlan[]
}

function decide<T>(
  { requests, key, answer }: Batch<T>,
  plans: Map<SendRequest, SendPlan | AppError>,
): AcceptedBatch<T> | AppError {
  const own = requests.map((request) => plans.get(request) ?? missingPlan())
  const result = answer(own.map((plan) => (plan instanceof AppError ? plan : toResult(plan))))
  if (result instanceof AppError) return result
  return { key, outcome: toOutcome(result), plans: own.flatMap((plan) => (plan instanceof AppError ? [] : [plan])) }
}

/** How many are planned, or written, in one turn of the event loop. */
const perTurn = 128

async function planAll(
  app: App,
  requests: SendRequest[],
  facts: Map<Recipient, RecipientFacts>,
): Promise<Map<SendRequest, SendPlan | AppError>> {
  const plans = new Map<SendRequest, SendPlan | AppError>()
  const pace = createPace()
  for (let at = 0; at < requests.length; at += perTurn) {
    await Promise.all(
      requests
        .slice(at, at + perTurn)
        .map(async (request) => plans.set(request, await planOrRefuse(app, request, facts))),
    )
    // Behind the last there is nothing to leave the thread for: others of the group wait.
    if (at + perTurn < requests.length) await pace()
  }
  return plans
}

function missingPlan(): never {
  throw new Error('a send was neither written nor refused')
}

/** The facts about all recipients, with one query per table, and whether a webhook endpoint listens. */
async function loadFacts(app: App, requests: SendRequest[]) {
  const recipients = requests.flatMap((request) => request.recipients)
  const names = requests.flatMap(({ workspace, recipients, body }) =>
    recipients.map(({ address }) => ({ workspaceId: workspace.id, email: address, userId: body.userId ?? null })),
  )
  const [contacts, byAddress, listening] = await Promise.all([
    findContacts(app, names),
    findSuppressions(app, names.map(withAddress)),
    listeningWorkspaces(
      app,
      requests.map(({ workspace }) => workspace.id),
    ),
  ])
  const hasAllAddresses = names.every(({ email }) => email !== null)
  const resolved = names.map((name, index) => ({ ...name, email: name.email ?? contacts[index]?.email ?? null }))
  const reasons = hasAllAddresses ? byAddress : await findSuppressions(app, resolved.map(withAddress))
  const facts = new Map(
    recipients.map((recipient, index): [Recipient, RecipientFacts] => {
      return [recipient, { contact: contacts[index] ?? null, suppressed: reasons[index] ?? null }]
    }),
  )
  return { facts, hasListeners: listening.size > 0 }
}

/** An unknown address matches no suppression. */
function withAddress({ workspaceId, email }: { workspaceId: string; email: string | null }) {
  return { workspaceId, email: email ?? '' }
}

async function planOrRefuse(
  app: App,
  request: SendRequest,
  facts: Map<Recipient, RecipientFacts>,
): Promise<SendPlan | AppError> {
  try {
    return await plan(app, request, facts)
  } catch (error) {
    if (error instanceof AppError && !isUnavailable(error)) return error
    throw error
  }
}

/** Throws AppError for an unknown recipient, missing content or missing variables. */
async function plan(app: App, request: SendRequest, facts: Map<Recipient, RecipientFacts>): Promise<SendPlan> {
  const addressees = toAddressees(request, facts)
  const hasGroup = isGroup(request.recipients) && addressees.some(({ suppressed }) => suppressed === null)
  const groupId = hasGroup ? (request.ahead ?? newId(app, 'grp', app.clock.now())) : null
  const messages: RecipientMessage[] = []
  let unused: Issue[] = []
  for (const addressee of addressees) {
    const locale = request.body.locale ?? addressee.contact?.locale ?? undefined
    const choice = chooseRevision(app, request, locale)
    const revision = choice instanceof Promise ? await choice : choice
    unused = checkVariables(revision.compiled, request.body.dataVariables ?? {})
    expectAttached(revision.compiled.contentIds, request.attachments, 'attachments')
    const { as, name, suppressed } = addressee
    messages.push({ as, name, suppressed, message: { ...messageTo(app, request, addressee, revision), groupId } })
  }
  if (unused.length > 0) unused = await findUnused(app, request, unused)
  return { request, messages, groupId, warnings: [...request.sender.warnings, ...unused] }
}

type Addressee = RecipientFacts & Pick<Recipient, 'as' | 'name'> & { email: string }

/** Each address once, where it was named first: case does not make another person. */
function toAddressees(request: SendRequest, facts: Map<Recipient, RecipientFacts>): Addressee[] {
  const byAddress = new Map<string, Addressee>()
  for (const recipient of request.recipients) {
    const { contact = null, suppressed = null } = facts.get(recipient) ?? {}
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
  const head = { id, email, locale: revision.locale, variables: body.dataVariables ?? {} }
  const senderName = sender.name ?? workspace.name
  const values = toValues({ workspace, message: head, contact, senderName, now })
  return {
    ...head,
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

/** Returns the batches that a limit of their workspace has no room for, each with its refusal: nothing is written of them. */
async function writeAll<T>(
  tx: Tx,
  all: AcceptedBatch<T>[],
  hasListeners: boolean,
): Promise<Map<AcceptedBatch<T>, AppError>> {
  const refused = await takeForEach<AcceptedBatch<T>>(tx, all, sizes)
  const accepted = refused.size === 0 ? all : all.filter((batch) => !refused.has(batch))
  const plans = accepted.flatMap((batch) => batch.plans)
  for (let at = 0; at < plans.length; at += perTurn) {
    // Not a turn of long work: that might wait for this transaction.
    if (at > 0) await new Promise(setImmediate)
    await writePlans(tx, plans.slice(at, at + perTurn), hasListeners)
  }
  await keepOutcomes(tx, accepted)
  return refused
}

const sizes = {
  workspaceOf: <T>({ plans }: AcceptedBatch<T>) => plans[0]?.request.workspace,
  countMails: <T>({ plans }: AcceptedBatch<T>) =>
    plans.flatMap((plan) => plan.messages).filter(({ suppressed }) => suppressed === null).length,
}

async function writePlans(tx: Tx, plans: SendPlan[], hasListeners: boolean): Promise<void> {
  const messages = plans.flatMap((plan) => plan.messages)
  await queueMessages(
    tx,
    deliverMessage,
    messages.map(({ message }) => message),
    { suppressed: messages.map(({ suppressed }) => suppressed), hasListeners },
  )
  await insertGroups(tx, plans.flatMap(toGroups))
  for (const { request, messages, groupId } of plans) {
    if (request.attachments.length === 0 || request.ahead !== null) continue
    const owner = groupId ?? messages.find(({ suppressed }) => suppressed === null)?.message.id
    if (owner !== undefined) await insertAttachments(tx, owner, request.attachments)
  }
}

function toGroups({ groupId, messages, request }: SendPlan): NewGroup[] {
  if (groupId === null) return []
  const recipients = messages.map(({ as, name, message }) => ({
    as,
    name,
    email: message.email,
    messageId: message.id,
  }))
  return [{ id: groupId, workspaceId: request.workspace.id, recipients }]
}

function toResult({ request, messages, warnings }: SendPlan): Answer<SendAnswer> | KeptRefusal {
  const first = messages.find(({ suppressed }) => suppressed === null) ?? messages[0] ?? missingPlan()
  const { message, suppressed } = first
  const each = messages.length > 1 ? { messages: messages.map(toView) } : {}
  if (suppressed !== null)
    return { refusal: recipientSuppressed({ messageId: message.id, ...each }, request.recipientField, suppressed) }
  const withWarnings = warnings.length > 0 ? { warnings } : {}
  return { status: 200, response: { success: true as const, messageId: message.id, ...each, ...withWarnings } }
}

function toView({
  message: { id: messageId, email },
  suppressed,
}: RecipientMessage): NonNullable<SendAnswer['messages']>[number] {
  if (suppressed === null) return { email, messageId, status: 'queued' }
  return { email, messageId, status: 'suppressed', reason: suppressed }
}

function recipientSuppressed(extra: Record<string, unknown>, path: string, reason: SuppressionReason): AppError {
  const message = suppressedText(reason)
  const errors = [{ path, message, code: 'recipient_suppressed' }]
  return new AppError('recipient_suppressed', message, { errors, extra })
}
