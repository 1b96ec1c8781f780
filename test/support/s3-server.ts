// A store that speaks as much of S3 as we use, and is strict: it computes the signature of every request anew, compares Content-MD5, knows
// If-None-Match, lists two names a page, joins parts only by their tags. A test makes it fail: silent, cut off, or with a status.

import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const region = 'eu-test-1'
const keyId = 'PAQUEBOTTEST'
const secret = 'a/secret+of the store'
const usualPage = 2
const toleratedMs = 60_000

interface Asked {
  method: string
  /** Of the object, with its prefix; empty for the bucket. */
  key: string
  query: URLSearchParams
}

/** `lost`: it is done, and nobody hears of it. */
type Fault = 'silent' | 'cut' | 'lost' | number | undefined

export interface S3Server extends AsyncDisposable {
  environment: Record<string, string>
  /** By `bucket/key`. */
  objects: Map<string, Buffer>
  asked: Asked[]
  /** Asked before each request is answered. */
  fault: (asked: Asked, count: number) => Fault
  /** Uploads in parts that were neither joined nor given up. */
  open(): number
}

/** `namesPerPage`: of a list; few, so that lists have pages. */
export async function s3Server({ namesPerPage = usualPage } = {}): Promise<S3Server> {
  const uploads = new Map<string, Map<number, Buffer>>()
  const store: S3Server = {
    environment: {},
    objects: new Map(),
    asked: [],
    fault: () => undefined,
    open: () => uploads.size,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const asked = {
      method: request.method ?? '',
      key: decodeURIComponent(url.pathname.slice(1)),
      query: url.searchParams,
    }
    store.asked.push(asked)
    const body = await bodyOf(request)
    if (body === null) return
    const fault = store.fault(asked, store.asked.length)
    if (fault === 'silent') return
    if (typeof fault === 'number') return say(response, fault, problem('Trouble', 'as the test says'))
    const wrong = refused(request, url, body)
    if (wrong !== null) return say(response, wrong.startsWith('BadDigest') ? 400 : 403, problem(wrong, 'refused'))
    const ifFree = request.headers['if-none-match'] === '*'
    const whole = respond({ objects: store.objects, uploads, namesPerPage }, asked, body, ifFree)
    const answer = partOf(whole, request.headers.range)
    if (fault === 'lost') return void request.socket.destroy()
    if (fault !== 'cut') return say(response, answer.status, answer.body, answer.headers)
    response.writeHead(answer.status, { 'content-length': answer.body.length })
    response.write(answer.body.subarray(0, answer.body.length / 2), () => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  store.environment = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: keyId,
    S3_SECRET_ACCESS_KEY: secret,
  }
  return store
}

interface Answer {
  status: number
  body: Buffer
  headers?: Record<string, string>
}

function answer(status: number, text = '', headers: Record<string, string> = {}): Answer {
  return { status, body: Buffer.from(text), headers }
}

function partOf(whole: Answer, range: string | undefined): Answer {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (whole.status !== 200 || from === undefined) return whole
  return { ...whole, status: 206, body: whole.body.subarray(Number(from), Number(to) + 1) }
}

interface Kept {
  objects: Map<string, Buffer>
  uploads: Map<string, Map<number, Buffer>>
  namesPerPage: number
}

function respond(
  { objects, uploads, namesPerPage }: Kept,
  { method, key, query }: Asked,
  body: Buffer,
  ifFree: boolean,
): Answer {
  const isTaken = () => ifFree && objects.has(key)
  const precondition = answer(412, problem('PreconditionFailed', 'At least one of the pre-conditions did not hold'))
  const uploadId = query.get('uploadId')
  const parts = uploadId === null ? undefined : uploads.get(uploadId)
  if (uploadId !== null && !parts) return answer(404, problem('NoSuchUpload', 'The upload does not exist'))
  if (method === 'POST' && query.has('uploads')) {
    const id = `upload-${uploads.size + 1}-${objects.size}`
    uploads.set(id, new Map())
    return answer(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }
  if (method === 'PUT' && parts) {
    parts.set(Number(query.get('partNumber')), body)
    return answer(200, '', { etag: tagOf(body) })
  }
  if (method === 'POST' && parts && uploadId !== null) {
    if (isTaken()) return precondition
    const wanted = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)]
    const joined = wanted.map(([, number, tag]) => {
      const part = parts.get(Number(number))
      return part && tagOf(part) === tag?.replaceAll('&quot;', '"') ? part : null
    })
    if (joined.length === 0 || joined.includes(null)) return answer(400, problem('InvalidPart', 'A part is not there'))
    objects.set(key, Buffer.concat(joined.flatMap((part) => part ?? [])))
    uploads.delete(uploadId)
    return answer(200, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
  }
  if (method === 'DELETE' && uploadId !== null) uploads.delete(uploadId)
  else if (method === 'DELETE') objects.delete(key)
  if (method === 'DELETE') return answer(204)
  if (method === 'PUT') {
    if (isTaken()) return precondition
    objects.set(key, body)
    return answer(200, '', { etag: tagOf(body) })
  }
  if (query.get('list-type') === '2') return list({ objects, namesPerPage }, key, query)
  const found = objects.get(key)
  return found ? { status: 200, body: found } : answer(404, problem('NoSuchKey', 'The specified key does not exist'))
}

function list({ objects, namesPerPage }: Omit<Kept, 'uploads'>, bucket: string, query: URLSearchParams): Answer {
  const [prefix = '', delimiter = '', after = ''] = ['prefix', 'delimiter', 'continuation-token'].map(
    (name) => query.get(name) ?? '',
  )
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(`${bucket}/`))
    .map((key) => key.slice(bucket.length + 1))
    .filter((key) => key.startsWith(prefix) && key > after)
    .filter((key) => delimiter === '' || !key.slice(prefix.length).includes(delimiter))
    .sort()
  const page = keys.slice(0, namesPerPage)
  const more = keys.length > page.length
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')
  return answer(200, `<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents}${next}</ListBucketResult>`)
}

/** The code of what is wrong with the request; null when nothing is. */
function refused({ method, headers }: IncomingMessage, url: URL, body: Buffer): string | null {
  const md5 = headers['content-md5']
  if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64')) return 'BadDigest'
  const given = url.searchParams.get('X-Amz-Signature')
  const time = url.searchParams.get('X-Amz-Date') ?? ''
  const at = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (Math.abs(Date.now() - at) > toleratedMs) return 'RequestTimeTooSkewed'
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  if (url.searchParams.get('X-Amz-Credential') !== `${keyId}/${scope}`) return 'InvalidAccessKeyId'
  const query = url.search
    .slice(1)
    .split('&')
    .filter((pair) => !pair.startsWith('X-Amz-Signature='))
    .sort()
    .join('&')
  const canonical = `${method}\n${url.pathname}\n${query}\nhost:${headers.host}\n\nhost\nUNSIGNED-PAYLOAD`
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = mac(mac(mac(mac(`AWS4${secret}`, time.slice(0, 8)), region), 's3'), 'aws4_request')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const expected = mac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash}`).toString('hex')
  return given === expected ? null : 'SignatureDoesNotMatch'
}

function tagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`
}

function problem(code: string, message: string): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
}

/** Null when the client went away: a thread of the archive ends in the middle of a request. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    return null
  }
  return Buffer.concat(chunks)
}

function say(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}
