// Which rules an event concerns. Two index seeks, shared by the requests that come together; the conditions of a rule are tried here.

import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import { eventRuleCancels, eventRules, type RuleCondition } from '../../db/tables/events.ts'
import type { App, Reader } from '../app.ts'
import { lookUp } from '../rendering/fill.ts'

export type Rule = typeof eventRules.$inferSelect

export interface RulesOfEvent {
  /** Enabled, in the order they were made. */
  triggered: Rule[]
  /** Ids of rules whose scheduled jobs the event cancels; of disabled ones too. */
  cancelling: string[]
}

const findTriggered = prepared((db: ReadDb) =>
  db
    .select()
    .from(eventRules)
    .where(
      and(
        eq(eventRules.workspaceId, sql.placeholder('workspaceId')),
        eq(eventRules.eventName, sql.placeholder('eventName')),
        eq(eventRules.enabled, true),
      ),
    )
    .orderBy(eventRules.id)
    .prepare(),
)

const findCancelling = prepared((db: ReadDb) =>
  db
    .select({ ruleId: eventRuleCancels.ruleId })
    .from(eventRuleCancels)
    .where(
      and(
        eq(eventRuleCancels.workspaceId, sql.placeholder('workspaceId')),
        eq(eventRuleCancels.eventName, sql.placeholder('eventName')),
      ),
    )
    .prepare(),
)

/** A change of a rule that is answered before an event arrives is seen by it. */
export function rulesOfEvent(app: App, workspaceId: string, eventName: string): Promise<RulesOfEvent> {
  return app.share(`rules ${workspaceId} ${eventName}`, () => findRules(app, workspaceId, eventName))
}

async function findRules(reader: Reader, workspaceId: string, eventName: string): Promise<RulesOfEvent> {
  const triggered = await findTriggered(reader.db).all({ workspaceId, eventName })
  const cancelling = await findCancelling(reader.db).all({ workspaceId, eventName })
  return { triggered, cancelling: cancelling.map(({ ruleId }) => ruleId) }
}

/** True when all conditions hold. */
export function matches(filter: RuleCondition[], properties: Record<string, unknown>): boolean {
  return filter.every((condition) => holds(condition, lookUp(properties, condition.property)))
}

/** A condition on a property that is absent, or of another kind than the value, does not hold, but for the negations. */
function holds({ operator, value }: RuleCondition, actual: unknown): boolean {
  const exists = actual !== undefined && actual !== null
  switch (operator) {
    case 'exists':
      return exists
    case 'notExists':
      return !exists
    case 'equals':
      return actual === value
    case 'notEquals':
      return actual !== value
    case 'greaterThan':
      return order(actual, value) > 0
    case 'lessThan':
      return order(actual, value) < 0
    case 'contains':
      return contains(actual, value)
  }
}

/** Numbers by size, texts (and so ISO 8601 times) by their letters; 0 for what cannot be compared. */
function order(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return 0
  return one > other ? 1 : -1
}

function contains(actual: unknown, value: RuleCondition['value']): boolean {
  if (Array.isArray(actual)) return actual.includes(value)
  return typeof actual === 'string' && typeof value === 'string' && actual.includes(value)
}
