// The job that sends one mail of a campaign. Eligibility is checked again at the hand-over; a crash there leaves the mail uncertain (lane
// mail.campaign), so that nobody gets a campaign twice.

import { sql } from 'drizzle-orm'
import { type RecipientOutcome, type RecipientState, recipientOutcomes } from '../../../db/tables/campaigns.ts'
import { type App, type Tx, write } from '../../core/app.ts'
import { defineJob, type Ended as EndedOf, type Ending, type Job, type Outcome } from '../../core/outbox/job.ts'
import { suspendedCode } from '../../core/outbox/suspended.ts'
import { release } from '../../core/outbox/waiting.ts'
import { minute } from '../../kit/duration.ts'
import { erasedAddress } from '../../kit/email-address.ts'
import { attemptTrace } from '../../kit/trace.ts'
import type { Path } from '../../mail/fabric.ts'
import { isSimulated } from '../../mail/simulator.ts'
import { publicBase } from '../../people/links/base.ts'
import { getRevision } from '../content/templates/resolve.ts'
import { loadOwners, markInProgress, recordStatuses } from '../sending/activity/activity.ts'
import { buildMail } from '../sending/compose.ts'
import { recordTaken } from '../sending/feedback/soft-bounces.ts'
import { listUnsubscribe } from '../sending/list-unsubscribe.ts'
import type { MailRow } from '../sending/mail-rows.ts'
import { mailThrottle } from '../sending/mail-throttle.ts'
import {
  held,
  isSoftBounce,
  mailRetryDelaysMs,
  putOff,
  sendMail,
  throttled,
  toJobResult,
  toStatus,
} from '../sending/outcome.ts'
import { findMailAndRelays, findPath } from '../sending/path.ts'
import { countSent, noteSize } from '../sending/sent-bytes.ts'
import { enqueueReports } from '../sending/simulated.ts'
import { tracked, trackingValues } from '../sending/tracking/links.ts'
import { toPauseReason } from './approval.ts'
import { type Facts, findObjection, loadFacts, type OutcomeReason } from './eligibility.ts'
import { noteRefusal } from './feedback.ts'
import { refillBelow } from './fill-window.ts'
import { type CountedMail, giveBackFrequencyPlaces, takeFrequencyPlaces } from './frequency.ts'
import { endIfComplete, type Moved, moveManyToSent, moveRecipient } from './ledger.ts'
import { pauseSending } from './pause.ts'
import { countSending } from './reputation/caps.ts'
import { getSendContext, type SendContext } from './send-context.ts'
import { deliveryLane, wakePages } from './wake.ts'

export interface DeliverCampaignMail {
  messageId: string
  campaignId: string
  contactId: string
  /** Domain of the sender, for the counts. */
  domain: string
  /** The recipient. */
  email: string
}

/** Longer than connecting, the commands and the 10 minutes that the final reply may take (RFC 5321, 4.5.3.2.6). */
const timeoutMs = 16 * minute
const halted = 'halted'

export const deliverCampaignMail = defineJob<DeliverCampaignMail>({
  kind: 'deliver-campaign-mail',
  lane: deliveryLane,
  timeoutMs,
  attemptsMax: mailRetryDelaysMs.length + 1,
  retryDelaysMs: mailRetryDelaysMs,
  throttle: mailThrottle,
  journals: ({ messageId }) => messageId,

  async run(app, job, control) {
    const { messageId, campaignId } = job.payload
    const found = await findMailAndRelays(app, messageId)
    if (!found?.message.revisionId)
      return { outcome: 'dead', code: 'message_gone', detail: 'the message no longer exists' }
    const path = await findPath(app, found.message, { bulk: true, job })
    if ('outcome' in path) return toJobResult(path, false)
    const context = await getSendContext(app, job.workspaceId, campaignId)
    const { refusal } = context
    if (refusal !== null) {
      await write(app, (tx) => pauseSending(tx, context.campaign, toPauseReason(refusal)))
      return waitWhilePaused
    }
    const mail = await composeCampaignMail(app, context, { ...found, path })
    noteSize(job, found, mail.raw.bytes)
    return (await sendMail(app, mail, control, { attempt: job.attempt, bulk: true, ...path })).result
  },

  guard: checkHandOvers,

  async ended(tx, ended) {
    const [sent, others] = [ended.filter(isSent), ended.filter((one) => !isSent(one))]
    if (sent.length > 0) await recordSent(tx, sent)
    for (const { job, ending } of others) await recordEnding(tx, job, ending)
  },
})

type Ended = EndedOf<DeliverCampaignMail>

const isSent = ({ ending }: Ended) => ending.state === 'done'

/** The common case: accepted at once. */
async function recordSent(tx: Tx, ended: Ended[]): Promise<void> {
  const kind = 'campaign'
  await recordStatuses(
    tx,
    ended.map(({ job, ending: { code, detail, jobId } }) => {
      const { workspaceId, payload, attempt: attempts } = job
      const trace = attemptTrace(job)
      return { workspaceId, kind, messageId: payload.messageId, jobId, status: 'sent', attempts, code, detail, trace }
    }),
  )
  const mails = ended.map(({ job: { workspaceId, payload } }) => ({ workspaceId, ...payload }))
  await countSent(tx, ended)
  await recordTaken(tx, mails)
  await enqueueReports(tx, mails)
  for (const [campaignId, same] of Map.groupBy(ended, ({ job }) => job.payload.campaignId)) {
    const [first] = same
    if (!first) continue
    const real = same.filter(({ job }) => !isSimulated(job.payload.email))
    await countSending(tx, toSending(first.job), { sent: real.length })
    const contactIds = same.map(({ job }) => job.payload.contactId)
    const { others, sending } = await moveManyToSent(tx, campaignId, contactIds)
    for (const { job } of same.filter((one) => others.includes(one.job.payload.contactId)))
      await move(tx, job, 'sent', null)
    const taken = same.length - others.length
    // A group may have jumped past the mark.
    if (sending !== null && (sending === 0 || (sending <= refillBelow && sending + taken > refillBelow)))
      await wakePages(tx, { workspaceId: first.job.workspaceId, campaignId })
    if (sending === 0) await endIfComplete(tx, campaignId)
  }
}

async function recordEnding(tx: Tx, job: Job<DeliverCampaignMail>, ending: Ending): Promise<void> {
  const { messageId, contactId } = job.payload
  if (ending.state === 'held' || (ending.state === 'pending' && !ending.mayHaveArrived && isGivenBack(ending.code)))
    return giveBack(tx, job, ending)
  const state = toState(ending)
  const { code, detail, jobId } = ending
  const status = toStatus(ending)
  const email = (await loadOwners(tx, [messageId])).get(messageId)?.email ?? null
  const trace = attemptTrace(job)
  await recordStatuses(tx, [{ ...ofMessage(job), jobId, status, attempts: job.attempt, code, detail, trace }])
  if (state !== 'uncertain' && state !== 'delayed') {
    await giveBackFrequencyPlaces(tx, [{ workspaceId: job.workspaceId, contactId, messageId }])
    await countSending(tx, { ...toSending(job), at: job.createdAt }, { reserved: -1 })
  }
  if (email !== null && email !== erasedAddress) {
    const kind = state === 'bounced' ? 'hard' : state === 'failed' && isSoftBounce(code) ? 'soft' : null
    if (kind !== null) await noteRefusal(tx, job, { kind, email, detail })
  }
  await move(tx, job, state, toReason(ending))
}

/** The mail with its unsubscribe links: in the text, and as headers that the signature covers (RFC 8058). */
async function composeCampaignMail(
  app: App,
  { campaign, workspace, keys, tracking }: SendContext,
  { message, contact, path }: MailRow & { path: Path },
) {
  const { workspaceId, contactId, id: messageId } = message
  const { mailingListId } = campaign
  const base = publicBase(app.config, workspace)
  const out = await listUnsubscribe(app, base, { workspaceId, contactId: contactId ?? '', mailingListId, messageId })
  const { compiled } = await getRevision(app, message.revisionId ?? '', workspace.brand, 'marketing')
  return await buildMail(app, {
    message,
    workspace,
    compiled: tracking === null ? compiled : tracked(compiled, tracking),
    contact,
    attachments: [],
    path,
    keys,
    values: tracking === null ? out.values : { ...out.values, ...trackingValues(app, base, messageId) },
    headers: { ...out.headers, Precedence: 'bulk' },
  })
}

/** For each job null, or why its mail may not be sent. */
async function checkHandOvers(tx: Tx, jobs: Job<DeliverCampaignMail>[]): Promise<(Outcome | null)[]> {
  const refused = new Map<string, Outcome | null>()
  for (const round of toRounds(jobs)) {
    const places: CountedMail[] = []
    for (const same of Map.groupBy(round, ({ payload }) => payload.campaignId).values()) {
      for (const facts of await loadJobFacts(tx, same)) {
        const { id, workspaceId, payload } = facts.candidate.job
        const refusal = findRefusal(facts, tx.now)
        refused.set(id, refusal)
        if (refusal === null) places.push({ workspaceId, contactId: payload.contactId, messageId: payload.messageId })
      }
    }
    await takeFrequencyPlaces(tx, places)
  }
  return jobs.map(({ id }) => {
    const verdict = refused.get(id)
    if (verdict === undefined) throw new Error('no facts were found of a mail')
    return verdict
  })
}

/** Two mails may be handed over to one person at the same moment; the second is checked after the first is recorded. */
export function toRounds<J extends { payload: { contactId: string } }>(jobs: J[]): J[][] {
  const ofContact = Map.groupBy(jobs, ({ payload }) => payload.contactId)
  const rounds = Math.max(0, ...ofContact.values().map((own) => own.length))
  return Array.from({ length: rounds }, (_, round) => [...ofContact.values()].flatMap((own) => own[round] ?? []))
}

async function loadJobFacts(tx: Tx, jobs: Job<DeliverCampaignMail>[]) {
  const [first] = jobs
  if (!first) return []
  const campaign = { id: first.payload.campaignId, workspaceId: first.workspaceId }
  const candidates = jobs.map((job) => {
    const { contactId, messageId, email } = job.payload
    return { contactId, messageId, email, job }
  })
  return await loadFacts(tx, campaign, candidates, tx.now)
}

const waitWhilePaused: Outcome = { outcome: 'hold', code: halted, detail: 'the campaign is paused' }

/** Null for a mail that may be sent. */
function findRefusal(facts: Facts, now: Date): Outcome | null {
  if (facts.campaign.status === 'cancelled') return cancelledFor({ outcome: 'cancelled', reason: 'campaign_cancelled' })
  if (facts.campaign.status === 'paused') return waitWhilePaused
  // Its end was written already; to hold the mail would be to try it again at once, for ever.
  if (facts.campaign.status !== 'sending') return cancelledFor({ outcome: 'cancelled', reason: 'campaign_ended' })
  const objection = findObjection(facts, now)
  return objection === null ? null : cancelledFor(objection)
}

function cancelledFor({ outcome, reason }: { outcome: RecipientOutcome; reason: OutcomeReason }): Outcome {
  return { outcome: 'cancelled', code: outcome, detail: reason }
}

function ofMessage({ workspaceId, payload }: Job<DeliverCampaignMail>) {
  return { workspaceId, kind: 'campaign', messageId: payload.messageId } as const
}

/** Not tried, through no fault of its own. */
function isGivenBack(code: string | null): boolean {
  return code !== null && ['stopped', putOff, suspendedCode, throttled, held].includes(code)
}

async function giveBack(tx: Tx, job: Job<DeliverCampaignMail>, { state, code, detail, jobId }: Ending): Promise<void> {
  const { messageId, campaignId } = job.payload
  const attempts = job.attempt - 1
  if (code === throttled || code === held) {
    await recordStatuses(tx, [{ ...ofMessage(job), jobId, status: 'delayed', attempts, code, detail }])
    await move(tx, job, 'delayed', code)
    return
  }
  await markInProgress(tx, [{ messageId, jobId, status: 'queued', attempts }])
  if (state !== 'held') return
  const [campaign] = await tx.db.all<{ status: string }>(
    sql`SELECT status AS status FROM campaigns WHERE id = ${campaignId}`,
  )
  // The campaign was resumed between the hand-over and this end.
  if (campaign?.status !== 'paused') await release(tx, job, jobId)
}

function toSending({ workspaceId, payload }: Job<DeliverCampaignMail>) {
  return { workspaceId, domain: payload.domain }
}

/** A mail that was cancelled has the outcome that its refusal names. */
function toState(ending: Ending): RecipientState {
  return (ending.state === 'cancelled' ? outcomeNamed(ending.code) : undefined) ?? toStatus(ending)
}

function outcomeNamed(code: string | null): RecipientOutcome | undefined {
  return recipientOutcomes.find((outcome) => outcome === code)
}

function toReason({ state, code, detail }: Ending): string | null {
  return state === 'done' ? null : state === 'cancelled' ? (detail ?? code) : code
}

async function move(tx: Tx, job: Job<DeliverCampaignMail>, to: RecipientState, reason: string | null): Promise<void> {
  const { campaignId, contactId } = job.payload
  const moved = await moveRecipient(tx, { campaignId, contactId, to, reason })
  if (!moved) return
  if (wantsMore(moved)) await wakePages(tx, { workspaceId: job.workspaceId, campaignId })
  if (moved.closed && (moved.sending === 0 || moved.from === 'delayed')) await endIfComplete(tx, campaignId)
}

/** The window of prepared mails runs low. */
function wantsMore({ sending }: Moved): boolean {
  return sending !== null && (sending === refillBelow || sending === 0)
}
