// Figures over time beside the rows that they are about: what differs, in words. Written without the statements that keep them.

import { sql } from 'drizzle-orm'
import type { App } from '../../src/core/app.ts'

type Row = Record<string, unknown>
export type Ask = (query: string) => Promise<Row[]>

const figures = ['sent', 'delivered', 'bounced', 'complained', 'suppressed', 'failed']
const engagements = ['opened', 'clicked', 'machine_opened', 'machine_clicked']
const dayMs = 86_400_000

export const askApp =
  (app: App): Ask =>
  async (query) =>
    await app.db.all<Row>(sql.raw(query))

/** Nothing where every figure is the count of its mails, and no other row is there. */
export async function miscounted(ask: Ask): Promise<string[]> {
  const counts = new Map<string, number>()
  const mails = new Map((await ask('SELECT * FROM messages')).map((mail) => [mail['id'], mail]))
  for (const { message_id, status, at } of await ask('SELECT * FROM message_events'))
    if (figures.includes(String(status))) count(counts, mails.get(message_id), String(status), Number(at))
  for (const tracked of await ask('SELECT * FROM tracked_mails'))
    for (const name of engagements)
      if (tracked[`${name}_at`] !== null)
        count(counts, mails.get(tracked['message_id']), name, Number(tracked[`${name}_at`]))
  const kept = new Map<string, number>()
  for (const row of await ask('SELECT * FROM figures')) {
    const { workspace_id, dimension, bucket, at, value } = row
    for (const name of [...figures, ...engagements])
      if (row[name] !== 0) kept.set([workspace_id, dimension, bucket, at, value, name].join(' '), Number(row[name]))
  }
  const keys = new Set([...counts.keys(), ...kept.keys()])
  return [...keys].flatMap((key) => {
    const [is, shallBe] = [kept.get(key) ?? 0, counts.get(key) ?? 0]
    return is === shallBe ? [] : [`${key}: ${is} instead of ${shallBe}`]
  })
}

function count(counts: Map<string, number>, mail: Row | undefined, name: string, at: number): void {
  if (!mail || mail['kind'] === 'test') return
  const [hour, day] = [at - (at % (dayMs / 24)), at - (at % dayMs)]
  const month = Date.parse(`${new Date(at).toISOString().slice(0, 7)}-01T00:00:00Z`)
  const add = (dimension: string, bucket: string, begin: number, value: unknown) => {
    const key = [mail['workspace_id'], dimension, bucket, begin, value, name].join(' ')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const about = { all: '', template: mail['template_id'], campaign: mail['campaign_id'] }
  for (const [dimension, value] of Object.entries(about))
    if (value !== null)
      for (const [bucket, begin] of Object.entries({ hour, day, month })) add(dimension, bucket, begin, value)
  const domain = String(mail['email']).split('@')[1]?.toLowerCase()
  if (domain !== 'erased.invalid') add('domain', 'day', day, domain)
  add('sender', 'day', day, String(mail['from_email']).split('@')[1]?.toLowerCase())
}
