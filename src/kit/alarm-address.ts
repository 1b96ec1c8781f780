// Where alarms go: `ntfy+https://ntfy.sh/topic`, `slack+https://hooks.slack.com/…`, or `https://…` for a signed webhook.

import { credentialsIn } from './url-credentials.ts'

export interface AlarmAddress {
  kind: 'webhook' | 'ntfy' | 'slack'
  /** Without the kind and the token. */
  url: string
  /** Of ntfy: `ntfy+https://TOKEN@host/topic`. */
  token: string | null
}

const prefixes = { 'ntfy+': 'ntfy', 'slack+': 'slack', '': 'webhook' } as const

/** Null when it is none. */
export function parseAlarmAddress(text: string): AlarmAddress | null {
  const [prefix, kind] = Object.entries(prefixes).find(([start]) => text.startsWith(start)) ?? ['', 'webhook']
  const address = text.slice(prefix.length)
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  const credentials = credentialsIn(url)
  if (credentials === null || credentials.password !== '') return null
  const token = credentials.user || null
  if (token !== null && kind !== 'ntfy') return null
  url.username = ''
  return { kind, url: url.href, token }
}
