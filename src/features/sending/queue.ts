// The one way to create mail: messages and the jobs that deliver them, in one transaction; for a suppressed recipient, the record of the
// refusal. Every kind of mail uses it.

import { toRows } from '../../../db/rows.ts'
import type { SuppressionReason } from '../../../db/tables/contacts.ts'
import { messages } from '../../../db/tables/messages.ts'
import type { Tx } from '../../core/app.ts'
import { enqueueMany, type JobHead } from '../../core/outbox/enqueue.ts'
import { addressDomain } from '../../kit/email-address.ts'
import type { Trace } from '../../kit/trace.ts'
import { findSuppressions } from '../contacts/consent/suppression.ts'
import { publishEmails } from '../webhooks/email-events.ts'
import { type Message, recordStatuses } from './activity/activity.ts'

type RequiredField =
  | 'id'
  | 'workspaceId'
  | 'kind'
  | 'email'
  | 'contactId'
  | 'templateId'
  | 'revisionId'
  | 'subject'
  | 'locale'
type Sender = 'fromName' | 'fromEmail' | 'replyTo'
type Optional =
  | 'campaignId'
  | 'ruleId'
  | 'sequenceId'
  | 'purpose'
  | 'headers'
  | 'tags'
  | 'metadata'
  | 'idempotencyKey'
  | 'variables'
  | 'groupId'
  | 'resendOf'

export interface NewMessage<P> extends Pick<Message, RequiredField | Sender>, Partial<Pick<Message, Optional>> {
  /** Of its job. */
  payload: P
  /** Of its job; see NewJob. */
  partitionKey?: string
  /** Default: now. */
  runAt?: Date | undefined
  /** The trace it belongs to. Default: that of the transaction. */
  trace?: Trace | null | undefined
}

export interface QueueOptions {
  /** Why each may not be mailed, or null, if the caller has checked. It is checked again before each final dot. */
  suppressed?: (SuppressionReason | null)[]
  /** False: no webhook endpoint listens in these workspaces, so no event is published. */
  hasListeners?: boolean
}

const { id, workspaceId, kind, status, email, contactId, templateId, revisionId, campaignId, ruleId, subject } =
  messages
const { purpose, locale, fromName, fromEmail, replyTo, headers, variables, tags, metadata, messageIdHeader } = messages
const { idempotencyKey, groupId, resendOf, sequenceId, jobId, createdAt } = messages
const newMessages = toRows(
  {
    id,
    workspaceId,
    kind,
    status,
    email,
    contactId,
    templateId,
    revisionId,
    campaignId,
    ruleId,
    sequenceId,
    purpose,
    subject,
    locale,
    fromName,
    fromEmail,
    replyTo,
    headers,
    variables,
    tags,
    metadata,
    messageIdHeader,
    idempotencyKey,
    groupId,
    resendOf,
    jobId,
  },
  { createdAt },
)

const insert = newMessages.adding(messages, {
  ...newMessages.each,
  ...newMessages.shared,
  attempts: 0,
  updatedAt: newMessages.shared.createdAt,
})

/** Writes messages with jobs of `kind`. Returns for each why nothing will be sent, or null. */
export async function queueMessages<P>(
  tx: Tx,
  kind: JobHead<P>,
  list: NewMessage<P>[],
  { suppressed, hasListeners = true }: QueueOptions = {},
): Promise<(SuppressionReason | null)[]> {
  if (list.length === 0) return []
  const reasons = suppressed ?? (await findSuppressions(tx, list))
  const queued = list.filter((_, index) => reasons[index] === null)
  const jobIds = await enqueueMany(tx, kind, queued.map(toJob))
  const jobs = new Map(queued.map((message, index) => [message, jobIds[index] ?? null]))
  const rows = list.map((message) => toRow(message, jobs.get(message) ?? null))
  await insert(tx.db, rows, { createdAt: tx.now })
  await recordStatuses(tx, refusals(list, reasons))
  if (hasListeners) {
    const change = { status: 'queued', code: null, detail: null } as const
    await publishEmails(
      tx,
      queued.map(({ id, workspaceId, kind, trace }) => ({ ...change, workspaceId, kind, messageId: id, trace })),
    )
  }
  return reasons
}

function toJob<P>({ workspaceId, payload, partitionKey, runAt, trace }: NewMessage<P>) {
  return { workspaceId, payload, partitionKey, runAt, trace }
}

function toRow<P>(message: NewMessage<P>, jobId: string | null) {
  const { id, fromEmail, variables = {}, headers = null, tags = null, metadata = null } = message
  const {
    campaignId = null,
    ruleId = null,
    sequenceId = null,
    purpose = null,
    idempotencyKey = null,
    groupId = null,
    resendOf = null,
  } = message
  const status = jobId === null ? 'suppressed' : 'queued'
  const messageIdHeader = `${id}@${addressDomain(fromEmail)}`
  return {
    ...message,
    variables,
    headers,
    tags,
    metadata,
    campaignId,
    ruleId,
    sequenceId,
    purpose,
    idempotencyKey,
    groupId,
    resendOf,
    status,
    messageIdHeader,
    jobId,
  } as const
}

function refusals<P>(list: NewMessage<P>[], reasons: (SuppressionReason | null)[]) {
  return list.flatMap(({ id: messageId, workspaceId, kind, trace }, index) => {
    const reason = reasons[index] ?? null
    if (reason === null) return []
    const change = { messageId, workspaceId, kind, jobId: null, status: 'suppressed', attempts: 0 } as const
    return [{ ...change, code: reason, detail: suppressedText(reason), trace }]
  })
}

export function suppressedText(reason: SuppressionReason): string {
  return `The recipient is on the suppression list (${reason}); nothing was sent.`
}
