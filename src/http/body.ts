// What a request may carry: 25 MB, uncompressed, JSON where we say so. Refused from the headers where they tell; a body of
// unknown length is counted while it is read.

import { AppError } from '../lib/error.ts'
import { nextTurn } from '../lib/turn.ts'
import { type BodyOwner, countFor, takeRoom } from './body-budget.ts'
import { parseJson } from './json.ts'

/** api.md, Limits: "Total request size of a send: 25 MB", taken as 25 × 1024 × 1024 bytes. */
export const maxRequestBytes = 25 * 1024 * 1024

/** What anybody may send: a sign-in, a form. */
export const maxPublicBytes = 64 * 1024

/** A file of contacts, which is never held in memory. */
export const maxUploadBytes = 1_000_000_000

/** What a provider may call us back with. */
export const maxCallbackBytes = 1024 * 1024

/** What the body of a path may be (surface.ts). */
export interface BodyRule {
  json: boolean
  maxBytes: number
  owner: BodyOwner
}

const largeBytes = 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

interface Admitted extends Request {
  /** How long the body of an admitted request may take in all. */
  bodyTimeoutMs?: number
  /** Why its JSON could not be read: the router drops that where a body may be left out. */
  unreadable?: unknown
}

const longestMs = 120_000

/** Checks the headers of a request that may have a body and makes its json() ours. Throws 413, 415 or 503. */
export function admitBody(request: Admitted, { json: mustBeJson, maxBytes, owner }: BodyRule, timeoutMs: number): void {
  const { headers } = request
  const length = headers.get('content-length')
  if (length === '0' || (length === null && headers.get('transfer-encoding') === null)) return
  if (length !== null && Number(length) > maxBytes) throw tooLarge(maxBytes)
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity') {
    throw new AppError('unsupported_media_type', 'Send the body as it is: Content-Encoding is not supported.')
  }
  const contentType = headers.get('content-type')
  if (mustBeJson && !isJson(contentType)) {
    throw new AppError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
  }
  // Media types are case-insensitive (RFC 9110, 8.3.1), but the router compares them as they are.
  if (mustBeJson && !contentType?.startsWith('application/json')) headers.set('content-type', 'application/json')
  if (owner === 'caller') countFor(request, owner)
  if (length !== null && maxBytes <= maxRequestBytes) takeRoom(request, Number(length))
  request.bodyTimeoutMs = timeoutMs
  request.json = maxBytes === maxPublicBytes ? readSmallJson : readJson
}

/** All bytes of a body, at most `maxBytes`, in time. For routes that need the body as it was sent (`parse: 'none'`). */
export async function readBody(request: Admitted, maxBytes = maxRequestBytes): Promise<Uint8Array> {
  const { bodyTimeoutMs = longestMs } = request
  const late = new AbortController()
  const reading = readAll(request, maxBytes, late.signal)
  // Most bodies arrive with their headers: no clock is set for them.
  if (Bun.peek.status(reading) !== 'pending') return reading
  const timer = setTimeout(() => late.abort(tooSlow(bodyTimeoutMs)), bodyTimeoutMs)
  return Promise.race([reading, aborted(late.signal)]).finally(() => clearTimeout(timer))
}

async function readAll(request: Request, maxBytes: number, late: AbortSignal): Promise<Uint8Array> {
  // With a length, the server itself cuts what is longer, and admitBody() has seen the length.
  if (request.headers.get('content-length') !== null || !request.body)
    return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    late.throwIfAborted()
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    takeRoom(request, chunk.byteLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

function tooSlow(timeoutMs: number): AppError {
  const headers = { connection: 'close' }
  return new AppError('request_timeout', `The body did not arrive within ${timeoutMs / 1_000} s.`, { headers })
}

/** These stand in for Request.json() on every request with a body, so that no route can read JSON any other way. */
function readJson(this: Admitted): Promise<unknown> {
  return decoded(this, maxRequestBytes)
}

function readSmallJson(this: Admitted): Promise<unknown> {
  return decoded(this, maxPublicBytes)
}

async function decoded(request: Admitted, maxBytes: number): Promise<unknown> {
  try {
    return await decodeJson(await readBody(request, maxBytes))
  } catch (error) {
    request.unreadable = error
    throw error
  }
}

/** Throws what reading the JSON of a request threw. */
export function expectReadable({ unreadable }: Admitted): void {
  if (unreadable !== undefined) throw unreadable
}

/** What is done with a large body is short enough for a turn step by step, together it is not. */
async function decodeJson(bytes: Uint8Array): Promise<unknown> {
  const isLarge = bytes.byteLength > largeBytes
  if (isLarge) await nextTurn()
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new AppError('invalid_json', 'The body is not UTF-8.')
  }
  if (isLarge) await nextTurn()
  const value = parseJson(text)
  if (isLarge) await nextTurn()
  return value
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType)
}

function tooLarge(maxBytes: number): AppError {
  const size = maxBytes === maxRequestBytes ? `${maxBytes} bytes (25 MB)` : `${maxBytes} bytes here`
  return new AppError('payload_too_large', `A request may have at most ${size}.`)
}
