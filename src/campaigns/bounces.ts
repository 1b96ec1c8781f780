// What a bounce or a complaint about a campaign mail does: the recipient's outcome, suppression, the lists, the sender's reputation.

import type { Tx } from '../app.ts'
import type { Job } from '../outbox/job.ts'
import { suppress } from '../suppression/suppression.ts'
import { countSending } from './caps.ts'
import { noteBounce } from './reputation.ts'

/** A server said at the hand-over that there is no such mailbox. */
export async function suppressBounced(
  tx: Tx,
  job: Job<{ messageId: string; domain: string }>,
  { email, detail }: { email: string; detail: string | null },
): Promise<void> {
  const { workspaceId, payload } = job
  const { messageId, domain } = payload
  await suppress(tx, workspaceId, { email, reason: 'hardBounce', messageId, ...(detail ? { detail } : {}) })
  await countSending(tx, { workspaceId, domain }, { sent: 1 })
  await noteBounce(tx, { workspaceId, domain }, 'bounced')
}
