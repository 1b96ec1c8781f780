// Addresses that stand for one message: where its bounces return (VERP), and where to unsubscribe by mail (RFC 2369). They contain the id
// of the message and a keyed token, so nobody else can create one.

import type { App } from '../../../core/app.ts'

type Keyed = Pick<App, 'sealer' | 'config'>

export type Purpose = 'bounce' | 'unsubscribe'

const letters: Record<Purpose, string> = { bounce: 'b', unsubscribe: 'u' }
/** 80 bits: guessing happens over SMTP, one try at a time. */
const tokenChars = 20
const idPrefix = 'msg_'
/** `b+{32 hex}-{20 hex}`: 55 characters of the 64 that a local part may have. */
const pattern = /^([bu])\+([0-9a-f]{32})-([0-9a-f]{20})$/

/** Null when no domain of ours receives mail (INBOUND_DOMAIN). */
export function messageAddress(app: Keyed, purpose: Purpose, messageId: string): string | null {
  const { inboundDomain } = app.config
  if (inboundDomain === undefined) return null
  const id = messageId.slice(idPrefix.length)
  const token = app.sealer.mac(id, contextOf(purpose)).slice(0, tokenChars)
  return `${letters[purpose]}+${id}-${token}@${inboundDomain}`
}

/** The message of an address; null for one that we did not create. */
export function readMessageAddress(app: Keyed, address: string): { purpose: Purpose; messageId: string } | null {
  const at = address.lastIndexOf('@')
  if (address.slice(at + 1).toLowerCase() !== app.config.inboundDomain?.toLowerCase()) return null
  const [, letter, id = '', given = ''] = pattern.exec(address.slice(0, at).toLowerCase()) ?? []
  const purpose: Purpose = letter === letters.unsubscribe ? 'unsubscribe' : 'bounce'
  if (id === '' || !app.sealer.isMac(given, id, contextOf(purpose))) return null
  return { purpose, messageId: idPrefix + id }
}

function contextOf(purpose: Purpose): string {
  return `${purpose} address`
}
