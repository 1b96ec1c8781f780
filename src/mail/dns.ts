// Asks name servers. "failed" is not "none": a name server that does not answer says nothing about a name.

import { Resolver } from 'node:dns/promises'
import { second } from '../kit/duration.ts'

/** `none`: the name does not exist, or has no such record. The resolver of Bun does not tell these apart. */
export type DnsAnswer<T> =
  | { outcome: 'found'; records: T[] }
  | { outcome: 'none' }
  /** SERVFAIL, a time-out, a refused connection. */
  | { outcome: 'failed'; detail: string }

export interface MxRecord {
  preference: number
  /** In lower case, without a final dot; empty where the domain says that it takes no mail (RFC 7505). */
  exchange: string
}

export interface DnsResolver {
  /** The TXT records of a name; the strings of each are joined. */
  txt(name: string): Promise<DnsAnswer<string>>
  mx(name: string): Promise<DnsAnswer<MxRecord>>
  /** The IPv4 addresses of a name, then those of IPv6. `failed` only where neither is known. */
  addresses(name: string): Promise<DnsAnswer<string>>
  /** The name that this one stands for (CNAME), in lower case, without a final dot. */
  alias(name: string): Promise<DnsAnswer<string>>
  /** The names of an address (PTR). */
  names(address: string): Promise<DnsAnswer<string>>
}

const timeoutMs = 5 * second
const noSuchName = ['ENOTFOUND', 'ENODATA', 'EBADNAME']

/** `servers` as `address[:port]`; default: the system's. */
export function systemResolver(servers: string[] = []): DnsResolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return {
    async txt(name) {
      const found = await answered(name, resolver.resolveTxt(name))
      return mapped(found, (strings) => strings.join(''))
    },
    async mx(name) {
      const found = await answered(name, resolver.resolveMx(name))
      return mapped(found, ({ priority, exchange }) => ({ preference: priority, exchange: plainName(exchange) }))
    },
    async addresses(name) {
      const families = [resolver.resolve4(name), resolver.resolve6(name)]
      const answers = await Promise.all(families.map((records) => answered(name, records)))
      const records = answers.flatMap((answer) => (answer.outcome === 'found' ? answer.records : []))
      if (records.length > 0) return { outcome: 'found', records }
      return answers.find(({ outcome }) => outcome === 'failed') ?? { outcome: 'none' }
    },
    async alias(name) {
      return mapped(await answered(name, resolver.resolveCname(name)), plainName)
    },
    async names(address) {
      return mapped(await answered(address, resolver.reverse(address)), plainName)
    },
  }
}

async function answered<T>(name: string, asking: Promise<T[]>): Promise<DnsAnswer<T>> {
  try {
    const records = await asking
    return records.length > 0 ? { outcome: 'found', records } : { outcome: 'none' }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return noSuchName.includes(code) ? { outcome: 'none' } : { outcome: 'failed', detail: `${name}: ${code}` }
  }
}

function mapped<T, R>(answer: DnsAnswer<T>, change: (record: T) => R): DnsAnswer<R> {
  return answer.outcome === 'found' ? { outcome: 'found', records: answer.records.map(change) } : answer
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
