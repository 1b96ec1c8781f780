// The Mailer port: sends one finished message. It knows SMTP replies and no tables; features/sending/deliver-message decides what an outcome means
// for a message. "uncertain" is not "failed": the server may have the mail.

import type { RawMail } from './raw-mail.ts'

interface Envelope {
  from: string
  /** Exactly one recipient: one message, one envelope, one outcome. */
  to: string
}

export interface OutgoingMail {
  /** The workspace that sends it: in capture mode only its members see it. */
  workspaceId: string
  envelope: Envelope
  /** The Message-ID header without angle brackets. */
  messageId: string
  /** The whole message as sent, before dot-stuffing: CRLF line ends, headers first, DKIM-signed. */
  raw: RawMail
}

/** Where a mail would go, before it is written. */
export interface Destination {
  workspaceId: string
  to: string
  bulk: boolean
}

/** A receiving domain for which mail of the workspace was put off, because the server is slow for it, and only for such. */
export interface SlowReceiver {
  workspaceId: string
  domain: string
  /** For how long already. */
  forMs: number
}

export interface HandOver {
  /** Called once, after the recipient is accepted and before the final dot may be sent; the dot waits for it. False: the mail is not to be
   * sent after all, and is `withheld`. If it throws, the mail is not handed over and the error is passed on. */
  beforeFinalDot(): Promise<boolean>
  /** Asked right before the final dot, after all waiting: false = this process may not mail any more, and the mail is not handed over. */
  mayEnd?: (() => boolean) | undefined
  /** Aborted at a graceful stop: a mail that has not reached its final dot is given up at once. */
  signal: AbortSignal
  /** Bulk mail, which nobody waits for: it lets other mail go first, and leaves a connection free for it. */
  bulk?: boolean
  /** Asked once the mail may have a connection that it waited for: why it is not to go after all; null: it goes. */
  turnedAway?: (() => MailOutcome | null) | undefined
  /** Called where it is not offered to the server: gives back what it took of the pace of its relay and its receiver. */
  giveBack?: (() => void) | undefined
  /** Which attempt of this mail it is, from 1. */
  attempt?: number
}

/** The stage of the SMTP conversation at which it ended. */
export type SmtpStage = 'connect' | 'banner' | 'ehlo' | 'starttls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot'

/** `direct`: no relay is between, so whatever was said or missed is a matter of this receiver (mx/). */
export type MailOutcome =
  /** 2xx after the final dot. */
  | { outcome: 'accepted'; reply: string }
  /** The server refused. `permanent` for 5xx. `code` is the SMTP code, `enhanced` the RFC 3463 code ("5.1.1") if any. */
  | {
      outcome: 'refused'
      permanent: boolean
      stage: SmtpStage
      code: number
      enhanced: string | null
      reply: string
      direct?: true
    }
  /**
   * Not handed over: connection refused, bad certificate, time-out or disconnect before the final dot, or aborted. Safe to retry; `again`: at
   * once, because another relay may take it.
   */
  | { outcome: 'not_sent'; stage: SmtpStage; reason: NotSentReason; detail: string; direct?: true; again?: true }
  /** Not sent, or its refusal not counted, because the server currently refuses mail in general (watched-mailer.ts), or the receiver asked to
   * wait (shaping.ts). Retry in `waitMs`. */
  | { outcome: 'held'; waitMs: number; detail: string; by?: 'receiver' }
  /** Not sent, because other mail goes first; nothing is wrong. Retry in `waitMs`. */
  | { outcome: 'put_off'; waitMs: number; detail: string }
  /** Not sent, because `beforeFinalDot` said so. */
  | { outcome: 'withheld' }
  /** The final dot was sent but no reply was read: the server may have the mail. */
  | { outcome: 'uncertain'; detail: string }

export type NotSentReason = 'refused_connection' | 'dns' | 'tls' | 'timeout' | 'cut' | 'aborted' | 'protocol'

export interface Mailer {
  readonly kind: 'smtp' | 'capture'
  send(mail: OutgoingMail, handOver: HandOver): Promise<MailOutcome>
  /** What send() would answer at once, so that a mail need not be written for it; null where it would try. */
  turnedAway?(to: Destination): MailOutcome | null
  slowReceivers?(): SlowReceiver[]
  /** The name of the servers that this domain shares with others; null: it stands for itself. */
  findReceiver?(domain: string): Promise<string | null>
  /** The same, where it was found lately. */
  receiverOf?(domain: string): string | null
  /** Closes idle connections; does not wait for mails in flight. */
  close(): Promise<void>
}

/** In the middle of a mail, before its final dot: the relay is gone, or this mail is too much for it. */
export function brokeOff(outcome: MailOutcome): outcome is Extract<MailOutcome, { outcome: 'not_sent' }> {
  return outcome.outcome === 'not_sent' && outcome.reason === 'cut' && /^(mail|rcpt|data|dot)$/.test(outcome.stage)
}
