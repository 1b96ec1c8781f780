// What a mail server's refusal is about: us, this mail, or its recipient. One table in which each row names the source of its code or
// wording; the first match decides. A refusal about us says nothing about a person, and ends when we fix the cause.

import type { SmtpStage } from './mailer.ts'

export type RefusalSubject =
  /** Our permission to use this server: sign-in, relaying, quota, encryption. */
  | 'relay'
  /** Our domain, sender address or IP address: SPF, DKIM, DMARC, block lists. */
  | 'sender'
  /** This mail: its size, its content, a policy of the receiver. */
  | 'message'
  /** The address does not exist. */
  | 'address'
  /** The mailbox exists but does not accept mail. */
  | 'mailbox'

export interface Refusal {
  /** `report`: received in a delivery status notification. */
  stage: SmtpStage | 'report'
  /** 0 when unknown. */
  code: number
  /** RFC 3463, "5.1.1". */
  enhanced: string | null
  text: string
  /** Said by the receiver itself, or about the way to it: nobody relays for us, so it cannot be about that. */
  direct?: true
}

interface Line {
  about: RefusalSubject
  stage?: RegExp
  code?: RegExp
  /** The enhanced code without its class: `7.26`. */
  enhanced?: RegExp
  text?: RegExp
  source: string
}

const table: Line[] = [
  {
    about: 'message',
    stage: /^(mail|rcpt|data|dot)$/,
    code: /^4/,
    text: /gr[ae]y[- ]?list/i,
    source: 'RFC 6647: strangers are asked to come again; Postgrey, milter-greylist, Rspamd',
  },
  {
    about: 'relay',
    stage: /^(connect|banner|ehlo|starttls|auth)$/,
    source: 'RFC 5321, 3.1 and 4.3.2: no mail has been offered yet',
  },
  { about: 'relay', code: /^(432|530|534|535|538|525)$/, source: 'RFC 4954, 6; RFC 3207, 4; Brevo (525)' },
  { about: 'relay', enhanced: /^7\.(8|1[0-4])$/, source: 'RFC 5248, 2.4: credentials, encryption, account' },
  {
    about: 'relay',
    text: /relay(ing)? (access |is )?(denied|not permitted|not allowed|prohibited|refused)|unable to relay|(not|never) (permitted|allowed|authori[sz]ed) to (relay|send through)|(we )?do(es)? not relay|credentials for relay|in my list of allowed rcpthosts/i,
    source:
      'Postfix "Relay access denied", Exim "relay not permitted", sendmail "Relaying denied", Exchange "Unable to relay", Gmail "Invalid credentials for relay", qmail "allowed rcpthosts"',
  },
  {
    about: 'relay',
    enhanced: /^7\.(54|57|64)$/,
    source: 'Exchange: unable to relay, client not authenticated, TenantAttribution',
  },
  {
    about: 'relay',
    text: /authentication (is )?(required|needed|failed|credentials invalid)|must (first )?(authenticate|issue a STARTTLS)|(please|need to) (authenticate|log ?in)|(not|un)authenticated (client|user|session)|client (was|is) not authenticated|not authorized to perform|unauthorized ip|activate your (smtp )?account|account (is |has been )?(disabled|suspended|not (yet )?activated)|sending (is )?paused for this account/i,
    source:
      'RFC 4954, 6; Gmail, Exchange, SES "is not authorized to perform", Brevo "Unauthorized IP address", SES "Sending paused"',
  },
  {
    about: 'relay',
    text: /(daily|hourly|monthly|maximum|user) (user )?(sending|message|submission|relay|email|mail|credits?)[^.]{0,30}(exceeded|quota|limit|rate)|(sending|submission) ?(quota|limit|rate) ?exceeded|throttling failure/i,
    source:
      'Gmail 5.4.5 "Daily user sending limit exceeded", SES "Throttling failure", SendGrid "Maximum credits exceeded", Exchange "SubmissionQuotaExceeded"',
  },
  {
    about: 'relay',
    text: /(sender|outgoing|outbound|policy rejection)[ -]*(mail |message )?(quota|limit|rate) (is )?(exceeded|reached|fulfilled)|quota exceeded (for|by) (this |the |your )?sender|(message|submission) rate[^.]{0,40}exceeded|exceed(s|ed) the (max(imum)?|number of) (e-?mails|messages)/i,
    source:
      'policyd "Policy Rejection- Quota exceeded", Exchange "Message submission rate for this client has exceeded", cPanel "exceeded the max emails per hour"',
  },
  {
    about: 'relay',
    enhanced: /^5\.3$/,
    source: 'RFC 3463, 3.6: too many recipients; each of our mails names one, so the server counts ours together',
  },
  { about: 'sender', enhanced: /^1\.[78]$/, source: "RFC 3463, 3.2: the sender's address" },
  {
    about: 'sender',
    enhanced: /^7\.(2[0-9]|3[02]|40)$/,
    source: 'RFC 7372 (SPF, DKIM, reverse DNS), RFC 7505 (5.7.27), Gmail: sender guidelines',
  },
  {
    about: 'sender',
    enhanced: /^7\.(60|50[1-9]|51[15]|60[6-9]|6[1-4]\d|70[58]|750)$/,
    source: 'Exchange Online: send-as denied, banned sender or IP address, DMARC, unregistered domain',
  },
  {
    about: 'sender',
    text: /unauthenticated (e-?mail|senders?|message)|sender is unauthenticated|\b(dmarc|dkim|spf)\b|sender address rejected|sender (rejected|verify failed|not allowed|denied)|verified sender|address is not verified|domain .{0,80}not (allowed to send|verified)|not (allowed|authorized|permitted|owned)[^.]{0,20} to send (as|from)|not owned by user|message not accepted for policy reasons/i,
    source:
      'Gmail 5.7.26, Postfix "Sender address rejected", Exim "Sender verify failed", SendGrid "verified Sender Identity", SES "Email address is not verified", Mailgun, Yahoo 5.7.9',
  },
  {
    about: 'sender',
    text: /client host .{0,100}(rejected|blocked)|helo command rejected|blocked using|(spamhaus|spamcop|barracuda|sorbs|uceprotect)|(black|block|deny) ?list|dnsbl|rbl\b|poor reputation|(your|the) ip( address)?\b.{0,60}(not authorized|blocked|banned|rejected|is in)|(reverse|ptr|rdns).{0,40}(dns|record|hostname|lookup)/i,
    source:
      'Postfix "Client host rejected", "blocked using"; Gmail "The IP you\'re using to send mail is not authorized"; Yahoo [BL21]',
  },
  { about: 'message', enhanced: /^(2\.3|3\.4|6\.\d+)$/, source: 'RFC 3463: length, size, content' },
  { about: 'message', code: /^552$/, stage: /^mail$/, source: 'RFC 1870, 6.1: the size that was declared' },
  { about: 'sender', stage: /^mail$/, source: 'RFC 5321, 3.3: the reply to MAIL is about the sender' },
  {
    about: 'address',
    enhanced: /^4\.1$/,
    text: /recipient address rejected/i,
    source: 'Exchange Online: "Recipient address rejected: Access denied", no such mailbox',
  },
  { about: 'address', enhanced: /^1\.\d+$/, source: 'RFC 3463, 3.2; RFC 7505 (5.1.10)' },
  { about: 'mailbox', enhanced: /^2\.\d+$/, source: 'RFC 3463, 3.3' },
  { about: 'message', enhanced: /./, source: 'RFC 3463: system, network, protocol, policy' },
  {
    about: 'message',
    text: /\b(policy|prohibit|denied|not (permitted|allowed|authori[sz]ed)|blocked|spam|virus)/i,
    source: 'RFC 5321, 4.2.3: 550 is also "rejected for policy reasons"; Exim "Administrative prohibition"',
  },
  {
    about: 'address',
    stage: /^(rcpt|report)$/,
    code: /^55[013]$/,
    source: 'RFC 5321, 4.2.3: no such mailbox, not local, name not allowed',
  },
]

/** Only this much of the text is matched, in one pass, whatever a server writes. */
export function withoutAddresses(text: string): string {
  return text.replace(/<[^<>]*>|(?<![^\s<>])[^\s<>]+@\S+/g, '')
}

/** The reply without addresses and numbers, which differ between mails refused for the same reason. */
export function toHint(reply: string): string {
  const words = withoutAddresses(reply.slice(3)).replace(/\d+/g, '')
  return reply.slice(0, 3) + words.replace(/\s+/g, ' ')
}

export function aboutWhom({ stage, code, enhanced, text, direct }: Refusal): RefusalSubject {
  const detail = enhanced?.slice(enhanced.indexOf('.') + 1) ?? ''
  // Addresses are removed, because an address may contain any word.
  const words = withoutAddresses(text)
  const fits = (line: Line) =>
    !(direct && isAboutRelay(line.about)) &&
    (line.stage?.test(stage) ?? true) &&
    (line.code?.test(String(code)) ?? true) &&
    (line.enhanced?.test(detail) ?? true) &&
    (line.text?.test(words) ?? true)
  return table.find(fits)?.about ?? 'message'
}

/** Refusals by the mail server about us, whichever domain the mail was for. */
export function isAboutRelay(about: RefusalSubject): boolean {
  return about === 'relay'
}

/** A refusal about us neither ends a mail nor counts against its recipient. */
export function isAboutUs(about: RefusalSubject): boolean {
  return isAboutRelay(about) || about === 'sender'
}
