// Which rows are whose: of one workspace, of its people, or of the installation. It follows from the columns of the tables, and for those
// that do not name a workspace from this list. What erases, exports or moves a workspace asks here; a table in no list is a failing test.

import { ownValue } from '../src/kit/own-value.ts'
import { modelTables, type Table } from './model.ts'

/** A column that names a row of another table, by a column of that. */
type Way = [column: string, table: string, its: string]

/** Tables without `workspace_id`: a row is a workspace's when one of the ways leads to a row of it. */
const reached: Record<string, Way[]> = {
  activity_changes: [['message_id', 'messages', 'id']],
  block_contents: [['block_id', 'blocks', 'id']],
  campaign_contents: [['campaign_id', 'campaigns', 'id']],
  campaign_counts: [['campaign_id', 'campaigns', 'id']],
  campaign_recipients: [['campaign_id', 'campaigns', 'id']],
  captured_sources: [['source_id', 'captured_mails', 'source_id']],
  content_sources: [['source_id', 'message_contents', 'source_id']],
  import_faults: [['import_id', 'contact_imports', 'id']],
  import_pieces: [['import_id', 'contact_imports', 'id']],
  media_uses: [
    ['media_key', 'media', 'key'],
    ['source_id', 'content_revisions', 'id'],
    ['source_id', 'workspaces', 'id'],
  ],
  message_attachments: [
    ['message_id', 'messages', 'id'],
    ['message_id', 'message_groups', 'id'],
  ],
  message_events: [['message_id', 'messages', 'id']],
  oauth_tokens: [['grant_id', 'oauth_grants', 'id']],
  outbox_attempts: [['job_id', 'outbox_jobs', 'id']],
  received_labels: [['received_id', 'received_messages', 'id']],
  received_sources: [['received_id', 'received_messages', 'id']],
  received_texts: [['received_id', 'received_messages', 'id']],
  receiver_limits: [['relay_id', 'relays', 'id']],
  receiver_replies: [['relay_id', 'relays', 'id']],
  recurring_feeds: [['recurring_campaign_id', 'recurring_campaigns', 'id']],
  recurring_runs: [['recurring_campaign_id', 'recurring_campaigns', 'id']],
  report_sessions: [['domain_id', 'sending_domains', 'id']],
  report_sources: [['domain_id', 'sending_domains', 'id']],
  segment_members: [
    ['segment_id', 'segments', 'id'],
    ['segment_id', 'deleted_segments', 'segment_id'],
  ],
  send_journal: [['message_id', 'messages', 'id']],
  sequence_path: [['run_id', 'sequence_runs', 'id']],
  sequence_people: [['sequence_id', 'sequences', 'id']],
  sequence_step_counts: [['sequence_id', 'sequences', 'id']],
  sequence_test_counts: [['sequence_id', 'sequences', 'id']],
  sequence_versions: [['sequence_id', 'sequences', 'id']],
  template_contents: [['template_id', 'templates', 'id']],
  tracked_links: [
    ['campaign_id', 'campaigns', 'id'],
    ['campaign_id', 'sequences', 'id'],
  ],
  tracked_mails: [['message_id', 'messages', 'id']],
  webhook_attempts: [['delivery_id', 'webhook_deliveries', 'id']],
  webhook_secrets: [['endpoint_id', 'webhook_endpoints', 'id']],
}

/** Tables that name it otherwise. */
const namedBy: Record<string, string> = {
  workspaces: 'id',
  sending_faults: "substr(scope, 1, instr(scope || ' ', ' ') - 1)",
}

/** Of a person, who may be in several workspaces. */
const people: Record<string, string> = {
  users: 'id',
  identities: 'user_id',
  login_links: 'user_id',
  passkeys: 'user_id',
  recovery_codes: 'user_id',
  second_factors: 'user_id',
  sessions: 'user_id',
}

/** Of the installation, with the reason where that is not plain. */
const installation: Record<string, string> = {
  activity_terms: 'hashes of what mails say; they follow from other rows',
  audit_pending: 'empty between transactions',
  installation: '',
  media_unowned: 'files of nobody',
  oauth_clients: 'programs that made themselves known, to no workspace',
  processes: '',
  rate_buckets: 'by hashes, ids and networks, for a day at most',
  receiver_rules: '',
  touched_partitions: 'empty between transactions',
  used_challenges: '',
  write_tokens: '',
}

/** Tables without an index of the workspace, and a column of which it has few values, each of one workspace, with an index of that. */
const grouped: Record<string, string> = {
  domain_reports: 'domain_id',
  mailbox_replies: 'mailbox_id',
  received_messages: 'mailbox_id',
  sequence_enrolments: 'sequence_id',
  sequence_runs: 'sequence_id',
  subscriptions: 'mailing_list_id',
  webhook_deliveries: 'endpoint_id',
}

/** Tables whose indexes of the workspace hold some rows each, as their conditions say: together all. */
const byConditions: Record<string, string[]> = {
  outbox_jobs: [
    "state = 'pending'",
    "state = 'running'",
    "state IN ('held', 'dead', 'ambiguous')",
    'finished_at IS NOT NULL',
  ],
}

/** Tables that stay small however much is sent, with the reason where that is not plain: gone through as a whole. */
const small: Record<string, string> = {
  activity_changes: 'the newest 200,000',
  approval_links: '',
  domain_checks: 'one of a sending domain',
  domain_owners: '',
  mailbox_tokens: '',
  media_uses: 'of pictures in what people write',
  receiver_replies: 'counted by hour and receiver',
  sending_faults: 'what fails right now',
}

export type Owned =
  /** `by`: what names the workspace. */
  Whole | Part | { of: 'people'; table: Table; by: string } | { of: 'installation'; table: Table }

export interface Whole {
  of: 'workspace'
  table: Table
  by: string
}

export interface Part {
  of: 'part'
  table: Table
  ways: Way[]
}

/** Of every table, parts of something before what they are parts of. Throws for one that is in no list. */
export function ownedTables(): Owned[] {
  const all = modelTables().map(ownedAs)
  return [...all.filter(({ of }) => of === 'part'), ...all.filter(({ of }) => of !== 'part')]
}

function ownedAs(table: Table): Owned {
  const { name, columns } = table
  const [ways, person] = [ownValue(reached, name), ownValue(people, name)]
  if (Object.hasOwn(installation, name)) return { of: 'installation', table }
  if (ways !== undefined) return { of: 'part', table, ways }
  if (person !== undefined) return { of: 'people', table, by: person }
  const by = ownValue(namedBy, name) ?? (columns.includes('workspace_id') ? 'workspace_id' : undefined)
  if (by === undefined) throw new Error(`db/workspace-rows.ts does not say whose the rows of ${name} are`)
  return { of: 'workspace', table, by }
}

export type Finding =
  /** An index begins with what names the workspace; */
  | { by: 'index' }
  /** or with a column of which a workspace has few values; */
  | { by: 'groups'; column: string }
  /** or several do, each for the rows of one condition. */
  | { by: 'indexes'; conditions: string[] }
  /** An index leads to it from what it is part of. */
  | { by: 'whole' }
  | { by: 'all rows' }

/** How the rows of one workspace are found. Throws for a table that may be large, and of which no index tells. */
export function findOwned(owned: Whole | Part): Finding {
  const { name, found } = owned.table
  if (Object.hasOwn(small, name)) return { by: 'all rows' }
  if (owned.of === 'part' && owned.ways.every(([column]) => found.includes(column))) return { by: 'whole' }
  if (owned.of === 'workspace' && found.includes(owned.by)) return { by: 'index' }
  const [column, conditions] = [ownValue(grouped, name), ownValue(byConditions, name)]
  if (column !== undefined && found.includes(column)) return { by: 'groups', column }
  if (conditions !== undefined) return { by: 'indexes', conditions }
  throw new Error(`no index finds the rows of a workspace in ${name}`)
}

export interface PartOf {
  table: Table
  /** Names the row that it is part of, */
  column: string
  /** by this column of it. */
  its: string
}

/** What is part of the rows of a table, and found by them. */
export function partsOf(name: string): PartOf[] {
  return ownedTables().flatMap((one) => {
    if (one.of !== 'part' || findOwned(one).by !== 'whole') return []
    return one.ways.flatMap(([column, parent, its]) => (parent === name ? [{ table: one.table, column, its }] : []))
  })
}

/** The tables and columns that the lists name. */
export function listedColumns(): { table: string; column: string }[] {
  const ofParts = Object.entries(reached).flatMap(([table, ways]) =>
    ways.flatMap(([column, parent, its]) => [
      { table, column },
      { table: parent, column: its },
    ]),
  )
  const ofPeople = Object.entries(people).map(([table, column]) => ({ table, column }))
  const groups = Object.entries(grouped).map(([table, column]) => ({ table, column }))
  const lists = [namedBy, installation, byConditions, small].flatMap((list) => Object.keys(list))
  const others = lists.map((table) => ({ table, column: '' }))
  return [...ofParts, ...ofPeople, ...groups, ...others]
}

/** A condition on the rows of `owned` that belong to the workspaces whose ids are `ids`, a list in SQL. */
export function isOwned(owned: Whole | Part, ids: string): string {
  if (owned.of === 'workspace') return `${owned.by} IN (${ids})`
  const { name } = owned.table
  const ways = owned.ways.map(([column, parent, its]) => {
    const own = `"${name}".${column}`
    if (parent === 'workspaces') return `${own} IN (${ids})`
    return `EXISTS (SELECT 1 FROM ${parent} AS whole WHERE whole.${its} = ${own} AND whole.workspace_id IN (${ids}))`
  })
  return `(${ways.join(' OR ')})`
}
