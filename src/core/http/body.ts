// Limits of a request body: its size, uncompressed, JSON where required. It is refused from its headers if possible; a body of unknown length
// is counted while it is read.

import type { Aside } from '../../kit/aside.ts'
import { AppError } from '../../kit/error.ts'
import { hugeBytes, readJson, readMailJson } from '../../kit/json.ts'
import { holdFiles } from '../../kit/lifted-files.ts'
import { maxPictureBytes } from '../../kit/picture/size.ts'
import { SharedPieces } from '../../kit/shared-pieces.ts'
import { createPace } from '../../kit/turn.ts'
import type { App } from '../app.ts'
import { type BodyOwner, countFor, takeRoom, whenAnswered } from './body-budget.ts'

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
  /** Makes what nobody outside can guess. */
  secret?: () => string
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
  { config, aside, random }: Pick<App, 'config' | 'aside' | 'random'>,
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
  request.secret = () => Buffer.from(random.bytes(18)).toString('hex')
  request.json = readAdmittedJson
}

/** All bytes of a body, at most `maxBytes`, in time. For routes that need the raw body (`parse: 'none'`). */
export function readBody(request: Admitted, maxBytes: number): Promise<Uint8Array> {
  return inTime(request, async (wait) => {
    // With a Content-Length the server itself enforces the length, and admitBody() has checked it.
    if (request.headers.get('content-length') !== null || !request.body) return await request.bytes()
    const chunks: Uint8Array[] = []
    for await (const chunk of chunksOf(request, maxBytes, wait)) chunks.push(chunk)
    return Buffer.concat(chunks)
  })
}

/** The same in memory that threads share, without holding all of it twice. */
function readShared(request: Admitted, maxBytes: number): Promise<SharedPieces> {
  return inTime(request, async (wait) => {
    const pace = createPace()
    const shared = new SharedPieces()
    for await (const chunk of chunksOf(request, maxBytes, wait)) {
      shared.append(chunk)
      await pace()
    }
    return shared
  })
}

function inTime<T>({ bodyTimeoutMs = longestMs }: Admitted, read: (wait: Wait) => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const wait = beginWait(bodyTimeoutMs, () => reject(tooSlow(bodyTimeoutMs)))
  const end = <V>(settle: (value: V) => void) => {
    return (value: V) => {
      waits.delete(wait)
      settle(value)
    }
  }
  read(wait).then(end(resolve), end(reject))
  return promise
}

async function* chunksOf(request: Request, maxBytes: number, wait: Wait): AsyncGenerator<Uint8Array> {
  const isCounted = request.headers.get('content-length') !== null
  let size = 0
  for await (const chunk of request.body ?? []) {
    if (!waits.has(wait)) break
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    if (!isCounted) takeRoom(request, chunk.byteLength)
    yield chunk
  }
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
  const { maxBodyBytes = maxPublicBytes, aside, secret, signedDigest } = this
  try {
    if (!aside) throw new Error('a body was read that was not admitted')
    const length = Number(this.headers.get('content-length') ?? hugeBytes + 1)
    if (maxBodyBytes === maxRequestBytes && length > hugeBytes && secret) return await readMails(this, aside, secret())
    const bytes = await readBody(this, maxBodyBytes)
    expectSigned(signedDigest, [bytes])
    return await readJson(aside, bytes)
  } catch (error) {
    this.unreadable = error
    throw error
  }
}

/** Mails with attachments. */
async function readMails(request: Admitted, aside: Aside, secret: string): Promise<unknown> {
  const shared = await readShared(request, maxRequestBytes)
  try {
    expectSigned(request.signedDigest, shared.parts)
    const { value, files } = await readMailJson(aside, shared, secret)
    if (files.length > 0) whenAnswered(request, holdFiles(files))
    return value
  } finally {
    shared.giveBack()
  }
}

function expectSigned(digest: string | undefined, parts: Uint8Array[]): void {
  if (digest === undefined) return
  const hash = new Bun.CryptoHasher('sha256')
  for (const part of parts) hash.update(part)
  if (digest !== hash.digest('hex')) throw new AppError('signature_invalid', 'The body is not the one that was signed.')
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
