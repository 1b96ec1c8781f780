// The part of a file that a download asks for (RFC 9110, 13.1.5 and 14.2), of files that Bun does not answer by itself: one range of bytes.

import type { Part } from '../../kit/store/store.ts'

/** `none`: no byte of it is there. Null: the whole file is asked for, or in a way that only the whole answers. `etag` as it is sent. */
export function readByteRange(
  { headers }: { headers: Headers },
  { bytes, etag }: { bytes: number; etag: string },
): Part | 'none' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '') ?? []
  if ((headers.get('if-range') ?? etag) !== etag || first + last === '') return null
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (first !== '' && last !== '' && Number(last) < from) return null
  return from < bytes && to >= from ? { from, to } : 'none'
}

/** Of the answer with that part, a 206. */
export function partHeaders({ from, to }: Part, bytes: number): Record<string, string> {
  return { 'content-length': String(to - from + 1), 'content-range': `bytes ${from}-${to}/${bytes}` }
}

export function noSuchPart(bytes: number): Response {
  return new Response(null, { status: 416, headers: { 'content-range': `bytes */${bytes}` } })
}
