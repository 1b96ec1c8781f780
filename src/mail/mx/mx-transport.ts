// The mailer without a relay: each mail goes to a server of its receiver. Another server is tried only as long as no mail was offered, so a
// mail that may have arrived never goes elsewhere. Connections are shared by all domains of one receiver, and bounded for each.

import type { Clock } from '../../kit/clock.ts'
import { minute, second } from '../../kit/duration.ts'
import { addressDomain } from '../../kit/email-address.ts'
import type { Cidr } from '../../kit/ip-address.ts'
import type { Log } from '../../kit/log.ts'
import type { Dialer } from '../../kit/outbound/dialer.ts'
import type { Random } from '../../kit/random.ts'
import type { DnsResolver } from '../dns.ts'
import { IdleConnections } from '../idle-connections.ts'
import type { Destination, HandOver, Mailer, MailOutcome, OutgoingMail, SlowReceiver } from '../mailer.ts'
import { Places } from '../places.ts'
import { defaultTimeouts, type Failure, SmtpConnection, type SmtpTimeouts } from '../smtp-connection.ts'
import type { SmtpOptions } from '../smtp-url.ts'
import { MtaSts } from './mta-sts.ts'
import { type MxOptions, readMxUrl } from './mx-url.ts'
import { Routes } from './routes.ts'
import type { MxHost } from './sites.ts'
import { allows, type StsPolicy } from './sts-policy.ts'
import { Troubles } from './troubles.ts'

/** Servers of others are not held for long. */
const idleMs = 5 * second
/** A relay is near; a receiver may be anywhere, and each of its mails may need a connection of its own. */
const slowMs = 5 * second
/** How many addresses are tried for a mail, how many of one host, and until when another one is. */
const mostTried = 8
const mostOfHost = 3
const triedWithinMs = 2 * minute

interface MxPorts {
  dns: DnsResolver
  /** Fetches policies, and says which certificates are trusted. */
  dialer: Dialer
  random: Random
  log: Log
}

export interface MxTransportOptions {
  /** See readMxUrl(). */
  url: string
  /** Asked for when it is used: an app is made after its mailer. */
  ports: () => MxPorts
  clock: Clock
  /** Blocks of private networks that may be connected to. */
  allowed: Cidr[]
  timeouts?: Partial<SmtpTimeouts>
}

export function mxTransport(options: MxTransportOptions): Mailer {
  return new MxMailer(options, readMxUrl(options.url))
}

/** The servers of a domain, and how they are to be spoken to. */
interface Way {
  /** Domains with the same servers share it. */
  name: string
  hosts: MxHost[]
  policy: StsPolicy | null
}

interface Server {
  host: string
  address: string
}

class MxMailer implements Mailer {
  readonly kind = 'smtp'
  readonly #options: MxTransportOptions
  readonly #url: MxOptions
  readonly #timeouts: SmtpTimeouts
  readonly #routes: Routes
  readonly #policies: MtaSts
  readonly #troubles: Troubles
  readonly #places: Places
  readonly #idle: IdleConnections

  constructor(options: MxTransportOptions, url: MxOptions) {
    this.#options = options
    this.#url = url
    this.#timeouts = { ...defaultTimeouts, ...options.timeouts }
    this.#routes = new Routes({ ...options, from: url.bindAddress })
    this.#policies = new MtaSts(options)
    this.#troubles = new Troubles(options.clock)
    this.#places = new Places({ most: url.maxConnections, mostPerDomain: url.maxPerReceiver, slowMs })
    this.#idle = new IdleConnections({ idleMs, most: url.maxConnections })
  }

  async send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    return direct(await this.#send(mail, handOver))
  }

  turnedAway({ workspaceId: workspace, to, bulk }: Destination): MailOutcome | null {
    const route = this.#routes.known(addressDomain(to).toLowerCase())
    if (route === null) return null
    const trouble = this.#troubles.of(route.way)
    return trouble === null ? this.#places.turnedAway({ bulk, workspace, domain: route.site }) : direct(trouble)
  }

  slowReceivers(): SlowReceiver[] {
    return this.#places.slowReceivers()
  }

  async findReceiver(domain: string): Promise<string | null> {
    await this.#routes.find(domain)
    return this.receiverOf(domain)
  }

  receiverOf(domain: string): string | null {
    return this.#routes.known(domain)?.site ?? null
  }

  async close(): Promise<void> {
    this.#idle.close()
  }

  async #send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome> {
    const { workspaceId: workspace, envelope } = mail
    const domain = addressDomain(envelope.to).toLowerCase()
    const [route, policy] = await Promise.all([this.#routes.find(domain), this.#policies.find(domain)])
    if ('outcome' in route) return route
    const isEnforced = policy?.mode === 'enforce'
    const hosts = isEnforced ? route.hosts.filter(({ name }) => allows(policy, name)) : route.hosts
    if (hosts.length === 0) return notNamed
    const way: Way = { name: isEnforced ? `${domain} enforced` : route.way, hosts, policy }
    const trouble = this.#troubles.of(way.name)
    if (trouble !== null) return trouble
    const claim = { bulk: handOver.bulk ?? false, workspace, domain: route.site }
    return await this.#places.send(claim, handOver, (placed) => this.#sendNow(mail, placed, way))
  }

  async #sendNow(mail: OutgoingMail, handOver: HandOver, way: Way): Promise<MailOutcome> {
    // Others may have failed while this mail waited.
    const trouble = this.#troubles.of(way.name)
    if (trouble !== null) return trouble
    // To whichever of them took us a moment ago: one that is away is not waited for by each mail.
    for (const server of serversOf(way)) {
      const sent = await this.#idle.send(keyOf(server, way), mail, handOver)
      if (sent !== null) return sent
    }
    const opened = await this.#open(way, handOver)
    if ('outcome' in opened) return opened
    return await this.#idle.sendOver(opened.connection, mail, { handOver, server: keyOf(opened.server, way) })
  }

  /** To the first server that takes us. */
  async #open(way: Way, handOver: HandOver): Promise<{ connection: SmtpConnection; server: Server } | Failure> {
    const until = performance.now() + triedWithinMs
    let failure: Failure = notNamed
    for (const server of serversOf(way)) {
      const connection = await this.#connect(this.#smtpOptions(server, way), handOver)
      if (connection instanceof SmtpConnection) {
        this.#troubles.over(way.name)
        this.#note(server, { policy: way.policy, connection })
        return { connection, server }
      }
      if (handOver.signal.aborted) return connection
      // What a server said is told rather than that another one was silent.
      if (failure.outcome !== 'refused') failure = atServer(connection, server, way)
      if (performance.now() > until) break
    }
    if (isTrouble(failure)) this.#troubles.failed(way.name, failure)
    return failure
  }

  /**
   * Encrypted where the server offers that; whom the certificate is for is checked where a policy asks for it. Where no policy does and
   * encryption fails, a mail goes in clear from its second attempt on.
   */
  async #connect(options: SmtpOptions, { signal, attempt = 1 }: HandOver): Promise<SmtpConnection | Failure> {
    const how = { signal, timeouts: this.#timeouts }
    const connection = await SmtpConnection.open(options, how)
    const isEncryptionBroken = !(connection instanceof SmtpConnection) && connection.stage === 'starttls'
    if (!isEncryptionBroken || options.requireTls || attempt === 1 || signal.aborted) return connection
    return await SmtpConnection.open({ ...options, ignoreTls: true }, how)
  }

  #smtpOptions({ host, address }: Server, { policy }: Way): SmtpOptions {
    const { name, port, bindAddress, maxConnections } = this.#url
    const isEnforced = policy?.mode === 'enforce'
    return {
      host,
      address,
      port,
      localAddress: bindAddress ?? undefined,
      ca: this.#options.ports().dialer.ca,
      secure: false,
      requireTls: isEnforced,
      ignoreTls: false,
      verifyCertificate: isEnforced,
      user: null,
      password: '',
      name,
      maxConnections,
    }
  }

  /** What a policy in testing would have refused. */
  #note({ host }: Server, { policy, connection }: { policy: StsPolicy | null; connection: SmtpConnection }): void {
    if (policy?.mode !== 'testing' || (allows(policy, host) && connection.isTrusted)) return
    const why = !allows(policy, host)
      ? 'the policy does not name it'
      : connection.isEncrypted
        ? 'its certificate is not valid for it'
        : 'it offers no STARTTLS'
    this.#options
      .ports()
      .log.info('a mail server does not do what the MTA-STS policy of its domain asks for; it only tests', {
        host,
        why,
      })
  }
}

function direct(outcome: MailOutcome): MailOutcome {
  return 'stage' in outcome ? { ...outcome, direct: true } : outcome
}

/** In the order in which they are tried. */
function serversOf({ hosts }: Way): Server[] {
  return hosts
    .flatMap(({ name, addresses }) => byFamily(addresses).map((address) => ({ host: name, address })))
    .slice(0, mostTried)
}

/** Whose mail its connections can carry: of all whose servers are there, but those opened under a policy were checked for a name. */
function keyOf({ host, address }: Server, { policy }: Way): string {
  return policy?.mode === 'enforce' ? `${host} ${address}` : address
}

/** IPv4 and IPv6 in turns: one of them may lead nowhere from here. */
function byFamily(addresses: string[]): string[] {
  const { true: ipv6 = [], false: ipv4 = [] } = Object.groupBy(addresses, (address) => `${address.includes(':')}`)
  return ipv4
    .flatMap((address, at) => [address, ...ipv6.slice(at, at + 1)])
    .concat(ipv6.slice(ipv4.length))
    .slice(0, mostOfHost)
}

/** Nothing was offered yet, so nothing is final: the receiver may be in trouble, or not want us just now (RFC 5321, 4.2.4.2). */
function atServer(failure: Failure, { host, address }: Server, { policy }: Way): Failure {
  if (failure.outcome === 'refused') return { ...failure, permanent: false }
  const asked = policy?.mode === 'enforce' && failure.reason === 'tls' ? ', as its MTA-STS policy demands' : ''
  return { ...failure, detail: `${host} [${address}]: ${failure.detail}${asked}` }
}

/** Of the receiver, whoever the mail is for: not of a certificate, which one domain asks for and another does not. */
function isTrouble({ stage, ...failure }: Failure): boolean {
  return stage !== 'starttls' && !(failure.outcome === 'not_sent' && failure.reason === 'tls')
}

const notNamed: Failure = {
  outcome: 'not_sent',
  stage: 'starttls',
  reason: 'tls',
  detail: 'the MTA-STS policy of the domain names none of its mail servers',
}
