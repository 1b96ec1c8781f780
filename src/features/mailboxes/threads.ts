// The threads of a mailbox, those first that received something last. No row stands for a thread: its newest mail does, so that what is
// received and what is deleted changes nothing but mails.

import { and, type SQL, sql } from 'drizzle-orm'
import { receivedMessages } from '../../../db/tables/mailboxes.ts'
import type { App, Reader } from '../../core/app.ts'
import { toLabelKey } from './labels.ts'
import type { ReceivedMessage } from './receive.ts'
import { listPath, type PageStart, walk } from './search.ts'
import { withSnippets } from './snippets.ts'

export interface ThreadSearch {
  label?: string | undefined
  /** Those with a mail that is unread. */
  unread?: boolean | undefined
}

export interface ThreadSummary {
  /** The newest mail that was received in it. */
  last: ReceivedMessage
  /** Of the newest 20 mails, those who wrote, the last one first. */
  people: { name: string; address: string }[]
  received: number
  unread: number
  /** Replies that left. */
  sent: number
  labels: string[]
}

export interface FoundThreads {
  threads: ThreadSummary[]
  /** As for searchReceived(). */
  places: string[]
  next: string | null
}

/** Whose writers are shown; and so many mails of a thread are counted, and looked at for their labels. */
const mailsShown = 20
const mailsCounted = 1_000

export async function listThreads(
  app: App,
  mailboxId: string,
  { label, unread }: ThreadSearch,
  place: PageStart,
): Promise<FoundThreads> {
  const inThread = sql`o.mailbox_id = ${receivedMessages}.mailbox_id AND o.thread_id = ${receivedMessages}.thread_id`
  const isNewest = sql`NOT EXISTS (SELECT 1 FROM received_messages AS o WHERE ${inThread} AND o.id > ${receivedMessages}.id)`
  const isUnread = sql`EXISTS (SELECT 1 FROM received_messages AS o WHERE ${inThread} AND o.read_at IS NULL)`
  const wanted = and(
    isNewest,
    unread ? isUnread : undefined,
    label === undefined ? undefined : hasLabel(inThread, label),
  )
  const { rows, ...found } = await walk(app, listPath(mailboxId), { ...place, wanted })
  return { threads: await loadSummaries(app, mailboxId, await withSnippets(app, rows)), ...found }
}

function hasLabel(inThread: SQL, label: string): SQL {
  return sql`EXISTS (SELECT 1 FROM received_messages AS o CROSS JOIN received_labels AS l ON l.received_id = o.id
    WHERE ${inThread} AND l.label_key = ${toLabelKey(label)})`
}

async function loadSummaries({ db }: Reader, mailboxId: string, rows: ReceivedMessage[]): Promise<ThreadSummary[]> {
  if (rows.length === 0) return []
  const threads = sql`json_each(${JSON.stringify(rows.map(({ threadId }) => threadId))}) AS each`
  const newest = (most: number) => sql`(SELECT id FROM received_messages
    WHERE mailbox_id = ${mailboxId} AND thread_id = each.value ORDER BY id DESC LIMIT ${most})`
  const people = await db.all<PersonRow>(
    sql`SELECT o.thread_id AS threadId, o.from_name AS name, o.from_address AS address FROM ${threads}
      CROSS JOIN received_messages AS o ON o.id IN ${newest(mailsShown)} ORDER BY o.id DESC`,
  )
  const labels = await db.all<LabelRow>(
    sql`SELECT DISTINCT each.value AS threadId, l.label AS label FROM ${threads}
      CROSS JOIN received_labels AS l ON l.received_id IN ${newest(mailsCounted)} ORDER BY l.label_key`,
  )
  const ofThread = (columns: SQL) =>
    sql`(SELECT ${columns} FROM (SELECT read_at FROM received_messages WHERE mailbox_id = ${mailboxId} AND thread_id = each.value
      ORDER BY id DESC LIMIT ${mailsCounted}))`
  const counts = await db.all<CountRow>(
    sql`SELECT each.value AS threadId, ${ofThread(sql`count(*)`)} AS received, ${ofThread(sql`count(*) - count(read_at)`)} AS unread,
      (SELECT count(*) FROM (SELECT 1 FROM mailbox_replies WHERE thread_id = each.value AND mailbox_id = ${mailboxId}
        LIMIT ${mailsCounted})) AS sent FROM ${threads}`,
  )
  const [peopleOf, labelsOf] = [Map.groupBy(people, byThread), Map.groupBy(labels, byThread)]
  const countsOf = new Map(counts.map((row) => [row.threadId, row]))
  return rows.map((last) => {
    const { received = 1, unread = 0, sent = 0 } = countsOf.get(last.threadId) ?? {}
    const names = (labelsOf.get(last.threadId) ?? []).map(({ label }) => label)
    return { last, people: differentPeople(peopleOf.get(last.threadId) ?? []), received, unread, sent, labels: names }
  })
}

const byThread = ({ threadId }: { threadId: string }) => threadId

interface PersonRow {
  threadId: string
  name: string
  address: string
}

function differentPeople(rows: PersonRow[]): ThreadSummary['people'] {
  const each = new Map<string, ThreadSummary['people'][number]>()
  for (const { name, address } of rows) each.getOrInsert(address.toLowerCase(), { name, address })
  return [...each.values()]
}

interface CountRow {
  threadId: string
  received: number
  unread: number
  sent: number
}

interface LabelRow {
  threadId: string
  label: string
}
