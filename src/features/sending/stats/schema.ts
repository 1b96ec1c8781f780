// Wire shapes of figures over time, and what a request may ask for.

import { Type } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { type Bucket, buckets, type Dimension } from '../../../../db/tables/figures.ts'
import { oneOf, time, wholeNumber } from '../../../core/http/wire.ts'
import { day, hour } from '../../../kit/duration.ts'
import { invalidField } from '../../../kit/error.ts'
import { parseTime } from '../../../kit/time.ts'
import { bucketsBetween, countBuckets, type Series } from './read.ts'

/** Of one answer; with groups, of each. */
const maxBuckets = { alone: 1_000, grouped: 100 }
const maxGroups = 20
const defaultGroups = 10

/** How many there are where no `from` is given. */
const defaultBuckets = { hour: 24, day: 30, month: 12 }

const groupings = ['template', 'campaign', 'domain'] as const

const moment = (description: string) => t.Optional(t.String({ maxLength: 40, description }))

export const statsQuery = t.Object({
  from: moment('A moment, or a day: `2027-01-15`. Default: 24 hours, 30 days or 12 months ago.'),
  to: moment('Up to this moment. Default: now.'),
  bucket: t.Optional(oneOf(buckets, 'The length of a bucket; in UTC. Default `day`.')),
  groupBy: t.Optional(
    oneOf(groupings, 'Separate figures for the templates, campaigns or receiving domains with the most mail.'),
  ),
  limit: t.Optional(wholeNumber(`Groups. Default ${defaultGroups}; at most ${maxGroups}.`)),
  templateId: t.Optional(t.String({ maxLength: 200, description: 'Only of this template.' })),
  campaignId: t.Optional(t.String({ maxLength: 200, description: 'Only of this campaign.' })),
  domain: t.Optional(t.String({ maxLength: 253, description: 'Only to this receiving domain; by day.' })),
})

const figures = {
  sent: Type.Integer({ description: 'Accepted by the mail server.' }),
  delivered: Type.Integer({ description: 'Confirmed as delivered by the receiving side; few receivers report this.' }),
  bounced: Type.Integer(),
  complained: Type.Integer({ description: 'Reported as spam.' }),
  suppressed: Type.Integer({ description: 'Not sent, because the recipient is on the suppression list.' }),
  failed: Type.Integer({ description: 'Not delivered, and not tried again.' }),
  opened: Type.Integer({ description: 'Mails that a person opened.' }),
  clicked: Type.Integer({ description: 'Mails in which a person followed a link.' }),
  machineOpened: Type.Integer({ description: 'Mails that a program opened: a scanner, a proxy.' }),
  machineClicked: Type.Integer(),
  left: Type.Integer({ description: 'People who unsubscribed by the mail.' }),
}

const totals = t.Object(figures, { description: 'Of all buckets.' })
const data = t.Array(t.Object({ at: time, ...figures }), {
  description: 'Every bucket in that time, including empty ones, oldest first.',
})

export const statsView = t.Object({
  from: time,
  to: t.String({ format: 'date-time', description: 'The end of the last bucket.' }),
  bucket: oneOf(buckets, ''),
  complete: t.Boolean({ description: 'False while mail from before an upgrade is still being counted.' }),
  totals,
  data,
  groups: t.Optional(
    t.Array(
      t.Object({
        group: t.String({ description: 'Slug, id or domain; `other` for the rest of domains.' }),
        totals,
        data,
      }),
      { description: 'With `groupBy`: most sent first.' },
    ),
  ),
})

export interface StatsRequest {
  bucket: Bucket
  begins: Date[]
  /** What the whole answer is about. */
  dimension: Dimension
  value: string
  groupBy: Exclude<Dimension, 'all'> | null
  limit: number
}

/** Throws 422 for a time that is none or too long, and for what is not counted. */
export function readQuery(query: Static<typeof statsQuery>, now: Date): StatsRequest {
  const { bucket = 'day', groupBy = null, limit = defaultGroups } = query
  const { dimension, value } = chosenDimension(query)
  if (groupBy !== null && dimension !== 'all')
    throw invalidField('groupBy', 'groupBy cannot be combined with templateId, campaignId or domain')
  if ((groupBy === 'domain' || dimension === 'domain') && bucket !== 'day')
    throw invalidField('bucket', 'bucket must be day: receiving domains are counted by day')
  if (limit > maxGroups) throw invalidField('limit', `limit must be a whole number from 1 to ${maxGroups}`)
  const to = readMoment('to', query.to) ?? new Date(now.getTime() + 1)
  const from = readMoment('from', query.from) ?? earlier(bucket, to)
  if (from >= to) throw invalidField('from', 'from must be before to')
  const most = groupBy === null ? maxBuckets.alone : maxBuckets.grouped
  const begins = countBuckets(bucket, from, to) > most ? [] : bucketsBetween(bucket, from, to)
  if (begins.length === 0 || begins.length > most) {
    const hint = groupBy === null ? '' : ' with groupBy'
    throw invalidField('from', `from may be at most ${most} buckets before to${hint}; ask for a larger bucket`)
  }
  return { bucket, begins, dimension, value, groupBy, limit }
}

function chosenDimension({ templateId, campaignId, domain }: Static<typeof statsQuery>): {
  dimension: Dimension
  value: string
} {
  const given = [
    { dimension: 'template', field: 'templateId', value: templateId },
    { dimension: 'campaign', field: 'campaignId', value: campaignId },
    { dimension: 'domain', field: 'domain', value: domain?.toLowerCase() },
  ] as const
  const [only, another] = given.filter(({ value }) => value !== undefined)
  if (another) throw invalidField(another.field, `${another.field} cannot be combined with ${only?.field}`)
  return only?.value === undefined ? { dimension: 'all', value: '' } : { dimension: only.dimension, value: only.value }
}

const dayOnly = /^\d{4}-\d{2}-\d{2}$/

function readMoment(field: 'from' | 'to', text: string | undefined): Date | null {
  if (text === undefined) return null
  const at = parseTime(dayOnly.test(text) ? `${text}T00:00:00Z` : text)
  if (at && at.getUTCFullYear() >= 1970) return at
  throw invalidField(field, `${field} must be a day or a time with its offset: 2027-01-15 or 2027-01-15T12:00:00Z`)
}

/** So that the default is the last buckets, the one of `to` among them. */
function earlier(bucket: Bucket, to: Date): Date {
  const back = defaultBuckets[bucket] - 1
  if (bucket === 'month') return new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() - back))
  return new Date(to.getTime() - back * (bucket === 'hour' ? hour : day))
}

type SeriesView = Pick<typeof statsView.static, 'totals' | 'data'>

export function toSeriesView({ totals, data }: Omit<Series, 'value'>): SeriesView {
  return { totals, data: data.map(({ at, ...figures }) => ({ at: at.toISOString(), ...figures })) }
}
