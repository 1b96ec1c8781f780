// Plain-text notices by the installation to the owners of a workspace: something has stopped. They are not messages of the workspace (no
// template, no activity, no suppression), so they have a job of their own.

import { and, eq } from 'drizzle-orm'
import { members, users } from '../../../db/tables/workspaces.ts'
import type { App, Tx } from '../../core/app.ts'
import { enqueueMany } from '../../core/outbox/enqueue.ts'
import { defineJob, type Job, type JobControl, type JobResult } from '../../core/outbox/job.ts'
import { routeMail } from '../../core/relays.ts'
import { hour, minute } from '../../kit/duration.ts'
import { addressDomain } from '../../kit/email-address.ts'
import type { MailOutcome, OutgoingMail } from '../../mail/mailer.ts'
import { plainTextMail } from '../../mail/plain-text.ts'
import { aboutWhom, isAboutUs } from '../../mail/refusal.ts'

export interface Notice {
  subject: string
  text: string
}

/** A notice to one address. */
export interface AddressedNotice extends Notice {
  email: string
}

const retryDelaysMs = [minute, 10 * minute, hour, 6 * hour, 12 * hour]

/** What all jobs that mail a notice share. */
export const noticeJob = {
  lane: 'mail.tx',
  timeoutMs: 16 * minute,
  attemptsMax: retryDelaysMs.length + 1,
  retryDelaysMs,
} as const

export const sendNotice = defineJob<AddressedNotice>({
  kind: 'send-notice',
  ...noticeJob,
  run: (app, job, control) => mailNotice(app, job, control, job.payload),
})

/** Sends one notice. */
export async function mailNotice(
  app: App,
  { id, workspaceId, createdAt, attempt }: Job<unknown>,
  { signal, handOver }: JobControl,
  { email, subject, text }: AddressedNotice,
): Promise<JobResult> {
  const from = app.config.mailFrom
  const messageId = `${id}@${addressDomain(from.address)}`
  const path = await routeMail(app, {
    workspaceId,
    to: email,
    from: from.address,
    stream: 'transactional',
    bulk: false,
  })
  const raw = plainTextMail({ from, to: email, subject, text, messageId, date: createdAt })
  const mail: OutgoingMail = { workspaceId, envelope: { from: from.address, to: email }, messageId, raw }
  if ('outcome' in path) return toJobResult(path, attempt)
  const beforeFinalDot = async () => (await handOver()) === null
  return toJobResult(await app.mailer.send(mail, { beforeFinalDot, signal, giveBack: path.giveBack }, path), attempt)
}

/** After this many hand-overs it has most likely arrived. */
const handOversMax = 3

function toJobResult(outcome: MailOutcome, attempt: number): JobResult {
  const told = { code: outcome.outcome, detail: JSON.stringify(outcome) }
  switch (outcome.outcome) {
    case 'accepted':
      return { outcome: 'done', detail: outcome.reply }
    case 'held':
    case 'put_off':
      return { ...told, outcome: 'defer', delayMs: outcome.waitMs }
    case 'refused':
      if (outcome.permanent && !isAboutUs(aboutWhom({ ...outcome, text: outcome.reply })))
        return { ...told, outcome: 'dead' }
      return { ...told, outcome: 'retry' }
    case 'uncertain':
      return { ...told, outcome: attempt < handOversMax ? 'retry' : 'dead' }
    default:
      return { ...told, outcome: 'retry' }
  }
}

/** One mail to each owner, after the commit. */
export async function noticeToOwners(tx: Tx, workspaceId: string, notice: Notice): Promise<void> {
  const owners = await tx.db
    .select({ email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.workspaceId, workspaceId), eq(members.role, 'owner')))
  await enqueueMany(
    tx,
    sendNotice,
    owners.map(({ email }) => ({ workspaceId, payload: { ...notice, email } })),
  )
}
