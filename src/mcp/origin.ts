// Against DNS rebinding (MCP, "Streamable HTTP", Security Warning): a page elsewhere can make a browser ask this machine under a
// name of its own, and then both Host and Origin give it away.

import { AppError } from '../lib/error.ts'

const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

/** Throws `forbidden` unless Host is that of BASE_URL or this machine, and Origin, if there is one, is ours. */
export function refuseForeign(request: Request, baseUrl: string): void {
  const base = new URL(baseUrl)
  const host = request.headers.get('host') ?? ''
  if (host.toLowerCase() !== base.host && !loopbackHost.test(host)) {
    throw new AppError('forbidden', `This server is not ${JSON.stringify(host.slice(0, 100))}; see BASE_URL.`)
  }
  const origin = request.headers.get('origin')
  if (origin !== null && !isOurs(origin, base)) {
    throw new AppError('forbidden', 'Pages of other sites may not call this address.')
  }
}

/** The origin of BASE_URL, or this machine under another name at the same port. */
function isOurs(origin: string, base: URL): boolean {
  if (origin === base.origin) return true
  const url = URL.canParse(origin) ? new URL(origin) : null
  const isLocal = url !== null && loopbackHost.test(url.host) && loopbackHost.test(base.host)
  return isLocal && url.origin === origin && url.port === base.port && url.protocol === base.protocol
}
