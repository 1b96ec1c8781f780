// What a hard bounce and a complaint mean for a person: neither is mailed again, and a complaint takes their consent back. Called in the
// transaction that settles a mail, or reads a report about one.

import type { Tx } from '../app.ts'
import { findContactByEmail } from './find-contact.ts'
import { leaveAllLists, setSubscribed } from './subscriptions.ts'
import { type Suppress, suppress } from './suppression.ts'

/** About one mail to one address. */
export type Report = Omit<Suppress, 'reason'>

/** The address does not exist: suppressed, and off every list. `subscribed` stays, for consent was not taken back. */
export async function recordHardBounce(tx: Tx, workspaceId: string, report: Report): Promise<void> {
  await suppress(tx, workspaceId, { ...report, reason: 'hardBounce' })
  const contact = await findContactByEmail(tx, workspaceId, report.email)
  if (contact) await leaveAllLists(tx, contact, { method: 'bounce' }, 'bounced')
}

/** The person called our mail spam: suppressed, unsubscribed, and off every list. */
export async function recordComplaint(
  tx: Tx,
  workspaceId: string,
  report: Report,
  method: 'complaint' | 'api' = 'complaint',
): Promise<boolean> {
  const added = await suppress(tx, workspaceId, { ...report, reason: 'complaint' })
  const contact = await findContactByEmail(tx, workspaceId, report.email)
  if (!contact) return added
  await setSubscribed(tx, contact, false, { method, action: 'complained' })
  await leaveAllLists(tx, contact, { method }, 'complained')
  return added
}
