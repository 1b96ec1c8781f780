// Signing in through a service of others (OpenID Connect).

import { ConfigError, type Reader } from '../../kit/environment.ts'
import { readDomain } from './kinds.ts'

export const oidcSettings = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME', 'OIDC_JOIN_DOMAINS']

export interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string
  /** What people call it. */
  name: string
  /** Whoever has an address in one of these may join, as a viewer. */
  joinDomains: string[]
}

/** Issuer, client id and secret together, or none of all. */
export function readOidc({ text }: Reader): OidcConfig | undefined {
  const needed = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
  const [issuer, clientId, clientSecret] = needed.map(text)
  const [name, domains] = [text('OIDC_NAME'), text('OIDC_JOIN_DOMAINS')]
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    const isNone = [issuer, clientId, clientSecret, name, domains].every((one) => one === undefined)
    if (isNone) return undefined
    const missing = needed.filter((one) => text(one) === undefined)
    throw new ConfigError(`${missing.join(' and ')} must be set too: ${needed.join(', ')} belong together`)
  }
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username)
    throw new ConfigError(`OIDC_ISSUER must be an http or https address, not ${JSON.stringify(issuer)}`)
  const joinDomains = (domains ?? '')
    .split(',')
    .flatMap((one) => readDomain('OIDC_JOIN_DOMAINS', one.trim() || undefined) ?? [])
  return { issuer, clientId, clientSecret, name: name ?? url.host, joinDomains }
}
