// The one way into Email Activity: a message and the job that delivers it, in one transaction; for a suppressed recipient the record of
// the refusal instead. Every kind of mail comes through here.

import type { Db } from '../../db/handle.ts'
import { prepared, stored } from '../../db/prepared.ts'
import type { SuppressionReason } from '../../db/tables/contacts.ts'
import { messages } from '../../db/tables/messages.ts'
import { type Message, recordStatus } from '../activity/activity.ts'
import { publishEmail } from '../activity/email-events.ts'
import type { Tx } from '../app.ts'
import { addressDomain } from '../lib/email-address.ts'
import { enqueue } from '../outbox/enqueue.ts'
import type { JobKind } from '../outbox/job.ts'
import { isSuppressed } from '../suppression/suppression.ts'
import type { DeliverMessage } from './deliver-message.ts'

type Given = 'id' | 'workspaceId' | 'kind' | 'email' | 'contactId' | 'templateId' | 'revisionId' | 'subject' | 'locale'
type Sender = 'fromName' | 'fromEmail' | 'replyTo'
type Optional = 'campaignId' | 'ruleId' | 'headers' | 'tags' | 'metadata' | 'idempotencyKey'

export interface NewMessage extends Pick<Message, Given | Sender | 'variables'>, Partial<Pick<Message, Optional>> {
  /** Default: now. */
  runAt?: Date | undefined
}

const insertMessage = prepared((db: Db) => {
  return db
    .insert(messages)
    .values({
      id: stored('id'),
      workspaceId: stored('workspaceId'),
      kind: stored('kind'),
      status: stored('status'),
      email: stored('email'),
      contactId: stored('contactId'),
      templateId: stored('templateId'),
      revisionId: stored('revisionId'),
      campaignId: stored('campaignId'),
      ruleId: stored('ruleId'),
      subject: stored('subject'),
      locale: stored('locale'),
      fromName: stored('fromName'),
      fromEmail: stored('fromEmail'),
      replyTo: stored('replyTo'),
      headers: stored('headers'),
      variables: stored('variables'),
      tags: stored('tags'),
      metadata: stored('metadata'),
      messageIdHeader: stored('messageIdHeader'),
      idempotencyKey: stored('idempotencyKey'),
      jobId: stored('jobId'),
      attempts: 0,
      createdAt: stored('createdAt'),
      updatedAt: stored('createdAt'),
    })
    .prepare()
})

/** Writes the message with `kind` as its job. Returns why nothing will be sent, or null. */
export async function acceptMessage(
  tx: Tx,
  kind: JobKind<DeliverMessage>,
  message: NewMessage,
): Promise<SuppressionReason | null> {
  const { id, workspaceId, runAt } = message
  const suppressed = await isSuppressed(tx, workspaceId, message.email, message.kind)
  const when = runAt ? { runAt } : {}
  const jobId = suppressed ? null : await enqueue(tx, kind, { workspaceId, payload: { messageId: id }, ...when })
  await insertMessage(tx.db).run({
    id,
    workspaceId,
    kind: message.kind,
    status: suppressed ? 'suppressed' : 'queued',
    email: message.email,
    contactId: message.contactId,
    templateId: message.templateId,
    revisionId: message.revisionId,
    campaignId: message.campaignId ?? null,
    ruleId: message.ruleId ?? null,
    subject: message.subject,
    locale: message.locale,
    fromName: message.fromName,
    fromEmail: message.fromEmail,
    replyTo: message.replyTo,
    headers: jsonOrNull(message.headers),
    variables: JSON.stringify(message.variables),
    tags: jsonOrNull(message.tags),
    metadata: jsonOrNull(message.metadata),
    messageIdHeader: `${id}@${addressDomain(message.fromEmail)}`,
    idempotencyKey: message.idempotencyKey ?? null,
    jobId,
    createdAt: tx.now.getTime(),
  })
  if (suppressed) {
    const about = { messageId: id, jobId: null, status: 'suppressed', attempts: 0 } as const
    await recordStatus(tx, { ...about, code: suppressed, detail: suppressedText(suppressed) })
  } else {
    const { kind } = message
    await publishEmail(tx, { workspaceId, messageId: id, kind, status: 'queued', code: null, detail: null })
  }
  return suppressed
}

export function suppressedText(reason: SuppressionReason): string {
  return `The recipient is on the suppression list (${reason}); nothing was sent.`
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
