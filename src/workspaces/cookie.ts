// The session cookie. The name is `session`; it is Secure when BASE_URL is https. Over plain http a
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

/** The Set-Cookie header that takes the cookie away. */
export function noSessionCookie(config: Pick<Config, 'baseUrl'>): string {
  return `${name}=; Max-Age=0; ${attributes(config)}`
}

function attributes({ baseUrl }: Pick<Config, 'baseUrl'>): string {
  return `Path=/; HttpOnly; ${baseUrl.startsWith('https:') ? 'Secure; ' : ''}SameSite=Lax`
}

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
