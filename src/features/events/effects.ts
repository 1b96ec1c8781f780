// What rules do at once, in the transaction of the event. A failure is recorded on the run and not on the event, because the caller must
// not be refused for a rule that somebody else made.

import { and, eq } from 'drizzle-orm'
import type { RuleRunStatus } from '../../../db/tables/events.ts'
import { mailingLists, subscriptions } from '../../../db/tables/lists.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { moveSubscription } from '../contacts/consent/subscriptions.ts'
import { upsertContact } from '../contacts/contacts.ts'
import { readContactFields } from '../contacts/fields.ts'
import { mappedValue, type Sources } from './mapping.ts'
import type { Rule } from './matching.ts'

export interface Effect {
  status: RuleRunStatus
  reason: string | null
}

const done: Effect = { status: 'done', reason: null }
const skipped = (reason: string): Effect => ({ status: 'skipped', reason })

/** Subscribes the contact, unless they have left the list before: only they themselves can rejoin. */
export async function subscribeByRule(tx: Tx, rule: Pick<Rule, 'mailingListId'>, contact: Contact): Promise<Effect> {
  const hindrance = await subscribeHindrance(tx, rule, contact)
  if (hindrance) return hindrance
  await moveSubscription(tx, contact, rule.mailingListId ?? '', 'active', { method: 'event_rule' })
  return done
}

/** Null when the rule subscribes the contact; else the result of the run. */
export async function subscribeHindrance(
  reader: Reader,
  rule: Pick<Rule, 'mailingListId'>,
  contact: Contact,
): Promise<Effect | null> {
  const listId = rule.mailingListId ?? ''
  const mine = and(eq(mailingLists.id, listId), eq(mailingLists.workspaceId, contact.workspaceId))
  const [list] = await reader.db.select().from(mailingLists).where(mine)
  if (list?.status !== 'active') return { status: 'failed', reason: 'list_gone' }
  if (list.optIn === 'double') return { status: 'failed', reason: 'double_opt_in' }
  const one = and(eq(subscriptions.contactId, contact.id), eq(subscriptions.mailingListId, listId))
  const [before] = await reader.db.select({ status: subscriptions.status }).from(subscriptions).where(one)
  if (before?.status === 'active') return done
  if (before && before.status !== 'pending') return skipped(before.status)
  return contact.subscribed ? null : skipped('unsubscribed')
}

/** Sets the properties of the rule, with values from the event filled in. */
export async function updateByRule(
  tx: Tx,
  rule: Pick<Rule, 'contactProperties'>,
  contact: Contact,
  properties: Record<string, unknown>,
): Promise<Effect> {
  const values = valuesToSet(rule, { properties, contact })
  if (Object.keys(values).length === 0) return skipped('nothing_to_set')
  try {
    const { fields } = readContactFields(values)
    await upsertContact(tx, contact.workspaceId, { ...fields, email: contact.email })
    return done
  } catch (error) {
    // A value of the wrong type for its property, refused before anything was written.
    if (error instanceof AppError) return { status: 'failed', reason: error.message }
    throw error
  }
}

/** What `update_contact` sets, by name: without what the event does not say. */
export function valuesToSet(rule: Pick<Rule, 'contactProperties'>, sources: Sources): Record<string, unknown> {
  const entries = Object.entries(rule.contactProperties).flatMap(([name, value]) => {
    const filled = value === null ? null : mappedValue(value, sources)
    return filled === undefined ? [] : [[name, filled] as const]
  })
  return Object.fromEntries(entries)
}
