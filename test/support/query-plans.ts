// What a statement reads, as SQLite plans it: steps that go through a whole table, or through all rows of one workspace. The planner is given
// no statistics, so a plan is the same for ten rows and for a million.

import type { Database as SQLite } from 'bun:sqlite'
import { write } from '../../src/core/app.ts'
import type { TestApp } from './app.ts'

/** Tables that stay small, whatever is sent: what people of the installation set up by hand; what a statement is given; and what is
 * empty between transactions. */
const small =
  /^(workspaces|relays|relay_routes|receiver_rules|receiver_limits|users|members|api_keys|installation|processes|sending_domains|domain_owners|mailing_lists|subscription_sources|event_rules|webhook_endpoints|mailboxes|mailbox_tokens|provider_hooks|payment_settings|campaign_settings|contact_properties|templates|blocks|block_contents|campaigns|sending_faults|json_each|audit_pending|touched_partitions)$/

export interface Walk {
  statement: string
  table: string
  step: string
}

const readingOf = (t: TestApp) => Reflect.get(t.app.db, '$client') as SQLite
const writingOf = (t: TestApp) => write(t.app, async (tx) => Reflect.get(tx.db, '$client') as SQLite)

/** Statements that the reading connection was asked to prepare from now on. */
export function statementsOf(t: TestApp): Set<string> {
  const seen = new Set<string>()
  listen(readingOf(t), seen)
  return seen
}

/** The same of both connections. */
export async function allStatementsOf(t: TestApp): Promise<Set<string>> {
  const seen = statementsOf(t)
  listen(await writingOf(t), seen)
  return seen
}

function listen(client: SQLite, seen: Set<string>): void {
  const prepare = client.prepare.bind(client)
  Object.assign(client, {
    prepare(...given: Parameters<SQLite['prepare']>) {
      seen.add(given[0])
      return prepare(...given)
    },
  })
}

interface Step {
  how: 'SCAN' | 'SEARCH'
  table: string
  detail: string
}

function stepsOf(t: TestApp, statement: string): Step[] {
  const names = namesOf(statement)
  const plan = readingOf(t).query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${statement}`).all()
  return plan.flatMap(({ detail }) => {
    const [, how, alias = ''] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? []
    const table = names.get(alias)
    // The few that run have an index of their own, and no other order is asked of it.
    if (how === undefined || table === undefined || detail.endsWith('INDEX outbox_jobs_running')) return []
    return [{ how: how as Step['how'], table, detail: detail.replace(alias, table) }]
  })
}

/** Each step of the plan of a statement that reads a whole table, or a whole index of one. */
export function walksOf(t: TestApp, statement: string): Walk[] {
  const walks = stepsOf(t, statement).filter(({ how, table }) => how === 'SCAN' && !small.test(table))
  return walks.map(({ table, detail }) => ({ statement, table, step: detail }))
}

/** Each step that finds rows by nothing but the workspace, or by where to begin. */
export function wideOf(t: TestApp, statement: string): Walk[] {
  const wide = stepsOf(t, statement).filter(({ how, table, detail }) => {
    const terms = (/\((.*)\)$/.exec(detail)?.[1] ?? '').split(' AND ')
    const isBetween = ['>?', '<?'].every((end) => terms.some((term) => term.endsWith(end)))
    const isNamed = terms.some((term) => term.endsWith('=?') && term !== 'workspace_id=?')
    return how === 'SEARCH' && terms[0] !== '' && !small.test(table) && !isBetween && !isNamed
  })
  return wide.map(({ table, detail }) => ({ statement, table, step: detail }))
}

/** Tables of a statement by the name it gives them; what it makes itself is no table. */
function namesOf(statement: string): Map<string, string> {
  const names = [...statement.matchAll(/(?:FROM|JOIN|UPDATE|INTO)\s+"?([a-z_]+)"?(?:\s+(?:AS\s+)?"?([a-z_]+)"?)?/gi)]
  const made = [...statement.matchAll(/WITH RECURSIVE (\w+)/gi)].map(([, name]) => name)
  const tables = names.filter(([, table]) => !made.includes(table))
  return new Map(
    tables.flatMap(([, table = '', alias = '']) => [
      [table, table],
      [alias, table],
    ]),
  )
}
