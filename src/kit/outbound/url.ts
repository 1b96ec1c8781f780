// Where the server may connect on somebody's behalf: checked by the URL as written, before any look-up. What its name resolves to is
// checked by the dialer, at every attempt.

import { type Cidr, classifyIp, isReachable, parseCidr, parseIp } from '../ip-address.ts'

/** Of the settings, what decides where it may connect. */
export interface OutboundConfig {
  webhookAllowCidrs: string[]
  webhookAllowHttp: boolean
  /** What is ours, and refused. */
  baseUrl: string
  host: string
  port: number
}

export type OutboundUrl =
  | { ok: true; url: URL }
  | { ok: false; code: 'blocked_url' | 'blocked_ip' /** For the person who gave it. */; reason: string }

export const maxUrlLength = 2_048
/** What a URL parser would silently repair is refused: white space, control characters, backslashes, encoded NUL. */
const repaired = /[\x00-\x20\x7f-\x9f\\]|%00/
const absolute = /^https?:\/\/[^/?#]/i
const credentials = /^https?:\/\/[^/?#]*@/i

const lowestFreePort = 1_024
/** Above 1023, but never a web server's: databases, queues, container engines, display servers, chat. */
const foreignPorts = [
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672,
  5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9092, 9200, 9300, 10080, 10250, 11211, 27017,
]

/** Names that always mean a machine's own network. With WEBHOOK_ALLOW_CIDRS, their addresses are checked instead. */
const internalName = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/
const metadataName = /^(metadata|instance-data)(\.|$)/

/** `https://host[:port]/path`; plain `http:` and internal networks only if the settings allow it. */
export function checkOutboundUrl(text: string, config: OutboundConfig): OutboundUrl {
  if (text.length > maxUrlLength) return refused(`must have at most ${maxUrlLength} characters`)
  if (repaired.test(text) || !absolute.test(text) || !URL.canParse(text)) return refused('must be an absolute URL')
  if (credentials.test(text)) return refused('must not contain a user name or password')
  const url = new URL(text)
  if (url.protocol === 'http:' && !config.webhookAllowHttp) return refused('must begin with https://')
  if (!isWebPort(portOf(url))) return refused('must not use this port')
  if (isOwn(url, config)) return refused('must not be an address of this installation')
  return checkHost(url, allowedCidrs(config))
}

/** The port that a URL uses. */
export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** The host without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** WEBHOOK_ALLOW_CIDRS. */
export function allowedCidrs({ webhookAllowCidrs }: Pick<OutboundConfig, 'webhookAllowCidrs'>): Cidr[] {
  return webhookAllowCidrs.flatMap((text) => parseCidr(text) ?? [])
}

function checkHost(url: URL, allowed: Cidr[]): OutboundUrl {
  const host = hostOf(url)
  const address = parseIp(host)
  if (address) {
    if (isReachable(host, allowed)) return { ok: true, url }
    const kind = classifyIp(address) === 'metadata' ? 'a metadata address' : 'an address of a private network'
    return { ok: false, code: 'blocked_ip', reason: `must not be ${kind}` }
  }
  const name = host.replace(/\.$/, '')
  if (metadataName.test(name)) return refused('must not be a metadata service')
  const isInternal = internalName.test(name) || !name.includes('.')
  return isInternal && allowed.length === 0 ? refused('must not be a name of a private network') : { ok: true, url }
}

function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= lowestFreePort && !foreignPorts.includes(port))
}

/** A delivery to ourselves would be an event that causes itself. */
function isOwn(url: URL, config: OutboundConfig): boolean {
  const { host, port } = config
  const own = new URL(config.baseUrl)
  const [name, target] = [hostOf(url).replace(/\.$/, ''), portOf(url)]
  if (name === hostOf(own) && target === portOf(own)) return true
  const isLocal = name === 'localhost' || name === host || /^(127\.|::1$|0\.0\.0\.0$|::$)/.test(name)
  return isLocal && [port, portOf(own)].includes(target)
}

function refused(reason: string): OutboundUrl {
  return { ok: false, code: 'blocked_url', reason }
}
