// The relay that the mail of a message takes.

import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { outboxAttempts, sendJournal } from '../../../db/tables/outbox.ts'
import type { App } from '../../core/app.ts'
import type { JobRow } from '../../core/outbox/job.ts'
import { followRelays, routeMail } from '../../core/relays.ts'
import { withoutUndefined } from '../../kit/without-undefined.ts'
import type { Path } from '../../mail/fabric.ts'
import type { MailOutcome } from '../../mail/mailer.ts'
import { aboutWhom } from '../../mail/refusal.ts'
import type { MailStream } from '../../mail/relay.ts'
import { findMail, type MailMessage, type MailRow } from './mail-rows.ts'

/** The rows of a mail, and in the same round trip the relays that there are now. */
export async function findMailAndRelays(app: App, messageId: string): Promise<MailRow | undefined> {
  const [found] = await Promise.all([findMail(app, messageId), followRelays(app)])
  return found
}

interface AttemptOfMail {
  /** It lets other mail go first. */
  bulk: boolean
  job: Pick<JobRow, 'id' | 'lastCode'>
}

/** Before the mail is composed. */
export async function findPath(
  app: App,
  message: MailMessage,
  { bulk, job }: AttemptOfMail,
): Promise<Path | MailOutcome> {
  const { workspaceId, email: to, fromEmail: from } = message
  const keeps = job.lastCode === null ? undefined : await findKept(app, job.id, message.id)
  const addressed = { workspaceId, to, from, stream: streamOf(message), bulk }
  return await routeMail(app, { ...addressed, ...withoutUndefined({ keeps }) })
}

/**
 * The relay that a mail must keep: it may have arrived through it, or a receiver has refused there who sends it. Undefined: any may take
 * it.
 */
async function findKept(app: App, jobId: string, messageId: string): Promise<string | null | undefined> {
  const [journal] = await app.db.select().from(sendJournal).where(eq(sendJournal.messageId, messageId))
  if (journal !== undefined && journal.ambiguousRetries > 0) return journal.relayId
  const [last] = await app.db
    .select()
    .from(outboxAttempts)
    .where(and(eq(outboxAttempts.jobId, jobId), isNotNull(outboxAttempts.endedAt)))
    .orderBy(desc(outboxAttempts.fence))
    .limit(1)
  const [, code, enhanced = null] = /^(\d{3})(?: (\S+))?$/.exec(last?.code ?? '') ?? []
  if (last === undefined || code === undefined) return undefined
  const about = aboutWhom({ stage: 'rcpt', code: Number(code), enhanced, text: last.detail ?? '' })
  return about === 'sender' ? last.relayId : undefined
}

function streamOf({ kind, purpose }: Pick<MailMessage, 'kind' | 'purpose'>): MailStream {
  if (kind === 'reply') return 'replies'
  const isMarketing = kind === 'campaign' || ((kind === 'rule' || kind === 'sequence') && purpose === null)
  return isMarketing ? 'marketing' : 'transactional'
}
