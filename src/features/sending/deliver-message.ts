// The jobs that send a message: it is composed, handed over, and the result is recorded. Suppression is checked again in the transaction of
// the hand-over, so an address suppressed a moment ago is not mailed. What is particular to a kind of mail is given to defineMailJob().

import type { Tx } from '../../core/app.ts'
import { defineJob, type Ended, type Job, type JobKind, type JobResult, type Outcome } from '../../core/outbox/job.ts'
import type { Lane } from '../../core/outbox/lanes.ts'
import { suspendedCode } from '../../core/outbox/suspended.ts'
import { minute } from '../../kit/duration.ts'
import { erasedAddress } from '../../kit/email-address.ts'
import { attemptTrace } from '../../kit/trace.ts'
import { checkAddress } from '../../people/domain-owners.ts'
import { recordHardBounce } from '../contacts/consent/deliverability.ts'
import { findSuppressions } from '../contacts/consent/suppression.ts'
import { loadOwners, type Message, markInProgress, recordStatuses, type StatusChange } from './activity/activity.ts'
import { type AddTracking, composeMessage } from './compose.ts'
import { noteRefusals, type RefusedMail } from './feedback/refusals.ts'
import { recordSoftBounce, recordTaken } from './feedback/soft-bounces.ts'
import { mailThrottle } from './mail-throttle.ts'
import {
  held,
  isSoftBounce,
  mailRetryDelaysMs,
  putOff,
  refusedMail,
  sendMail,
  suppressedCode,
  throttled,
  toJobResult,
  toStatus,
} from './outcome.ts'
import { findMailAndRelays, findPath } from './path.ts'
import { countSent, noteSize } from './sent-bytes.ts'
import { enqueueReports } from './simulated.ts'

export interface DeliverMessage {
  messageId: string
}

/** Longer than connecting, the commands and the 10 minutes that the final reply may take (RFC 5321, 4.5.3.2.6). */
const timeoutMs = 16 * minute

const messageGone: JobResult = { outcome: 'dead', code: 'message_gone', detail: 'the message no longer exists' }

const suppressed: Outcome = {
  outcome: 'dead',
  code: suppressedCode,
  detail: 'the recipient was suppressed before the hand-over',
}

interface MailJob<P extends DeliverMessage> {
  kind: string
  lane: Lane
  /** Whether it lets other mail go first. */
  bulk: boolean
  addTracking?: AddTracking
  /** Beyond suppression: for each job null, or how it ends instead of being handed over. */
  guard?(tx: Tx, jobs: Job<P>[]): Promise<(Outcome | null)[]>
  /** What ends mean beyond the history of the message and its recipient. */
  ended?(tx: Tx, ended: Ended<P>[]): Promise<void>
}

export function defineMailJob<P extends DeliverMessage>({ kind, lane, bulk, ...own }: MailJob<P>): JobKind<P> {
  return defineJob<P>({
    kind,
    lane,
    timeoutMs,
    attemptsMax: mailRetryDelaysMs.length + 1,
    retryDelaysMs: mailRetryDelaysMs,
    throttle: mailThrottle,
    journals: ({ messageId }) => messageId,

    async run(app, job, control) {
      const found = await findMailAndRelays(app, job.payload.messageId)
      if (!found) return messageGone
      const { id, workspaceId, kind, email, fromEmail } = found.message
      recipients.set(job, { id, workspaceId, kind, email })
      const path = await findPath(app, found.message, { bulk, job })
      if ('outcome' in path) return toJobResult(path, false)
      const composed = await composeMessage(app, found, { path, addTracking: own.addTracking })
      if (!composed) return messageGone
      noteSize(job, found, composed.mail.raw.bytes)
      // For mail accepted a while ago, or while mail was captured: the sender's address may belong to somebody else by now.
      await checkAddress(app, workspaceId, { address: fromEmail, path: 'fromEmail' })
      return (await sendMail(app, composed.mail, control, { attempt: job.attempt, bulk, ...path })).result
    },

    /** The last suppression check. */
    async guard(tx, jobs) {
      const refusals = (await own.guard?.(tx, jobs)) ?? jobs.map(() => null)
      const reasons = await findSuppressions(tx, jobs.map(toRecipient))
      return refusals.map((refusal, index) => refusal ?? (reasons[index] ? suppressed : null))
    },

    async handedOver(tx, jobs) {
      await markInProgress(
        tx,
        jobs.map((job) => ({ messageId: messageIdOf(job), jobId: job.id, status: 'sending', attempts: job.attempt })),
      )
    },

    async ended(tx, ended) {
      await recordEnds(tx, ended)
      await own.ended?.(tx, ended)
    },
  })
}

export const deliverMessage = defineMailJob<DeliverMessage>({ kind: 'deliver-message', lane: 'mail.tx', bulk: false })

async function recordEnds(tx: Tx, ended: Ended<DeliverMessage>[]): Promise<void> {
  const [givenBack, others] = [ended.filter(wasGivenBack), ended.filter((one) => !wasGivenBack(one))]
  await markInProgress(
    tx,
    givenBack.map(({ job, ending: { jobId } }) => {
      return { messageId: messageIdOf(job), jobId, status: 'queued', attempts: job.attempt - 1 }
    }),
  )
  const messages = await loadRecipients(tx, others)
  const changes = others.flatMap((one) => {
    const message = messages.get(messageIdOf(one.job))
    return message ? [{ ...toChange(one), ...message }] : []
  })
  await recordStatuses(tx, changes)
  await countSent(tx, others)
  await noteRefusals(tx, changes.filter(isRefusal).map(toRefusedMail))
  await recordReach(
    tx,
    changes.filter(({ email }) => email !== erasedAddress),
  )
}

type Recipient = Pick<Message, 'id' | 'workspaceId' | 'kind' | 'email'>

/** The recipients of the mails that this process is sending. */
const recipients = new WeakMap<object, Recipient>()

function toRecipient(job: object): Recipient {
  const recipient = recipients.get(job)
  if (!recipient) throw new Error('a mail is handed over that was never composed')
  return recipient
}

/** By message. Nothing about the recipient of an accepted mail is written, because they may have been erased since it was composed. */
async function loadRecipients(tx: Tx, ended: Ended<DeliverMessage>[]): Promise<Map<string, Recipient>> {
  const known = ended.flatMap(({ job, ending }) => (ending.state === 'done' ? (recipients.get(job) ?? []) : []))
  const found = new Map(known.map((one) => [one.id, one]))
  const others = ended.map(({ job }) => messageIdOf(job)).filter((id) => !found.has(id))
  return others.length === 0 ? found : new Map([...found, ...(await loadOwners(tx, others))])
}

const messageIdOf = ({ payload }: Job<DeliverMessage>) => payload.messageId

const notTried = ['stopped', putOff, suspendedCode]

/** Not tried: the process ended before, other mail goes first, its workspace is suspended, or it is held. */
function wasGivenBack({ ending }: Ended<DeliverMessage>): boolean {
  if (ending.state === 'held') return true
  return ending.state === 'pending' && !ending.mayHaveArrived && notTried.includes(ending.code ?? '')
}

function toChange({ job, ending }: Ended<DeliverMessage>): StatusChange {
  const { code, detail, jobId } = ending
  const status = code === 'replayed' ? 'queued' : toStatus(ending)
  const attempts = code === held || code === throttled ? job.attempt - 1 : job.attempt
  return { messageId: messageIdOf(job), jobId, status, attempts, code, detail, trace: attemptTrace(job) }
}

/** Not one that only waits for others, which has the reply to somebody else. */
function isRefusal({ status, code }: StatusChange): boolean {
  return (status === 'delayed' && /^[45]\d\d\b/.test(code ?? '')) || (status === 'failed' && code === refusedMail)
}

function toRefusedMail({ messageId, detail }: StatusChange): RefusedMail {
  return { messageId, reply: detail ?? '' }
}

/** What the outcomes say about the addresses. */
async function recordReach(tx: Tx, changes: (StatusChange & { workspaceId: string; email: string })[]): Promise<void> {
  const sent = changes.filter(({ status }) => status === 'sent')
  await recordTaken(tx, sent)
  await enqueueReports(tx, sent)
  for (const { workspaceId, email, messageId, status, code, detail } of changes) {
    const report = { email, messageId, ...(detail ? { detail } : {}) }
    if (status === 'bounced') await recordHardBounce(tx, workspaceId, report)
    if (status === 'failed' && isSoftBounce(code)) await recordSoftBounce(tx, workspaceId, report)
  }
}
