// Creates, changes, deletes and lists event rules. What a rule refers to must exist and fit when it is created, and is checked again when
// it runs, because a template may change in the meantime.

import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { eventRuleCancels, eventRules } from '../../../db/tables/events.ts'
import type { Reader, Tx } from '../../core/app.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { newId } from '../../kit/id.ts'
import type { Credential } from '../../people/access/auth.ts'
import type { Workspace } from '../../people/workspaces.ts'
import type { Rule } from './matching.ts'
import { expectMayMail } from './purpose.ts'
import { checkRule } from './rule-checks.ts'
import type { RuleBody } from './schema.ts'

const maxPerWorkspace = 1_000
/** An event evaluates all of them in its transaction. */
const maxPerEvent = 50

export async function createRule(
  tx: Tx,
  workspace: Workspace,
  body: RuleBody & Pick<Rule, 'eventName' | 'action'>,
  credential: Credential,
): Promise<Rule> {
  const blank: Rule = {
    id: newId(tx, 'rule', tx.now),
    workspaceId: workspace.id,
    name: body.eventName,
    eventName: body.eventName,
    filter: [],
    action: body.action,
    templateId: null,
    purpose: 'marketing',
    delayAmount: 0,
    delayUnit: 'm',
    variables: {},
    cancelOn: [],
    mailingListId: null,
    contactProperties: {},
    reEligible: false,
    enabled: true,
    createdAt: tx.now,
    updatedAt: tx.now,
  }
  const rule = changed(blank, body)
  expectMayMail(credential, rule)
  await checkRule(tx, workspace, rule)
  await refuseTooMany(tx, rule)
  await tx.db.insert(eventRules).values(rule)
  await storeCancels(tx, rule)
  return rule
}

/** Changes what is given. Anything already scheduled follows the rule as it is when due. Throws not_found. */
export async function updateRule(
  tx: Tx,
  workspace: Workspace,
  { id, ...body }: RuleBody & { id: string },
  credential: Credential,
): Promise<Rule> {
  const before = await getRule(tx, workspace.id, id)
  const rule = { ...changed(before, body), updatedAt: tx.now }
  // It must be possible to disable a rule whose template is gone.
  const onlySwitchedOff = Object.keys(body).every((name) => name === 'enabled') && !rule.enabled
  if (!onlySwitchedOff) {
    expectMayMail(credential, rule)
    await checkRule(tx, workspace, rule)
  }
  if (rule.eventName !== before.eventName) await refuseTooMany(tx, rule)
  await tx.db.update(eventRules).set(rule).where(eq(eventRules.id, id))
  await storeCancels(tx, rule)
  return rule
}

/** What it scheduled ends as `rule_deleted` when it is due. Throws not_found. */
export async function deleteRule(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await getRule(tx, workspaceId, id)
  await tx.db.delete(eventRuleCancels).where(eq(eventRuleCancels.ruleId, id))
  await tx.db.delete(eventRules).where(eq(eventRules.id, id))
}

/** Throws not_found, also for another workspace's. */
export async function getRule(reader: Reader, workspaceId: string, id: string): Promise<Rule> {
  const mine = and(eq(eventRules.workspaceId, workspaceId), eq(eventRules.id, id))
  const [rule] = await reader.db.select().from(eventRules).where(mine)
  if (!rule) throw new AppError('not_found', 'there is no such event rule')
  return rule
}

/** Newest first; one more than `limit`. */
export async function listRules(
  reader: Reader,
  workspaceId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ rows: Rule[]; total: number }> {
  const mine = eq(eventRules.workspaceId, workspaceId)
  const rows = await reader.db
    .select()
    .from(eventRules)
    .where(and(mine, after === undefined ? undefined : lt(eventRules.id, after)))
    .orderBy(desc(eventRules.id))
    .limit(limit + 1)
  return { rows, total: (await countRules(reader, workspaceId, null)).all }
}

function changed(before: Rule, body: RuleBody): Rule {
  const { delay, ...given } = body
  const settable = [
    'name',
    'eventName',
    'filter',
    'action',
    'templateId',
    'purpose',
    'variables',
    'cancelOn',
    'mailingListId',
    'contactProperties',
    'reEligible',
    'enabled',
  ] as const
  const entries = settable.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const]))
  const timer = delay === undefined ? {} : { delayAmount: delay?.amount ?? 0, delayUnit: delay?.unit ?? ('m' as const) }
  return { ...before, ...Object.fromEntries(entries), ...timer }
}

async function storeCancels(tx: Tx, { id: ruleId, workspaceId, cancelOn }: Rule): Promise<void> {
  await tx.db.delete(eventRuleCancels).where(eq(eventRuleCancels.ruleId, ruleId))
  const rows = [...new Set(cancelOn)].map((eventName) => ({ workspaceId, eventName, ruleId }))
  if (rows.length > 0) await tx.db.insert(eventRuleCancels).values(rows)
}

async function refuseTooMany(tx: Tx, { id, workspaceId, eventName }: Rule): Promise<void> {
  const { all, ofEvent } = await countRules(tx, workspaceId, { eventName, except: id })
  if (ofEvent >= maxPerEvent)
    throw invalidField('eventName', `an event may have at most ${maxPerEvent} rules`, 'too_many')
  if (all >= maxPerWorkspace)
    throw invalidField('eventName', `a workspace may have at most ${maxPerWorkspace} rules`, 'too_many')
}

async function countRules(
  reader: Reader,
  workspaceId: string,
  one: { eventName: string; except: string } | null,
): Promise<{ all: number; ofEvent: number }> {
  const [row] = await reader.db.all<{ total: number; of_event: number | null }>(
    sql`SELECT count(*) AS total, sum(event_name = ${one?.eventName ?? ''} AND id <> ${one?.except ?? ''}) AS of_event
      FROM event_rules WHERE workspace_id = ${workspaceId}`,
  )
  return { all: row?.total ?? 0, ofEvent: row?.of_event ?? 0 }
}
