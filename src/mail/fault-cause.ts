// The cause of a sending fault, and what to check: one table for the attention list, the API, the dashboard and `doctor`. The reply of a
// mail that failed before it reached the server begins with the stage of the failure (`connect: …`).

import { isAboutRelay, type RefusalSubject } from './refusal.ts'

interface Cause {
  /** What is wrong. */
  text: string
  /** What to check. */
  todo: string
}

export const faultCauses = {
  not_reached: {
    text: 'The mail server cannot be reached, and mail waits',
    todo: 'Does the mail server run there? Check host and port in SMTP_URL, and that no firewall blocks the connection.',
  },
  tls: {
    text: 'There is no secure connection (TLS) to the mail server, and mail waits',
    todo: 'Install a certificate that is trusted for this name, or check requireTLS, smtps: and the port in SMTP_URL.',
  },
  sign_in: {
    text: 'The mail server refuses our sign-in, and mail waits',
    todo: 'Check user and password in SMTP_URL, and that the account may send.',
  },
  throttled: {
    text: 'The mail server accepts no more mail from us for now, and mail waits',
    todo: 'The account or its rate is used up: wait, or ask the provider for more.',
  },
  sender: {
    text: 'The mail server refuses this sender, and mail waits',
    todo: 'Read what it requires of the sending domain (SPF, DKIM, DMARC), and whether a block list has it.',
  },
  relaying: {
    text: 'The mail server does not relay our mail, and mail waits',
    todo: 'The server does not relay mail for us: check the account, or the server’s list of allowed clients.',
  },
  receiver: {
    text: 'Mail is refused with the same reply wherever it goes, and waits',
    todo: 'Read the reply: the receiving side refuses these mails, whoever sends them.',
  },
} as const satisfies Record<string, Cause>

export type FaultCause = keyof typeof faultCauses
export const faultCauseNames = Object.keys(faultCauses) as FaultCause[]

/** What to check at a relay; null: at that of SMTP_URL. */
export function causeTodo(cause: FaultCause, relayId: string | null): string {
  const { todo } = faultCauses[cause]
  const url = `its URL (\`paquebot relay update ${relayId} --url …\`)`
  return relayId === null ? todo : todo.replace('SMTP_URL', url)
}

const lines: [FaultCause, reply: RegExp][] = [
  ['tls', /^starttls: |certificate|altname|\b(start)?tls\b|\bssl\b/i],
  ['not_reached', /^(connect|banner|ehlo): /],
  ['throttled', /quota|limit|credits|throttl|too (many|much)|exceed|^\d{3}[ -]\d\.5\.3\b/i],
  ['sign_in', /^auth: |^(432|530|534|535|538)\b|^454 4\.7\.0|authenticat|credentials|account/i],
]

export function toFaultCause({ about, reply }: { about: RefusalSubject; reply: string }): FaultCause {
  if (about === 'sender') return 'sender'
  if (!isAboutRelay(about)) return 'receiver'
  return lines.find(([, words]) => words.test(reply))?.[0] ?? 'relaying'
}
