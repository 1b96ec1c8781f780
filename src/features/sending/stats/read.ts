// Reads figures over time: the requested buckets, each looked up by its key; a bucket in which nothing happened is zero.

import { sql } from 'drizzle-orm'
import type { Bucket, Dimension } from '../../../../db/tables/figures.ts'
import type { Reader } from '../../../core/app.ts'
import { day, hour } from '../../../kit/duration.ts'
import { columnOf, type Figure, figureNames } from './count.ts'

type Figures = Record<Figure, number>
type Point = Figures & { at: Date }

export interface Series {
  value: string
  totals: Figures
  data: Point[]
}

/** What is counted apart, in which workspace. */
export interface StatsSelection {
  workspaceId: string
  dimension: Dimension
  bucket: Bucket
}

/** Begins of the buckets, one after the other. */
export function bucketsBetween(bucket: Bucket, from: Date, to: Date): Date[] {
  const begins: Date[] = []
  for (let at = bucketBegin(bucket, from); at < to; at = nextBucket(bucket, at)) begins.push(at)
  return begins
}

/** How many these are at least, reckoned without making them. */
export function countBuckets(bucket: Bucket, from: Date, to: Date): number {
  const spanMs = to.getTime() - bucketBegin(bucket, from).getTime()
  return Math.floor(spanMs / { hour, day, month: 31 * day }[bucket])
}

function bucketBegin(bucket: Bucket, at: Date): Date {
  if (bucket === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
  const length = bucket === 'hour' ? hour : day
  return new Date(Math.floor(at.getTime() / length) * length)
}

export function nextBucket(bucket: Bucket, at: Date): Date {
  if (bucket === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
  return new Date(at.getTime() + (bucket === 'hour' ? hour : day))
}

type FigureRow = { at: number; value: string } & Figures

const figureColumns = sql.raw(figureNames.map((name) => `f.${columnOf[name]} AS ${name}`).join())

/** One for each of `values`, in their order. */
export async function readSeries(
  reader: Reader,
  { workspaceId, dimension, bucket }: StatsSelection,
  { begins, values }: { begins: Date[]; values: string[] },
): Promise<Series[]> {
  const times = JSON.stringify(begins.map((at) => at.getTime()))
  const rows = await reader.db.all<FigureRow>(
    sql`SELECT f.at AS at, f.value AS value, ${figureColumns}
      FROM json_each(${JSON.stringify(values)}) AS named CROSS JOIN json_each(${times}) AS begun CROSS JOIN figures AS f
      WHERE f.workspace_id = ${workspaceId} AND f.dimension = ${dimension} AND f.bucket = ${bucket}
        AND f.at = begun.value AND f.value = named.value`,
  )
  const byValue = Map.groupBy(rows, ({ value }) => value)
  return values.map((value) => ({ value, ...toSeries(byValue.get(value) ?? [], begins) }))
}

function toSeries(rows: FigureRow[], begins: Date[]): Omit<Series, 'value'> {
  const byTime = new Map(rows.map((row) => [row.at, row]))
  const totals = sumRows(rows)
  return { totals, data: begins.map((at) => ({ at, ...sumRows(byTime.get(at.getTime())) })) }
}

function sumRows(rows: FigureRow[] | FigureRow = []): Figures {
  const list = Array.isArray(rows) ? rows : [rows]
  const sums = figureNames.map((name) => [name, list.reduce((sum, row) => sum + row[name], 0)])
  return Object.fromEntries(sums) as Figures
}

/** Those that most was sent of or to, most first. */
export async function findLargest(
  reader: Reader,
  { workspaceId, dimension, bucket }: StatsSelection,
  { begins, limit }: { begins: Date[]; limit: number },
): Promise<string[]> {
  const [first, last] = [begins.at(0), begins.at(-1)]
  const rows = await reader.db.all<{ value: string }>(
    sql`SELECT value AS value FROM figures
      WHERE workspace_id = ${workspaceId} AND dimension = ${dimension} AND bucket = ${bucket}
        AND at >= ${first?.getTime()} AND at <= ${last?.getTime()}
      GROUP BY value ORDER BY sum(sent) DESC, value LIMIT ${limit}`,
  )
  return rows.map(({ value }) => value)
}
