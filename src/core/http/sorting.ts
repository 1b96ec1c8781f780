// Lists in an order that somebody asks for: by what an index has in its order, so that a page costs the same wherever it is. A place in a
// list says in which order it was reached, and is refused in another.

import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { t } from 'elysia'
import { AppError } from '../../kit/error.ts'
import { oneOf } from './wire.ts'

/** Up, or with a `-` down. */
export type Sort<Name extends string = string> = Name | `-${Name}`

interface Order<Row> {
  /** What is sorted by, where that is not the key. */
  by?: { column: SQL; of: (row: Row) => string | number }
  /** Tells rows apart; holds no space. */
  key: { column: SQLiteColumn; of: (row: Row) => string }
}

export interface Orders<Name extends string, Row> {
  first: Sort<NoInfer<Name>>
  named: Record<Name, Order<Row>>
}

/** The parameter of the request. */
export function sortQuery<Name extends string, Row>({ first, named }: Orders<Name, Row>, also = '') {
  const sorts = (Object.keys(named) as Name[]).flatMap((name): Sort<Name>[] => [name, `-${name}`])
  const says = `Order by this; with a \`-\`, the other way round. Default \`${first}\`.${also} A \`cursor\` is good for the order in which it was given.`
  return { sort: t.Optional(oneOf(sorts, says)) }
}

export interface Sorting<Row> {
  order: SQL
  /** Rows behind this place. Throws `invalid_cursor` for one of another order. */
  beyond: (place: string | undefined) => SQL | undefined
  placeOf: (row: Row) => string
}

export function sortingOf<Name extends string, Row>(
  { first, named }: Orders<Name, Row>,
  sort: Sort<Name> = first,
): Sorting<Row> {
  const isDown = sort.startsWith('-')
  const { by, key } = named[(isDown ? sort.slice(1) : sort) as Name]
  const direction = isDown ? sql`DESC` : sql`ASC`
  const sign = isDown ? sql`<` : sql`>`
  const placeOf = (row: Row) => (by ? `${typed(by.of(row))} ${key.of(row)}` : key.of(row))
  return {
    order: by ? sql`${by.column} ${direction}, ${key.column} ${direction}` : sql`${key.column} ${direction}`,
    beyond: (place) => {
      if (place === undefined) return undefined
      const [, its = first, at = ''] = /^(?:sort=(\S+) )?(.*)$/s.exec(place) ?? []
      if (its !== sort) throw new AppError('invalid_cursor', `cursor is of the list sorted by ${its}, not by ${sort}`)
      if (!by) return sql`${key.column} ${sign} ${at}`
      const end = at.lastIndexOf(' ')
      return sql`(${by.column}, ${key.column}) ${sign} (${untyped(at.slice(0, Math.max(0, end)))}, ${at.slice(end + 1)})`
    },
    placeOf: (row) => (sort === first ? placeOf(row) : `sort=${sort} ${placeOf(row)}`),
  }
}

/** A number stays one, because an expression of SQL has no type that it would be converted to. */
const typed = (value: string | number) => (typeof value === 'number' ? String(value) : `"${value}`)
const untyped = (text: string) => (text.startsWith('"') ? text.slice(1) : Number(text))
