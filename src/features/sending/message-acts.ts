// What can be done with one message: cancel or reschedule it while it waits, send it again when it has ended.

import type { App, Tx } from '../../core/app.ts'
import type { Answer, KeptRefusal, Prepare } from '../../core/http/idempotency.ts'
import { cancelJobs, moveJob } from '../../core/outbox/waiting.ts'
import { day } from '../../kit/duration.ts'
import { erasedAddress } from '../../kit/email-address.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { mustTakeMails } from '../../people/limits.ts'
import { getWorkspace } from '../../people/workspaces.ts'
import { getActivity, type Message } from './activity/activity.ts'
import { copyAttachmentsAhead } from './attachment-store.ts'
import { deliverMessage } from './deliver-message.ts'
import { findContent } from './own-content.ts'
import { type NewMessage, queueMessages, suppressedText } from './queue.ts'
import { queueOwn } from './queue-own.ts'

/** As long as attachments are kept (src/operator/jobs.ts): what is sent again is the same mail. */
const resendWithinMs = 30 * day
const ended = ['sent', 'delivered', 'bounced', 'suppressed', 'failed', 'uncertain', 'cancelled']

/** A waiting one ends at once. `cancel_requested`: it is being sent, and stops if the mail server does not have it yet. */
export async function cancelMessage(
  tx: Tx,
  workspaceId: string,
  messageId: string,
): Promise<'cancelled' | 'cancel_requested'> {
  const { message } = await getActivity(tx, workspaceId, messageId)
  const jobIds = message.jobId === null ? [] : [message.jobId]
  const outcome = (await cancelJobs(tx, [deliverMessage], { jobIds })).get(jobIds[0] ?? '')
  if (outcome === undefined) throw wrongState(message, 'be cancelled')
  return outcome === 'cancelled' ? 'cancelled' : 'cancel_requested'
}

export async function rescheduleMessage(
  tx: Tx,
  workspaceId: string,
  { messageId, runAt = tx.now }: { messageId: string; runAt: Date | undefined },
): Promise<Date> {
  const { message } = await getActivity(tx, workspaceId, messageId)
  const { jobId } = message
  const isMoved = jobId !== null && (await moveJob(tx, deliverMessage, { jobId, dueAt: runAt }))
  if (!isMoved) throw wrongState(message, 'be rescheduled')
  return runAt
}

function wrongState({ kind, status }: Message, what: string): AppError {
  const waits = status === 'queued' || status === 'delayed'
  const text = waits ? `a mail of kind ${kind} cannot ${what} by itself` : `a message that is ${status} cannot ${what}`
  return new AppError('invalid_state_transition', text)
}

export interface Resent {
  success: true
  messageId: string
  resendOf: string
}

/** The same mail as a new message. Throws not_found, invalid_state_transition; `recipient_suppressed` is logged by the new message. */
export function resendMessage(app: App, workspaceId: string, messageId: string): Prepare<Resent> {
  return async () => {
    const { message } = await getActivity(app, workspaceId, messageId)
    refuseResend(message, app.clock.now())
    const id = newId(app, 'msg', app.clock.now())
    if (message.groupId === null) await copyAttachmentsAhead(app, messageId, id)
    return (tx) => again(tx, message, id)
  }
}

function refuseResend(message: Message, now: Date): void {
  if (message.kind !== 'transactional' || !ended.includes(message.status)) throw wrongState(message, 'be sent again')
  if (message.email === erasedAddress)
    throw new AppError('invalid_state_transition', 'the recipient of this message was erased')
  if (now.getTime() - message.createdAt.getTime() > resendWithinMs)
    throw new AppError('invalid_state_transition', 'a message that is older than 30 days cannot be sent again')
}

async function again(tx: Tx, old: Message, id: string): Promise<Answer<Resent> | KeptRefusal> {
  const { id: resendOf, workspaceId, kind, email, contactId, templateId, revisionId, subject, locale } = old
  const { fromName, fromEmail, replyTo, headers, variables, tags, metadata, groupId } = old
  const about = { id, resendOf, workspaceId, kind, email, contactId, templateId, revisionId, subject, locale }
  const message = { ...about, fromName, fromEmail, replyTo, headers, variables, tags, metadata, groupId }
  const reason = await queueAgain(tx, { ...message, payload: { messageId: id } })
  if (reason === null) {
    await mustTakeMails(tx, await getWorkspace(tx, workspaceId), 1)
    return { status: 200, response: { success: true, messageId: id, resendOf } }
  }
  const text = suppressedText(reason)
  const errors = [{ path: 'messageId', message: text, code: 'recipient_suppressed' }]
  return { refusal: new AppError('recipient_suppressed', text, { errors, extra: { messageId: id } }) }
}

async function queueAgain(tx: Tx, message: NewMessage<{ messageId: string }> & { resendOf: string }) {
  if (message.revisionId !== null) return (await queueMessages(tx, deliverMessage, [message]))[0] ?? null
  const content = await findContent(tx, { id: message.resendOf, subject: message.subject })
  if (content === null)
    throw new AppError('invalid_state_transition', 'the content of this message is no longer stored')
  return (await queueOwn(tx, [{ ...message, content }]))[0] ?? null
}
