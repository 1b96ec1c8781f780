// What an SMTP outcome means for a message: tried again, refused for good, bounced, or unknown. The whole table is here.

import { hour, minute } from '../lib/duration.ts'
import type { MailOutcome } from '../mail/mailer.ts'
import type { JobResult } from '../outbox/job.ts'

/** After a temporary failure (docs/choices.md, row 81). */
export const mailRetryDelaysMs = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour]

/** Code of a job that died because the address does not exist; the recipient is then suppressed. */
export const hardBounce = 'hard_bounce'
/** Code of a job that died because of a mailbox that exists and takes no mail: full, disabled. Five in a row suppress. */
const softBounce = 'soft_bounce'
/** Code of a job that died because the server will not take this mail, whoever it is for. */
const refusedMail = 'refused'

/** Stages at which the server speaks of us and not of the mail: its "no" is a fault of the set-up, and passes when that is mended. */
const aboutUs = ['connect', 'banner', 'ehlo', 'starttls', 'auth']
/** RFC 5321, 4.2.3: no such mailbox, not local, name not allowed. */
const noSuchMailbox = [550, 551, 553]
/** RFC 3463, 3.3: mailbox status, but 5.2.3, which is about the length of the mail. */
const mailboxStatus = /^[45]\.2\.(?!3$)/
/** A temporary answer about the address or its mailbox; 450 without more is "mailbox unavailable" (RFC 5321, 4.2.3). */
const mailboxBusy = /^4\d\d 4\.(1\.[1-6]|2\.[0-24-9]\d*)$|^450$/

/** Whether a mail that was given up with this code is a soft bounce of its address; content, size and policy never are. */
export function isSoftBounce(code: string | null): boolean {
  return code === softBounce || (code !== null && mailboxBusy.test(code))
}

/**
 * accepted -> done. Nothing handed over -> retry. 4xx -> retry. 5xx about the address (5.1.x, or 550/551/553 to RCPT without an
 * enhanced code) -> hard bounce; 5.2.x -> soft bounce; other 5xx -> refused, never a bounce (content, size, policy); 5xx before MAIL -> retry.
 * No reply to the final dot -> ambiguous.
 */
export function jobResultOf(outcome: MailOutcome, stopping: boolean): JobResult {
  switch (outcome.outcome) {
    case 'accepted':
      return { outcome: 'done', code: '250', detail: outcome.reply }
    case 'uncertain':
      return { outcome: 'ambiguous', code: 'no_final_reply', detail: outcome.detail }
    case 'not_sent':
      if (outcome.reason === 'aborted' && stopping) {
        return { outcome: 'defer', code: 'stopped', detail: 'the process ended before the hand-over', delayMs: 0 }
      }
      return { outcome: 'retry', code: outcome.reason, detail: `${outcome.stage}: ${outcome.detail}` }
    case 'refused':
      return refusal(outcome)
  }
}

function refusal({ permanent, stage, code, enhanced, reply }: Extract<MailOutcome, { outcome: 'refused' }>): JobResult {
  if (!permanent || aboutUs.includes(stage))
    return { outcome: 'retry', code: enhanced ? `${code} ${enhanced}` : String(code), detail: reply }
  const address = enhanced
    ? enhanced.startsWith('5.1.') && stage !== 'mail'
    : stage === 'rcpt' && noSuchMailbox.includes(code)
  if (address) return { outcome: 'dead', code: hardBounce, detail: reply }
  return { outcome: 'dead', code: mailboxStatus.test(enhanced ?? '') ? softBounce : refusedMail, detail: reply }
}
