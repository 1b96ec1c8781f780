// MTA-STS (RFC 8461): a domain says, by HTTPS, by which of its servers and only encrypted it takes mail. Policies live in the memory of one
// process: after a restart they are fetched anew. What cannot be fetched changes nothing about a policy that is known.

import type { Clock } from '../../kit/clock.ts'
import { minute, second } from '../../kit/duration.ts'
import type { Dialer } from '../../kit/outbound/dialer.ts'
import type { DnsResolver } from '../dns.ts'
import { Remembered } from '../remembered.ts'
import { parsePolicy, policyId, type StsPolicy } from './sts-policy.ts'

interface KnownPolicy {
  policy: StsPolicy
  /** Of the record in the DNS by which it was found. */
  id: string
  until: number
}

/** How long the record of a domain is used before it is asked for again, and with it whether its policy is another by now. */
const recordMs = 5 * minute
const longestBytes = 64 * 1024
const fetchMs = 15 * second
const mostPolicies = 5_000

export interface MtaStsOptions {
  ports: () => { dns: DnsResolver; dialer: Dialer }
  clock: Clock
}

export class MtaSts {
  readonly #options: MtaStsOptions
  readonly #policies = new Map<string, KnownPolicy>()
  readonly #checks: Remembered<StsPolicy | null>

  constructor(options: MtaStsOptions) {
    this.#options = options
    this.#checks = new Remembered(options.clock, {
      load: (domain) => this.#load(domain),
      keptMs: () => recordMs,
    })
  }

  /** The policy that holds for the domain, null where there is none. */
  async find(domain: string): Promise<StsPolicy | null> {
    const policy = await this.#checks.find(domain)
    return policy?.mode === 'none' ? null : policy
  }

  async #load(domain: string): Promise<StsPolicy | null> {
    const now = this.#options.clock.now().getTime()
    const known = this.#policies.get(domain)
    const current = known && now < known.until ? known : null
    const answer = await this.#options.ports().dns.txt(`_mta-sts.${domain}`)
    const id = answer.outcome === 'found' ? policyId(answer.records) : null
    if (id === null || id === current?.id) return current?.policy ?? null
    const policy = await this.#download(domain)
    if (policy === null) return current?.policy ?? null
    this.#policies.delete(domain)
    const oldest = this.#policies.size < mostPolicies ? undefined : this.#policies.keys().next().value
    if (oldest !== undefined) this.#policies.delete(oldest)
    this.#policies.set(domain, { policy, id, until: now + policy.maxAgeMs })
    return policy
  }

  async #download(domain: string): Promise<StsPolicy | null> {
    const answer = await this.#options.ports().dialer.exchange({
      method: 'GET',
      url: `https://mta-sts.${domain}/.well-known/mta-sts.txt`,
      headers: [['Accept', 'text/plain']],
      body: '',
      wholeBytes: longestBytes,
      totalMs: fetchMs,
    })
    if (answer.outcome === 'failed' || answer.head.status !== 200) return null
    return parsePolicy(answer.body.toString('latin1'))
  }
}
