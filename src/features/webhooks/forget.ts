// Removes a person from the log of webhooks: events stay, but name nobody. Pending deliveries are delivered in this form.

import { sql } from 'drizzle-orm'
import { hasAddress } from '../../../db/tables/webhooks.ts'
import type { Tx } from '../../core/app.ts'

export interface Forgotten {
  workspaceId: string
  contactId: string
  email: string
  /** Replaces the address. */
  instead: string
}

/** Changes those of the next `size` events after `sequence` that are about the person. Returns the new position; null at the end. */
export async function forgetInEvents(
  tx: Tx,
  person: Forgotten,
  { after, size }: { after: number; size: number },
): Promise<number | null> {
  const rows = await tx.db.all<{ sequence: number; payload: string | null }>(
    sql`SELECT sequence, iif(instr(payload, ${person.contactId}) OR instr(lower(payload), ${written(person.email).toLowerCase()}), payload, NULL) AS payload
      FROM webhook_events WHERE workspace_id = ${person.workspaceId} AND sequence > ${after} ORDER BY sequence LIMIT ${size}`,
  )
  for (const { sequence, payload } of rows) {
    if (payload === null) continue
    const left = JSON.stringify(without(JSON.parse(payload), person))
    await tx.db.run(sql`UPDATE webhook_events SET payload = ${left} WHERE sequence = ${sequence}`)
  }
  return rows.length < size ? null : (rows.at(-1)?.sequence ?? null)
}

/**
 * Deletes responses that contain the address, because a receiver may echo it, among the next `size` that hold any, behind the delivery
 * `after`. Returns the new position; null at the end.
 */
export async function forgetInAnswers(
  tx: Tx,
  { workspaceId, email }: Forgotten,
  { after, size }: { after: string; size: number },
): Promise<string | null> {
  const [page] = await tx.db.all<{ last: string | null; seen: number }>(
    sql`SELECT max(delivery_id) AS last, count(*) AS seen FROM (SELECT delivery_id FROM webhook_attempts
      WHERE ${hasAddress} AND delivery_id > ${after} ORDER BY delivery_id LIMIT ${size})`,
  )
  if (!page?.last) return null
  await tx.db.run(
    sql`UPDATE webhook_attempts SET response = NULL WHERE ${hasAddress} AND delivery_id > ${after} AND delivery_id <= ${page.last}
      AND instr(lower(response), ${email.toLowerCase()})
      AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = delivery_id AND d.workspace_id = ${workspaceId})`,
  )
  return page.seen < size ? null : page.last
}

/** As written in JSON. */
function written(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Members with text about the person, or leading to them. */
const telling = ['contact', 'detail', 'url', 'userId', 'subject']

function without(value: unknown, person: Forgotten): unknown {
  if (typeof value === 'string')
    return value.toLowerCase().includes(person.email.toLowerCase()) ? person.instead : value
  if (Array.isArray(value)) return value.map((one) => without(one, person))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    telling.includes(name) ? emptied(member) : without(member, person),
  ])
  return Object.fromEntries(members)
}

/** Text becomes empty instead of missing, because receivers rely on the member. */
function emptied(value: unknown): unknown {
  return typeof value === 'string' ? '' : typeof value === 'object' && value !== null ? {} : value
}
