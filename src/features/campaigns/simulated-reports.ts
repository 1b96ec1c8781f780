// Delivery feedback for mail to simulated addresses, processed by the same functions as reports from servers, providers and readers. Each
// of them is idempotent.

import { type App, write } from '../../core/app.ts'
import { defineJob, type JobKind } from '../../core/outbox/job.ts'
import { minute } from '../../kit/duration.ts'
import { type SimulatedReport, simulatedReports } from '../../mail/simulator.ts'
import { applyFeedback, type Feedback, leaveByMessage } from '../sending/feedback/bounces.ts'
import { reportsHead, type SimulatedMail } from '../sending/simulated.ts'
import { type Count, type Engagement, findLink, recordEngagement } from '../sending/tracking/engagement.ts'
import { noteReport } from './feedback.ts'

/** `count` is what counts opens and clicks of readers. */
export function simulateReports(count: Count): JobKind<SimulatedMail> {
  return defineJob<SimulatedMail>({
    ...reportsHead,
    timeoutMs: minute,
    retryDelaysMs: [minute],
    async run(app, { workspaceId, payload: { messageId, email } }) {
      for (const report of simulatedReports(email)) await act(app, { workspaceId, messageId, count }, report)
      return { outcome: 'done' }
    },
  })
}

const feedback: Record<'delivered' | 'hard' | 'soft' | 'complaint', Feedback> = {
  delivered: { kind: 'delivered' },
  hard: { kind: 'hard', code: '5.1.1', detail: 'smtp; 550 5.1.1 no such mailbox (simulated)' },
  soft: { kind: 'soft', code: '5.2.2', detail: 'smtp; 552 5.2.2 the mailbox is full (simulated)' },
  complaint: { kind: 'complaint', detail: 'abuse' },
}

async function act(
  app: App,
  { count, ...named }: { workspaceId: string; messageId: string; count: Count },
  report: SimulatedReport,
) {
  const { messageId } = named
  switch (report) {
    case 'unsubscribe':
      return await leaveByMessage(app, messageId, 'unsubscribe_mail')
    case 'open':
      return await read(app, { messageId, what: 'open' }, count)
    case 'click': {
      const link = await findLink(app, messageId, '0')
      return link && (await read(app, { messageId, what: 'click', link }, count))
    }
    default:
      return await write(app, (tx) => applyFeedback(tx, named, feedback[report], noteReport))
  }
}

async function read(app: App, engagement: Engagement, count: Count): Promise<void> {
  await recordEngagement(app, engagement, { headers: new Headers({ 'user-agent': 'Reader' }), count })
}
