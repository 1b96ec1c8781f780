// Limits of a request body: its size, uncompressed, JSON where required. It is refused from its headers if possible; a body of unknown length
// is counted while it is read.

import type { Aside } from '../../kit/aside.ts'
import { sha256Hex } from '../../kit/digest.ts'
import { AppError } from '../../kit/error.ts'
import { readJson } from '../../kit/json.ts'
import { maxPictureBytes } from '../../kit/picture/size.ts'
import type { App } from '../app.ts'
import { type BodyOwner, countFor, takeRoom } from './body-budget.ts'

/** The largest request, attachments included: 25 MB, meaning 25 × 1024 × 1024 bytes. */
export const maxRequestBytes = 25 * 1024 * 1024

/** For requests with a credential that bring no attachments. */
export const maxCallBytes = 4 * 1024 * 1024

/** For requests without a credential, or with a public one: a sign-in, a form, an opt-in. */
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

interface Admitted extends Request {
  /** How long the body of an admitted request may take in total. */
  bodyTimeoutMs?: number
  maxBodyBytes?: number
  aside?: Aside
  /** What a signature says its SHA-256 is, in hex. */
  signedDigest?: string
  /** Why the JSON could not be parsed: the router drops that for an optional body. */
  unreadable?: unknown
}

const longestMs = 120_000

/** Checks the headers of a request that may have a body, and replaces its json(). Throws 413, 415 or 503. */
export function admitBody(
  request: Admitted,
  { json: mustBeJson, maxBytes, owner }: BodyRule,
  { config, aside }: Pick<App, 'config' | 'aside'>,
): void {
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
  request.bodyTimeoutMs = config.bodyTimeoutMs
  request.maxBodyBytes = maxBytes
  request.aside = aside
  request.json = readAdmittedJson
}

/** All bytes of a body, at most `maxBytes`, in time. For routes that need the raw body (`parse: 'none'`). */
export function readBody(request: Admitted, maxBytes: number): Promise<Uint8Array> {
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

async function readAdmittedJson(this: Admitted): Promise<unknown> {
  const { maxBodyBytes = maxPublicBytes, aside, signedDigest } = this
  try {
    const bytes = await readBody(this, maxBodyBytes)
    if (signedDigest !== undefined && signedDigest !== sha256Hex(bytes))
      throw new AppError('signature_invalid', 'The body is not the one that was signed.')
    if (!aside) throw new Error('a body was read that was not admitted')
    return await readJson(aside, bytes)
  } catch (error) {
    this.unreadable = error
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

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType)
}

export function tooLarge(maxBytes: number): AppError {
  if (maxBytes === maxPictureBytes)
    return new AppError('payload_too_large', `A picture may have at most ${maxBytes} bytes (10 MB).`)
  const size = maxBytes === maxRequestBytes ? `${maxBytes} bytes (25 MB)` : `${maxBytes} bytes here`
  return new AppError('payload_too_large', `A request may have at most ${size}.`)
}
