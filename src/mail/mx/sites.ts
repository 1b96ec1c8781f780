// Which receiver a mail server belongs to. A thousand domains on one server are one receiver: its connections are counted once, and what it
// says or does is judged once. Servers with the same addresses are the same, whatever they are called.

import { groupOfHost } from '../receiver-groups.ts'

export interface MxHost {
  name: string
  /** IPv4 first. */
  addresses: string[]
}

/** Names that are remembered. */
const most = 10_000

export class Sites {
  /** Of a set of addresses, by the first name it was met under. */
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** `hosts`: those of the best preference. */
  of(hosts: MxHost[]): string {
    const names = hosts.map(({ name }) => name).sort()
    const [group = null, ...others] = new Set(names.map(groupOfHost))
    if (group !== null && others.length === 0) return group
    const addresses = hosts.flatMap((host) => host.addresses).sort()
    const key = [...new Set(addresses)].join()
    const known = this.#names.get(key)
    if (known !== undefined) return known
    // A name has one set of addresses: else one could take on those of another, and then others.
    const [name = key] = names
    const free = this.#taken.has(name) ? key : name
    this.#forgetOldest()
    this.#names.set(key, free)
    this.#taken.add(free)
    return free
  }

  #forgetOldest(): void {
    const [oldest] = this.#names.size < most ? [] : this.#names
    if (oldest === undefined) return
    this.#names.delete(oldest[0])
    this.#taken.delete(oldest[1])
  }
}
