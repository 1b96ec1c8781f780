// The path of a request as the router reads it. Requests with an ambiguous target or Host are refused.

import { AppError } from '../../kit/error.ts'

/**
 * A name or an IPv4 address, or an IPv6 address in brackets; with or without a port (RFC 9110, 7.2). Repeated headers arrive as one with a
 * comma.
 */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9._-]*)|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

interface Located extends Request {
  /** Cached, because every step of a request needs it. */
  pathRead?: string
}

/** Throws 400. What is checked here is exactly what is routed. */
export function pathOf(request: Located): string {
  request.pathRead ??= readPath(request)
  return request.pathRead
}

function readPath(request: Request): string {
  const { url } = request
  const host = request.headers.get('host')
  // Without a valid Host the server does not build an absolute URL, and leaves the request target as it is.
  if (!hasOrigin(url) || (host !== null && !hostPattern.test(host)))
    throw unreadable('Send one Host header: a name or an IP address, with an optional port.')
  const start = pathStart(url)
  const query = url.indexOf('?', start + 1)
  const path = query === -1 ? url.slice(start) : url.slice(start, query)
  if (path.includes('%') && !isDecodable(path))
    throw unreadable('The path contains a % that does not begin an encoded UTF-8 character.')
  return path
}

export function hasOrigin(url: string): boolean {
  return url.startsWith('http')
}

/** Where the path begins in the URL of a request. */
export function pathStart(url: string): number {
  return url.indexOf('/', 'http://'.length)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function unreadable(message: string): AppError {
  return new AppError('invalid_request', message, { headers: { connection: 'close' } })
}
