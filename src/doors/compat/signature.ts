// Verifies AWS Signature Version 4 in the Authorization header:
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../../core/app.ts'
import { expectDigest, maxCallbackBytes } from '../../core/http/body.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { minute } from '../../kit/duration.ts'
import { AppError } from '../../kit/error.ts'
import { findKeyById, signingSecret, type WorkingKey } from '../../people/access/api-keys.ts'

const algorithm = 'AWS4-HMAC-SHA256'
const authorization =
  /^AWS4-HMAC-SHA256 +Credential=(?<id>[\w-]{1,100})\/(?<scope>\d{8}\/[\w-]{1,50}\/(?<service>[\w-]{1,30})\/aws4_request), *SignedHeaders=(?<names>[a-z0-9;_-]{1,1000}), *Signature=(?<signature>[0-9a-f]{64})$/
const timePattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
/** How far the clocks may be apart. */
const maxSkewMs = 15 * minute
const digestHeader = 'x-amz-content-sha256'

/** The key that `request` is signed with, for `service`. Its body is bound: it is checked when it is read. Throws 401 or 403. */
export async function verifySignature(app: App, request: Request, service: string): Promise<WorkingKey> {
  const given = request.headers.get('authorization')
  if (given === null) throw new AppError('unauthorized', `This needs a request that is signed: ${algorithm}.`)
  const parts = authorization.exec(given)?.groups
  if (!parts) throw new AppError('signature_invalid', `The Authorization is not one of ${algorithm} in the header.`)
  const { id = '', scope = '', names = '', signature = '' } = parts
  const time = request.headers.get('x-amz-date') ?? ''
  if (parts['service'] !== service || !time.startsWith(scope.slice(0, 8)))
    throw new AppError('signature_invalid', `The credential is for another service or day, not for ${service}.`)
  expectFresh(app, time)
  const signed = names.split(';')
  for (const name of ['host', 'x-amz-date'])
    if (!signed.includes(name)) throw new AppError('signature_invalid', `The header ${name} is not signed.`)
  const key = await findKeyById(app, id)
  const digest = await digestRequest(request, signed)
  // One that does not exist takes as long.
  const secret = signingSecret(app, { id, keyHash: key?.keyHash ?? '' })
  const toSign = [algorithm, time, scope, sha256Hex(canonical(request, signed, digest))].join('\n')
  const signingKey = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const isRight = timingSafeEqual(hmac(signingKey, toSign), Buffer.from(signature, 'hex'))
  if (!key) throw new AppError('invalid_api_key', 'The access key id is not that of an API key: key_…')
  if (!isRight) throw new AppError('signature_invalid', 'The signature does not match; check the secret access key.')
  expectDigest(request, digest)
  return key
}

/** The signature of a request that verifySignature() let in. It is good for one write, or whoever sees it could repeat it. */
export function readSignature(request: Request): string {
  return authorization.exec(request.headers.get('authorization') ?? '')?.groups?.['signature'] ?? ''
}

function expectFresh(app: App, time: string): void {
  const [, year, month, day, hour, minutes, seconds] = timePattern.exec(time) ?? []
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minutes}:${seconds}Z`)
  const skewMs = Math.abs(app.clock.now().getTime() - at)
  if (!(skewMs <= maxSkewMs))
    throw new AppError('signature_invalid', 'X-Amz-Date is more than 15 minutes away from the clock of this server.')
}

/** As the client says it, signed; a client that does not say it has a small body, which is read now. */
async function digestRequest(request: Request, signed: string[]): Promise<string> {
  const said = request.headers.get(digestHeader)
  if (said !== null) {
    if (signed.includes(digestHeader) && /^[0-9a-f]{64}$/.test(said)) return said
    throw new AppError('signature_invalid', `${digestHeader} is not a signed SHA-256: the body must be signed.`)
  }
  if (!(Number(request.headers.get('content-length') ?? Number.NaN) <= maxCallbackBytes))
    throw new AppError('signature_invalid', `Send ${digestHeader} for a body of more than 1 MB, or of unknown length.`)
  return sha256Hex(await request.clone().bytes())
}

function canonical(request: Request, signed: string[], digest: string): string {
  const { pathname, searchParams } = new URL(request.url)
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const headers = signed.map((name) => `${name}:${(request.headers.get(name) ?? '').trim().replaceAll(/ +/g, ' ')}\n`)
  // The path is encoded once more than it was sent.
  const path = pathname.split('/').map(encode).join('/')
  return [request.method, path, query.join('&'), headers.join(''), signed.join(';'), digest].join('\n')
}

/** All but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
