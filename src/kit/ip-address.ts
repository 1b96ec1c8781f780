// Tells public addresses from those of private and special networks. Default deny: an address is public only if it lies in unicast space
// that the registries (IANA special-purpose, RFC 6890) have not set aside.

/** 4 or 16 bytes. */
export type IpBytes = number[]

/** The class of an address. `metadata` hands out a cloud machine's credentials and is never connected to, whatever the operator allows. */
export type IpClass = 'public' | 'private' | 'metadata'

export interface Cidr {
  bytes: IpBytes
  bits: number
}

/** Parses dotted IPv4 or IPv6 text (no zone, no brackets) to bytes; null when it is neither. */
export function parseIp(text: string): IpBytes | null {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

const mappedIpv4 = parseCidr('::ffff:0:0/96')

/** As it is written without IPv6 around it: `::ffff:192.0.2.1` is 192.0.2.1. Any other text stays. */
export function plainAddress(text: string): string {
  const bytes = text.includes(':') ? parseIpv6(text) : null
  return bytes && mappedIpv4 && inCidr(bytes, mappedIpv4) ? bytes.slice(12).join('.') : text
}

/** Parses `10.0.0.0/8` or one address; null when it is neither. */
export function parseCidr(text: string): Cidr | null {
  const [address = '', length, rest] = text.split('/')
  const bytes = parseIp(address)
  const bits = length === undefined ? (bytes?.length ?? 0) * 8 : Number(length)
  if (!bytes || rest !== undefined || !Number.isInteger(bits) || bits < 0 || bits > bytes.length * 8) return null
  return { bytes, bits }
}

/** True when `address` is in the block; never across families. */
function inCidr(address: IpBytes, { bytes, bits }: Cidr): boolean {
  if (address.length !== bytes.length) return false
  const whole = bits >> 3
  for (let index = 0; index < whole; index++) if (address[index] !== bytes[index]) return false
  const rest = bits & 7
  if (rest === 0) return true
  const mask = 0xff << (8 - rest)
  return ((address[whole] ?? 0) & mask) === ((bytes[whole] ?? 0) & mask)
}

const blocks = (...texts: string[]) => texts.flatMap((text) => parseCidr(text) ?? [])

/** All of link-local, and the well-known services outside of it (AWS, GCP, Azure, Alibaba, Oracle). */
const metadata = blocks(
  '169.254.0.0/16',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::/32',
  'fd20:ce::254',
  'fe80::/10',
)

const specialIpv4 = blocks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
)

const globalIpv6 = blocks('2000::/3')
const specialIpv6 = blocks('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')

export function classifyIp(address: IpBytes): IpClass {
  const inner = address.length === 16 ? embeddedIpv4(address) : null
  if (isIn(address, metadata) || (inner && isIn(inner, metadata))) return 'metadata'
  if (address.length === 4) return isIn(address, specialIpv4) ? 'private' : 'public'
  return isIn(address, globalIpv6) && !isIn(address, specialIpv6) && inner === null ? 'public' : 'private'
}

/** True when a connection to `address` is allowed: public, or in a block that the operator allowed, and never metadata. */
export function isReachable(address: string, allowed: Cidr[]): boolean {
  const bytes = parseIp(address)
  if (!bytes) return false
  const kind = classifyIp(bytes)
  return kind === 'public' || (kind === 'private' && isIn(bytes, allowed))
}

function isIn(address: IpBytes, list: Cidr[]): boolean {
  return list.some((block) => inCidr(address, block))
}

const mapped = blocks('::ffff:0:0/96', '::/96', '64:ff9b::/96', '64:ff9b:1::/48')
const sixToFour = blocks('2002::/16')

/** The IPv4 address that an IPv6 address stands for, by its prefix (mapped, compatible, NAT64, 6to4), or null. */
export function ipv4Within(address: IpBytes): IpBytes | null {
  if (address.length !== 16) return null
  if (isIn(address, sixToFour)) return address.slice(2, 6)
  return isIn(address, mapped) ? address.slice(12) : null
}

/** ipv4Within(), or what an interface says it embeds (ISATAP). */
function embeddedIpv4(address: IpBytes): IpBytes | null {
  // RFC 5214, 6.1: the interface identifier is 0000:5efe or 0200:5efe and the IPv4 address.
  const isatap = (address[8] === 0 || address[8] === 2) && address[9] === 0 && address[10] === 0x5e
  return ipv4Within(address) ?? (isatap && address[11] === 0xfe ? address.slice(12) : null)
}

function parseIpv4(text: string): IpBytes | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return null
  const bytes = text.split('.').map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

function parseIpv6(text: string): IpBytes | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map((half) => (half === '' ? [] : half.split(':').map(groupBytes)))
  const front = head?.includes(null) ? null : head?.flatMap((bytes) => bytes ?? [])
  const back = tail?.includes(null) ? null : tail?.flatMap((bytes) => bytes ?? [])
  if (!front || back === null) return null
  if (back === undefined) return front.length === 16 ? front : null
  const zeros = 16 - front.length - back.length
  return zeros >= 2 ? [...front, ...new Array<number>(zeros).fill(0), ...back] : null
}

function groupBytes(group: string): IpBytes | null {
  if (group.includes('.')) return parseIpv4(group)
  if (!/^[0-9a-f]{1,4}$/i.test(group)) return null
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 0xff]
}
