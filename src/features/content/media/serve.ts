// Pictures at their public address: for mail readers, which send no credential. The address changes with the bytes, so it may be kept for
// ever; nothing at it is run by a browser, whatever hides in the bytes.

import { eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { media } from '../../../../db/tables/media.ts'
import type { App } from '../../../core/app.ts'
import { mailPicture } from '../../../core/http/surface.ts'
import { AppError } from '../../../kit/error.ts'
import { typeOf } from './schema.ts'
import { type MediaRow, mediaStore, reaching } from './store.ts'

const address = /^([0-9a-f]{32})\.(png|jpeg|webp|gif)$/

export function mediaPages(app: App) {
  return new Elysia({ detail: { hide: true, ...mailPicture } }).get('/media/:file', async ({ params, request }) => {
    const [, key = '', kind] = address.exec(params.file) ?? []
    const [row] = key === '' ? [] : await app.db.select().from(media).where(eq(media.key, key))
    if (row?.kind !== kind || row === undefined) throw new AppError('not_found', 'There is no such picture.')
    const headers = headersOf(row)
    if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers })
    return new Response(await openFile(app, row), { headers })
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

/** Throws 404 or 503 where the file does not come, before anything is answered. */
async function openFile(app: App, { id }: MediaRow): Promise<Blob | ReadableStream<Uint8Array>> {
  const store = mediaStore(app)
  return await reaching(app, async () => {
    const path = store.pathOf(id)
    if (path !== null) return Bun.file(path)
    const chunks = store.get(id)[Symbol.asyncIterator]()
    return streamed(chunks, await chunks.next())
  })
}

function streamed(chunks: AsyncIterator<Uint8Array>, begun: IteratorResult<Uint8Array>): ReadableStream<Uint8Array> {
  let next: IteratorResult<Uint8Array> | null = begun
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = next ?? (await chunks.next())
      next = null
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}
