// Addresses of ours that stand for one message: where its bounces come back to (VERP), and where a mail leaves its list (RFC 2369). They
// hold the id of the message and a keyed token, so that nobody else can speak in its name.

import type { App } from '../app.ts'

type Keyed = Pick<App, 'sealer' | 'config'>

export type Purpose = 'bounce' | 'unsubscribe'

const letters: Record<Purpose, string> = { bounce: 'b', unsubscribe: 'u' }
/** 80 bits: to be guessed over SMTP, one at a time. */
const tokenChars = 20
const idPrefix = 'msg_'
/** `b+{32 hex}-{20 hex}`: 55 characters of the 64 that a local part may have. */
const pattern = /^([bu])\+([0-9a-f]{32})-([0-9a-f]{20})$/

/** Null while no domain of ours takes mail (INBOUND_DOMAIN). */
export function messageAddress(app: Keyed, purpose: Purpose, messageId: string): string | null {
  const { inboundDomain } = app.config
  if (inboundDomain === undefined) return null
  const id = messageId.slice(idPrefix.length)
  const token = app.sealer.mac(id, contextOf(purpose)).slice(0, tokenChars)
  return `${letters[purpose]}+${id}-${token}@${inboundDomain}`
}

/** What an address stands for; null for one that we did not make. */
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
