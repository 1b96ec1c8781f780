// What the caller of events/send says of consent, as in the contact routes: `subscribed` and `mailingLists`, into the ledger. On a list with
// double opt-in `true` asks for the person's confirmation and never gives consent by itself.

import type { Tx } from '../app.ts'
import { recordConsent } from '../contacts/consent.ts'
import type { Upserted } from '../contacts/contacts.ts'
import type { ContactFields } from '../contacts/fields.ts'
import { getLists, type MailingList, mayChange, moveSubscription, subscriptionsOf } from '../contacts/subscriptions.ts'
import { invalidField } from '../lib/error.ts'

/** The lists that are named. Throws 422 for one that is not there or archived, before anything is written. */
export async function checkLists(
  tx: Tx,
  workspaceId: string,
  { mailingLists = {} }: ContactFields,
): Promise<MailingList[]> {
  const lists = await getLists(tx, workspaceId, Object.keys(mailingLists), 'mailingLists')
  const archived = lists.find(({ status }) => status === 'archived')
  if (!archived) return lists
  throw invalidField(`mailingLists.${archived.id}`, 'this mailing list is archived', 'archived_list')
}

export async function applyConsent(
  tx: Tx,
  { contact, before }: Upserted,
  { subscribed, mailingLists = {} }: ContactFields,
  lists: MailingList[],
): Promise<void> {
  if (subscribed !== undefined && subscribed !== before?.subscribed)
    await recordConsent(tx, contact, subscribed ? 'granted' : 'withdrawn', null, { method: 'api' })
  if (lists.length === 0) return
  const held = await subscriptionsOf(tx, contact.id)
  for (const { id, optIn } of lists) {
    const status = held.find(({ mailingListId }) => mailingListId === id)?.status
    const on = optIn === 'single' ? 'active' : 'pending'
    const to = mailingLists[id] ? on : status === 'pending' ? 'rejected' : 'unsubscribed'
    if (status === undefined || mayChange(status, to)) await moveSubscription(tx, contact, id, to, { method: 'api' })
  }
}
