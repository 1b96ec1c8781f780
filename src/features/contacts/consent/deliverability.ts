// What a hard bounce or a complaint means for a person: they are not mailed again, and a complaint withdraws their consent. Called in the
// transaction that completes a mail or processes a report about one.

import type { Tx } from '../../../core/app.ts'
import { isReusable } from '../../../mail/simulator.ts'
import { noteSignals, signalOf } from '../../signals.ts'
import { findContactByEmail } from './find-contact.ts'
import { leaveAllLists, setSubscribed } from './subscriptions.ts'
import { type Suppress, suppress } from './suppression.ts'

/** Concerns one mail to one address. */
export type Report = Omit<Suppress, 'reason'>

/** The address does not exist: it is suppressed and removed from every list. `subscribed` stays, because consent was not withdrawn. */
export async function recordHardBounce(tx: Tx, workspaceId: string, report: Report): Promise<void> {
  if (!isReusable(report.email)) await suppress(tx, workspaceId, { ...report, reason: 'hardBounce' })
  const contact = await findContactByEmail(tx, workspaceId, report.email)
  if (!contact) return
  await leaveAllLists(tx, contact, { method: 'bounce' }, 'bounced')
  await noteSignals(tx, [{ workspaceId, contactId: contact.id, signal: signalOf.mail('bounced') }])
}

/** The person called our mail spam: suppressed, unsubscribed, and removed from every list. */
export async function recordComplaint(
  tx: Tx,
  workspaceId: string,
  report: Report,
  method: 'complaint' | 'api' = 'complaint',
): Promise<boolean> {
  const isKept = method === 'api' || !isReusable(report.email)
  const added = isKept && (await suppress(tx, workspaceId, { ...report, reason: 'complaint' }))
  const contact = await findContactByEmail(tx, workspaceId, report.email)
  if (!contact) return added
  await setSubscribed(tx, contact, false, { method, action: 'complained' })
  await leaveAllLists(tx, contact, { method }, 'complained')
  return added
}
