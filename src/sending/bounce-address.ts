// Where the bounces of one message come back to: its id and a keyed token, so that nobody else can report a bounce in its name (VERP).

import { timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'

type Keyed = Pick<App, 'sealer' | 'config'>

const context = 'bounce address'
/** 80 bits: to be guessed over SMTP, one at a time. */
const tokenChars = 20
const idPrefix = 'msg_'
/** `b+{32 hex}-{20 hex}`: 55 characters of the 64 that a local part may have. */
const pattern = /^b\+([0-9a-f]{32})-([0-9a-f]{20})$/

/** Null while no domain of ours takes mail (INBOUND_DOMAIN). */
export function bounceAddress(app: Keyed, messageId: string): string | null {
  const { inboundDomain } = app.config
  if (inboundDomain === undefined) return null
  const id = messageId.slice(idPrefix.length)
  return `b+${id}-${token(app, id)}@${inboundDomain}`
}

/** The message whose bounces an address takes; null for one that we did not make. */
export function messageOfBounceAddress(app: Keyed, address: string): string | null {
  const at = address.lastIndexOf('@')
  if (address.slice(at + 1).toLowerCase() !== app.config.inboundDomain?.toLowerCase()) return null
  const [, id = '', given = ''] = pattern.exec(address.slice(0, at).toLowerCase()) ?? []
  if (id === '' || !timingSafeEqual(Buffer.from(token(app, id)), Buffer.from(given))) return null
  return idPrefix + id
}

function token({ sealer }: Keyed, id: string): string {
  return sealer.mac(id, context).slice(0, tokenChars)
}
