// Detects mail written by a machine, which is never replied to, and mail that has been here before, which is not accepted (RFC 3834, 2 and
// 5). Two machines that reply to each other never stop.

import type { ReceivedMail } from './received-mail.ts'

/** RFC 5321, 6.3: a mail that has passed this many servers is in a loop. */
const maxReceivedHeaders = 25
/** Our own header; every mail sent from a mailbox carries it. */
export const loopHeader = 'X-Loop'

type Head = Pick<ReceivedMail, 'headers' | 'from'>

/** Why this mail must not be replied to, or null. */
export function automaticReason(mail: Head, envelopeFrom: string, ownAddress: string): string | null {
  const value = (name: string) => findHeader(mail, name)
  const sender = mail.from.address.toLowerCase()
  if (envelopeFrom === '') return 'null_sender'
  if ([sender, envelopeFrom.toLowerCase()].includes(ownAddress.toLowerCase())) return 'own_address'
  if (/^(mailer-daemon|postmaster)@/.test(sender) || /^mailer-daemon@/i.test(envelopeFrom)) return 'daemon'
  const submitted = value('auto-submitted')
  if (submitted !== null && !/^no\b/i.test(submitted)) return 'auto_submitted'
  if (/^(bulk|list|junk|auto_reply)\b/i.test(value('precedence') ?? '') || value('list-id') !== null) return 'bulk'
  if (/^multipart\/report\b/i.test(value('content-type') ?? '')) return 'report'
  const responder = ['x-autoreply', 'x-autorespond', 'x-auto-response-suppress', 'x-loop']
  return responder.some((name) => value(name) !== null) ? 'auto_response' : null
}

/** True when the mail has been at this address before, or has passed too many servers. */
export function isLoop(mail: Pick<ReceivedMail, 'headers'>, ownAddress: string): boolean {
  const own = ownAddress.toLowerCase()
  const values = (name: string) => mail.headers.filter((header) => header.name === name)
  const names = ['delivered-to', 'x-original-delivered-to', loopHeader.toLowerCase()]
  const seen = names.flatMap(values).some(({ value }) => bareAddress(value) === own)
  return seen || values('received').length > maxReceivedHeaders
}

function bareAddress(value: string): string {
  return value.trim().replace(/^<|>$/g, '').toLowerCase()
}

function findHeader({ headers }: Head, name: string): string | null {
  return headers.find((header) => header.name === name)?.value.trim() ?? null
}
