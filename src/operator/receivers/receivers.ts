// What each receiver says to each relay: how much it took in the last day, what it answered last, and how fast mail may go there.

import { and, desc, eq, gte, ne, sql } from 'drizzle-orm'
import { receiverReplies } from '../../../db/tables/relays.ts'
import type { App } from '../../core/app.ts'
import { listLimits, storeLimits, storeReplies } from '../../core/receivers.ts'
import { day } from '../../kit/duration.ts'
import type { Limits, Pair } from '../../mail/shaping.ts'

type Reply = Pick<typeof receiverReplies.$inferSelect, 'outcome' | 'stage' | 'reply' | 'lastAt' | 'count'>

export interface ReceiverState extends Pair {
  limits: Limits | null
  /** Mails of the last 24 hours. */
  day: { accepted: number; deferred: number; refused: number }
  /** The last ones that were no acceptance, newest first. */
  replies: Reply[]
}

/** Pairs that are shown, those with the most mail first. */
export const mostShown = 500
const mostRepliesShown = 5
/** Kinds of replies that are read for that. */
const mostReplies = 5_000

export interface ReceiverFilter {
  relayId?: string | null
  receiver?: string
}

export async function listReceivers(app: App, wanted: ReceiverFilter): Promise<ReceiverState[]> {
  await storeReplies(app)
  const since = new Date(app.clock.now().getTime() - day)
  const [counts, replies, limits] = await Promise.all([
    countReplies(app, since, wanted),
    lastReplies(app, since, wanted),
    listLimits(app),
  ])
  const states = new Map<string, ReceiverState>()
  const stateOf = ({ relayId, receiver }: Pair) =>
    states.getOrInsertComputed(`${relayId ?? ''} ${receiver}`, () => {
      return { relayId, receiver, limits: null, day: { accepted: 0, deferred: 0, refused: 0 }, replies: [] }
    })
  for (const { outcome, count, ...pair } of counts) stateOf(pair).day[outcome] += count
  for (const { limits: learnt, ...pair } of limits) if (isWanted(pair, wanted)) stateOf(pair).limits = learnt
  for (const { relayId, receiver, ...reply } of replies) {
    const state = stateOf({ relayId, receiver })
    if (state.replies.length < mostRepliesShown) state.replies.push(reply)
  }
  return [...states.values()].sort((one, other) => allOf(other) - allOf(one)).slice(0, mostShown)
}

/** Mail goes there again as if nothing had been said. */
export async function forgetLimits(app: App, pair: Pair): Promise<void> {
  app.mailer.shaping.forget(pair)
  await storeLimits(app, pair, null)
}

const allOf = ({ day: { accepted, deferred, refused } }: ReceiverState) => accepted + deferred + refused

function isWanted(pair: Pair, { relayId, receiver }: ReceiverFilter): boolean {
  return (relayId === undefined || relayId === pair.relayId) && (receiver === undefined || receiver === pair.receiver)
}

function wantedRows(since: Date, { relayId, receiver }: ReceiverFilter) {
  return and(
    gte(receiverReplies.hour, since),
    relayId === undefined ? undefined : eq(receiverReplies.relayId, relayId ?? ''),
    receiver === undefined ? undefined : eq(receiverReplies.receiver, receiver),
  )
}

async function countReplies(app: App, since: Date, wanted: ReceiverFilter) {
  const { relayId, receiver, outcome } = receiverReplies
  const rows = await app.db
    .select({ relayId, receiver, outcome, count: sql<number>`sum(count)` })
    .from(receiverReplies)
    .where(wantedRows(since, wanted))
    .groupBy(relayId, receiver, outcome)
  return rows.map(withRelay)
}

async function lastReplies(app: App, since: Date, wanted: ReceiverFilter) {
  const { relayId, receiver, outcome, words, stage, reply, lastAt } = receiverReplies
  const rows = await app.db
    .select({
      relayId,
      receiver,
      outcome,
      stage,
      reply,
      lastAt: sql`max(${lastAt})`.mapWith(lastAt),
      count: sql<number>`sum(count)`,
    })
    .from(receiverReplies)
    .where(and(wantedRows(since, wanted), ne(outcome, 'accepted')))
    .groupBy(relayId, receiver, outcome, words)
    .orderBy(desc(sql`max(${lastAt})`))
    .limit(mostReplies)
  return rows.map(withRelay)
}

function withRelay<R extends { relayId: string }>(row: R): Omit<R, 'relayId'> & { relayId: string | null } {
  return { ...row, relayId: row.relayId === '' ? null : row.relayId }
}
