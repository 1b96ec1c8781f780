// Where mail for a domain goes without a relay (RFC 5321, 5.1): to the hosts of its MX records in their order, or to the domain itself where
// it has none. Every address is checked: none of a private network is connected to.

import type { Clock } from '../../kit/clock.ts'
import { minute, second } from '../../kit/duration.ts'
import { type Cidr, isReachable } from '../../kit/ip-address.ts'
import type { Random } from '../../kit/random.ts'
import type { DnsAnswer, DnsResolver, MxRecord } from '../dns.ts'
import { Remembered } from '../remembered.ts'
import type { Failure } from '../smtp-connection.ts'
import { type MxHost, Sites } from './sites.ts'

export interface Route {
  /** The receiver, which other domains may share. */
  site: string
  /** The names of all hosts. */
  way: string
  /** In the order in which they are tried. */
  hosts: MxHost[]
}

/** How long an answer of the DNS is used; one that did not come is asked for again sooner. */
const knownMs = 5 * minute
const failedMs = 30 * second
/** A domain may name any number of hosts; of these we look at the first. */
const mostHosts = 10

interface Preferred extends MxHost {
  preference: number
}

interface KnownRoute extends Pick<Route, 'site' | 'way'> {
  hosts: Preferred[]
}

export interface RoutesOptions {
  ports: () => { dns: DnsResolver; random: Random }
  clock: Clock
  /** Blocks of private networks that may be connected to. */
  allowed: Cidr[]
  /** Our own address: only receivers of its family can be reached. */
  from: string | null
}

export class Routes {
  readonly #options: RoutesOptions
  readonly #sites = new Sites()
  readonly #domains: Remembered<KnownRoute | Failure>
  readonly #hosts: Remembered<DnsAnswer<string>>

  constructor(options: RoutesOptions) {
    this.#options = options
    const { clock, ports } = options
    this.#domains = new Remembered(clock, {
      load: (domain) => this.#look(domain),
      keptMs: (found) => (isTemporary(found) ? failedMs : knownMs),
    })
    this.#hosts = new Remembered(clock, {
      load: (name) => ports().dns.addresses(name),
      keptMs: ({ outcome }) => (outcome === 'failed' ? failedMs : knownMs),
    })
  }

  /** Of a domain that was looked up lately. */
  known(domain: string): Pick<Route, 'site' | 'way'> | null {
    const found = this.#domains.known(domain)
    return found !== null && 'hosts' in found ? found : null
  }

  async find(domain: string): Promise<Route | Failure> {
    const found = await this.#domains.find(domain)
    return 'hosts' in found ? { ...found, hosts: this.#inOrder(found.hosts) } : found
  }

  /** Those of equal preference in any order, so that they share the load. */
  #inOrder(hosts: Preferred[]): MxHost[] {
    const drawn = hosts.map((host) => ({ host, lot: this.#options.ports().random.fraction() }))
    return drawn
      .sort((one, other) => one.host.preference - other.host.preference || one.lot - other.lot)
      .map(({ host: { name, addresses } }) => ({ name, addresses }))
  }

  async #look(domain: string): Promise<KnownRoute | Failure> {
    const answer = await this.#options.ports().dns.mx(domain)
    if (answer.outcome === 'failed') return notFound(`no answer of the DNS: ${answer.detail}`)
    const records = answer.outcome === 'found' ? answer.records : [{ preference: 0, exchange: domain }]
    const named = records.filter(({ exchange }) => exchange !== '')
    if (named.length === 0) return noMail
    const first = named.sort((one, other) => one.preference - other.preference).slice(0, mostHosts)
    const hosts = await Promise.all(first.map((record) => this.#resolve(record)))
    const reachable = hosts.flatMap(({ host }) => (host.addresses.length > 0 ? [host] : []))
    if (reachable.length === 0)
      return whyNone(
        hosts.map(({ answer }) => answer),
        answer.outcome === 'found',
      )
    const preference = Math.min(...reachable.map((host) => host.preference))
    const site = this.#sites.of(reachable.filter((host) => host.preference === preference))
    const names = reachable.map(({ name }) => name)
    return { hosts: reachable, site, way: names.sort().join() }
  }

  async #resolve({ preference, exchange: name }: MxRecord): Promise<{ host: Preferred; answer: DnsAnswer<string> }> {
    const answer = await this.#hosts.find(name)
    const found = answer.outcome === 'found' ? answer.records : []
    return { host: { name, preference, addresses: found.filter((address) => this.#mayReach(address)) }, answer }
  }

  #mayReach(address: string): boolean {
    const { allowed, from } = this.#options
    return isReachable(address, allowed) && (from === null || from.includes(':') === address.includes(':'))
  }
}

/** The words are the same for all domains, so that many at once are seen to be one fault: that of the name server. */
function refused(code: number, enhanced: string, text: string): Failure {
  const reply = `${code} ${enhanced} ${text}`
  return { outcome: 'refused', permanent: true, stage: 'rcpt', code, enhanced, reply }
}

const noMail = refused(556, '5.1.10', 'the domain accepts no mail (null MX)')
const noServer = refused(550, '5.1.2', 'the domain has no mail server: no MX record and no address, or does not exist')

function notFound(detail: string): Failure {
  return { outcome: 'not_sent', stage: 'connect', reason: 'dns', detail }
}

/** Why none of the hosts has an address that can be connected to. */
function whyNone(answers: DnsAnswer<string>[], isNamed: boolean): Failure {
  const failed = answers.find(({ outcome }) => outcome === 'failed')
  if (failed?.outcome === 'failed') return notFound(`no answer of the DNS: ${failed.detail}`)
  if (answers.some(({ outcome }) => outcome === 'found')) return blocked
  return isNamed ? notFound('the mail servers that the domain names have no address') : noServer
}

const blocked = notFound(
  'the mail servers of the domain have no address that may be connected to: only private or reserved ones, or those of another family',
)

function isTemporary(found: KnownRoute | Failure): boolean {
  return 'outcome' in found && found.outcome === 'not_sent'
}
