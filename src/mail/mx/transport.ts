// The mailer of a relay's URL: by the server that it names, or to the receivers themselves.

import type { Mailer } from '../mailer.ts'
import { smtpTransport } from '../smtp-transport.ts'
import { readSmtpUrl } from '../smtp-url.ts'
import { type MxTransportOptions, mxTransport } from './mx-transport.ts'
import { isMxUrl, readMxUrl } from './mx-url.ts'

export function transport(url: string, options: Omit<MxTransportOptions, 'url'>): Mailer {
  return isMxUrl(url) ? mxTransport({ url, ...options }) : smtpTransport({ url })
}

/** What is told of a relay. */
export interface RelayPlace {
  /** The name of its server; '' for none. */
  host: string
  /** How many mails it carries at once. */
  connections: number
  /** Its URL without user, password and options. */
  address: string
}

/** Throws ConfigError, which names the URL as it is called, and never repeats it. */
export function readRelayUrl(url: string, called?: string): RelayPlace {
  if (isMxUrl(url)) {
    const { name, maxConnections: connections } = readMxUrl(url, called)
    return { host: '', connections, address: `mx://${name}` }
  }
  const { secure, host, port, maxConnections: connections } = readSmtpUrl(url, called)
  const address = `${secure ? 'smtps' : 'smtp'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  return { host, connections, address }
}
