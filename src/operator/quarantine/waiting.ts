// The mails that wait in a held database, one by one, so that a person can judge which of them have left already.

import { inArray } from 'drizzle-orm'
import { messages } from '../../../db/tables/messages.ts'
import type { Reader } from '../../core/app.ts'
import type { JobRow } from '../../core/outbox/job.ts'
import { leavingLanes } from '../../core/outbox/lanes.ts'
import type { Kinds } from '../../core/outbox/waiting.ts'
import { countJobs, listNextJobs } from '../outbox/jobs.ts'
import { type Cutoff, mayHaveLeftBy } from './resume.ts'

export interface WaitingMail {
  job: JobRow
  mayHaveLeft: boolean
  /** Null for what only becomes a mail when it runs: an event's mail for later, the sign-up of a visitor, a notice to owners. */
  message: { id: string; email: string; subject: string } | null
}

interface JobScope {
  workspaceId: string
  kinds: Kinds
}

const states = ['pending', 'running'] as const

/** The first to fall due first; `after` is the id of the last job of the previous page. */
export async function listWaitingMails(
  reader: Reader,
  of: JobScope,
  { cutoff, ...page }: { cutoff: Cutoff; after: string | undefined; limit: number },
): Promise<WaitingMail[]> {
  const jobs = await listNextJobs(reader, withMails(of), { ...page, states })
  const ids = jobs.flatMap(({ payload }) => readMessageId(payload) ?? [])
  const { id, email, subject } = messages
  const found = await reader.db.select({ id, email, subject }).from(messages).where(inArray(messages.id, ids))
  return jobs.map((job) => ({
    job,
    mayHaveLeft: mayHaveLeftBy(job, cutoff),
    message: found.find((one) => one.id === readMessageId(job.payload)) ?? null,
  }))
}

export async function countWaitingMails(reader: Reader, of: JobScope): Promise<number> {
  return await countJobs(reader, withMails(of), { states })
}

/** Webhooks are no mails: they are counted only. */
function withMails({ workspaceId, kinds }: JobScope): JobScope {
  return { workspaceId, kinds: kinds.filter(({ lane }) => lane !== 'webhook' && leavingLanes.includes(lane)) }
}

function readMessageId(payload: unknown): string | null {
  if (payload === null || typeof payload !== 'object' || !('messageId' in payload)) return null
  return typeof payload.messageId === 'string' ? payload.messageId : null
}
