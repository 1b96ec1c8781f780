// Receiving domains that asked us to slow down (421, 4.7.x), and not just for one recipient. Campaign mail to them waits, each time twice
// as long, until one mail is accepted. Stored in the database, so that a restart does not retry at once.

import { eq } from 'drizzle-orm'
import type { ReadDb } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { domainThrottles } from '../../../../db/tables/campaigns.ts'
import type { App, Tx } from '../../../core/app.ts'
import { hour, minute } from '../../../kit/duration.ts'
import type { MailOutcome } from '../../../mail/mailer.ts'
import { withoutAddresses } from '../../../mail/refusal.ts'

const firstWaitMs = minute
const longestWaitMs = 4 * hour

export interface Throttle {
  step: number
  until: Date
  lastReply: string
}

const readThrottles = prepared((db: ReadDb) => db.select().from(domainThrottles).prepare())

/** The domains that are being waited for, or were lately. */
export async function throttles(app: App): Promise<Map<string, Throttle>> {
  return await app.share('throttles', async () => {
    const rows = await readThrottles(app.db).all()
    return new Map(rows.map(({ domain, step, until, lastReply }) => [domain, { step, until, lastReply }]))
  })
}

/** So many recipients in a row of a domain who are to be tried later are no longer a matter of each. */
const recipientsInARow = 5
/** The most domains that are counted at once; beyond that, counting starts over. */
const mostCounted = 10_000
const counted = () => new Map<string, number>()

/**
 * Whether the outcome of a mail asks us to slow down for its domain: 421, or an enhanced code of policy and security for now (RFC 3463,
 * 3.8), once a recipient was named. To RCPT it may be about that recipient alone, and greylisting always is.
 */
export function asksToSlowDown(app: App, domain: string, outcome: MailOutcome): boolean {
  const inARow = app.own(counted)
  if (outcome.outcome === 'accepted') inARow.delete(domain)
  const isRefused = outcome.outcome === 'refused' || outcome.outcome === 'not_sent'
  if (!isRefused || !/^(rcpt|data|dot)$/.test(outcome.stage)) return false
  // A server that closes after its 421 is known by the detail alone.
  const reply = outcome.outcome === 'refused' ? outcome.reply : outcome.detail
  if (/^421\b/.test(reply)) return true
  const isForNow = outcome.outcome === 'refused' && !outcome.permanent && /^4\.7\.\d/.test(outcome.enhanced ?? '')
  if (!isForNow || outcome.stage !== 'rcpt') return isForNow
  if (/gr[ae]y[ -]?list/i.test(reply)) return false
  if (inARow.size >= mostCounted) inARow.clear()
  const count = (inARow.get(domain) ?? 0) + 1
  inARow.set(domain, count)
  return count >= recipientsInARow
}

export async function slowDown(tx: Tx, domain: string, reply: string): Promise<void> {
  const [before] = await tx.db.select().from(domainThrottles).where(eq(domainThrottles.domain, domain))
  // Mails that were under way when the first one was refused say the same thing, and not again.
  if (before && before.until > tx.now) return
  const step = (before?.step ?? 0) + 1
  const waitMs = Math.min(firstWaitMs * 2 ** (step - 1), longestWaitMs)
  const row = {
    step,
    until: new Date(tx.now.getTime() + waitMs),
    lastReply: withoutAddresses(reply).slice(0, 500),
    updatedAt: tx.now,
  }
  await tx.db
    .insert(domainThrottles)
    .values({ domain, ...row })
    .onConflictDoUpdate({ target: domainThrottles.domain, set: row })
}

/** A mail was accepted: mail to the domain no longer waits. */
export async function speedUp(tx: Tx, domain: string): Promise<void> {
  await tx.db.delete(domainThrottles).where(eq(domainThrottles.domain, domain))
}
