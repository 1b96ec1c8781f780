// Fetches a feed through the dialer: checked addresses, also of a redirect; limits of size and time; and nothing at all where the server
// says that it is as it was.

import type { App } from '../../../core/app.ts'
import { second } from '../../../kit/duration.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import type { Dialed, DialFailure } from '../../../kit/outbound/dialer.ts'
import { checkOutboundUrl } from '../../../kit/outbound/url.ts'
import { version } from '../../../kit/version.ts'
import { type Feed, feedReading } from './parse-feed.ts'

const maxFeedBytes = 5 * 1024 * 1024
const maxRedirects = 3
/** For all of it, with its redirects. */
const maxFetchMs = 20 * second

/** What a server said of the feed when it was last taken. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

export type Fetched =
  | { outcome: 'fetched'; feed: Feed; validators: Validators }
  | { outcome: 'unchanged' }
  /** `reason`: for people. */
  | { outcome: 'failed'; reason: string }

const reasons: Partial<Record<DialFailure, string>> = {
  blocked_url: 'its address must not be connected to',
  blocked_ip: 'its address is one of a private network',
  dns_failed: 'its name is unknown',
  connect_failed: 'its server cannot be reached',
  timeout: 'its server takes too long',
}

/** Throws 422 for an address that is never connected to. */
export function checkFeedUrl(app: App, url: string): void {
  const checked = checkOutboundUrl(url, app.config)
  if (!checked.ok) throw invalidField('feed.url', checked.reason, checked.code)
}

export async function fetchFeed(
  app: App,
  url: string,
  known: Validators | null,
  signal?: AbortSignal,
): Promise<Fetched> {
  const { dialed, at } = await follow(app, url, known, signal)
  if (dialed.outcome === 'failed') return failed(reasons[dialed.code] ?? `the connection failed: ${dialed.code}`)
  const { head, body } = dialed
  if (head.status === 304 && known !== null) return { outcome: 'unchanged' }
  if (head.status !== 200) return failed(`its server answered ${head.status}`)
  if (body.length > maxFeedBytes) return failed(`it is larger than ${maxFeedBytes / 1024 / 1024} MB`)
  if (!/^(?:identity)?$/i.test(head.headers.get('content-encoding') ?? '')) return failed('it came compressed')
  const read = await readFeed(app, { bytes: body, url: at, contentType: head.headers.get('content-type') ?? '' })
  if ('fault' in read) return failed(`it cannot be read: ${read.fault}`)
  const validators = { etag: headerOf(head, 'etag'), lastModified: headerOf(head, 'last-modified') }
  return { outcome: 'fetched', feed: read.feed, validators }
}

const failed = (reason: string): Fetched => ({ outcome: 'failed', reason })

async function follow(
  app: App,
  url: string,
  known: Validators | null,
  signal: AbortSignal | undefined,
): Promise<{ dialed: Dialed; at: string }> {
  const until = performance.now() + maxFetchMs
  let at = url
  for (let left = maxRedirects; ; left--) {
    const dialed = await app.dialer.exchange({
      method: 'GET',
      url: at,
      headers: headersFor(known),
      body: '',
      wholeBytes: maxFeedBytes + 1,
      totalMs: Math.max(1, until - performance.now()),
      ...(signal === undefined ? {} : { signal }),
    })
    const target = dialed.outcome === 'answered' ? redirectOf(dialed, at) : null
    if (target === null || left === 0) return { dialed, at }
    at = target
  }
}

function headersFor(known: Validators | null): [string, string][] {
  return [
    ['User-Agent', `Paquebot/${version}`],
    ['Accept', 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8'],
    ...(known?.etag ? [['If-None-Match', known.etag] as [string, string]] : []),
    ...(known?.lastModified ? [['If-Modified-Since', known.lastModified] as [string, string]] : []),
  ]
}

function redirectOf({ head }: Dialed & { outcome: 'answered' }, from: string): string | null {
  const location = head.headers.get('location')
  if (![301, 302, 303, 307, 308].includes(head.status) || location === undefined) return null
  return URL.canParse(location, from) ? new URL(location, from).href : null
}

const maxValidatorChars = 500

/** Sent back as it came, so only where it can stand in a header. */
function headerOf({ headers }: (Dialed & { outcome: 'answered' })['head'], name: string): string | null {
  const value = headers.get(name) ?? ''
  return value.length <= maxValidatorChars && /^[\x21-\x7e][\x20-\x7e]*$/.test(value) ? value : null
}

/** Where too much work waits, it is as if it could not be fetched: it is tried again. */
async function readFeed(app: App, input: Parameters<typeof feedReading.run>[0]) {
  try {
    return await app.aside.run(feedReading, input, input.bytes.length)
  } catch (error) {
    if (error instanceof AppError && error.code === 'overloaded') return { fault: error.message }
    throw error
  }
}
