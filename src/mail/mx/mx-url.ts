// Parses the URL of SMTP_URL or of a relay that names no server: mx://our-name, with options in the query. Mail then goes to the servers of its receivers.

import { ConfigError } from '../../kit/environment.ts'
import { parseIp } from '../../kit/ip-address.ts'
import { mostConnections, readOptions } from '../smtp-url.ts'

export interface MxOptions {
  /** Our name in EHLO, to which the DNS leads from our address and back. */
  name: string
  /** Of the receivers' servers: 25. */
  port: number
  /** Of ours, the one to send from; null: as the system chooses. */
  bindAddress: string | null
  maxConnections: number
  maxPerReceiver: number
}

const mxPort = 25
const defaultConnections = 60
const defaultPerReceiver = 10
const knownOptions = ['bindAddress', 'maxConnections', 'maxPerReceiver', 'port']
const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/

export function isMxUrl(text: string): boolean {
  return /^mx:/i.test(text)
}

/** Throws ConfigError, which names it as it is called. */
export function readMxUrl(text: string, called = 'SMTP_URL'): MxOptions {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^\/?$/.test(url.pathname) || url.hash)
    throw new ConfigError(`${called} without a relay must be mx://name, e.g. mx://mail.example.com`)
  if (url.username || url.password)
    throw new ConfigError(`${called} mx:// takes no user and no password: nobody signs in to the servers of receivers`)
  if (url.port)
    throw new ConfigError(`${called} mx:// names no server, so no port of one: ?port= is that of all receivers`)
  const name = url.hostname.toLowerCase()
  if (!hostName.test(name))
    throw new ConfigError(
      `${called} mx:// must be followed by the full name of this machine, e.g. mx://mail.example.com`,
    )
  const { text: option, whole } = readOptions(url, { known: knownOptions, called })
  const bindAddress = option('bindAddress') ?? null
  if (bindAddress !== null && parseIp(bindAddress) === null)
    throw new ConfigError(`${called} bindAddress must be an IPv4 or IPv6 address of this machine`)
  const maxConnections = whole('maxConnections', defaultConnections, 1, mostConnections)
  return {
    name,
    port: whole('port', mxPort, 1, 65_535),
    bindAddress,
    maxConnections,
    maxPerReceiver: whole('maxPerReceiver', Math.min(defaultPerReceiver, maxConnections), 1, maxConnections),
  }
}
