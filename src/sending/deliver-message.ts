// The one job by which e-mail leaves: composes the message, hands it over, and writes what became of it. Suppression is asked
// again in the transaction of the hand-over, so an address suppressed a moment ago is not mailed.

import { erasedAddress, markInProgress, recordStatus, type StatusChange } from '../activity/activity.ts'
import type { App, Tx } from '../app.ts'
import { recordDelivery, recordHardBounce, recordSoftBounce } from '../contacts/deliverability.ts'
import { minute } from '../lib/duration.ts'
import { defineJob, type Ending, type Job, type JobResult } from '../outbox/job.ts'
import { isSuppressed } from '../suppression/suppression.ts'
import { checkAddress } from '../workspaces/domain-owners.ts'
import { type Composed, composeMessage } from './compose.ts'
import { mailThrottle } from './mail-throttle.ts'
import { hardBounce, held, isSoftBounce, jobResultOf, mailRetryDelaysMs } from './outcome.ts'

export interface DeliverMessage {
  messageId: string
}

/** Longer than connecting, the commands and the 10 minutes that the final reply may take (RFC 5321, 4.5.3.2.6). */
const timeoutMs = 16 * minute

const suppressedCode = 'suppressed'

/** Thrown at the hand-over; nothing was sent. */
class RecipientSuppressed extends Error {}

export const deliverMessage = defineJob<DeliverMessage>({
  kind: 'deliver-message',
  lane: 'mail.tx',
  timeoutMs,
  attemptsMax: mailRetryDelaysMs.length + 1,
  retryDelaysMs: mailRetryDelaysMs,
  throttle: mailThrottle,
  journals: ({ messageId }) => messageId,

  async run(app, job, control) {
    const composed = await composeMessage(app, job.payload.messageId)
    if (!composed) return { outcome: 'dead', code: 'message_gone', detail: 'the message no longer exists' }
    const { workspaceId, fromEmail } = composed.message
    // What was accepted a while ago, or while mail was captured, is from an address that may be another's by now.
    await checkAddress(app, workspaceId, { address: fromEmail, path: 'fromEmail' })
    const beforeFinalDot = () => control.handOver((tx) => lastLook(tx, composed, job))
    const outcome = await send(app, composed, {
      beforeFinalDot,
      signal: control.signal,
    })
    return (
      outcome ?? { outcome: 'dead', code: suppressedCode, detail: 'the recipient was suppressed before the hand-over' }
    )
  },

  async settle(tx, job, ending) {
    const { messageId } = job.payload
    if (ending.state === 'pending' && !ending.mayHaveArrived && ending.code === 'stopped') {
      await markInProgress(tx, { messageId, jobId: ending.jobId, status: 'queued', attempts: job.attempt - 1 })
      return
    }
    const status = ending.code === 'replayed' ? 'queued' : statusOf(ending)
    const { code, detail, jobId } = ending
    const attempts = code === held ? job.attempt - 1 : job.attempt
    const email = await recordStatus(tx, { messageId, jobId, status, attempts, code, detail })
    if (email === null || email === erasedAddress) return
    if (status === 'sent') return await recordDelivery(tx, job.workspaceId, email)
    const report = { email, messageId, ...(detail ? { detail } : {}) }
    if (status === 'bounced') await recordHardBounce(tx, job.workspaceId, report)
    if (status === 'failed' && isSoftBounce(code)) await recordSoftBounce(tx, job.workspaceId, report)
  },
})

/** Null when the recipient turned out to be suppressed. */
async function send(
  app: App,
  composed: Composed,
  handOver: Parameters<App['mailer']['send']>[1],
): Promise<JobResult | null> {
  try {
    const outcome = await app.mailer.send(composed.mail, handOver)
    return jobResultOf(outcome, handOver.signal.reason === 'stopping')
  } catch (error) {
    if (error instanceof RecipientSuppressed) return null
    throw error
  }
}

async function lastLook(tx: Tx, { message }: Composed, job: Job<DeliverMessage>): Promise<void> {
  if (await isSuppressed(tx, message.workspaceId, message.email, message.kind)) throw new RecipientSuppressed()
  await markInProgress(tx, { messageId: message.id, jobId: job.id, status: 'sending', attempts: job.attempt })
}

function statusOf({ state, code }: Ending): StatusChange['status'] {
  switch (state) {
    case 'done':
      return 'sent'
    case 'pending':
    case 'held':
      return 'delayed'
    case 'ambiguous':
      return 'uncertain'
    case 'cancelled':
      return 'cancelled'
    case 'dead':
      return code === hardBounce ? 'bounced' : code === suppressedCode ? 'suppressed' : 'failed'
  }
}
