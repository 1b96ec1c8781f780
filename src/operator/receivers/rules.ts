// What replies of receivers mean: rules of the operator, before those that are built in; and what they would have met in the replies of the
// last 30 days.

import { asc, ne, sql } from 'drizzle-orm'
import { receiverReplies, receiverRules } from '../../../db/tables/relays.ts'
import type { App, Reader, Tx } from '../../core/app.ts'
import { storeReplies, toRule } from '../../core/receivers.ts'
import { invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import { turn } from '../../kit/turn.ts'
import { builtInRules, findRule, readReply, ruleDefaults, type ShapingRule } from '../../mail/shaping-rules.ts'

export type GivenRule = Partial<ShapingRule> & Pick<ShapingRule, 'action'>

export async function listRules(reader: Reader): Promise<ShapingRule[]> {
  const rows = await reader.db.select().from(receiverRules).orderBy(asc(receiverRules.position))
  return rows.map(toRule)
}

/** In place of those that are there. */
export async function setRules(tx: Tx, given: GivenRule[]): Promise<void> {
  const rules = checkedRules(given)
  await tx.db.delete(receiverRules)
  const rows = rules.map((rule, position) => ({
    id: newId(tx, 'rul', tx.now),
    position,
    rule: { ...rule },
    createdAt: tx.now,
  }))
  if (rows.length > 0) await tx.db.insert(receiverRules).values(rows)
}

/** Throws 422. */
export function checkedRules(given: GivenRule[]): ShapingRule[] {
  return given.map(checked)
}

function checked(given: GivenRule, at: number): ShapingRule {
  const lower = (words: string[] | null | undefined) => words?.map((one) => one.toLowerCase()) ?? null
  const rule = {
    ...ruleDefaults,
    ...given,
    receivers: lower(given.receivers),
    contains: lower(given.contains),
  }
  if (rule.codes === null && rule.enhanced === null && rule.contains === null)
    throw invalidField(
      `rules[${at}]`,
      'must name `codes`, `enhanced` or `contains`: else it fits every reply',
      'too_wide',
    )
  if (rule.action === 'fewer_connections' && given.floor === undefined) rule.floor = 1
  return rule
}

export interface Met {
  rule: ShapingRule
  /** Replies in all, and by receiver. */
  count: number
  receivers: Map<string, number>
  /** The one that came most often. */
  example: string
}

/** Replies that are tried, the most frequent kinds first. */
const mostTried = 5_000
const perTurn = 50
const mostUnmet = 20

export interface Tried {
  /** In the order of the rules, own ones first. */
  met: Met[]
  /** Replies that no rule fits, the most frequent first. */
  unmet: { receiver: string; reply: string; count: number }[]
}

/** What the rules, and those built in, would have met. */
export async function tryRules(app: App, rules: ShapingRule[]): Promise<Tried> {
  await storeReplies(app)
  const { receiver, outcome, words, stage, reply } = receiverReplies
  const rows = await app.db
    .select({ receiver, stage, reply, count: sql<number>`sum(count)` })
    .from(receiverReplies)
    .where(ne(outcome, 'accepted'))
    .groupBy(receiver, stage, words)
    .orderBy(sql`sum(count) DESC`)
    .limit(mostTried)
  const all = [...rules, ...builtInRules]
  const met = all.map((rule): Met => ({ rule, count: 0, receivers: new Map(), example: '' }))
  const byRule = new Map(met.map((one) => [one.rule, one]))
  const unmet: Tried['unmet'] = []
  for (const [at, { receiver, stage, reply, count }] of rows.entries()) {
    if (at % perTurn === 0) await turn()
    const said = readReply(stage, reply)
    const found = said && findRule(all, receiver, said)
    const one = found && byRule.get(found)
    if (one) addTo(one, { receiver, reply, count })
    else unmet.push({ receiver, reply, count })
  }
  return { met, unmet: unmet.slice(0, mostUnmet) }
}

function addTo(met: Met, { receiver, reply, count }: { receiver: string; reply: string; count: number }): void {
  if (met.count === 0) met.example = reply
  met.count += count
  met.receivers.set(receiver, (met.receivers.get(receiver) ?? 0) + count)
}
