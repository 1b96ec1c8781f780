// Who receives the mail of a domain: the large receivers by a name of their own, anybody else by the server that takes it. The suffix of an
// MX host says it for every domain that a receiver serves; where no MX is known, the domains that everybody knows.

const largeReceivers = ['google', 'microsoft', 'yahoo', 'apple', 'gmx', 'orange'] as const
export type LargeReceiver = (typeof largeReceivers)[number]

/** The last three give each customer a name, or many addresses, of their own. */
const hosts: [suffix: string, group: string][] = [
  ['google.com', 'google'],
  ['googlemail.com', 'google'],
  ['protection.outlook.com', 'microsoft'],
  ['mx.microsoft', 'microsoft'],
  ['hotmail.com', 'microsoft'],
  ['yahoodns.net', 'yahoo'],
  ['icloud.com', 'apple'],
  ['gmx.net', 'gmx'],
  ['web.de', 'gmx'],
  ['orange.fr', 'orange'],
  ['mimecast.com', 'mimecast'],
  ['pphosted.com', 'proofpoint'],
  ['messagelabs.com', 'messagelabs'],
]

const domains: Record<LargeReceiver, string[]> = {
  google: ['gmail.com', 'googlemail.com'],
  microsoft: [
    ...['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'passport.com'],
    ...['outlook.de', 'hotmail.de', 'live.de', 'outlook.fr', 'hotmail.fr', 'live.fr', 'hotmail.co.uk', 'live.co.uk'],
    ...['hotmail.it', 'live.it', 'outlook.it', 'hotmail.es', 'outlook.es', 'live.nl', 'hotmail.nl'],
  ],
  yahoo: [
    ...['yahoo.com', 'ymail.com', 'rocketmail.com', 'aol.com', 'aim.com', 'netscape.net', 'verizon.net'],
    ...[
      'yahoo.de',
      'yahoo.fr',
      'yahoo.it',
      'yahoo.es',
      'yahoo.co.uk',
      'yahoo.co.in',
      'yahoo.com.br',
      'yahoo.ca',
      'aol.de',
    ],
  ],
  apple: ['icloud.com', 'me.com', 'mac.com'],
  gmx: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'gmx.com', 'web.de'],
  orange: ['orange.fr', 'wanadoo.fr'],
}

const byDomain = new Map(largeReceivers.flatMap((group) => domains[group].map((domain) => [domain, group] as const)))

/** A large receiver, else the MX host, else the domain. `mx`: the first MX host of the domain; null = it is not known. */
export function receiverGroup({ domain, mx }: { domain: string; mx: string | null }): string {
  const name = withoutDot(domain)
  if (mx === null) return byDomain.get(name) ?? name
  const host = withoutDot(mx)
  return groupOfHost(host) ?? host
}

/** Everybody knows whose it is. */
export function isLargeDomain(domain: string): boolean {
  return byDomain.has(domain)
}

/** Of the servers of many domains; null for one that stands for itself. */
export function groupOfHost(host: string): string | null {
  return hosts.find(([suffix]) => host === suffix || host.endsWith(`.${suffix}`))?.[1] ?? null
}

/** Without the dot at its end. */
function withoutDot(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
