// The relying party of passkeys: a browser keeps them for one host name, that of BASE_URL, and only in a secure context.

import type { Config } from '../../../core/config.ts'
import { AppError } from '../../../kit/error.ts'
import { parseIp } from '../../../kit/ip-address.ts'
import { hostOf } from '../../../kit/outbound/url.ts'

export interface RelyingParty {
  rpId: string
  origin: string
}

type Base = Pick<Config, 'baseUrl'>

/** Why there can be no passkeys here, for whoever runs the installation; null where there can. */
export function whyNoPasskeys({ baseUrl }: Base): string | null {
  const url = new URL(baseUrl)
  const host = hostOf(url)
  if (parseIp(host)) {
    const name = host.startsWith('127.') || host === '::1' ? `http://localhost:${url.port}` : 'https://mail.example.com'
    return `Passkeys belong to a host name, and BASE_URL is an address (${host}): set a name, e.g. BASE_URL=${name}.`
  }
  if (url.protocol === 'http:' && !/(^|\.)localhost$/.test(host))
    return `Browsers keep passkeys for https:// only (or localhost), and BASE_URL is ${baseUrl}.`
  return null
}

/** Throws `conflict` where there can be no passkeys. */
export function relyingParty(config: Base): RelyingParty {
  const refusal = whyNoPasskeys(config)
  if (refusal !== null) throw new AppError('conflict', refusal)
  const { hostname, origin } = new URL(config.baseUrl)
  return { rpId: hostname, origin }
}
