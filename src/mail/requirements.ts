// What Gmail, Yahoo and Microsoft require of a sender, and which of it a refusal says is broken: one table in which each row names the
// source of its code or wording; the first match decides.

import { type LargeReceiver, receiverGroup } from './receiver-groups.ts'

export const requirements = [
  /** SPF and DKIM. */
  'authentication',
  /** A record of DMARC. */
  'dmarc',
  /** The domain of From is the one that SPF or DKIM vouches for. */
  'alignment',
  /** The address of the sending server has a name that leads back to it. */
  'ptr',
  'tls',
  /** List-Unsubscribe with one click (RFC 8058). */
  'one_click',
  /** Few complaints, and no sudden mass of mail. */
  'complaints',
] as const
export type Requirement = (typeof requirements)[number]

export const requiringReceivers = ['google', 'yahoo', 'microsoft'] as const satisfies LargeReceiver[]
export type RequiringReceiver = (typeof requiringReceivers)[number]

/**
 * Gmail: support.google.com/a/answer/81126. Yahoo: senders.yahooinc.com/best-practices. Microsoft: "Outlook's new requirements for
 * high-volume senders", 2025.
 */
export const requiredBy: Record<RequiringReceiver, readonly Requirement[]> = {
  google: requirements,
  yahoo: ['authentication', 'dmarc', 'alignment', 'ptr', 'one_click', 'complaints'],
  microsoft: ['authentication', 'dmarc', 'alignment', 'complaints'],
}

interface Line {
  of: RequiringReceiver
  /** The enhanced code without its class: `7.26`. */
  enhanced?: RegExp
  text?: RegExp
  breaks: Requirement
  source: string
}

const gmail = 'support.google.com/a/answer/3726730'
const yahoo = 'senders.yahooinc.com/smtp-error-codes'
const microsoft = 'learn.microsoft.com/exchange/mail-flow-best-practices/non-delivery-reports-in-exchange-online'

const table: Line[] = [
  {
    of: 'google',
    enhanced: /^7\.26$/,
    text: /dmarc policy/i,
    breaks: 'alignment',
    source: `${gmail}: 5.7.26, the domain's own policy`,
  },
  {
    of: 'google',
    enhanced: /^7\.(26|27|30)$/,
    breaks: 'authentication',
    source: `${gmail}: 5.7.26, 5.7.27 (SPF), 5.7.30 (DKIM)`,
  },
  { of: 'google', enhanced: /^7\.31$/, breaks: 'dmarc', source: `${gmail}: 4.7.31, no record of DMARC` },
  {
    of: 'google',
    enhanced: /^7\.(32|40)$/,
    breaks: 'alignment',
    source: `${gmail}: 4.7.32, 5.7.40, From is not aligned`,
  },
  { of: 'google', enhanced: /^7\.(23|25)$/, breaks: 'ptr', source: `${gmail}: 4.7.23, 5.7.25` },
  { of: 'google', enhanced: /^7\.29$/, breaks: 'tls', source: `${gmail}: 4.7.29, 5.7.29` },
  {
    of: 'google',
    enhanced: /^7\.28$/,
    breaks: 'complaints',
    source: `${gmail}: 4.7.28, 5.7.28, an unusual rate of unsolicited mail`,
  },
  {
    of: 'google',
    enhanced: /^7\.(0|1)$/,
    text: /unsolicited|low reputation/i,
    breaks: 'complaints',
    source: `${gmail}: 421 4.7.0, 550 5.7.1, unsolicited mail`,
  },
  {
    of: 'microsoft',
    enhanced: /^7\.515$/,
    breaks: 'authentication',
    source: `${microsoft}: 5.7.515, the required authentication level`,
  },
  {
    of: 'microsoft',
    enhanced: /^7\.509$/,
    breaks: 'alignment',
    source: `${microsoft}: 5.7.509, the sending domain does not pass DMARC`,
  },
  {
    of: 'microsoft',
    enhanced: /^7\.650$/,
    breaks: 'complaints',
    source: 'sendersupport.olc.protection.outlook.com: 4.7.650, S775',
  },
  { of: 'yahoo', enhanced: /^7\.9$/, breaks: 'authentication', source: `${yahoo}: 550 and 554 5.7.9, policy reasons` },
  {
    of: 'yahoo',
    text: /\[TSS?0?[0-9]+\]|user complaints/i,
    breaks: 'complaints',
    source: `${yahoo}: 421 4.7.0 [TSS04], [TS03]`,
  },
]

/** Servers that sign their replies: the receiver of a domain of somebody else's is known by them. */
const signatures: [pattern: RegExp, receiver: RequiringReceiver][] = [
  [/ gsmtp\b|support\.google\.com/, 'google'],
  [/(prod|protection)\.outlook\.com/i, 'microsoft'],
  [/postmaster\.yahooinc\.com|senders\.yahooinc\.com|yahoodns\.net/i, 'yahoo'],
]

export interface BrokenRequirement {
  receiver: RequiringReceiver
  requirement: Requirement
}

/** What a refusal to a recipient of `domain` says is broken; null = nothing that is required. */
export function brokenRequirement(domain: string, reply: string): BrokenRequirement | null {
  const receiver = receiverOf(domain, reply)
  if (receiver === null) return null
  const detail = /^[45]\d\d[ -][45]\.(\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1] ?? ''
  const line = table.find(
    ({ of, enhanced, text }) => of === receiver && (enhanced?.test(detail) ?? true) && (text?.test(reply) ?? true),
  )
  return line ? { receiver, requirement: line.breaks } : null
}

function receiverOf(domain: string, reply: string): RequiringReceiver | null {
  const group = receiverGroup({ domain, mx: null })
  const known = requiringReceivers.find((one) => one === group)
  return known ?? signatures.find(([pattern]) => pattern.test(reply))?.[1] ?? null
}
