// What an SMTP outcome means for a message: retried, refused, bounced, or unknown. The whole table is here.

import type { Outcome } from '../../core/outbox/job.ts'
import { hour, minute } from '../../kit/duration.ts'
import type { MailOutcome } from '../../mail/mailer.ts'
import { aboutWhom, isAboutUs } from '../../mail/refusal.ts'

/** After a temporary failure. */
export const mailRetryDelaysMs = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour]

/** Code of a job that died because the address does not exist; the recipient is then suppressed. */
export const hardBounce = 'hard_bounce'
/** Code of a job that died because the mailbox exists but accepts no mail: full, disabled. Five in a row suppress. */
const softBounce = 'soft_bounce'
/** Code of a job that died because the server refuses this mail, whoever it is for. */
const refusedMail = 'refused'

/** Code of a mail that waits because the mail server refuses mail in general (mail/watched-mailer.ts). */
export const held = 'held'
/** Code of a mail that lets others go first: it keeps waiting, and no event is published. */
export const putOff = 'put_off'
/** A temporary answer about the address or its mailbox; 450 without more is "mailbox unavailable" (RFC 5321, 4.2.3). */
const mailboxBusy = /^4\d\d 4\.(1\.[1-6]|2\.[0-24-9]\d*)$|^450$/

/** Whether a mail that was given up with this code is a soft bounce of its address; content, size and policy never are. */
export function isSoftBounce(code: string | null): boolean {
  return code === softBounce || (code !== null && mailboxBusy.test(code))
}

/** The longest wait before retrying a refusal that is about us, so that mail does not wait a day after we fixed the cause. */
const aboutUsRetryMs = hour

/**
 * accepted -> done. Not handed over -> retry. 4xx -> retry. 5xx: about us -> retry for as long as it takes; about the address -> hard
 * bounce; about the mailbox -> soft bounce; about this mail -> refused, never a bounce. No reply to the final dot -> ambiguous.
 * mail/refusal.ts decides whom a refusal is about.
 */
export function toJobResult(outcome: MailOutcome, stopping: boolean): Outcome {
  switch (outcome.outcome) {
    case 'accepted':
      return { outcome: 'done', code: '250', detail: outcome.reply }
    case 'uncertain':
      return { outcome: 'ambiguous', code: 'no_final_reply', detail: outcome.detail }
    case 'held':
      return { outcome: 'defer', code: held, detail: outcome.detail, delayMs: outcome.waitMs }
    case 'put_off':
      return { outcome: 'defer', code: putOff, detail: outcome.detail, delayMs: outcome.waitMs }
    case 'not_sent':
      if (outcome.reason === 'aborted' && stopping) {
        return { outcome: 'defer', code: 'stopped', detail: 'the process ended before the hand-over', delayMs: 0 }
      }
      return notSent(outcome)
    case 'refused':
      return refusal(outcome)
  }
}

function notSent({ stage, reason, detail }: Extract<MailOutcome, { outcome: 'not_sent' }>): Outcome {
  const told = { outcome: 'retry', code: reason, detail: `${stage}: ${detail}` } as const
  return isAboutUs(aboutWhom({ stage, code: 0, enhanced: null, text: detail }))
    ? { ...told, atLeastEveryMs: aboutUsRetryMs }
    : told
}

function refusal(refused: Extract<MailOutcome, { outcome: 'refused' }>): Outcome {
  const { permanent, code, enhanced, reply } = refused
  const about = aboutWhom({ ...refused, text: reply })
  const told = { outcome: 'retry', code: enhanced ? `${code} ${enhanced}` : String(code), detail: reply } as const
  if (isAboutUs(about)) return { ...told, atLeastEveryMs: aboutUsRetryMs }
  if (!permanent) return told
  const ended = {
    address: hardBounce,
    mailbox: softBounce,
    message: refusedMail,
    relay: refusedMail,
    sender: refusedMail,
  }
  return { outcome: 'dead', code: ended[about], detail: reply }
}
