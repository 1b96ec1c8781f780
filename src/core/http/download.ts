// Answers with a file: always as a download and never as anything a browser would run, whatever its sender called it.

import { AppError } from '../../kit/error.ts'
import { type RawMail, toStream } from '../../mail/raw-mail.ts'
import type { App } from '../app.ts'

const anyBytes = 'application/octet-stream'
const file = { type: 'string', format: 'binary' } as const

/** For the OpenAPI document. */
export function downloadResponse(contentType = anyBytes) {
  return {
    responses: { 200: { description: 'The content, as a download.', content: { [contentType]: { schema: file } } } },
  }
}

/** RFC 6266; the name is the sender's, so it is encoded and nothing else is said about the file. */
export function download(raw: RawMail, filename: string, contentType = anyBytes): Response {
  return new Response(toStream(raw), { headers: downloadHeaders(filename, raw.bytes, contentType) })
}

/** Of a file of that many bytes. */
export function downloadHeaders(filename: string, bytes: number, contentType = anyBytes): Record<string, string> {
  const name = encodeURIComponent(filename.toWellFormed().replace(/[/\\]/g, '_')).replace(/['()*]/g, encodeMore)
  return {
    'content-length': String(bytes),
    'content-type': contentType,
    'content-disposition': `attachment; filename*=UTF-8''${name}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
}

/** An attachment of a mail by its number, from 1. Throws not_found. */
export async function downloadAttachment({ mailReader }: App, raw: RawMail, number: string): Promise<Response> {
  const found = /^\d{1,3}$/.test(number) ? await mailReader.attachment(raw, Number(number) - 1) : null
  if (!found) throw new AppError('not_found', 'This mail has no such attachment.')
  return download(found.content, found.filename)
}

function encodeMore(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}
