// Every kind of job, and every schedule. A job that is not in this list is never run.

import { deleteOldWriteTokens } from '../db/write-tokens.ts'
import { capturedPieces } from './activity/captured.ts'
import { deleteOldGroupAttachments, groupPieces } from './activity/groups.ts'
import { deleteOldChanges } from './activity/live.ts'
import { deleteOldTerms, indexActivity } from './activity/search-index.ts'
import { type App, type Tx, writeInTurn } from './app.ts'
import { rememberFirstSeen } from './attention/attention.ts'
import { deleteOldLines } from './audit/retention.ts'
import { takeScheduledBackup } from './backup/last.ts'
import { deliverCampaignMail } from './campaigns/deliver.ts'
import { deleteOldPlaces } from './campaigns/frequency.ts'
import { startScheduled } from './campaigns/lifecycle.ts'
import { campaignPage } from './campaigns/page.ts'
import { simulateReports } from './campaigns/simulated-reports.ts'
import type { Config } from './config.ts'
import { checkDomains } from './domains/checks.ts'
import { deliverTemplate } from './events/deliver-template.ts'
import { deleteOldTokens } from './feedback/provider-hooks.ts'
import { deleteExpiredKeys } from './http/idempotency.ts'
import { deleteFullBuckets } from './http/rate-limit.ts'
import { deleteOldImports, importContacts } from './imports/imports.ts'
import { day, minute } from './lib/duration.ts'
import { expireConfirmations } from './lists/confirm.ts'
import { deleteOldConfirmationMails } from './lists/confirmation-limits.ts'
import { deliverConfirmation } from './lists/confirmation-mail.ts'
import { visitorOptIn } from './lists/visitor.ts'
import { deleteOldMail, deleteOldRecords } from './mailboxes/inbox.ts'
import { sourcePieces } from './mailboxes/sources.ts'
import type { Schedule } from './outbox/dispatcher.ts'
import { deleteFinished } from './outbox/forget.ts'
import { defineJob, type JobKind } from './outbox/job.ts'
import { deleteOldFaults } from './outbox/sending-faults.ts'
import { deleteAbandoned } from './pieces.ts'
import { deleteOldCounts } from './reputation/caps.ts'
import { writeNotice } from './reputation/notice.ts'
import { promoteWorkspaces } from './reputation/promote.ts'
import { attachmentPieces, deleteOldAttachments } from './sending/attachment-store.ts'
import { deliverMessage } from './sending/deliver-message.ts'
import { contentPieces, deleteOldContents } from './sending/own-content.ts'
import { deleteOldMessages } from './sending/retention.ts'
import { catchUp } from './stats/catch-up.ts'
import { deleteOldFigures } from './stats/keep.ts'
import { deliverWebhook } from './webhooks/deliver.ts'
import { deleteOldDeliveries, deleteOldEvents } from './webhooks/retention.ts'
import { deleteOldInvitations, sendInvitation } from './workspaces/invitations.ts'
import { sendNotice } from './workspaces/owner-notice.ts'
import { deleteUsedChallenges } from './workspaces/passkeys/challenge.ts'
import { deleteEndedSessions } from './workspaces/sessions.ts'

/** How long finished jobs, their attempts and journal, the attachments of sent messages and the webhook log are kept. */
const retentionMs = 30 * day
/** How long received mail and the record of tool calls are kept. */
const inboxRetentionMs = 90 * day

/** Deletes, or counts, a portion of some 200 small rows, or 8 MB; says how many. */
type Step = (tx: Tx) => Promise<number>

/** Removes what is no longer needed, in small transactions. */
const retention = defineJob<Record<string, never>>({
  kind: 'retention',
  lane: 'maintenance',
  timeoutMs: 30 * minute,
  attemptsMax: 3,
  retryDelaysMs: [5 * minute],
  async run(app, _job, { signal }) {
    const horizon = new Date(app.clock.now().getTime() - retentionMs)
    const inboxHorizon = new Date(app.clock.now().getTime() - inboxRetentionMs)
    const { messageRetentionDays: messageDays, auditRetentionDays: auditDays } = app.config
    const messageHorizon = new Date(app.clock.now().getTime() - messageDays * day)
    const auditHorizon = new Date(app.clock.now().getTime() - auditDays * day)
    const steps: Step[] = [
      (tx) => deleteFinished(tx, horizon),
      (tx) => deleteOldAttachments(tx, horizon),
      (tx) => deleteOldContents(tx, horizon),
      (tx) => deleteOldGroupAttachments(tx, horizon),
      ...(messageDays === 0 ? [] : [(tx: Tx) => deleteOldMessages(tx, messageHorizon)]),
      ...(auditDays === 0 ? [] : [(tx: Tx) => deleteOldLines(tx, auditHorizon)]),
      (tx) => deleteOldMail(tx, inboxHorizon),
      (tx) => deleteOldRecords(tx, inboxHorizon),
      (tx) => deleteOldDeliveries(tx, horizon),
      (tx) => deleteOldEvents(tx, horizon),
      deleteExpiredKeys,
      expireConfirmations,
      deleteOldConfirmationMails,
      (tx) => deleteOldImports(tx, horizon),
      deleteOldPlaces,
      deleteOldCounts,
      deleteOldFaults,
      catchUp,
      deleteOldFigures,
      deleteOldTokens,
      deleteEndedSessions,
      deleteUsedChallenges,
      deleteOldInvitations,
      deleteOldWriteTokens,
      deleteOldChanges,
    ]
    for (const step of steps) await untilNothing(app, step, signal)
    await deleteFullBuckets(app, signal)
    await deleteOldTerms(app, signal)
    await rememberFirstSeen(app)
    for (const pieces of [attachmentPieces, contentPieces, groupPieces, capturedPieces, sourcePieces])
      await deleteAbandoned(app, pieces)
    return { outcome: 'done' }
  },
})

/** A transaction ends after the portion that exceeds its time or its number of rows. */
const transactionMs = 8
const transactionRows = 800

async function untilNothing(app: App, step: Step, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await writeInTurn(app, '', (tx) => portions(tx, step))));
}

/** True when there may be more. */
async function portions(tx: Tx, step: Step): Promise<boolean> {
  const until = performance.now() + transactionMs
  for (let rows = 0; rows < transactionRows && performance.now() < until; ) {
    const gone = await step(tx)
    if (gone === 0) return false
    rows += gone
  }
  return true
}

export const jobKinds: JobKind<never>[] = [
  deliverMessage,
  deliverConfirmation,
  visitorOptIn,
  deliverTemplate,
  deliverWebhook,
  sendNotice,
  sendInvitation,
  importContacts,
  deliverCampaignMail,
  campaignPage,
  simulateReports,
  startScheduled,
  writeNotice,
  checkDomains,
  promoteWorkspaces,
  retention,
  indexActivity,
  takeScheduledBackup,
]

export const schedules: Schedule[] = [
  { cron: '17 * * * *', kind: retention },
  { cron: '41 3 * * *', kind: checkDomains },
  { cron: '11 4 * * *', kind: promoteWorkspaces },
  { cron: '* * * * *', kind: indexActivity },
]

/** Every schedule of an installation. */
export function schedulesOf({ backup }: Config): Schedule[] {
  const backups = backup.to === undefined ? [] : [{ cron: backup.schedule, kind: takeScheduledBackup }]
  return [...schedules, ...backups]
}
