// One call: the request, its deadline, and its repeats. What may be repeated is what cannot happen twice: reading, and what carries an
// Idempotency-Key, which stays the same over all attempts.

import { ConnectionError, PaquebotError, type Problem } from './errors.ts'
import { type Page, Pages } from './pages.ts'

export interface TransportOptions {
  /** `pqk_…` */
  apiKey: string
  /** The URL of the server: `https://mail.example.com`. */
  baseUrl: string
  /** How many times a failed call is retried. Default 4. */
  retries?: number
  /** The time-out of one attempt, including reading the response. Default 30,000 ms. */
  timeoutMs?: number
  /** Default: the `fetch` of the platform. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface CallOptions {
  /** Identifies what the call is for (the order, not the attempt). Default: a random key for each call that accepts one. */
  idempotencyKey?: string
  /** Aborts the call, including the pauses between attempts. */
  signal?: AbortSignal
  timeoutMs?: number
  retries?: number
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its path parameters filled in. */
  path: string
  query?: Record<string, unknown> | undefined
  body?: unknown
  /** For a body that is not JSON. */
  contentType?: string
  /** Accepts an Idempotency-Key. */
  isRepeatable?: true
}

export interface Transport {
  json<T>(call: Call, options?: CallOptions): Promise<T>
  /** For responses that are not JSON. The caller reads the body; the time-out ends when the response headers arrive. */
  raw(call: Call, options?: CallOptions): Promise<Response>
  pages<T, P extends Page<T>>(call: Call, options?: CallOptions): Pages<T, P>
}

const firstPauseMs = 500
const longestPauseMs = 8_000
/** If the server asks for a longer pause than this, the call is not retried. */
const longestRetryAfterMs = 60_000

export function createTransport(settings: TransportOptions): Transport {
  const { apiKey, baseUrl } = settings
  if (!apiKey) throw new TypeError('apiKey is missing')
  const root = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl
  const call = async <T>(asked: Call, options: CallOptions, read: (response: Response) => Promise<T>): Promise<T> => {
    const url = root + asked.path + queryOf(asked.query)
    const init = requestOf(apiKey, asked, options)
    const most = options.retries ?? settings.retries ?? 4
    for (let attempt = 0; ; attempt++) {
      const result = await once(settings, { url, init, options, read })
      if ('value' in result) return result.value
      const pause = attempt < most ? pauseAfter(result, asked, attempt) : null
      if (pause === null) throw result.error
      await waitFor(pause, options.signal)
    }
  }
  const json: Transport['json'] = (asked, options = {}) => call(asked, options, (response) => response.json())
  return {
    json,
    raw: (asked, options = {}) => call(asked, options, (response) => Promise.resolve(response)),
    pages: <T, P extends Page<T>>(asked: Call, options?: CallOptions) =>
      new Pages<T, P>((cursor) =>
        json<P>(cursor === undefined ? asked : { ...asked, query: { ...asked.query, cursor } }, options),
      ),
  }
}

function requestOf(
  apiKey: string,
  { method, body, contentType, isRepeatable }: Call,
  options: CallOptions,
): RequestInit {
  const headers: Record<string, string> = { authorization: `Bearer ${apiKey}`, accept: 'application/json' }
  if (isRepeatable) headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID()
  if (body !== undefined) headers['content-type'] = contentType ?? 'application/json'
  const sent = contentType === undefined ? JSON.stringify(body) : (body as BodyInit)
  return { method, headers, ...(body === undefined ? {} : { body: sent }) }
}

type Result<T> = { value: T } | Failure
interface Failure {
  error: Error
  /** 0: no response. */
  status: number
  retryAfterMs: number | null
}

interface Attempt<T> {
  url: string
  init: RequestInit
  options: CallOptions
  read: (response: Response) => Promise<T>
}

async function once<T>(settings: TransportOptions, { url, init, options, read }: Attempt<T>): Promise<Result<T>> {
  const { signal } = options
  signal?.throwIfAborted()
  const deadline = new AbortController()
  const late = setTimeout(
    () => deadline.abort(new Error('the attempt timed out')),
    options.timeoutMs ?? settings.timeoutMs ?? 30_000,
  )
  const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
  try {
    const response = await (settings.fetch ?? fetch)(url, { ...init, signal: either })
    if (response.ok) return { value: await read(response) }
    const text = await response.text()
    const error = new PaquebotError(response.status, problemIn(response, text), text)
    return { error, status: response.status, retryAfterMs: retryAfterOf(response) }
  } catch (cause) {
    signal?.throwIfAborted()
    const reason = deadline.signal.aborted ? 'time-out' : cause instanceof Error ? cause.message : String(cause)
    return {
      error: new ConnectionError(`No response from ${new URL(url).host}: ${reason}`, { cause }),
      status: 0,
      retryAfterMs: null,
    }
  } finally {
    clearTimeout(late)
  }
}

function problemIn(response: Response, text: string): Problem | null {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** In seconds, or as a date (RFC 9110, 10.2.3). */
function retryAfterOf({ headers }: Response): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const seconds = Number(value)
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1_000
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** Refused before anything was done, so any call can be retried. */
const undone = [429, 503]
const temporary = [0, 408, 425, 500, 502, 504]

/** Null if the call is not retried. */
function pauseAfter(
  { error, status, retryAfterMs }: Failure,
  { method, isRepeatable }: Call,
  attempt: number,
): number | null {
  const isSafe = method === 'GET' || isRepeatable === true
  const isRunning = error instanceof PaquebotError && error.code === 'idempotency_key_in_use'
  if (!undone.includes(status) && !isRunning && !(isSafe && temporary.includes(status))) return null
  if (retryAfterMs !== null) return retryAfterMs > longestRetryAfterMs ? null : retryAfterMs
  const most = Math.min(longestPauseMs, firstPauseMs * 2 ** attempt)
  return most / 2 + (Math.random() * most) / 2
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
  })
}

function queryOf(query: Record<string, unknown> | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
