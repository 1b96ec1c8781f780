// What MTA-STS publishes (RFC 8461): the record in the DNS that says that there is a policy, and the policy.

import { second } from '../../kit/duration.ts'

export interface StsPolicy {
  mode: 'enforce' | 'testing' | 'none'
  /** Names of servers, in lower case; `*.example.com` stands for one label. */
  mx: string[]
  maxAgeMs: number
}

/** About a year (RFC 8461, 3.2). */
const longestAgeSeconds = 31_557_600

/** Of the one record that begins so; with two there is none (RFC 8461, 3.1). */
export function policyId(texts: string[]): string | null {
  const records = texts.filter((text) => /^v=STSv1\s*;/.test(text))
  const [record = ''] = records
  return records.length === 1 ? (/;\s*id=([A-Za-z0-9]{1,32})\s*(?:;|$)/.exec(record)?.[1] ?? null) : null
}

/** Null where it is none (RFC 8461, 3.2). A key that is not known is passed over; of a key that comes twice the first counts. */
export function parsePolicy(text: string): StsPolicy | null {
  const pairs = text.split(/\r?\n/).map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()]
  })
  const first = (name: string) => pairs.find(([key]) => key === name)?.[1] ?? ''
  const mode = (['enforce', 'testing', 'none'] as const).find((one) => one === first('mode'))
  const age = first('max_age')
  const mx = pairs.flatMap(([key, value]) => (key === 'mx' ? [value.toLowerCase().replace(/\.$/, '')] : []))
  if (first('version') !== 'STSv1' || mode === undefined || !/^\d{1,10}$/.test(age)) return null
  if (mode !== 'none' && mx.length === 0) return null
  return { mode, mx, maxAgeMs: Math.min(Number(age), longestAgeSeconds) * second }
}

/** Whether the policy names the server; `*.` stands for exactly one label (RFC 8461, 4.1). */
export function allows({ mx }: StsPolicy, host: string): boolean {
  const parent = host.slice(host.indexOf('.') + 1)
  return mx.some((pattern) => pattern === host || pattern === `*.${parent}`)
}
