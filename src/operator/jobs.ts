// Every kind of job, and every schedule. A job that is not in this list is never run.

import { deleteOldWriteTokens } from '../../db/write-tokens.ts'
import { type App, type Tx, writeInTurn } from '../core/app.ts'
import type { Config } from '../core/config.ts'
import { deleteExpiredKeys } from '../core/http/idempotency.ts'
import { deleteFullBuckets } from '../core/http/rate-limit.ts'
import { deleteFinished } from '../core/outbox/forget.ts'
import { defineJob, type JobKind } from '../core/outbox/job.ts'
import type { Schedule } from '../core/outbox/schedules.ts'
import { deleteOldFaults } from '../core/outbox/sending-faults.ts'
import { deleteAbandoned } from '../core/pieces.ts'
import { deleteOldReplies } from '../core/receivers.ts'
import { deliverCampaignMail } from '../features/campaigns/deliver.ts'
import { deleteOldPlaces } from '../features/campaigns/frequency.ts'
import { startScheduled } from '../features/campaigns/lifecycle.ts'
import { campaignPage } from '../features/campaigns/page.ts'
import { recurringOccurrence } from '../features/campaigns/recurring/occur.ts'
import { deleteOldCounts } from '../features/campaigns/reputation/caps.ts'
import { writeNotice } from '../features/campaigns/reputation/notice.ts'
import { promoteWorkspaces } from '../features/campaigns/reputation/promote.ts'
import { simulateReports } from '../features/campaigns/simulated-reports.ts'
import { chooseWinner } from '../features/campaigns/winner.ts'
import { deleteOldImports, importContacts } from '../features/contacts/imports/imports.ts'
import { keepSegments } from '../features/contacts/segments/keep.ts'
import { sweepUnowned } from '../features/content/media/store.ts'
import { deliverTemplate } from '../features/events/deliver-template.ts'
import { expireConfirmations } from '../features/lists/confirm.ts'
import { deleteOldConfirmationMails } from '../features/lists/confirmation-limits.ts'
import { deliverConfirmation } from '../features/lists/confirmation-mail.ts'
import { forwardLeave } from '../features/lists/moved-links.ts'
import { visitorOptIn } from '../features/lists/visitor.ts'
import { deleteOldMail, deleteOldRecords } from '../features/mailboxes/inbox.ts'
import { indexMail } from '../features/mailboxes/search-index.ts'
import { sourcePieces } from '../features/mailboxes/sources.ts'
import { deleteUnusedClients } from '../features/oauth/clients.ts'
import { deleteEndedTokens } from '../features/oauth/grants.ts'
import { deleteOldActions } from '../features/review/approvals/actions.ts'
import { mailApprovals } from '../features/review/approvals/link-mail.ts'
import { deleteOldLinks } from '../features/review/approvals/links.ts'
import { capturedPieces } from '../features/sending/activity/captured.ts'
import { deleteOldGroupAttachments, groupPieces } from '../features/sending/activity/groups.ts'
import { deleteOldChanges } from '../features/sending/activity/live.ts'
import { deleteOldTerms, indexActivity } from '../features/sending/activity/search-index.ts'
import { attachmentPieces, deleteOldAttachments } from '../features/sending/attachment-store.ts'
import { deliverMessage } from '../features/sending/deliver-message.ts'
import { checkDomains } from '../features/sending/domains/checks.ts'
import { deleteOldTokens } from '../features/sending/feedback/provider-hooks.ts'
import { contentPieces, deleteOldContents } from '../features/sending/own-content.ts'
import { deleteOldReports } from '../features/sending/reports/days.ts'
import { watchRequirements } from '../features/sending/reports/requirements.ts'
import { deleteOldMessages } from '../features/sending/retention.ts'
import { catchUp } from '../features/sending/stats/catch-up.ts'
import { deleteOldFigures } from '../features/sending/stats/keep.ts'
import { sequenceDatesJob } from '../features/sequences/dates.ts'
import { deliverSequenceMail } from '../features/sequences/deliver.ts'
import { countEngaged } from '../features/sequences/engagement.ts'
import { sequencePage, sequenceSignalsJob } from '../features/sequences/page.ts'
import { chooseStepWinner } from '../features/sequences/winner.ts'
import { deliverWebhook } from '../features/webhooks/deliver.ts'
import { fanOutEvent } from '../features/webhooks/fan-out.ts'
import { deleteOldDeliveries, deleteOldEvents } from '../features/webhooks/retention.ts'
import { day, minute } from '../kit/duration.ts'
import { deleteOldLines } from '../people/access/audit/retention.ts'
import { deleteEndedSessions } from '../people/access/sessions.ts'
import { deleteOldDays } from '../people/limits.ts'
import { checkLinkDomains } from '../people/links/check.ts'
import { deleteOldApprovalMails } from '../people/members/approval-mail.ts'
import { deleteOldInvitations, sendInvitation } from '../people/members/invitations.ts'
import { sendNotice } from '../people/members/owner-notice.ts'
import { deleteUsedChallenges } from '../people/sign-in/passkeys/challenge.ts'
import { rememberFirstSeen } from './attention/attention.ts'
import { clearAbandonedCopy } from './backup/abandoned.ts'
import { takeScheduledBackup } from './backup/last.ts'
import { eraseWorkspace } from './tenants/erase.ts'
import { exportJob } from './tenants/export.ts'
import { importJob } from './tenants/import.ts'
import { deleteOldTransfers } from './tenants/transfers.ts'

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
      deleteOldDays,
      deleteOldFaults,
      deleteOldReplies,
      catchUp,
      deleteOldFigures,
      deleteOldReports,
      deleteOldTokens,
      deleteEndedSessions,
      deleteEndedTokens,
      deleteOldActions,
      deleteOldLinks,
      deleteOldApprovalMails,
      deleteUnusedClients,
      deleteUsedChallenges,
      deleteOldInvitations,
      deleteOldWriteTokens,
      deleteOldChanges,
      deleteOldTransfers,
    ]
    for (const step of steps) await untilNothing(app, step, signal)
    await deleteFullBuckets(app, signal)
    await deleteOldTerms(app, signal)
    await rememberFirstSeen(app)
    await clearAbandonedCopy(app)
    await sweepUnowned(app, signal)
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
  fanOutEvent,
  sendNotice,
  sendInvitation,
  mailApprovals,
  importContacts,
  keepSegments,
  deliverCampaignMail,
  campaignPage,
  deliverSequenceMail,
  sequencePage,
  sequenceSignalsJob,
  sequenceDatesJob,
  chooseStepWinner,
  simulateReports(countEngaged),
  startScheduled,
  chooseWinner,
  recurringOccurrence,
  writeNotice,
  checkDomains,
  checkLinkDomains,
  watchRequirements,
  promoteWorkspaces,
  retention,
  indexActivity,
  indexMail,
  takeScheduledBackup,
  eraseWorkspace,
  exportJob,
  importJob,
  forwardLeave,
]

export const schedules: Schedule[] = [
  { cron: '17 * * * *', kind: retention },
  { cron: '41 3 * * *', kind: checkDomains },
  { cron: '*/10 * * * *', kind: checkLinkDomains },
  { cron: '51 3 * * *', kind: watchRequirements },
  { cron: '11 4 * * *', kind: promoteWorkspaces },
  { cron: '3 * * * *', kind: sequenceDatesJob },
  { cron: '* * * * *', kind: indexActivity },
  { cron: '*/15 * * * *', kind: indexMail },
]

/** Every schedule of an installation. */
export function listSchedules({ backup }: Config): Schedule[] {
  const backups = backup.to === undefined ? [] : [{ cron: backup.schedule, kind: takeScheduledBackup }]
  return [...schedules, ...backups]
}
