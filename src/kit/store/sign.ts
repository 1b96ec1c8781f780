// Signs requests to an S3-compatible store in their address (AWS Signature Version 4, query parameters):
// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html

import { createHash, createHmac } from 'node:crypto'

export interface Access {
  region: string
  keyId: string
  secret: string
}

export interface Signed {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  url: URL
  /** When, and for how long it may be used. */
  now: Date
  expiresS: number
}

const algorithm = 'AWS4-HMAC-SHA256'

/** The address with its signature. `url` has a path that is encoded as S3 wants it (`encodePath`). */
export function sign({ method, url, now, expiresS }: Signed, { region, keyId, secret }: Access): URL {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request']
  const query = new Map([
    ...url.searchParams,
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Credential', [keyId, ...scope].join('/')],
    ['X-Amz-Date', time],
    ['X-Amz-Expires', String(expiresS)],
    ['X-Amz-SignedHeaders', 'host'],
  ])
  const canonicalQuery = [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const request = [method, url.pathname, canonicalQuery, `host:${url.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const toSign = [algorithm, time, scope.join('/'), createHash('sha256').update(request).digest('hex')].join('\n')
  const key = scope.reduce((key: string | Buffer, part) => hmac(key, part), `AWS4${secret}`)
  const signed = new URL(url)
  signed.search = `${canonicalQuery}&X-Amz-Signature=${hmac(key, toSign).toString('hex')}`
  return signed
}

export function encodePath(path: string): string {
  return path.split('/').map(encode).join('/')
}

/** All but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
