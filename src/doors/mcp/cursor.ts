// Cursors of lists that tools answer with: sealed, and of one list.

import type { App } from '../../core/app.ts'
import { AppError } from '../../kit/error.ts'

/** What a cursor was sealed for; undefined without one. Throws `invalid_cursor` for one of another list. */
export async function openCursor(
  { sealer }: Pick<App, 'sealer'>,
  cursor: string | undefined,
  context: string,
): Promise<string | undefined> {
  if (cursor === undefined) return undefined
  try {
    return await sealer.open(cursor, context)
  } catch {
    throw new AppError('invalid_cursor', 'cursor is not a nextCursor of this list')
  }
}

/** The page of `rows`, which are one more than `limit` where others follow, with the cursor of those. */
export async function sealPage<R extends { id: string }>(
  { sealer }: Pick<App, 'sealer'>,
  rows: R[],
  { limit, context }: { limit: number; context: string },
): Promise<{ shown: R[]; nextCursor: string | null }> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { shown, nextCursor: last ? await sealer.seal(last.id, context) : null }
}
