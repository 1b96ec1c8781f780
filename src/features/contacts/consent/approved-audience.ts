// Records what happens to the audience of an approved campaign until it ends: who joins, who becomes reachable, and which of the values
// that its mails show are changed by somebody who may not approve. It is noted on the campaign in the transaction of the change, by one
// statement each that reads nothing back. src/features/campaigns/approval.ts reads it.

import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { campaigns } from '../../../../db/tables/campaigns.ts'
import type { Tx } from '../../../core/app.ts'
import { type ActorKind, currentActor } from '../../../kit/act.ts'
import type { Contact } from './find-contact.ts'

/** A person and the operator may approve; a visitor acts for themselves. */
const mayChange: ActorKind[] = ['person', 'operator', 'visitor']

const p = sql.placeholder

const isWatching = and(
  eq(campaigns.workspaceId, p('workspaceId')),
  isNotNull(campaigns.approvedHash),
  isNull(campaigns.endedAt),
)

const isReached = (contactId: SQL) => sql`EXISTS (SELECT 1 FROM subscriptions s WHERE s.contact_id = ${contactId}
  AND s.mailing_list_id = campaigns.mailing_list_id AND s.status = 'active')`

const joined = prepared((db: Db) =>
  db
    .update(campaigns)
    .set({ newcomers: sql`newcomers + ${p('count')}` })
    .where(
      and(
        eq(campaigns.mailingListId, p('mailingListId')),
        isNotNull(campaigns.approvedHash),
        isNull(campaigns.startedAt),
      ),
    )
    .prepare(),
)

/** So many have joined a list. */
export async function noteJoined(tx: Tx, mailingListId: string, count: number): Promise<void> {
  await joined(tx.db).run({ mailingListId, count })
}

const lifted = prepared((db: Db) =>
  db
    .update(campaigns)
    .set({ newcomers: sql`newcomers + 1` })
    .where(
      and(
        isWatching,
        isReached(
          sql`(SELECT id FROM contacts WHERE workspace_id = ${p('workspaceId')} AND email_key = ${p('emailKey')})`,
        ),
      ),
    )
    .prepare(),
)

/** An address is no longer suppressed. Each hand-over asks, so it counts until the end. */
export async function noteLifted(tx: Tx, workspaceId: string, email: string): Promise<void> {
  await lifted(tx.db).run({ workspaceId, emailKey: email.toLowerCase() })
}

/** The first of the changed fields that a campaign watches. */
const firstOf = (kind: 'shown' | 'asked') =>
  sql`(SELECT f.value FROM json_each(${p('fields')}) f
    WHERE f.value IN (SELECT w.value FROM json_each(campaigns.watched, ${sql.raw(`'$.${kind}'`)}) w) LIMIT 1)`

const changed = prepared((db: Db) => {
  const change = sql`json_object('contactId', ${p('contactId')}, 'field', ${firstOf('shown')}, 'by', json(${p('by')}))`
  return db
    .update(campaigns)
    .set({
      shownChange: sql`CASE WHEN shown_change IS NULL AND ${p('by')} IS NOT NULL AND ${firstOf('shown')} IS NOT NULL
        THEN ${change} ELSE shown_change END`,
      newcomers: sql`newcomers + (${p('reached')} OR (started_at IS NULL AND ${firstOf('asked')} IS NOT NULL))`,
    })
    .where(and(isWatching, isReached(sql`${p('contactId')}`)))
    .prepare()
})

/** A contact was changed. A contact that now matches a filter, consents or has another address is a newcomer, whoever changed it. */
export async function noteChanged(tx: Tx, before: Contact, after: Contact): Promise<void> {
  const fields = changedFields(before, after)
  if (fields.length === 0) return
  const actor = currentActor()
  const by = mayChange.includes(actor.kind) ? null : JSON.stringify(actor)
  const { id: contactId, workspaceId } = after
  const reached = Number(comesToBeReached(before, after))
  await changed(tx.db).run({ workspaceId, contactId, fields: JSON.stringify(fields), by, reached })
}

/** Nothing recorded against the previous address applies to a new one. */
function comesToBeReached(before: Contact, after: Contact): boolean {
  return after.subscribed && (!before.subscribed || before.emailKey !== after.emailKey)
}

const ownMembers = ['id', 'workspaceId', 'emailKey', 'properties', 'createdAt', 'updatedAt']

/** As templates and filters call them. */
function changedFields(before: Contact, after: Contact): string[] {
  const was = { ...before, ...before.properties } as Record<string, unknown>
  const is = { ...after, ...after.properties } as Record<string, unknown>
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !ownMembers.includes(name) && !Bun.deepEquals(was[name], is[name]) && !isLeaving(name, after),
  )
}

/** Who leaves is no newcomer. */
function isLeaving(name: string, { subscribed }: Contact): boolean {
  return name === 'subscribed' && !subscribed
}
