// The visitor of a page or a form, as recorded in the ledger of consent.

import type { App } from '../../core/app.ts'
import { createClientIp, type PeerSource } from '../../core/http/client-ip.ts'
import { acceptedLocales } from '../../kit/locale.ts'

export interface Click {
  ip: string | null
  userAgent: string | null
  url: string | null
}

const maxUserAgentLength = 400

export function createClick(app: App): (asked: { request: Request; server: PeerSource | null }) => Click {
  const clientIp = createClientIp(app.config.trustedProxies)
  return ({ request, server }) => ({
    ip: clientIp(request, server) || null,
    userAgent: request.headers.get('user-agent')?.slice(0, maxUserAgentLength) ?? null,
    url: null,
  })
}

/** Of their browser. */
export function readLocale(request: Request): string | null {
  return acceptedLocales(request.headers.get('accept-language'))[0] ?? null
}

/** To a page of theirs, which does not learn the address of ours. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'referrer-policy': 'no-referrer' } })
}
