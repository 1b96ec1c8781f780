// The Mailer port: how one finished message leaves. It knows SMTP replies and no table; what an outcome means for a message
// is decided in sending/deliver-message. "uncertain" is not "failed": the server may have the mail.

import type { RawMail } from './raw-mail.ts'

interface Envelope {
  from: string
  /** Exactly one recipient: one message, one envelope, one outcome. */
  to: string
}

export interface OutgoingMail {
  /** Whose mail it is: in capture mode only its people see it. */
  workspaceId: string
  envelope: Envelope
  /** The Message-ID header without its angle brackets. */
  messageId: string
  /** The whole message as it goes on the wire, before dot-stuffing: CRLF line ends, headers first, DKIM-signed. */
  raw: RawMail
}

export interface HandOver {
  /** Called once, after the recipient is accepted and before the final dot may be sent; the dot waits for it. If it throws, the mail is
   * not handed over and the error is passed on. */
  beforeFinalDot(): Promise<void>
  /** Aborted at a soft stop: a mail that has not reached its final dot is given up at once. */
  signal: AbortSignal
  /** One of many, which nobody waits for: it lets others go first, and leaves a connection to them. */
  bulk?: boolean
}

/** Where in the SMTP conversation an outcome fell. */
export type SmtpStage = 'connect' | 'banner' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot'

export type MailOutcome =
  /** 2xx after the final dot. */
  | { outcome: 'accepted'; reply: string }
  /** The server answered no. `permanent` for 5xx. `code` is the SMTP code, `enhanced` the RFC 3463 code ("5.1.1") if any. */
  | { outcome: 'refused'; permanent: boolean; stage: SmtpStage; code: number; enhanced: string | null; reply: string }
  /** Nothing was handed over: refused connection, bad certificate, time-out or cut before the final dot, or aborted. Retry freely. */
  | { outcome: 'not_sent'; stage: SmtpStage; reason: NotSentReason; detail: string }
  /** Not believed, or not tried: the server refuses mail as such (watched-mailer.ts). Try again in `waitMs`. */
  | { outcome: 'held'; waitMs: number; detail: string }
  /** Not tried, for others go first; nothing is wrong. Try again in `waitMs`. */
  | { outcome: 'put_off'; waitMs: number; detail: string }
  /** The final dot was sent and no reply was read: the server may have the mail. */
  | { outcome: 'uncertain'; detail: string }

export type NotSentReason = 'refused_connection' | 'dns' | 'tls' | 'timeout' | 'cut' | 'aborted' | 'protocol'

export interface Mailer {
  readonly kind: 'smtp' | 'capture'
  send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome>
  /** Ends idle connections; does not wait for mails in flight. */
  close(): Promise<void>
}
