// Receivers: what they are called, and where one stands beside a relay.

import { ownValue } from '../../src/kit/own-value.ts'

const large: Record<string, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  yahoo: 'Yahoo',
  apple: 'Apple',
  gmx: 'GMX, WEB.DE',
  orange: 'Orange',
  mimecast: 'Mimecast',
  proofpoint: 'Proofpoint',
  messagelabs: 'MessageLabs',
}

/** Others are called as their server is. */
export function receiverName(receiver: string): string {
  return ownValue(large, receiver) ?? receiver
}

export function pairPath({ relayId, receiver }: { relayId: string; receiver: string }): string {
  return `/relays/${relayId}/receivers/${encodeURIComponent(receiver)}`
}
