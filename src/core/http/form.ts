// Reads a form posted by one of our pages or by a mail client (RFC 8058). Both HTML encodings are accepted; anything else is refused, so
// that nobody believes that a request took effect which did not.

import { AppError } from '../../kit/error.ts'
import { maxPublicBytes, readBody } from './body.ts'

const encodings = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i

/** The fields of a form. Throws 415 for another content type, 400 for a body that does not match its type, 422 for a file in it. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const contentType = request.headers.get('content-type') ?? ''
  const encoding = encodings.exec(contentType)?.[1]?.toLowerCase()
  if (encoding === undefined)
    throw new AppError(
      'unsupported_media_type',
      'Send a form: Content-Type application/x-www-form-urlencoded or multipart/form-data.',
    )
  const bytes = await readBody(request, maxPublicBytes)
  if (encoding !== 'multipart/form-data') return new URLSearchParams(new TextDecoder().decode(bytes))
  const form = await multipart(bytes, contentType)
  const fields = new URLSearchParams()
  for (const [name, value] of form) {
    if (typeof value !== 'string')
      throw new AppError('validation_failed', 'This form accepts no files.', {
        errors: [{ path: name.slice(0, 100), message: 'must not be a file', code: 'invalid' }],
      })
    fields.append(name, value)
  }
  return fields
}

async function multipart(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes.slice(), { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw new AppError('invalid_request', 'The body is not multipart/form-data.')
  }
}
