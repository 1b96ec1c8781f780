// Adds to the figures over time, in the transaction of what is counted: one statement for all mails of it, summed up before. The dimensions
// are read from the row of each mail, so that a figure always agrees with what is stored.

import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/handle.ts'
import { prepared } from '../../../../db/prepared.ts'
import { insertSelect, toRows, unmappedValue } from '../../../../db/rows.ts'
import { figures } from '../../../../db/tables/figures.ts'
import { messages } from '../../../../db/tables/messages.ts'
import type { Tx } from '../../../core/app.ts'
import { day, hour } from '../../../kit/duration.ts'
import { erasedAddress } from '../../../kit/email-address.ts'

/** By the name of their columns. */
export const columnOf = {
  sent: 'sent',
  delivered: 'delivered',
  bounced: 'bounced',
  complained: 'complained',
  suppressed: 'suppressed',
  failed: 'failed',
  opened: 'opened',
  clicked: 'clicked',
  machineOpened: 'machine_opened',
  machineClicked: 'machine_clicked',
  left: 'people_left',
} as const
export type Figure = keyof typeof columnOf
export const figureNames = Object.keys(columnOf) as Figure[]

export function isFigure(name: string): name is Figure {
  return Object.hasOwn(columnOf, name)
}

/** Receiving domains that a day has figures of; the others of that day are counted together. */
const domainsPerDay = 250

const changed = toRows({ id: messages.id, figure: unmappedValue<Figure>() }, { at: figures.at })

const addChanges = prepared((db: Db) =>
  addFigures(
    db,
    sql`SELECT workspace_id, template_id, campaign_id, email, from_email, kind, ${changed.shared.at} AS at, ${changed.each.figure} AS figure
      FROM ${changed.list} CROSS JOIN messages WHERE messages.id = ${changed.each.id} LIMIT -1`,
  ).prepare(),
)

/** Something happened to these mails now. One that is not there any more is left out. */
export async function countFigures(tx: Tx, list: { id: string; figure: Figure }[]): Promise<void> {
  if (list.length === 0) return
  await addChanges(tx.db).run(changed.given(list, { at: tx.now }))
}

/** Adds what `source` selects: workspace_id, template_id, campaign_id, email, from_email, kind, at, and the name of a figure. */
export function addFigures(db: Db, source: SQL) {
  const columns = Object.entries(columnOf)
  const read = Object.fromEntries(columns.map(([name, column]) => [name, sql.raw(column)])) as Record<Figure, SQL>
  const row = {
    workspaceId: sql`counted.workspace_id`,
    dimension: sql`counted.dimension`,
    bucket: sql`bucket`,
    at: start,
    value: keptValue,
    ...read,
  }
  const each = sql`(SELECT column1 AS bucket FROM (VALUES ('hour'), ('day'), ('month')))`
  return insertSelect(
    db,
    figures,
    row,
    sql`(${counted(source)}) AS counted JOIN ${each} ON dimension NOT IN ('domain', 'sender') OR bucket = 'day' WHERE true`,
  ).onConflictDoUpdate({
    target: [figures.workspaceId, figures.dimension, figures.bucket, figures.at, figures.value],
    set: Object.fromEntries(columns.map(([name, column]) => [name, sql.raw(`figures.${column} + excluded.${column}`)])),
  })
}

const names = sql.raw(figureNames.map((name) => columnOf[name]).join())
const sumsOfMails = sql.raw(figureNames.map((name) => `sum(figure = '${name}') AS ${columnOf[name]}`).join())
const sums = sql.raw(figureNames.map((name) => `sum(${columnOf[name]}) AS ${columnOf[name]}`).join())
const domain = sql.raw(`CASE WHEN email <> '${erasedAddress}' THEN lower(substr(email, instr(email, '@') + 1)) END`)
const sender = sql.raw(`lower(substr(from_email, instr(from_email, '@') + 1))`)

/** Equal mails are one row, which most of a group are. Test mails are not counted. */
const alike = (source: SQL) => sql`
  SELECT workspace_id, template_id, campaign_id, ${domain} AS domain, ${sender} AS sender, ${sql.raw(`at - at % ${hour}`)} AS hour, ${sumsOfMails}
  FROM (${source}) WHERE kind <> 'test' GROUP BY workspace_id, template_id, campaign_id, domain, sender, hour`

/** A row for each hour and what it is about; of a domain or a sender, for each day. */
const counted = (source: SQL) => sql`
  SELECT workspace_id, dimension, at, value, ${sums} FROM (
    SELECT workspace_id, column1 AS dimension, ${names},
      CASE WHEN column1 IN ('domain', 'sender') THEN ${sql.raw(`hour - hour % ${day}`)} ELSE hour END AS at,
      CASE column1 WHEN 'all' THEN '' WHEN 'template' THEN template_id WHEN 'campaign' THEN campaign_id WHEN 'sender' THEN sender ELSE domain END AS value
    FROM (${alike(source)}) CROSS JOIN (VALUES ('all'), ('template'), ('campaign'), ('domain'), ('sender'))
  ) WHERE value IS NOT NULL GROUP BY workspace_id, dimension, at, value`

/** When the bucket of a row begins. */
const start = sql`CASE bucket WHEN 'hour' THEN counted.at WHEN 'day' THEN ${sql.raw(`counted.at - counted.at % ${day}`)}
  ELSE unixepoch(counted.at / 1000, 'unixepoch', 'start of month') * 1000 END`

const ofItsDay = sql`FROM figures AS known WHERE known.workspace_id = counted.workspace_id
  AND known.dimension = 'domain' AND known.bucket = 'day' AND known.at = counted.at`

/** A domain has a row of its own unless its day already has the maximum number of rows; further domains share the row without a name. */
const keptValue = sql`CASE
  WHEN counted.dimension <> 'domain' OR EXISTS (SELECT 1 ${ofItsDay} AND known.value = counted.value) THEN counted.value
  WHEN EXISTS (SELECT 1 ${ofItsDay} AND known.value = '') OR (SELECT count(*) ${ofItsDay}) >= ${sql.raw(`${domainsPerDay}`)} THEN ''
  ELSE counted.value END`
