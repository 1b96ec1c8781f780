// Many messages of one sender at once, each with its job: what acceptMessage() does, in two statements. The caller has asked about
// suppression; it is asked again before each final dot.

import { sql } from 'drizzle-orm'
import type { Db } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { messages } from '../../db/tables/messages.ts'
import type { Message } from '../activity/activity.ts'
import { publishEmails } from '../activity/email-events.ts'
import type { Tx } from '../app.ts'
import { addressDomain } from '../lib/email-address.ts'
import { enqueueMany, type JobHead } from '../outbox/enqueue.ts'

export interface ManyMessages<P>
  extends Pick<Message, 'workspaceId' | 'kind' | 'campaignId' | 'fromName' | 'fromEmail' | 'replyTo' | 'templateId'> {
  partitionKey: string
  messages: (Pick<Message, 'id' | 'email' | 'contactId' | 'revisionId' | 'subject' | 'locale'> & { payload: P })[]
}

// Columns in the order of the table: INSERT … SELECT names none of them.
const insertMessages = prepared((db: Db) => {
  const p = sql.placeholder
  return db
    .insert(messages)
    .select(
      sql`SELECT value ->> 0, ${p('workspaceId')}, ${p('kind')}, 'queued', value ->> 1, value ->> 2, ${p('templateId')}, value ->> 3,
        ${p('campaignId')}, NULL, value ->> 4, value ->> 5, ${p('fromName')}, ${p('fromEmail')}, ${p('replyTo')}, NULL, '{}', NULL, NULL,
        value ->> 0 || '@' || ${p('domain')}, NULL, value ->> 6, 0, ${p('now')}, ${p('now')} FROM json_each(${p('rows')})`,
    )
    .prepare()
})

export async function acceptMany<P>(tx: Tx, kind: JobHead<P>, many: ManyMessages<P>): Promise<void> {
  const now = tx.now.getTime()
  const { workspaceId, campaignId, fromName, fromEmail, replyTo, templateId, partitionKey } = many
  const jobs = many.messages.map(({ payload }) => ({ workspaceId, partitionKey, payload }))
  const jobIds = await enqueueMany(tx, kind, jobs)
  await insertMessages(tx.db).run({
    workspaceId,
    kind: many.kind,
    campaignId,
    templateId,
    fromName,
    fromEmail,
    replyTo,
    domain: addressDomain(fromEmail),
    now,
    rows: JSON.stringify(
      many.messages.map(({ id, email, contactId, revisionId, subject, locale }, index) => [
        id,
        email,
        contactId,
        revisionId,
        subject,
        locale,
        jobIds[index],
      ]),
    ),
  })
  const queued = { workspaceId, kind: many.kind, status: 'queued', code: null, detail: null } as const
  await publishEmails(
    tx,
    many.messages.map(({ id }) => ({ ...queued, messageId: id })),
  )
}
