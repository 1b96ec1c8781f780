// Documents in which a client says who it is, at the address that is its client_id (OAuth Client ID Metadata Document). Fetched through the
// dialer, so never from a private network, and kept for a few minutes.

import type { App } from '../../core/app.ts'
import { minute, second } from '../../kit/duration.ts'
import type { DialFailure } from '../../kit/outbound/dialer.ts'
import { checkOutboundUrl } from '../../kit/outbound/url.ts'
import { version } from '../../kit/version.ts'
import { type Client, readClientMetadata } from './client-metadata.ts'
import { OAuthError } from './oauth-error.ts'

/** Of a document (section 6.6 recommends 5 KB). */
const maxBytes = 10 * 1024
const maxFetchMs = 5 * second
const keptMs = 5 * minute
const maxKept = 200

const reasons: Partial<Record<DialFailure, string>> = {
  blocked_url: 'its address must not be connected to',
  blocked_ip: 'its address is one of a private network',
  dns_failed: 'its name is unknown',
  connect_failed: 'its server cannot be reached',
  timeout: 'its server takes too long',
}

interface KeptDocument {
  client: Client
  until: number
}

const documents = () => new Map<string, KeptDocument>()

/** Throws `invalid_client`, and what readClientMetadata() throws. */
export async function loadClientDocument(app: App, id: string): Promise<Client> {
  const now = app.clock.now().getTime()
  const kept = app.own(documents)
  const known = kept.get(id)
  if (known && known.until > now) return known.client
  mustBeDocumentAddress(app, id)
  const client = readDocument(id, await fetchDocument(app, id))
  kept.delete(id)
  kept.set(id, { client, until: now + keptMs })
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  return client
}

/** `https://host/path`, written as it is fetched. */
function mustBeDocumentAddress(app: App, id: string): void {
  const checked = checkOutboundUrl(id, app.config)
  if (!checked.ok) throw refused(checked.reason)
  const { pathname, hash, href } = checked.url
  if (pathname === '/' || hash !== '' || href !== id)
    throw refused('must be an https address with a path, in its plain form')
}

async function fetchDocument(app: App, url: string): Promise<unknown> {
  const headers: [string, string][] = [
    ['User-Agent', `Paquebot/${version}`],
    ['Accept', 'application/json'],
  ]
  const given = { method: 'GET' as const, url, headers, body: '', wholeBytes: maxBytes + 1, totalMs: maxFetchMs }
  const dialed = await app.dialer.exchange(given)
  if (dialed.outcome === 'failed') throw refused(reasons[dialed.code] ?? `the connection failed: ${dialed.code}`)
  const { head, body } = dialed
  if (head.status !== 200) throw refused(`its server answered ${head.status}`)
  if (body.length > maxBytes) throw refused(`its document is larger than ${maxBytes} bytes`)
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(head.headers.get('content-type') ?? ''))
    throw refused('its document is not JSON')
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw refused('its document is not JSON')
  }
}

function readDocument(id: string, document: unknown): Client {
  const { name, redirectUris, authMethod } = readClientMetadata(document)
  if ((document as { client_id?: unknown }).client_id !== id) throw refused('its document is about another client_id')
  if (authMethod !== 'none') throw refused('only public clients are taken: token_endpoint_auth_method must be none')
  return { id, name, redirectUris, publishedBy: new URL(id).hostname }
}

function refused(reason: string): OAuthError {
  return new OAuthError('invalid_client', `The client_id cannot be used: ${reason}.`)
}
