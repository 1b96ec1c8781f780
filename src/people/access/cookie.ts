// The session cookie, and those of one step of a sign-in. They are Secure when BASE_URL is https. Over plain http a browser would throw a
// Secure cookie away, except on its own machine.
//
// A browser keeps cookies by host, whatever the port, so the sign-in at one installation would replace that at another. The session
// therefore stands under two names: `session`, as documented, for clients that know one installation; and one with the id of the
// installation, which no other overwrites and which is read first.

import type { App } from '../../core/app.ts'

/** Whose cookies they are. */
type Site = Pick<App, 'config' | 'id'>

const name = 'session'
const maxAgeSeconds = 30 * 24 * 3600
/** A token as newSecretToken() makes it. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** The Set-Cookie headers that carry `token`. */
export function sessionCookies(site: Site, token: string): string[] {
  return sessionNames(site).map((one) => `${one}=${token}; Max-Age=${maxAgeSeconds}; ${attributes(site)}`)
}

/** The Set-Cookie headers that delete the cookie. */
export function noSessionCookies(site: Site): string[] {
  return sessionNames(site).map((one) => `${one}=; Max-Age=0; ${attributes(site)}`)
}

/** The token in a Cookie header; null when there is none. */
export function sessionToken(site: Site, cookieHeader: string | null): string | null {
  const own = readValues(cookieHeader, ownName(site, name))
  const value = only(own.length > 0 ? own : readValues(cookieHeader, name))
  return value !== null && tokenPattern.test(value) ? value : null
}

/** A cookie that lives for one step of a sign-in. `sameSite` Lax where another site leads back to us. */
export function stepCookie(
  site: Site,
  { name, value, maxAgeMs, sameSite }: { name: string; value: string; maxAgeMs: number; sameSite: 'Strict' | 'Lax' },
): string {
  return `${ownName(site, name)}=${value}; Max-Age=${maxAgeMs / 1_000}; ${attributes(site, sameSite)}`
}

/** The value of such a cookie in a Cookie header; null when there is none. */
export function stepValue(site: Site, cookieHeader: string | null, name: string): string | null {
  return only(readValues(cookieHeader, ownName(site, name)))
}

/** A response that leads elsewhere, with these cookies. */
export function redirect(location: string, cookies: string[] = []): Response {
  const response = new Response(null, { status: 303, headers: { location } })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

function sessionNames(site: Site): string[] {
  return [name, ownName(site, name)]
}

function ownName({ id }: Site, name: string): string {
  return `${name}_${id}`
}

function attributes({ config: { baseUrl } }: Site, sameSite = 'Lax'): string {
  return `Path=/; HttpOnly; ${baseUrl.startsWith('https:') ? 'Secure; ' : ''}SameSite=${sameSite}`
}

function readValues(cookieHeader: string | null, name: string): string[] {
  return (cookieHeader ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

/** Null when there is more than one, too: another site of the domain set it. */
function only(values: string[]): string | null {
  return values.length === 1 ? (values[0] ?? null) : null
}
