// Addresses at INBOUND_DOMAIN that stand for one thing of ours: they contain its id and a keyed token, so nobody else can create one.

import type { App } from './app.ts'

export type Keyed = Pick<App, 'sealer' | 'config'>

/** A kind of thing: the letter of its addresses, the prefix of its ids, and what its tokens are made for. */
export interface AddressKind {
  letter: string
  idPrefix: string
  context: string
}

/** 80 bits: guessing happens over SMTP, one try at a time. */
const tokenChars = 20
/** `b+{32 hex}-{20 hex}`: 55 characters of the 64 that a local part may have. */
const pattern = /^([a-z])\+([0-9a-f]{32})-([0-9a-f]{20})$/

/** Null when no domain of ours receives mail (INBOUND_DOMAIN). */
export function keyedAddress(app: Keyed, { letter, idPrefix, context }: AddressKind, id: string): string | null {
  const { inboundDomain } = app.config
  if (inboundDomain === undefined) return null
  const hex = id.slice(idPrefix.length)
  const token = app.sealer.mac(hex, context).slice(0, tokenChars)
  return `${letter}+${hex}-${token}@${inboundDomain}`
}

/** Of which kind it is, and the id of its thing; null for an address that we did not create. */
export function readKeyedAddress<K extends AddressKind>(
  app: Keyed,
  kinds: K[],
  address: string,
): { kind: K; id: string } | null {
  const at = address.lastIndexOf('@')
  if (address.slice(at + 1).toLowerCase() !== app.config.inboundDomain?.toLowerCase()) return null
  const [, letter, hex = '', given = ''] = pattern.exec(address.slice(0, at).toLowerCase()) ?? []
  const kind = kinds.find((one) => one.letter === letter)
  return kind && app.sealer.isMac(given, hex, kind.context) ? { kind, id: kind.idPrefix + hex } : null
}
