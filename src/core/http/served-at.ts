// At which host a request is answered. A link domain (src/people/links/) is a host of one workspace; every other host, whatever its name, is
// the installation itself.

import { withoutEnd } from '../../kit/text.ts'
import { pathStart } from './request-target.ts'

/** Scheme, host and port of the link domain, by request. */
const bases = new WeakMap<Request, string>()

export function noteServedAt(request: Request, base: string): void {
  bases.set(request, base)
}

/** Where a page that answers this request is: at a link domain, or at BASE_URL. Without a slash at the end. */
export function servedAt(request: Request, { baseUrl }: { baseUrl: string }): string {
  return bases.get(request) ?? baseUrl
}

export function isAtLinkDomain(request: Request): boolean {
  return bases.has(request)
}

/**
 * The name in Host as the DNS knows it: in lower case, without port and final dots. Nothing else names a host here: neither
 * X-Forwarded-Host nor the target of a request in absolute form. The path of the request was read (pathOf), so there is one Host.
 */
export function hostOf({ url }: Request): string {
  const authority = url.slice(url.indexOf('://') + '://'.length, pathStart(url)).toLowerCase()
  return withoutEnd(authority.replace(/:\d*$/, ''), '.')
}
