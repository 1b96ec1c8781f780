// What is wrong with sending as such, as the watched mailer noted it (src/mail/watched-mailer.ts): read for the API, doctor and metrics.

import { and, gt, inArray, lt } from 'drizzle-orm'
import { sendingFaults } from '../../db/tables/outbox.ts'
import type { App, Reader, Tx } from '../app.ts'
import { day } from '../lib/duration.ts'
import { type Fault, relayScope } from '../mail/watched-mailer.ts'

/** A fault that was not seen again for so long is over. */
const forgottenAfterMs = day

/** Those of the mail server, and of the workspace if one is named; else of all. */
export async function listSendingFaults(reader: Reader, now: Date, workspaceId?: string): Promise<Fault[]> {
  const scopes = workspaceId === undefined ? undefined : inArray(sendingFaults.scope, [relayScope, workspaceId])
  const lately = gt(sendingFaults.lastAt, new Date(now.getTime() - forgottenAfterMs))
  return await reader.db.select().from(sendingFaults).where(and(lately, scopes)).orderBy(sendingFaults.since)
}

/** What was held when an earlier process ended is tried with one mail first. */
export async function restoreHolds(app: App): Promise<void> {
  app.mailer.restore(await listSendingFaults(app, app.clock.now()))
}

export async function deleteOldFaults(tx: Tx): Promise<number> {
  const horizon = new Date(tx.now.getTime() - forgottenAfterMs)
  const gone = await tx.db.delete(sendingFaults).where(lt(sendingFaults.lastAt, horizon)).returning()
  return gone.length
}
