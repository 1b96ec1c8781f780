// Pages of a list. A cursor is sealed and bound to its list and workspace: one that was invented, edited or taken from somebody else is
// refused.

import { type TSchema, Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { AppError } from '../../kit/error.ts'
import type { App } from '../app.ts'
import { wholeNumber } from './wire.ts'

const defaultPerPage = 20
/** A higher limit is reduced to this. */
const maxPerPage = 100

export const pageQuery = {
  perPage: t.Optional(wholeNumber(`Default ${defaultPerPage}; at most ${maxPerPage}.`)),
  cursor: t.Optional(t.String({ maxLength: 500, description: '`nextCursor` of the previous page.' })),
}

export function pageOf<T extends TSchema>(item: T) {
  return Type.Object({
    pagination: Type.Object({
      totalResults: Type.Integer({ description: 'For lists of more than 10,000 items, counting may stop there.' }),
      returnedResults: Type.Integer({ description: 'How many items this page has.' }),
      perPage: Type.Integer(),
      totalPages: Type.Integer(),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'The `cursor` for the next request; null on the last page.',
      }),
      nextPage: Type.Union([Type.String(), Type.Null()], { description: 'URL of the next page.' }),
    }),
    data: Type.Array(item),
  })
}

export interface PageRequest {
  workspaceId: string
  /** Names the list, e.g. `/v1/transactional`. */
  path: string
  query: { perPage?: number | undefined; cursor?: string | undefined } & Record<string, unknown>
}

export interface PageBounds {
  limit: number
  /** The id of the last row of the previous page. */
  after: string | undefined
}

/** Throws `invalid_cursor`. */
export async function readPage(app: App, request: PageRequest): Promise<PageBounds> {
  const { perPage, cursor } = request.query
  const limit = Math.min(perPage ?? defaultPerPage, maxPerPage)
  if (cursor === undefined) return { limit, after: undefined }
  try {
    return { limit, after: await app.sealer.open(cursor, cursorContext(request)) }
  } catch {
    throw new AppError('invalid_cursor', 'cursor is not a nextCursor of this list')
  }
}

export interface PageContent<R, V> {
  /** The rows of the page, and one more to tell whether there is another page. */
  rows: R[]
  total: number
  idOf: (row: R) => string
  view: (row: R) => V
  /** Where the next page goes on, for a list that knows it better than its last row; null at its end. */
  next?: string | null
}

export async function writePage<R, V>(app: App, request: PageRequest, bounds: PageBounds, content: PageContent<R, V>) {
  const { limit } = bounds
  const { rows, total, idOf, view } = content
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const { next = rows.length > limit && last !== undefined ? idOf(last) : null } = content
  const nextCursor = next === null ? null : await app.sealer.seal(next, cursorContext(request))
  return {
    pagination: {
      totalResults: total,
      returnedResults: shown.length,
      perPage: limit,
      totalPages: Math.ceil(total / limit),
      nextCursor,
      nextPage: nextCursor === null ? null : nextAddress(app, request, nextCursor),
    },
    data: shown.map(view),
  }
}

function cursorContext({ workspaceId, path }: PageRequest): string {
  return `cursor ${workspaceId} ${path}`
}

function nextAddress(app: App, { path, query }: PageRequest, cursor: string): string {
  const parameters = Object.entries({ ...query, cursor }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return `${app.config.baseUrl}${path}?${new URLSearchParams(parameters)}`
}
