// Labels of received mail. A label is of one mail, as in Gmail and AgentMail: a later mail of the thread is new and is to be looked at, though
// the one before is done. A thread shows the labels of all of its mails.

import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { toRows } from '../../../db/rows.ts'
import { receivedLabels, receivedMessages } from '../../../db/tables/mailboxes.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { invalidField } from '../../kit/error.ts'
import { visible } from '../../kit/visible.ts'
import { markRead, noMessage } from './inbox.ts'

export const maxLabelChars = 50
export const maxLabelsPerMail = 20
/** Different ones, so that their list stays readable. */
const maxLabelsPerMailbox = 200
export const maxLabelledAtOnce = 50

export interface Labelling {
  messageIds: string[]
  add?: string[] | undefined
  remove?: string[] | undefined
  /** True marks the mails as read, false as unread. */
  read?: boolean | undefined
}

export interface LabelCount {
  label: string
  /** How many mails have it. */
  messages: number
}

/** A request never counts more than this. */
const maxCounted = 10_000

/** The labels of a mailbox in their order; of one, at most 10,000 mails are counted. */
export async function listLabels(reader: Reader, mailboxId: string): Promise<LabelCount[]> {
  const isIt = sql`mailbox_id = ${mailboxId} AND label_key = each.key`
  const counted = sql`(SELECT count(*) FROM (SELECT 1 FROM received_labels WHERE ${isIt} LIMIT ${maxCounted}))`
  return await reader.db.all<LabelCount>(knownLabels(mailboxId, counted))
}

/** From one label to the next, however many mails have it. */
function knownLabels(mailboxId: string, messages: SQL): SQL {
  return sql`WITH RECURSIVE each (key) AS (
      SELECT min(label_key) FROM received_labels WHERE mailbox_id = ${mailboxId}
      UNION ALL SELECT (SELECT min(label_key) FROM received_labels WHERE mailbox_id = ${mailboxId} AND label_key > each.key)
      FROM each WHERE each.key IS NOT NULL)
    SELECT (SELECT label FROM received_labels WHERE mailbox_id = ${mailboxId} AND label_key = each.key LIMIT 1) AS label,
      ${messages} AS messages FROM each WHERE each.key IS NOT NULL`
}

/** The labels of each of these mails that has one, in their order. */
export async function loadLabels(reader: Reader, receivedIds: string[]): Promise<Map<string, string[]>> {
  if (receivedIds.length === 0) return new Map()
  const rows = await reader.db
    .select({ receivedId: receivedLabels.receivedId, label: receivedLabels.label })
    .from(receivedLabels)
    .where(inArray(receivedLabels.receivedId, receivedIds))
    .orderBy(asc(receivedLabels.labelKey))
  const each = Map.groupBy(rows, ({ receivedId }) => receivedId)
  return new Map([...each].map(([id, own]) => [id, own.map(({ label }) => label)]))
}

/** All or nothing. Throws `not_found` for a mail of another mailbox, and 422 for what is too much. */
export async function labelMail(tx: Tx, mailboxId: string, { messageIds, add = [], remove = [], read }: Labelling) {
  const ids = [...new Set(messageIds)]
  await requireMessages(tx, mailboxId, ids)
  const added = await asWritten(tx, mailboxId, toLabels('add', add))
  const removed = toLabels('remove', remove)
  const both = [...removed.keys()].find((key) => added.has(key))
  if (both !== undefined) throw invalidField('remove', 'names a label that is also added', 'contradiction')
  if (removed.size > 0) await removeLabels(tx, mailboxId, { ids, keys: [...removed.keys()] })
  if (added.size > 0) await addLabels(tx, mailboxId, { ids, added })
  if (read !== undefined) for (const id of ids) await markRead(tx, id, read)
}

/** How a label is compared. */
export function toLabelKey(label: string): string {
  return toLabel(label).toLowerCase()
}

function toLabel(given: string): string {
  return given.normalize('NFC').trim().replace(/\s+/g, ' ')
}

/** By key. Throws 422. */
function toLabels(path: string, given: string[]): Map<string, string> {
  const labels = given.map(toLabel)
  const wrong = labels.findIndex((label) => label === '' || label.length > maxLabelChars || visible(label) !== label)
  if (wrong === -1) return new Map(labels.map((label) => [toLabelKey(label), label]))
  throw invalidField(`${path}.${wrong}`, `must have 1 to ${maxLabelChars} visible characters`, 'invalid_label')
}

async function requireMessages(tx: Tx, mailboxId: string, ids: string[]): Promise<void> {
  const rows = await tx.db
    .select({ id: receivedMessages.id })
    .from(receivedMessages)
    .where(and(eq(receivedMessages.mailboxId, mailboxId), inArray(receivedMessages.id, ids)))
  const known = new Set(rows.map(({ id }) => id))
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw noMessage(missing)
}

/** A label keeps the case in which the mailbox knows it. */
async function asWritten(tx: Tx, mailboxId: string, added: Map<string, string>): Promise<Map<string, string>> {
  if (added.size === 0) return added
  const rows = await tx.db.all<{ label: string }>(knownLabels(mailboxId, sql`0`))
  const known = new Map(rows.map(({ label }) => [toLabelKey(label), label]))
  const fresh = [...added.keys()].filter((key) => !known.has(key))
  if (fresh.length > 0 && known.size + fresh.length > maxLabelsPerMailbox) {
    const message = `the mailbox would have ${known.size + fresh.length} different labels, at most ${maxLabelsPerMailbox}`
    throw invalidField('add', message, 'too_many_labels')
  }
  return new Map([...added].map(([key, label]) => [key, known.get(key) ?? label]))
}

async function removeLabels(tx: Tx, mailboxId: string, { ids, keys }: { ids: string[]; keys: string[] }) {
  const { labelKey, receivedId } = receivedLabels
  await tx.db
    .delete(receivedLabels)
    .where(and(eq(receivedLabels.mailboxId, mailboxId), inArray(labelKey, keys), inArray(receivedId, ids)))
}

const labelled = toRows(
  { labelKey: receivedLabels.labelKey, receivedId: receivedLabels.receivedId, label: receivedLabels.label },
  { mailboxId: receivedLabels.mailboxId, createdAt: receivedLabels.createdAt },
)
const insertLabels = prepared((db: Db) =>
  labelled
    .insertInto(db, receivedLabels, { ...labelled.each, ...labelled.shared })
    .onConflictDoNothing()
    .prepare(),
)

async function addLabels(
  tx: Tx,
  mailboxId: string,
  { ids, added }: { ids: string[]; added: Map<string, string> },
): Promise<void> {
  const rows = ids.flatMap((receivedId) => [...added].map(([labelKey, label]) => ({ labelKey, receivedId, label })))
  await insertLabels(tx.db).run(labelled.given(rows, { mailboxId, createdAt: tx.now }))
  const [full] = await tx.db
    .select({ id: receivedLabels.receivedId, labels: count() })
    .from(receivedLabels)
    .where(inArray(receivedLabels.receivedId, ids))
    .groupBy(receivedLabels.receivedId)
    .having(sql`count(*) > ${maxLabelsPerMail}`)
    .limit(1)
  if (!full) return
  throw invalidField(
    'add',
    `message ${full.id} would have ${full.labels} labels, at most ${maxLabelsPerMail}`,
    'too_many_labels',
  )
}
