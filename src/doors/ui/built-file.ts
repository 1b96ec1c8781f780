// One file for a browser as an answer.

import { AppError } from '../../kit/error.ts'
import { ownValue } from '../../kit/own-value.ts'
import type { BuiltFiles } from './built-files.ts'

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  webp: 'image/webp',
  svg: 'image/svg+xml',
}

/** Its name changes with what is in it, so it may be kept for ever. */
const keepForever = 'public, max-age=31536000, immutable'

export function builtFile(request: Request, files: BuiltFiles, name: string, cacheControl = keepForever): Response {
  const found = files.read(name)
  if (!found) throw new AppError('not_found', 'There is no such file.')
  const takesBrotli = /\bbr\b/.test(request.headers.get('accept-encoding') ?? '')
  const headers = {
    'content-type': ownValue(types, name.split('.').at(-1) ?? '') ?? 'text/plain; charset=utf-8',
    'cache-control': cacheControl,
    'content-security-policy': "default-src 'none'",
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    ...(takesBrotli ? { 'content-encoding': 'br' } : {}),
  }
  return new Response(takesBrotli ? found.brotli : found.plain(), { headers })
}
