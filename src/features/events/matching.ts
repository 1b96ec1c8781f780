// Finds the rules for an event: two index seeks, shared by concurrent requests; then the conditions of each rule are evaluated.

import { and, eq, sql } from 'drizzle-orm'
import type { ReadDb } from '../../../db/handle.ts'
import { prepared } from '../../../db/prepared.ts'
import { eventRuleCancels, eventRules, type RuleCondition } from '../../../db/tables/events.ts'
import type { App, Reader } from '../../core/app.ts'
import { compare } from '../../kit/comparison.ts'
import { lookUp } from '../content/rendering/fill.ts'

export type Rule = typeof eventRules.$inferSelect

export interface RulesOfEvent {
  /** Enabled rules, oldest first. */
  triggered: Rule[]
  /** Ids of rules whose scheduled jobs the event cancels, including disabled rules. */
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

/** A rule change that was answered before an event arrives applies to it. */
export function rulesOfEvent(app: App, workspaceId: string, eventName: string): Promise<RulesOfEvent> {
  return app.share(`rules ${workspaceId} ${eventName}`, () => findRules(app, workspaceId, eventName))
}

async function findRules(reader: Reader, workspaceId: string, eventName: string): Promise<RulesOfEvent> {
  const triggered = await findTriggered(reader.db).all({ workspaceId, eventName })
  const cancelling = await findCancelling(reader.db).all({ workspaceId, eventName })
  return { triggered, cancelling: cancelling.map(({ ruleId }) => ruleId) }
}

/** True when all conditions are met. */
export function matches(filter: RuleCondition[], properties: Record<string, unknown>): boolean {
  return filter.every((condition) => isMet(condition, properties))
}

export function isMet({ property, operator, value }: RuleCondition, properties: Record<string, unknown>): boolean {
  return compare(lookUp(properties, property), operator, value)
}
