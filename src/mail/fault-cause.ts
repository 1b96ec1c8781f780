// What a fault of sending is caused by, and what to check: one table for the attention list, the API and `doctor`. The reply of a mail that
// never met the server begins with the stage at which it failed (`connect: …`).

import type { About } from './refusal.ts'

export const faultCauses = {
  not_reached: 'Does the mail server run there? Check host and port in SMTP_URL, and that no firewall forbids the way.',
  tls: 'Install a certificate that is trusted for this name, or check requireTLS, smtps: and the port in SMTP_URL.',
  sign_in: 'Check user and password in SMTP_URL, and that the account may send.',
  throttled: 'The account or its rate is used up: wait, or ask the provider for more.',
  sender: 'Read what it asks of the sending domain (SPF, DKIM, DMARC), and who lists it.',
  relaying: 'The server does not take mail for others from us: check the account, or its list of those who may.',
  receiver: 'Read the reply: the receiving side refuses these mails, whoever sends them.',
} as const

export type FaultCause = keyof typeof faultCauses

const lines: [FaultCause, about: About, reply: RegExp][] = [
  ['tls', 'relay', /^starttls: |certificate|altname|\b(tls|ssl)\b|^5(30|38)\b.*starttls/i],
  ['not_reached', 'relay', /^(connect|banner|ehlo): /],
  ['throttled', 'relay', /quota|limit|credits|throttl|too (many|much)/i],
  ['sign_in', 'relay', /^auth: |^(432|530|534|535|538)\b|^454 4\.7\.0|authenticat|credentials|account/i],
  ['sender', 'sender', /^/],
  ['relaying', 'relay', /^/],
]

export function causeOf({ about, reply }: { about: About; reply: string }): FaultCause {
  return lines.find((line) => line[1] === about && line[2].test(reply))?.[0] ?? 'receiver'
}
