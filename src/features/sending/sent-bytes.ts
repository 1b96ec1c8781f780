// The bytes of mails that a mail server took, in the usage of workspaces with limits. The process that composed a mail knows them; of one
// that another process handed over none are counted.

import type { Tx } from '../../core/app.ts'
import type { Ended } from '../../core/outbox/job.ts'
import { addSentBytes } from '../../people/limits.ts'
import type { MailRow } from './mail-rows.ts'

const sizes = new WeakMap<object, number>()

/** Of the mail that `job` is about to hand over. */
export function noteSize(job: object, { isCounted }: Pick<MailRow, 'isCounted'>, bytes: number): void {
  if (isCounted) sizes.set(job, bytes)
}

/** One statement for all whose mails were taken; none where no workspace has limits. */
export async function countSent(tx: Tx, ended: Ended<unknown>[]): Promise<void> {
  const bytes = new Map<string, number>()
  for (const { job, ending } of ended) {
    const size = sizes.get(job)
    if (ending.state === 'done' && size !== undefined)
      bytes.set(job.workspaceId, (bytes.get(job.workspaceId) ?? 0) + size)
  }
  if (bytes.size > 0) await addSentBytes(tx, bytes)
}
