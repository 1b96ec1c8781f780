// Parses one e-mail address, as a mail server accepts it (RFC 5321, 4.1.2, without quoted local parts). Anything doubtful is refused with a
// reason for the user: a list, a comment or a line break in a recipient is an attack or a mistake, never intended.

import { domainToASCII } from 'node:url'
import { isOneLine, notOneLine } from './text.ts'

export type AddressResult = { ok: true; address: string; domain: string } | { ok: false; reason: string }

/** Stands where the address of an erased person was (RFC 2606: `.invalid` is nobody's). */
export const erasedAddress = 'erased@erased.invalid'

const maxAddressLength = 254
const maxLocalLength = 64
export const maxNameLength = 200
const maxDomainLength = 253
/** RFC 5321 "Dot-string" of RFC 5322 "atext". */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const plainDomain = /^(?!xn--)[A-Za-z0-9-]+(\.(?!xn--)[A-Za-z0-9-]+)*$/i
const domainLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Matches most addresses in one pass and skips the closer checks. Domains with a top level of letters only, and no IDNA. */
const plainAddress =
  /^(?=.{1,254}$)[A-Za-z0-9_+-]{1,32}(?:\.[A-Za-z0-9_+-]{1,31})?@((?:[a-z0-9](?:[a-z0-9]|-(?!-)){0,61}\.)+[a-z]{2,24})$/

/** The address with its domain in lower-case ASCII (IDNA); the local part as given. */
export function parseAddress(text: string): AddressResult {
  const plain = plainAddress.exec(text)
  if (plain?.[1] !== undefined && plain[1].length <= maxDomainLength && !plain[1].includes('-.'))
    return { ok: true, address: text, domain: plain[1] }
  if (!isOneLine(text)) return refuse(notOneLine)
  if (text === '') return refuse('must be an e-mail address')
  if (/[,;<>()[\]":\\\s]/.test(text))
    return refuse('must be one plain address, without a name, a list, quotes or comments')
  const at = text.lastIndexOf('@')
  if (at < 1 || at === text.length - 1 || text.indexOf('@') !== at)
    return refuse('must have exactly one @ between two parts')
  const local = text.slice(0, at)
  if (/[^\x20-\x7e]/.test(local)) return refuse('must have an ASCII local part: SMTPUTF8 (RFC 6531) is not supported')
  if (local.length > maxLocalLength) return refuse(`must have at most ${maxLocalLength} characters before the @`)
  if (!localPart.test(local))
    return refuse("must have a local part of letters, digits and !#$%&'*+/=?^_`{|}~-. without two dots in a row")
  const domain = domainOf(text.slice(at + 1))
  if (domain === null) return refuse('must have a valid domain after the @')
  const address = `${local}@${domain}`
  if (address.length > maxAddressLength) return refuse(`must have at most ${maxAddressLength} characters`)
  return { ok: true, address, domain }
}

export type MailboxResult =
  | { ok: true; name: string | null; address: string; domain: string }
  | { ok: false; reason: string }

/** `Name <address>`, `"Name" <address>` or an address, as in MAIL_FROM. */
export function parseMailbox(input: string): MailboxResult {
  const [, quoted, plain, address] = /^(?:"([^"<>]*)"\s*|([^"<>]*))<([^<>]+)>$/.exec(input.trim()) ?? []
  const parsed = parseAddress((address ?? input).trim())
  if (!parsed.ok) return parsed
  const name = (quoted ?? plain ?? '').trim()
  return { ...parsed, name: name === '' ? null : name }
}

/** What may not stand outside of quotes in a name (RFC 5322, "specials"): with a comma or semicolon it would be a list or a group. */
const special = /[()<>[\]:;@\\,"]/

/** A recipient as a caller writes one: as parseMailbox(), on one line, and neither a list nor a group. */
export function parseRecipient(input: string): MailboxResult {
  if (!input.includes('<')) {
    const parsed = parseAddress(input)
    return parsed.ok ? { ...parsed, name: null } : parsed
  }
  if (!isOneLine(input)) return refuse(notOneLine)
  const mailbox = parseMailbox(input)
  if (!mailbox.ok || mailbox.name === null) return mailbox
  if (mailbox.name.length > maxNameLength) return refuse(`must have a name of at most ${maxNameLength} characters`)
  if (!input.trimStart().startsWith('"') && special.test(mailbox.name))
    return refuse('must be one recipient; put a name with ( ) < > [ ] : ; @ \\ or , in double quotes')
  return mailbox
}

/** The part after the @ of an address that parseAddress() returned. */
export function addressDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

declare const mailbox: unique symbol

/** Made by mailboxOf() alone. */
export type Mailbox = string & { readonly [mailbox]: true }

/**
 * One mailbox, however its address is spelled: what a limit per address counts by. A tag after `+` is left out everywhere, dots where the
 * provider ignores them. Never an address to send to.
 */
export function mailboxOf(address: string): Mailbox {
  const domain = addressDomain(address).toLowerCase()
  const [name = ''] = address
    .slice(0, address.lastIndexOf('@'))
    .toLowerCase()
    .split(/(?<=.)\+/)
  return (isGmail.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`) as Mailbox
}

const isGmail = new Set(['gmail.com', 'googlemail.com'])

/** Lower-case ASCII, or null. A single label (`localhost`) is a valid domain; an address literal is not. */
function domainOf(text: string): string | null {
  if (text.endsWith('.') || text.length > maxDomainLength) return null
  // Most domains need no conversion, and a conversion costs more than all the rest.
  const ascii = plainDomain.test(text) ? text.toLowerCase() : domainToASCII(text).toLowerCase()
  if (ascii === '' || ascii.length > maxDomainLength) return null
  const labels = ascii.split('.')
  // `1.2.3.4` has valid labels but is not a name.
  if (/^\d+$/.test(labels.at(-1) ?? '')) return null
  return labels.every((label) => domainLabel.test(label)) ? ascii : null
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
