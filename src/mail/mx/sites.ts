// Which receiver a mail server belongs to. A thousand domains on one server are one receiver: its connections are counted once, and what it
// says or does is judged once. Servers with the same addresses are the same, whatever they are called.

export interface MxHost {
  name: string
  /** IPv4 first. */
  addresses: string[]
}

/** Those that give each customer a name, or many addresses, of their own. */
const providers = [
  'google.com',
  'googlemail.com',
  'mail.protection.outlook.com',
  'mx.microsoft',
  'yahoodns.net',
  'icloud.com',
  'mimecast.com',
  'pphosted.com',
  'messagelabs.com',
]
/** Names that are remembered. */
const most = 10_000

export class Sites {
  /** Of a set of addresses, by the first name it was met under. */
  readonly #names = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** `hosts`: those of the best preference. */
  of(hosts: MxHost[]): string {
    const names = hosts.map(({ name }) => name).sort()
    const provider = providers.find((one) => names.every((name) => name === one || name.endsWith(`.${one}`)))
    if (provider !== undefined) return provider
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
