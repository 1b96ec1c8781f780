// A mail of a job is sent, and what the SMTP outcome means for it: retried, refused, bounced, or unknown. The whole table is here.

import type { App } from '../../core/app.ts'
import type { Ending, JobControl, Outcome } from '../../core/outbox/job.ts'
import { hour, minute } from '../../kit/duration.ts'
import type { Path } from '../../mail/fabric.ts'
import type { HandOver, MailOutcome, OutgoingMail } from '../../mail/mailer.ts'
import { aboutWhom, isAboutUs } from '../../mail/refusal.ts'

/** After a temporary failure. */
export const mailRetryDelaysMs = [minute, 5 * minute, 15 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour]

/** Code of a job that died because the address does not exist; the recipient is then suppressed. */
export const hardBounce = 'hard_bounce'
/** Code of a job that died because the mailbox exists but accepts no mail: full, disabled. Five in a row suppress. */
const softBounce = 'soft_bounce'
/** Code of a job that died because the server refuses this mail, whoever it is for. */
export const refusedMail = 'refused'

/** Code of a mail that waits because the mail server refuses mail in general (mail/watched-mailer.ts). */
export const held = 'held'
/** Code of a mail that waits because its receiver asked us to slow down (mail/shaping.ts). */
export const throttled = 'throttled'
/** Code of a mail that lets others go first: it keeps waiting, and no event is published. */
export const putOff = 'put_off'
/** A temporary answer about the address or its mailbox; 450 without more is "mailbox unavailable" (RFC 5321, 4.2.3). */
const mailboxBusy = /^4\d\d 4\.(1\.[1-6]|2\.[0-24-9]\d*)$|^450$/

/** Whether a mail that was given up with this code is a soft bounce of its address; content, size and policy never are. */
export function isSoftBounce(code: string | null): boolean {
  return code === softBounce || (code !== null && mailboxBusy.test(code))
}

/** Code of a mail that is not sent because its recipient is suppressed. */
export const suppressedCode = 'suppressed'

interface SendResult {
  outcome: MailOutcome
  result: Outcome
}

/** Hands a mail over, unless the guard of its job refuses that: then the refusal is the result. */
export async function sendMail(
  app: App,
  mail: OutgoingMail,
  { signal, handOver }: JobControl,
  { relayId, receiver, others = [], ...how }: Pick<HandOver, 'attempt' | 'bulk'> & Path,
): Promise<SendResult> {
  let refusal = null as Outcome | null
  const beforeFinalDot = async () => {
    refusal = await handOver({ relayId, receiver })
    return refusal === null
  }
  const path = { relayId, receiver, others }
  const outcome = await app.mailer.send(mail, { ...how, beforeFinalDot, signal }, path)
  return { outcome, result: { ...(refusal ?? toJobResult(outcome, signal.reason === 'stopping')), relayId } }
}

/** What the end of its job makes of a mail. */
export function toStatus({ state, code }: Ending) {
  switch (state) {
    case 'done':
      return 'sent'
    case 'pending':
    case 'held':
      return 'delayed'
    case 'ambiguous':
      return 'uncertain'
    case 'cancelled':
      return code === suppressedCode ? 'suppressed' : 'cancelled'
    case 'dead':
      return code === hardBounce ? 'bounced' : code === suppressedCode ? 'suppressed' : 'failed'
  }
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
      return {
        outcome: 'defer',
        code: outcome.by === 'receiver' ? throttled : held,
        detail: outcome.detail,
        delayMs: outcome.waitMs,
      }
    case 'put_off':
      return { outcome: 'defer', code: putOff, detail: outcome.detail, delayMs: outcome.waitMs }
    case 'not_sent':
      if (outcome.reason === 'aborted' && stopping) {
        return { outcome: 'defer', code: 'stopped', detail: 'the process ended before the hand-over', delayMs: 0 }
      }
      return notSent(outcome)
    case 'refused':
      return refusal(outcome)
    case 'withheld':
      throw new Error('a mail was withheld, and nobody said why')
  }
}

function notSent(outcome: Extract<MailOutcome, { outcome: 'not_sent' }>): Outcome {
  const { stage, reason, detail, again = false } = outcome
  const told = { outcome: 'retry', code: reason, detail: `${stage}: ${detail}`, ...(again && { delayMs: 0 }) } as const
  return isAboutUs(aboutWhom({ ...outcome, code: 0, enhanced: null, text: detail }))
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
