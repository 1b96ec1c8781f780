// Pictures at their public address: for mail readers, which send no credential. The address changes with the bytes, so it may be kept for
// ever; nothing at it is run by a browser, whatever hides in the bytes.

import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { media } from '../../../../db/tables/media.ts'
import type { App } from '../../../core/app.ts'
import { mailPicture } from '../../../core/http/surface.ts'
import { AppError } from '../../../kit/error.ts'
import { typeOf } from './schema.ts'
import { type MediaRow, openStored } from './store.ts'

const address = /^([0-9a-f]{32})\.(png|jpeg|webp|gif)$/

export function mediaPages(app: App) {
  return new Elysia({ detail: { hide: true, ...mailPicture } }).get('/media/:file', async ({ params, request }) => {
    const [, key = '', kind] = address.exec(params.file) ?? []
    const [row] = key === '' ? [] : await app.db.select().from(media).where(eq(media.key, key))
    if (row?.kind !== kind || row === undefined) throw new AppError('not_found', 'There is no such picture.')
    const headers = headersOf(row)
    if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers })
    return new Response(await openStored(app, row.id), { headers })
  })
}

function headersOf({ key, kind, sizeBytes }: MediaRow) {
  return {
    'content-type': typeOf(kind),
    'content-length': String(sizeBytes),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    etag: `"${key}"`,
  }
}
