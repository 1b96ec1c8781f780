// Protects against DNS rebinding (MCP, "Streamable HTTP", Security Warning): a foreign page can make a browser call this machine under the
// page's own host name, and then Host and Origin reveal it.

import { AppError } from '../../kit/error.ts'

const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

/** Throws `forbidden` unless Host is that of BASE_URL or this machine, and Origin, if present, is ours. */
export function refuseForeign(request: Request, baseUrl: string): void {
  const base = new URL(baseUrl)
  const host = request.headers.get('host') ?? ''
  if (host.toLowerCase() !== base.host && !loopbackHost.test(host)) {
    throw new AppError('forbidden', `This server is not known as ${JSON.stringify(host.slice(0, 100))}; see BASE_URL.`)
  }
  const origin = request.headers.get('origin')
  if (origin !== null && !isOurs(origin, base)) {
    throw new AppError('forbidden', 'Pages of other sites may not call this URL.')
  }
}

/** The origin of BASE_URL, or this machine under another name at the same port. */
function isOurs(origin: string, base: URL): boolean {
  if (origin === base.origin) return true
  const url = URL.canParse(origin) ? new URL(origin) : null
  const isLocal = url !== null && loopbackHost.test(url.host) && loopbackHost.test(base.host)
  return isLocal && url.origin === origin && url.port === base.port && url.protocol === base.protocol
}
