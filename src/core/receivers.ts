// What receivers answer through each relay: how fast they take mail is stored as soon as it changes, so that a restart and other processes know
// it; their answers are stored as counts, now and then.

import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { receiverLimits, receiverReplies } from '../../db/tables/relays.ts'
import { day } from '../kit/duration.ts'
import type { ReplyCount } from '../mail/reply-counts.ts'
import type { Limits, Pair } from '../mail/shaping.ts'
import { ruleDefaults, type ShapingRule } from '../mail/shaping-rules.ts'
import { type App, type Reader, type Tx, write, writeRoutine } from './app.ts'

/** How long answers are kept. */
const repliesKeptMs = 30 * day
/** Rows of a transaction. */
const mostRows = 500

/** In a key the relay of SMTP_URL has a name, too. */
const toKey = ({ relayId, receiver }: Pair) => ({ relayId: relayId ?? '', receiver })

/** As it is stored, without what is not set. */
export function toRule({ rule }: { rule: object }): ShapingRule {
  return { ...ruleDefaults, ...rule } as ShapingRule
}

export async function storeLimits(app: App, pair: Pair, limits: Limits | null): Promise<void> {
  const key = toKey(pair)
  try {
    await write(app, async (tx) => {
      if (limits === null) await tx.db.delete(receiverLimits).where(ofPair(pair))
      else
        await tx.db
          .insert(receiverLimits)
          .values({ ...key, ...limits })
          .onConflictDoUpdate({ target: [receiverLimits.relayId, receiverLimits.receiver], set: limits })
    })
  } catch (error) {
    app.log.warn('what a receiver asks for could not be stored', { ...key, error })
  }
}

function ofPair(pair: Pair) {
  const { relayId, receiver } = toKey(pair)
  return and(eq(receiverLimits.relayId, relayId), eq(receiverLimits.receiver, receiver))
}

/** What was learnt by any process, of one receiver or of all; null relay: that of SMTP_URL. */
export async function listLimits(reader: Reader, receiver?: string): Promise<(Pair & { limits: Limits })[]> {
  const ofReceiver = receiver === undefined ? undefined : eq(receiverLimits.receiver, receiver)
  const rows = await reader.db.select().from(receiverLimits).where(ofReceiver)
  return rows.map(({ relayId, receiver, ...limits }) => ({
    relayId: relayId === '' ? null : relayId,
    receiver,
    limits,
  }))
}

/** What waits for this receiver through some relay; null where it takes mail. */
export async function findWait(
  app: App,
  receiver: string,
): Promise<(Pair & { until: Date; lastReply: string }) | null> {
  const rows = await app.db
    .select()
    .from(receiverLimits)
    .where(and(eq(receiverLimits.receiver, receiver), gt(receiverLimits.suspendedUntil, app.clock.now())))
    .orderBy(receiverLimits.suspendedUntil)
    .limit(1)
  const [{ relayId, suspendedUntil: until, lastReply } = { relayId: '', suspendedUntil: null, lastReply: '' }] = rows
  return until === null ? null : { relayId: relayId === '' ? null : relayId, receiver, until, lastReply }
}

/** Stores what was counted since the last time. */
export async function storeReplies(app: App): Promise<void> {
  const { replies } = app.mailer
  for (let counts = replies.take(); counts.length > 0; counts = counts.slice(mostRows)) {
    try {
      await writeRoutine(app, (tx) => addReplies(tx, counts.slice(0, mostRows)))
    } catch (error) {
      replies.giveBack(counts)
      app.log.error('answers of receivers were not stored; trying again', { error })
      return
    }
  }
}

async function addReplies(tx: Tx, counts: ReplyCount[]): Promise<void> {
  const { hour, relayId, receiver, outcome, words } = receiverReplies
  await tx.db
    .insert(receiverReplies)
    .values(counts.map((one) => ({ ...one, ...toKey(one) })))
    .onConflictDoUpdate({
      target: [hour, relayId, receiver, outcome, words],
      set: {
        count: sql`count + excluded.count`,
        reply: sql`excluded.reply`,
        stage: sql`excluded.stage`,
        lastAt: sql`excluded.last_at`,
      },
    })
}

/** Answers that are older than `repliesKeptMs`. Returns how many; call until 0. */
export async function deleteOldReplies(tx: Tx): Promise<number> {
  const horizon = new Date(tx.now.getTime() - repliesKeptMs)
  const old = tx.db
    .select({ key: sql`rowid` })
    .from(receiverReplies)
    .where(lt(receiverReplies.hour, horizon))
    .limit(200)
  const gone = await tx.db.delete(receiverReplies).where(sql`rowid IN ${old}`).returning({ hour: receiverReplies.hour })
  return gone.length
}
