// Addresses that stand for one message: where its bounces return (VERP), and where to unsubscribe by mail (RFC 2369).

import { type AddressKind, type Keyed, keyedAddress, readKeyedAddress } from '../../../core/keyed-address.ts'

export type Purpose = 'bounce' | 'unsubscribe'

const idPrefix = 'msg_'
const kinds: Record<Purpose, AddressKind & { purpose: Purpose }> = {
  bounce: { purpose: 'bounce', letter: 'b', idPrefix, context: 'bounce address' },
  unsubscribe: { purpose: 'unsubscribe', letter: 'u', idPrefix, context: 'unsubscribe address' },
}

/** Null when no domain of ours receives mail (INBOUND_DOMAIN). */
export function messageAddress(app: Keyed, purpose: Purpose, messageId: string): string | null {
  return keyedAddress(app, kinds[purpose], messageId)
}

/** The message of an address; null for one that we did not create. */
export function readMessageAddress(app: Keyed, address: string): { purpose: Purpose; messageId: string } | null {
  const found = readKeyedAddress(app, Object.values(kinds), address)
  return found && { purpose: found.kind.purpose, messageId: found.id }
}
