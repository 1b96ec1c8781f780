// Limits of a request body: 25 MB, uncompressed, JSON where required. It is refused from its headers if possible; a body of unknown length
// is counted while it is read.

import { sha256Hex } from '../lib/digest.ts'
import { AppError } from '../lib/error.ts'
import { nextTurn } from '../lib/turn.ts'
import { type BodyOwner, countFor, takeRoom } from './body-budget.ts'
import { parseJson, parseLargeJson } from './json.ts'

/** The largest request, attachments included: 25 MB, meaning 25 × 1024 × 1024 bytes. */
export const maxRequestBytes = 25 * 1024 * 1024

/** For requests without a credential: a sign-in, a form. */
export const maxPublicBytes = 64 * 1024

/** For a file of contacts, which is never held in memory. */
export const maxUploadBytes = 1_000_000_000

/** For an export of another service, which is held in memory while it is read. */
export const maxExportBytes = 100 * 1024 * 1024

/** For callbacks by providers. */
export const maxCallbackBytes = 1024 * 1024

/** The kinds of body that a route may have (surface.ts). */
export interface BodyRule {
  json: boolean
  maxBytes: number
  owner: BodyOwner
}

/** From here on to parse it takes longer than a turn should. */
const largeBytes = 64 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface Admitted extends Request {
  /** How long the body of an admitted request may take in total. */
  bodyTimeoutMs?: number
  /** What a signature says its SHA-256 is, in hex. */
  signedDigest?: string
  /** Why the JSON could not be parsed: the router drops that for an optional body. */
  unreadable?: unknown
}

const longestMs = 120_000

/** Checks the headers of a request that may have a body, and replaces its json(). Throws 413, 415 or 503. */
export function admitBody(request: Admitted, { json: mustBeJson, maxBytes, owner }: BodyRule, timeoutMs: number): void {
  const { headers } = request
  const length = headers.get('content-length')
  request.json = noJson
  if (length === '0' || (length === null && headers.get('transfer-encoding') === null)) return
  if (length !== null && Number(length) > maxBytes) throw tooLarge(maxBytes)
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity') {
    throw new AppError('unsupported_media_type', 'Send the body uncompressed: Content-Encoding is not supported.')
  }
  const contentType = headers.get('content-type')
  if (mustBeJson && !isJson(contentType)) {
    throw new AppError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
  }
  // Media types are case-insensitive (RFC 9110, 8.3.1), but the router compares them as they are.
  if (mustBeJson && !contentType?.startsWith('application/json')) headers.set('content-type', 'application/json')
  if (owner === 'caller') countFor(request, owner)
  if (length !== null && maxBytes < maxUploadBytes) takeRoom(request, Number(length))
  request.bodyTimeoutMs = timeoutMs
  request.json = maxBytes === maxPublicBytes ? readSmallJson : readJson
}

/** All bytes of a body, at most `maxBytes`, in time. For routes that need the raw body (`parse: 'none'`). */
export function readBody(request: Admitted, maxBytes = maxRequestBytes): Promise<Uint8Array> {
  const { bodyTimeoutMs = longestMs } = request
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const wait = beginWait(bodyTimeoutMs, () => reject(tooSlow(bodyTimeoutMs)))
  // With a Content-Length the server itself enforces the length, and admitBody() has checked it.
  const reading = request.headers.get('content-length') === null ? readChunks(request, maxBytes, wait) : request.bytes()
  const end = <T>(settle: (value: T) => void) => {
    return (value: T) => {
      waits.delete(wait)
      settle(value)
    }
  }
  reading.then(end(resolve), end(reject))
  return promise
}

async function readChunks(request: Request, maxBytes: number, wait: Wait): Promise<Uint8Array> {
  if (!request.body) return await request.bytes()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    if (!waits.has(wait)) break
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    takeRoom(request, chunk.byteLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** When a body that is being waited for is due. */
interface Wait {
  until: number
  giveUp(): void
}

/** For all servers of the process. One timer serves them all, because a timer per body costs more than reading it. */
const waits = new Set<Wait>()
const lookEveryMs = 50
let isLooking = false

function beginWait(ms: number, giveUp: () => void): Wait {
  const wait = { until: performance.now() + ms, giveUp }
  waits.add(wait)
  if (!isLooking) setTimeout(endLateWaits, lookEveryMs)
  isLooking = true
  return wait
}

function endLateWaits(): void {
  const now = performance.now()
  for (const wait of waits) {
    if (wait.until > now) continue
    waits.delete(wait)
    wait.giveUp()
  }
  isLooking = waits.size > 0
  if (isLooking) setTimeout(endLateWaits, lookEveryMs)
}

function tooSlow(timeoutMs: number): AppError {
  const headers = { connection: 'close' }
  return new AppError('request_timeout', `The body did not arrive within ${timeoutMs / 1_000} s.`, { headers })
}

/** These replace Request.json() on every request that may have a body, so that no route can parse JSON any other way. */
function noJson(): Promise<undefined> {
  return Promise.resolve(undefined)
}

function readJson(this: Admitted): Promise<unknown> {
  return decoded(this, maxRequestBytes)
}

function readSmallJson(this: Admitted): Promise<unknown> {
  return decoded(this, maxPublicBytes)
}

async function decoded(request: Admitted, maxBytes: number): Promise<unknown> {
  try {
    const bytes = await readBody(request, maxBytes)
    if (request.signedDigest !== undefined && request.signedDigest !== sha256Hex(bytes))
      throw new AppError('signature_invalid', 'The body is not the one that was signed.')
    return bytes.byteLength > largeBytes ? await decodeLarge(bytes) : parseJson(textOf(bytes))
  } catch (error) {
    request.unreadable = error
    throw error
  }
}

/** A body with another digest is refused when it is read. */
export function expectDigest(request: Admitted, sha256: string): void {
  request.signedDigest = sha256
}

/** Throws what parsing the JSON of a request threw. */
export function expectReadable({ unreadable }: Admitted): void {
  if (unreadable !== undefined) throw unreadable
}

/** Each step of processing a large body is short enough for a turn; all together are not. */
async function decodeLarge(bytes: Uint8Array): Promise<unknown> {
  await nextTurn()
  const text = textOf(bytes)
  await nextTurn()
  const value = await parseLargeJson(text)
  await nextTurn()
  return value
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new AppError('invalid_json', 'The body is not UTF-8.')
  }
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType)
}

function tooLarge(maxBytes: number): AppError {
  const size = maxBytes === maxRequestBytes ? `${maxBytes} bytes (25 MB)` : `${maxBytes} bytes here`
  return new AppError('payload_too_large', `A request may have at most ${size}.`)
}
