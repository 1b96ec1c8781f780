// Counts the mails of the time before figures were kept: in the order of their ids, a slice in each step of the retention job. Its
// position, and the moment up to which it counts, are stored with the installation and change in the same transaction as the counts.

import { eq, inArray, sql } from 'drizzle-orm'
import { installation } from '../../../../db/tables/workspaces.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { addFigures, figureNames } from './count.ts'

const name = 'figures_behind'
const mailsPerStep = 100

interface Behind {
  /** From this moment on it was counted when it happened, ms. */
  before: number
  /** The last mail that was counted. */
  after: string
}

async function whatIsBehind({ db }: Reader): Promise<Behind | null> {
  const [row] = await db.select({ value: installation.value }).from(installation).where(eq(installation.name, name))
  return row ? (JSON.parse(row.value) as Behind) : null
}

/** False while something of before is still to be counted. */
export async function isComplete(reader: Reader): Promise<boolean> {
  return (await whatIsBehind(reader)) === null
}

/** Counts the next mails. Returns how many; call until 0. */
export async function catchUp(tx: Tx): Promise<number> {
  const behind = await whatIsBehind(tx)
  if (behind === null) return 0
  const [slice] = await tx.db.all<{ last: string | null; mails: number }>(
    sql`SELECT max(id) AS last, count(*) AS mails
      FROM (SELECT id FROM messages WHERE id > ${behind.after} ORDER BY id LIMIT ${mailsPerStep})`,
  )
  if (!slice?.last) {
    await tx.db.delete(installation).where(eq(installation.name, name))
    return 0
  }
  await addFigures(tx.db, happened({ ...behind, last: slice.last }))
  const value = JSON.stringify({ ...behind, after: slice.last })
  await tx.db.update(installation).set({ value, updatedAt: tx.now }).where(eq(installation.name, name))
  return slice.mails
}

const happened = ({ before, after, last }: Behind & { last: string }) => sql`
  SELECT workspace_id, template_id, campaign_id, email, from_email, kind, happened.at, happened.figure FROM (
    SELECT message_id, at, status AS figure FROM message_events WHERE message_id > ${after} AND message_id <= ${last}
    UNION ALL SELECT message_id, opened_at, 'opened' ${ofSlice(after, last)}
    UNION ALL SELECT message_id, clicked_at, 'clicked' ${ofSlice(after, last)}
    UNION ALL SELECT message_id, machine_opened_at, 'machineOpened' ${ofSlice(after, last)}
    UNION ALL SELECT message_id, machine_clicked_at, 'machineClicked' ${ofSlice(after, last)}
  ) AS happened JOIN messages ON messages.id = happened.message_id
  WHERE happened.at < ${before} AND ${inArray(sql`happened.figure`, figureNames)}`

const ofSlice = (after: string, last: string) =>
  sql`FROM tracked_mails WHERE message_id > ${after} AND message_id <= ${last}`
