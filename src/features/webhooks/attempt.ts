// One request to an endpoint: signed with its current secrets, always with the same Webhook-Id, and a fresh timestamp. Only this file
// judges the response: 2xx is delivered, everything else is a failure with a reason.

import type { App } from '../../core/app.ts'
import { hopsHeader } from '../../kit/hops.ts'
import type { Dialed, DialFailure } from '../../kit/outbound/dialer.ts'
import type { ResponseHead } from '../../kit/outbound/response.ts'
import { signWebhook } from '../../kit/signature.ts'
import { currentTrace, toTraceparent } from '../../kit/trace.ts'
import { version } from '../../kit/version.ts'
import { openSigningKey } from './secrets.ts'

/** What is sent, and where. */
export interface Target {
  endpointId: string
  url: string
  /** Sealed, newest first. */
  secrets: string[]
  webhookId: string
  payload: string
  /** How many deliveries led to the event. */
  hops: number
}

/** Why an attempt failed. A fixed set: it tells a user what to fix, and reveals nothing about our network. */
type FailureCode = DialFailure | 'gone' | 'rate_limited' | 'redirect_not_followed' | 'http_error' | 'crashed'

export interface AttemptReport {
  at: Date
  durationMs: number
  /** Null when no response was read. */
  status: number | null
  /** Null = delivered. */
  code: FailureCode | null
  /** The part of the response that can be shown, at most 8 KiB. */
  response: string | null
  retryAfter: string | undefined
}

const userAgent = `Paquebot/${version}`

export async function attemptDelivery(
  app: App,
  target: Target,
  options: { signal?: AbortSignal; totalMs?: number } = {},
): Promise<AttemptReport> {
  const at = app.clock.now()
  const { url, payload } = target
  const span = app.tracer?.begin('POST', 'client', currentTrace()) ?? null
  const signed = await signedHeaders(app, target, at)
  const traced: [string, string][] = span === null ? [] : [['Traceparent', toTraceparent(span)]]
  const dialed = await app.dialer.exchange({ url, headers: [...signed, ...traced], body: payload, ...options })
  span?.end(toAttributes(target, dialed), {
    hasFailed: dialed.outcome === 'failed' || toCode(dialed.head.status) !== null,
  })
  const { durationMs } = dialed
  if (dialed.outcome === 'failed')
    return { at, durationMs, status: null, code: dialed.code, response: null, retryAfter: undefined }
  const { head, body } = dialed
  const { status, headers } = head
  return {
    at,
    durationMs,
    status,
    code: toCode(status),
    response: toExcerpt(head, body),
    retryAfter: headers.get('retry-after'),
  }
}

/** Not the address of the endpoint, which may hold a secret. */
function toAttributes({ endpointId, webhookId }: Target, dialed: Dialed) {
  return {
    'http.request.method': 'POST',
    'http.response.status_code': dialed.outcome === 'answered' ? dialed.head.status : null,
    'error.type': dialed.outcome === 'failed' ? dialed.code : null,
    'paquebot.endpoint_id': endpointId,
    'paquebot.webhook_id': webhookId,
  }
}

/** Without a secret there is no signature header, because an empty one would confuse verifiers. */
async function signedHeaders(
  app: App,
  { endpointId, secrets, webhookId, payload, hops }: Target,
  at: Date,
): Promise<[string, string][]> {
  const timestamp = Math.floor(at.getTime() / 1000)
  const headers: [string, string][] = [
    ['Content-Type', 'application/json'],
    ['User-Agent', userAgent],
    ['Webhook-Id', webhookId],
    ['Webhook-Timestamp', String(timestamp)],
    [hopsHeader, String(hops + 1)],
  ]
  if (secrets.length === 0) return headers
  const keys: Buffer[] = []
  for (const sealed of secrets) keys.push(await openSigningKey(app, endpointId, sealed))
  headers.push(['Webhook-Signature', signWebhook(keys, { id: webhookId, timestamp, body: payload })])
  return headers
}

function toCode(status: number): FailureCode | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'redirect_not_followed'
  if (status === 410) return 'gone'
  return status === 429 ? 'rate_limited' : 'http_error'
}

/** Text for people: the target of a redirect, or the body without control characters. */
function toExcerpt({ status, headers }: ResponseHead, body: Buffer): string | null {
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== undefined) return `Location: ${printable(location)}`
  if (body.length === 0) return null
  if (!/^(identity)?$/i.test(headers.get('content-encoding') ?? '')) return '(compressed)'
  return printable(body.toString('utf8'))
}

function printable(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd')
}
