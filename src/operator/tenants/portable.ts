// The form in which a workspace travels: which tables and columns do, and each row as an object. Numbers that a database gives by itself stay
// behind, and sealed values are opened, for whoever packs the rows seals the whole. What two installations must agree on is the digest of a
// table: the sum of the hashes of its rows, in whatever order.

import type { End } from '../../../db/copy-ends.ts'
import { isOwned, type Owned, ownedTables } from '../../../db/workspace-rows.ts'
import type { App } from '../../core/app.ts'
import { sealContext as paymentsContext } from '../../features/events/payments/settings.ts'
import { confirmContext } from '../../features/sending/compose.ts'
import { sealContext as dkimContext } from '../../features/sending/domains/keys.ts'
import { sealContext as hookContext } from '../../features/sending/feedback/provider-hooks.ts'
import type { Provider } from '../../features/sending/feedback/provider-signatures.ts'
import { sealContext as webhookContext } from '../../features/webhooks/secrets.ts'
import { testIdOf } from '../../kit/id.ts'
import { ownValue } from '../../kit/own-value.ts'
import { sealContext as secondFactorContext } from '../../people/sign-in/second-factor.ts'

export type Value = string | number | null | { base64: string }
export type PortableRow = Record<string, Value>

/** Of the installation that has the workspace, or of a sign-in there. */
const leftBehind = new Set([
  'activity_changes',
  'approval_links',
  'link_domains',
  'oauth_grants',
  'oauth_tokens',
  'receiver_limits',
  'receiver_replies',
  'relay_routes',
  'relays',
  'sending_faults',
  'workspace_moves',
  'workspace_transfers',
])
/** Of its people: the rest is of the place where they sign in. */
const peoplesTables = ['users', 'second_factors', 'recovery_codes']
/** What opens it: written last, in the transaction from which on it is served. Each has few rows. */
const entries = new Set([
  'users',
  'second_factors',
  'recovery_codes',
  'workspaces',
  'members',
  'invitations',
  'api_keys',
  'mailboxes',
  'mailbox_tokens',
  'domain_owners',
  'sending_domains',
  'provider_hooks',
  'payment_integrations',
  'subscription_sources',
  'webhook_endpoints',
  'webhook_secrets',
])
/** Before those whose numbers follow from theirs. */
const ahead = ['webhook_events', 'received_messages']

/** Numbers that only this database knows, and the host of links, which is proved anew where it leads. */
const ownColumns: Record<string, string> = {
  workspaces: 'link_host',
  webhook_events: 'sequence',
  captured_mails: 'id',
  received_texts: 'number',
}

/** In place of a column, what says the same elsewhere. */
const portableForms: Record<string, string> = {
  event_sequence: '(SELECT e.id FROM webhook_events AS e WHERE e.sequence = event_sequence)',
}

/** For what a value is sealed, by table and column. */
const contexts: Record<string, (row: PortableRow) => string> = {
  'sending_domains rsa_key_sealed': (row) => dkimContext(textOf(row, 'workspace_id'), textOf(row, 'domain'), 'rsa'),
  'sending_domains ed25519_key_sealed': (row) =>
    dkimContext(textOf(row, 'workspace_id'), textOf(row, 'domain'), 'ed25519'),
  'webhook_secrets secret_sealed': (row) => webhookContext(textOf(row, 'endpoint_id')),
  'payment_integrations signing_secret_sealed': (row) => paymentsContext(textOf(row, 'id')),
  'provider_hooks verify_with': (row) => hookContext(textOf(row, 'workspace_id'), row['provider'] as Provider),
  'second_factors secret_sealed': (row) => secondFactorContext(textOf(row, 'user_id')),
}
const confirmToken = 'confirm_token_sealed'

const textOf = (row: PortableRow, column: string): string => String(row[column])

type OwnedRows = Exclude<Owned, { of: 'installation' }>

/** A table that travels. */
export interface Part {
  name: string
  owned: OwnedRows
  columns: string[]
  isEntry: boolean
}

/** In the order in which they are written at the target. */
export function listParts(): Part[] {
  const parts = ownedTables().flatMap((owned): Part[] => {
    const { name, columns } = owned.table
    if (owned.of === 'installation' || leftBehind.has(name)) return []
    if (owned.of === 'people' && !peoplesTables.includes(name)) return []
    const travels = columns.filter((column) => column !== ownValue(ownColumns, name) && column !== 'rowid')
    return [{ name, owned, columns: travels, isEntry: entries.has(name) }]
  })
  const rank = ({ name, isEntry }: Part) => (ahead.includes(name) ? 0 : isEntry ? 2 : 1)
  return parts.toSorted((one, other) => rank(one) - rank(other))
}

/** Of the workspace and its test workspace, as a list in SQL. */
export const idsOf = (id: string) => `'${id}', '${testIdOf(id)}'`

const rowsAtOnce = 2_000
const largeRowsAtOnce = 16

/** The rows of a part in the order of their table, some at a time. */
export async function* readPart(
  end: Pick<End, 'rows'>,
  { owned, columns, name }: Part,
  id: string,
): AsyncGenerator<PortableRow[]> {
  const { key, bytes } = owned.table
  const mine =
    owned.of === 'people'
      ? `${owned.by} IN (SELECT user_id FROM members WHERE workspace_id IN (${idsOf(id)}))`
      : isOwned(owned, idsOf(id))
  if ((await end.rows(`SELECT 1 FROM "${name}" WHERE ${mine} LIMIT 1`)).length === 0) return
  const shown = columns.map((column) => `${ownValue(portableForms, column) ?? `"${column}"`} AS "${column}"`)
  const order = key.join(', ')
  const most = bytes.length > 0 ? largeRowsAtOnce : rowsAtOnce
  for (let after: unknown[] | null = []; after !== null; ) {
    const from = after as string[]
    const beyond = from.length === 0 ? '1' : `(${order}) > (${key.map(() => '?').join(', ')})`
    const [upTo] = await end.rows(
      `SELECT ${order} FROM "${name}" WHERE ${beyond} ORDER BY ${order} LIMIT 1 OFFSET ${most - 1}`,
      from,
    )
    const within = upTo ? `AND (${order}) <= (${key.map(() => '?').join(', ')})` : ''
    const rows = await end.rows(
      `SELECT ${shown.join(', ')} FROM "${name}" WHERE ${mine} AND ${beyond} ${within} ORDER BY ${order}`,
      [...from, ...(upTo ?? [])],
    )
    yield rows.map((values) => Object.fromEntries(columns.map((column, at) => [column, toPortable(values[at])])))
    after = upTo ?? null
  }
}

function toPortable(value: unknown): Value {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (typeof value === 'bigint') return Number(value)
  return (value ?? null) as Value
}

/** The row with its sealed values opened. Throws for one that another secret sealed. */
export async function openRow(
  { sealer }: Pick<App, 'sealer'>,
  { name, columns }: Part,
  row: PortableRow,
): Promise<PortableRow> {
  return await changeSealed(name, columns, row, (sealed, context) => sealer.open(sealed, context))
}

/** The row with them sealed for this installation. */
export async function sealRow(
  { sealer }: Pick<App, 'sealer'>,
  { name, columns }: Part,
  row: PortableRow,
): Promise<PortableRow> {
  return await changeSealed(name, columns, row, (plain, context) => sealer.seal(plain, context))
}

async function changeSealed(
  name: string,
  columns: string[],
  row: PortableRow,
  change: (value: string, context: string) => Promise<string>,
): Promise<PortableRow> {
  if (name === 'messages') return await changeConfirmToken(row, change)
  const changed = { ...row }
  for (const column of columns) {
    const context = ownValue(contexts, `${name} ${column}`)
    const value = row[column]
    if (context && typeof value === 'string') changed[column] = await change(value, context(row))
  }
  return changed
}

/** Of a confirmation, whose link is made from its variables. */
async function changeConfirmToken(
  row: PortableRow,
  change: (value: string, context: string) => Promise<string>,
): Promise<PortableRow> {
  const text = row['variables']
  if (row['kind'] !== 'confirmation' || typeof text !== 'string' || !text.includes(confirmToken)) return row
  const variables = JSON.parse(text)
  const value = variables[confirmToken]
  if (typeof value !== 'string') return row
  return {
    ...row,
    variables: JSON.stringify({ ...variables, [confirmToken]: await change(value, confirmContext(textOf(row, 'id'))) }),
  }
}

const modulus = 2n ** 128n

/** Of the rows of one table: how many there are, and the sum of their hashes. */
export class Digest {
  rows = 0
  #sum = 0n

  add(line: string): void {
    this.rows++
    this.#sum = (this.#sum + BigInt(`0x${Bun.SHA256.hash(line, 'hex').slice(0, 32)}`)) % modulus
  }

  toString(): string {
    return this.#sum.toString(16).padStart(32, '0')
  }
}
