// What a reply of a receiver means for the mail that follows. The first rule that fits a reply decides; those of the operator come before
// these. Words are compared, not patterns, so that a reply costs its length whatever is in it.

import { hour, minute } from '../kit/duration.ts'
import type { MailOutcome, SmtpStage } from './mailer.ts'

export const shapingActions = ['slow_down', 'fewer_connections', 'suspend', 'ignore'] as const
type ShapingAction = (typeof shapingActions)[number]

export interface ShapingRule {
  /** Of receiver-groups.ts; null: everybody. */
  receivers: string[] | null
  /** How the SMTP code begins: `421`, `4`. Null: any; so with the others. */
  codes: string[] | null
  /** The enhanced code (RFC 3463), or its first parts: `4.7`. */
  enhanced: string[] | null
  /** One of these is in the text, whatever the case. */
  contains: string[] | null
  action: ShapingAction
  /** At RCPT a reply may be about that recipient alone: it counts from so many in a row on. */
  inARow: number
  /** What is left of the mails a second, or of the connections. */
  by: number
  /** What is always left of them. */
  floor: number
  /** The first wait, where mail waits; the next ones are twice as long each. */
  waitSeconds: number
  /** Of the mails a second: every so often, so much more of them again. */
  rampSeconds: number
  rampBy: number
}

export const longestWaitMs = 4 * hour

export const ruleDefaults = {
  receivers: null,
  codes: null,
  enhanced: null,
  contains: null,
  inARow: 1,
  by: 0.95,
  floor: 0.1,
  waitSeconds: 60,
  rampSeconds: 60,
  rampBy: 0.05,
} satisfies Omit<ShapingRule, 'action'>

const rule = (given: Partial<ShapingRule> & Pick<ShapingRule, 'action'>): ShapingRule => ({ ...ruleDefaults, ...given })

export const builtInRules: ShapingRule[] = [
  // RFC 6647: a stranger is asked to come again, each recipient on its own.
  rule({ contains: ['greylist', 'graylist', 'grey list', 'gray list', 'grey-list', 'gray-list'], action: 'ignore' }),
  // Gmail, "450 4.2.1 … receiving mail at a rate": of one mailbox.
  rule({ receivers: ['google'], enhanced: ['4.2.1'], action: 'ignore' }),
  // Gmail's sender guidelines, 4.7.28: an unusual rate from an address, a domain, a network.
  rule({
    receivers: ['google'],
    enhanced: ['4.7.28'],
    action: 'slow_down',
    by: 0.7,
    waitSeconds: 300,
    rampSeconds: 300,
  }),
  // Outlook.com's postmaster page: RP-001 to RP-003 and 4.7.650 are limits of an address that is not known well.
  rule({
    receivers: ['microsoft'],
    codes: ['4'],
    contains: ['rp-001', 'rp-002', 'rp-003', '4.7.650', '4.7.651', '4.7.652'],
    ...{ action: 'slow_down', by: 0.7, waitSeconds: 300, rampSeconds: 300 },
  }),
  // Yahoo's sender hub: TSS04 is for some time ("retry later"), TSS09 and TSS11 ask for hours.
  rule({ receivers: ['yahoo'], contains: ['[tss09]', '[tss11]'], action: 'suspend', waitSeconds: 4 * 3600 }),
  rule({ receivers: ['yahoo'], contains: ['[ts'], codes: ['4'], action: 'slow_down', by: 0.7, waitSeconds: 600 }),
  // iCloud's postmaster page: fewer mails, in fewer connections.
  rule({ receivers: ['apple'], codes: ['421', '450', '451'], enhanced: ['4.7'], action: 'slow_down', by: 0.7 }),
  // GMX and WEB.DE, postmaster.gmx.net: "Too many connections" and "Requested rate exceeded".
  rule({ receivers: ['gmx'], codes: ['4'], contains: ['rate', 'quota'], action: 'slow_down', by: 0.7 }),
  rule({
    codes: ['421', '450', '451', '452', '454'],
    contains: ['many connections', 'many concurrent', 'many simultaneous', 'many sessions', 'connection limit'],
    ...{ action: 'fewer_connections', by: 0.5, floor: 1 },
  }),
  // RFC 5321, 4.2.1: the server closes, whoever the mail is for.
  rule({ codes: ['421'], action: 'slow_down' }),
  // RFC 3463, 3.8: policy and security, for now.
  rule({ codes: ['4'], enhanced: ['4.7'], action: 'slow_down', inARow: 5 }),
]

export interface Reply {
  stage: SmtpStage
  code: string
  /** '' for none. */
  enhanced: string
  text: string
}

/** What a receiver said; null where it said nothing, or spoke of no mail yet and is no receiver but a relay. */
export function replyIn(outcome: MailOutcome): Reply | null {
  if (outcome.outcome !== 'refused' && outcome.outcome !== 'not_sent') return null
  const { stage, direct } = outcome
  if (!direct && stage !== 'rcpt' && stage !== 'data' && stage !== 'dot') return null
  // A server that closes after its 421 is known by the detail alone.
  return readReply(stage, outcome.outcome === 'refused' ? outcome.reply : outcome.detail)
}

/** Null where it is none of a server. */
export function readReply(stage: SmtpStage, text: string): Reply | null {
  const [, code, enhanced = ''] = /^([2-5]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3}))?\b/.exec(text) ?? []
  return code === undefined ? null : { stage, code, enhanced, text }
}

/** The first that fits. */
export function findRule<R extends ShapingRule>(
  rules: R[],
  receiver: string,
  { code, enhanced, text }: Reply,
): R | null {
  const words = text.toLowerCase()
  const fits = (one: R) =>
    (one.receivers === null || one.receivers.includes(receiver)) &&
    (one.codes === null || one.codes.some((begin) => code.startsWith(begin))) &&
    (one.enhanced === null || one.enhanced.some((begin) => `${enhanced}.`.startsWith(`${begin}.`))) &&
    (one.contains === null || one.contains.some((part) => words.includes(part)))
  return rules.find(fits) ?? null
}

export function firstWaitMs({ waitSeconds }: Pick<ShapingRule, 'waitSeconds'>): number {
  return Math.min(longestWaitMs, (waitSeconds / 60) * minute)
}
