// The ledger of consent: who agreed to what, when, how and in which words, and who withdrew it. Rows never change (a database trigger
// enforces it); only the erasure of a person removes them.

import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { toRows } from '../../../../db/rows.ts'
import { type ConsentAction, consentRecords } from '../../../../db/tables/lists.ts'
import type { Reader, Tx } from '../../../core/app.ts'
import { newId } from '../../../kit/id.ts'
import { type Credential, toActor } from '../../../people/access/auth.ts'
import type { Contact } from './find-contact.ts'
import { suppressionKey } from './suppression.ts'

/** How a change was made, and its proof. */
export interface Evidence {
  /**
   * `opt_in`, `confirm_page`, `one_click`, `unsubscribe_page`, `preferences_page`, `api`, `import`, `event_rule`, `bounce`, `complaint`, `provider`;
   * `unknown`: older than the ledger.
   */
  method: string
  /** The request that made it, and the API key or user of the request. */
  route?: string | null
  actorId?: string | null
  sourceId?: string | null
  consentText?: string | null
  consentTextVersion?: number | null
  ip?: string | null
  userAgent?: string | null
  url?: string | null
  /** When the person did it; default: now. */
  givenAt?: Date
}

/** A request by an API key, or by a user. */
export function byRequest(credential: Credential, route: string): Evidence {
  return { method: 'api', route, actorId: toActor(credential) }
}

type Subject = Pick<Contact, 'id' | 'workspaceId' | 'email'>

const records = toRows(getTableColumns(consentRecords))
const insert = records.adding(consentRecords, records.each)

/** `mailingListId` null: all mail of the workspace. */
export async function recordConsent(
  tx: Tx,
  contact: Subject,
  action: ConsentAction,
  mailingListId: string | null,
  evidence: Evidence,
): Promise<void> {
  await insert(tx.db, [consentRow(tx, contact, action, mailingListId, evidence)])
}

/** A ledger entry that is not stored yet. */
export function consentRow(
  tx: Tx,
  contact: Subject,
  action: ConsentAction,
  mailingListId: string | null,
  evidence: Evidence,
): typeof consentRecords.$inferSelect {
  return {
    id: newId(tx, 'cns', tx.now),
    workspaceId: contact.workspaceId,
    contactId: contact.id,
    emailHash: suppressionKey(contact.email),
    mailingListId,
    action,
    method: evidence.method,
    route: evidence.route ?? null,
    actorId: evidence.actorId ?? null,
    sourceId: evidence.sourceId ?? null,
    consentText: evidence.consentText ?? null,
    consentTextVersion: evidence.consentTextVersion ?? null,
    ip: evidence.ip ?? null,
    userAgent: evidence.userAgent ?? null,
    url: evidence.url ?? null,
    givenAt: evidence.givenAt ?? tx.now,
    createdAt: tx.now,
  }
}

const findWithdrawn = prepared((db: ReadDb) =>
  db
    .select({ emailHash: consentRecords.emailHash })
    .from(consentRecords)
    .where(
      sql`workspace_id = ${sql.placeholder('workspaceId')} AND action = 'withdrawn' AND mailing_list_id IS NULL
      AND email_hash IN (SELECT value FROM json_each(${sql.placeholder('emailHashes')}))
      AND NOT EXISTS (SELECT 1 FROM consent_records g WHERE g.contact_id = consent_records.contact_id
        AND g.id > consent_records.id AND g.mailing_list_id IS NULL AND g.action IN ('granted', 'confirmed'))`,
    )
    .prepare(),
)

/**
 * Which of these addresses (as suppressionKey()) withdrew their consent to all mail and have not given it again. The ledger outlives a
 * deleted contact: somebody who unsubscribed, was deleted and is created again is not subscribed.
 */
export async function findWithdrawnAmong(
  reader: Reader,
  workspaceId: string,
  emailHashes: string[],
): Promise<Set<string>> {
  const rows = await findWithdrawn(reader.db).all({ workspaceId, emailHashes: JSON.stringify(emailHashes) })
  return new Set(rows.map(({ emailHash }) => emailHash))
}

/** The entries of a person, oldest first. */
export async function listConsent(reader: Reader, contactId: string) {
  return await reader.db
    .select()
    .from(consentRecords)
    .where(eq(consentRecords.contactId, contactId))
    .orderBy(asc(consentRecords.id))
}
