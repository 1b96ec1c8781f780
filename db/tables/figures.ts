// Figures over time: how many mails were sent, bounced, opened … in an hour, a day or a month. Kept in the transaction in which it
// happens (src/features/sending/stats/count.ts), so that no request counts mails.

import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at, workspaceId } from './columns.ts'

export const buckets = ['hour', 'day', 'month'] as const
export type Bucket = (typeof buckets)[number]

/** `all` is the whole workspace, `domain` the receiving domain, `sender` the domain that mail is from. */
export type Dimension = 'all' | 'template' | 'campaign' | 'domain' | 'sender'

const figure = (name: string) => integer(name).notNull()

/** Clustered by its key (WITHOUT ROWID): what one request sums up lies together. */
export const figures = sqliteTable(
  'figures',
  {
    workspaceId: workspaceId(),
    dimension: text('dimension').$type<Dimension>().notNull(),
    bucket: text('bucket').$type<Bucket>().notNull(),
    /** When the bucket begins, UTC. */
    at: at('at').notNull(),
    /** Slug of the template, id of the campaign, receiving or sending domain; empty for `all`, and for the domains beyond the most that a day has. */
    value: text('value').notNull(),
    sent: figure('sent'),
    delivered: figure('delivered'),
    bounced: figure('bounced'),
    complained: figure('complained'),
    suppressed: figure('suppressed'),
    failed: figure('failed'),
    /** Mails that a person opened, or in which one followed a link: each once. What programs did stands apart. */
    opened: figure('opened'),
    clicked: figure('clicked'),
    machineOpened: figure('machine_opened'),
    machineClicked: figure('machine_clicked'),
    /** People who unsubscribed by the mail. */
    left: figure('people_left').default(0),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.dimension, table.bucket, table.at, table.value] }),
    index('figures_age').on(table.bucket, table.at),
  ],
)
