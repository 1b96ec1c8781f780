// The session cookie, and those of one step of a sign-in. The name is `session`; it is Secure when BASE_URL is https. Over plain http a
// browser would throw a Secure cookie away, except on its own machine.

import type { Config } from '../config.ts'

const name = 'session'
const maxAgeSeconds = 30 * 24 * 3600
/** A token as newSecretToken() makes it. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** The Set-Cookie header that carries `token`. */
export function sessionCookie(config: Pick<Config, 'baseUrl'>, token: string): string {
  return `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes(config)}`
}

/** The Set-Cookie header that deletes the cookie. */
export function noSessionCookie(config: Pick<Config, 'baseUrl'>): string {
  return `${name}=; Max-Age=0; ${attributes(config)}`
}

function attributes({ baseUrl }: Pick<Config, 'baseUrl'>, sameSite = 'Lax'): string {
  return `Path=/; HttpOnly; ${baseUrl.startsWith('https:') ? 'Secure; ' : ''}SameSite=${sameSite}`
}

/** The token in a Cookie header; null when there is none. */
export function sessionToken(cookieHeader: string | null): string | null {
  const value = cookieValue(cookieHeader, name)
  return value !== null && tokenPattern.test(value) ? value : null
}

/** A cookie that lives for one step of a sign-in. `sameSite` Lax where another site leads back to us. */
export function stepCookie(
  config: Pick<Config, 'baseUrl'>,
  { name, value, maxAgeMs, sameSite }: { name: string; value: string; maxAgeMs: number; sameSite: 'Strict' | 'Lax' },
): string {
  return `${name}=${value}; Max-Age=${maxAgeMs / 1_000}; ${attributes(config, sameSite)}`
}

/** Null when there is none, or more than one (another site of the domain set it). */
export function cookieValue(cookieHeader: string | null, name: string): string | null {
  const values = (cookieHeader ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? (values[0] ?? null) : null
}
