// The hand-overs of many mails of one kind in a handful of statements: the kind's last look at all of them, then the journal of those
// that may leave. One transaction, so a mail whose look failed is not journalled as handing over.

import type { Tx } from '../app.ts'
import { journalHandOver, journalHandOvers } from './claim.ts'
import { type JobKind, type JobRow, LostJob } from './job.ts'

/** For each row null, or why it may not be handed over. */
export async function handOverMany(tx: Tx, kind: JobKind<unknown>, rows: JobRow[]): Promise<(Error | null)[]> {
  const verdicts = (await kind.guardMany?.(tx, rows)) ?? rows.map(() => null)
  const mails = rows.flatMap((row, index) => {
    const messageId = kind.journals?.(row.payload)
    return verdicts[index] === null && messageId !== undefined ? [{ id: row.id, fence: row.fence, messageId }] : []
  })
  const entered = await journalHandOvers(tx, mails)
  return await Promise.all(
    rows.map(async (row, index) => {
      const verdict = verdicts[index] ?? null
      const messageId = kind.journals?.(row.payload) ?? null
      if (verdict !== null || messageId === null || entered.has(messageId)) return verdict
      const held = await journalHandOver(tx, row, messageId)
      return held === 'ours' ? null : new LostJob(held)
    }),
  )
}
