// Which way a mail that waits takes: its receiver, and the relay that its last attempt took.

import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { messages } from '../../../db/tables/messages.ts'
import { outboxAttempts } from '../../../db/tables/outbox.ts'
import type { App } from '../../core/app.ts'
import type { JobRow } from '../../core/outbox/job.ts'
import { addressDomain } from '../../kit/email-address.ts'
import type { MailPath } from './reasons.ts'

/** Null where the job is about no mail. */
export async function findReceiver(app: App, { lane, payload }: JobRow): Promise<string | null> {
  if (!lane.startsWith('mail.') || payload === null || typeof payload !== 'object') return null
  const email = 'email' in payload ? String(payload.email) : await findEmail(app, payload)
  return email === null ? null : app.mailer.receiverOf(addressDomain(email).toLowerCase())
}

async function findEmail(app: App, payload: object): Promise<string | null> {
  if (!('messageId' in payload)) return null
  const [found] = await app.db
    .select({ email: messages.email })
    .from(messages)
    .where(eq(messages.id, String(payload.messageId)))
  return found?.email ?? null
}

/** Of a mail that was tried. */
export async function findLastPath(app: App, row: JobRow): Promise<MailPath | null> {
  const receiver = await findReceiver(app, row)
  if (receiver === null) return null
  const [last] = await app.db
    .select({ relayId: outboxAttempts.relayId })
    .from(outboxAttempts)
    .where(and(eq(outboxAttempts.jobId, row.id), isNotNull(outboxAttempts.endedAt)))
    .orderBy(desc(outboxAttempts.fence))
    .limit(1)
  return last === undefined ? { receiver } : { relayId: last.relayId, receiver }
}
