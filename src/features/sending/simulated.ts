// Sends simulated delivery feedback for mail to simulated addresses (mail/simulator.ts): a job of its own, enqueued in the transaction that
// completes the mail.

import type { Tx } from '../../core/app.ts'
import { enqueueMany, type JobHead } from '../../core/outbox/enqueue.ts'
import { second } from '../../kit/duration.ts'
import { simulatedReports } from '../../mail/simulator.ts'

export interface SimulatedMail {
  messageId: string
  email: string
}

export const reportsHead: JobHead<SimulatedMail> = { kind: 'simulate-reports', lane: 'template_job', attemptsMax: 5 }

/** What is opened sooner than two seconds after it was sent was opened by a program (features/sending/tracking/engagement.ts). */
const readAfterMs = 3 * second

/** For mails that were taken just now; nothing for real ones. */
export async function enqueueReports(tx: Tx, sent: (SimulatedMail & { workspaceId: string })[]): Promise<void> {
  const jobs = sent.flatMap(({ workspaceId, messageId, email }) => {
    const reports = simulatedReports(email)
    if (reports.length === 0) return []
    const runAt = reports.includes('open') ? new Date(tx.now.getTime() + readAfterMs) : undefined
    return [{ workspaceId, payload: { messageId, email }, runAt }]
  })
  if (jobs.length > 0) await enqueueMany(tx, reportsHead, jobs)
}
