// The session cookie and where a request with it may come from. The name is `session` (docs/choices.md, row 67), and it is
// Secure also on http://127.0.0.1, which browsers count as secure.

import type { Config } from '../config.ts'
import { AppError } from '../lib/error.ts'

const name = 'session'
const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'
const maxAgeSeconds = 30 * 24 * 3600
/** A token as newSecretToken() makes it. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** The Set-Cookie header that carries `token`. */
export function sessionCookie(token: string): string {
  return `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`
}

/** The Set-Cookie header that takes the cookie away. */
export const noSessionCookie = `${name}=; Max-Age=0; ${attributes}`

/** The token in a Cookie header; null when there is none, or more than one (another site of the domain set it). */
export function sessionToken(cookieHeader: string | null): string | null {
  if (cookieHeader === null) return null
  const values = cookieHeader
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [value] = values
  return values.length === 1 && value !== undefined && tokenPattern.test(value) ? value : null
}

/**
 * Refuses a change that another site makes with our cookie: 403 unless Origin is BASE_URL (docs/choices.md, "Sessions").
 * GET and HEAD change nothing and pass.
 */
export function refuseCrossSite(request: Request, config: Pick<Config, 'baseUrl'>): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (isSameSite(request.headers, config)) return
  throw new AppError('forbidden', 'A session may only be used from the address of this installation (Origin).')
}

/** For requests without a session yet: a browser that names another site is refused, other clients name none. */
export function refuseForeignOrigin(request: Request, config: Pick<Config, 'baseUrl'>): void {
  const { headers } = request
  const named = headers.get('origin') !== null || headers.get('sec-fetch-site') !== null
  if (named && !isSameSite(headers, config))
    throw new AppError('forbidden', 'Sign in at the address of this installation.')
}

function isSameSite(headers: Headers, { baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  const site = headers.get('sec-fetch-site')
  return headers.get('origin') === new URL(baseUrl).origin && (site === null || site === 'same-origin')
}
