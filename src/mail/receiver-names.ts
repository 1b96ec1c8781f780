// The receiver of a domain (receiver-groups.ts) where a relay carries the mail, and it matters who takes it in the end: then its MX is asked
// for. Else large receivers are known by their own domains, and any other domain stands for itself.

import type { Clock } from '../kit/clock.ts'
import { day, hour, minute } from '../kit/duration.ts'
import type { DnsAnswer, DnsResolver, MxRecord } from './dns.ts'
import { isLargeDomain, receiverGroup } from './receiver-groups.ts'
import { Remembered } from './remembered.ts'

/** How long an answer is used; one that did not come is asked for again sooner. */
const knownMs = day
const noneMs = hour
const failedMs = 5 * minute

interface ReceiverNamesParts {
  clock: Clock
  ports: () => { dns: DnsResolver }
}

export class ReceiverNames {
  readonly #answers: Remembered<DnsAnswer<MxRecord>>

  constructor({ clock, ports }: ReceiverNamesParts) {
    this.#answers = new Remembered(clock, {
      load: (domain) => ports().dns.mx(domain),
      keptMs: ({ outcome }) => (outcome === 'found' ? knownMs : outcome === 'none' ? noneMs : failedMs),
    })
  }

  /** As far as it is known. */
  of(domain: string): string {
    return toReceiver(domain, this.#answers.known(domain))
  }

  /** Waits for the DNS. */
  async find(domain: string): Promise<string> {
    return toReceiver(domain, isLargeDomain(domain) ? null : await this.#answers.find(domain))
  }
}

function toReceiver(domain: string, answer: DnsAnswer<MxRecord> | null): string {
  const records = answer?.outcome === 'found' ? answer.records : []
  const [first] = records.toSorted((one, other) => one.preference - other.preference)
  return receiverGroup({ domain, mx: first === undefined || first.exchange === '' ? null : first.exchange })
}
