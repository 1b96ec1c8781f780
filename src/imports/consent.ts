// What the columns of an export say about consent: our own, and those of Loops, Mailchimp, listmonk, Resend, Brevo, Kit and Sendy, as they
// document them. When several columns of a row say something, the strictest counts. Nothing is read into a word: that somebody is "enabled"
// is not consent.

import type { SuppressionReason } from '../../db/tables/contacts.ts'
import { readYesNo } from '../contacts/properties.ts'

/** From the mildest to the strictest. */
const strictness = ['subscribed', 'unconfirmed', 'unsubscribed', 'manual', 'hardBounce', 'complaint'] as const
export type Says = (typeof strictness)[number]

/** Null: the cell says nothing. Undefined: the cell is not understood. */
type Reading = Says | null | undefined

const wordsOf: Record<Says | 'nothing', string[]> = {
  subscribed: ['subscribed', 'active', 'confirmed', 'accepted', 'optedin', 'optin'],
  unconfirmed: ['unconfirmed', 'pending', 'inactive', 'nonsubscribed', 'notsubscribed', 'transactional'],
  unsubscribed: ['unsubscribed', 'cancelled', 'canceled', 'rejected', 'optedout', 'optout', 'disabled', 'archived'],
  manual: ['blocklisted', 'blacklisted', 'blocked', 'suppressed'],
  hardBounce: ['bounced', 'bounce', 'hardbounced', 'hardbounce', 'cleaned', 'undeliverable'],
  complaint: ['complained', 'complaint', 'spam', 'markedasspam', 'reportedspam', 'abuse'],
  nothing: ['enabled', 'softbounced', 'softbounce', 'cold'],
}
const meanings = new Map(
  Object.entries(wordsOf).flatMap(([says, words]) =>
    words.map((word) => [word, says === 'nothing' ? null : (says as Says)] as const),
  ),
)

/** A yes, or the time at which it happened. */
const happened = (says: Says, otherwise: Says | null) => (cell: string) =>
  readYesNo(cell) === false ? otherwise : says

/** How to read the cells of a consent column, by the column's name. Empty cells say nothing and are skipped. */
const readers = {
  subscribed: (cell: string): Reading => {
    const yes = readYesNo(cell)
    return yes === undefined ? undefined : yes ? 'subscribed' : 'unsubscribed'
  },
  status: (cell: string): Reading => meanings.get(cell.toLowerCase().replaceAll(/[^a-z]/g, '')),
  unsubscribed: happened('unsubscribed', 'subscribed'),
  confirmed: happened('subscribed', 'unconfirmed'),
  bounced: happened('hardBounce', null),
  complained: happened('complaint', null),
  blocklisted: happened('manual', null),
  unsubscribeReason: (cell: string): Reading => (/abuse|spam|complain/i.test(cell) ? 'complaint' : null),
} satisfies Record<string, (cell: string) => Reading>

export type ConsentColumn = keyof typeof readers
export const consentColumns = Object.keys(readers) as ConsentColumn[]

/** Headers as exports write them, without case, spaces and punctuation. */
const headers: Record<ConsentColumn, string[]> = {
  subscribed: ['subscribed', 'issubscribed', 'subscribedtoemails'],
  status: [
    'status',
    'state',
    'subscriptionstatus',
    'subscriberstatus',
    'memberstatus',
    'emailstatus',
    'emailmarketing',
    'emailmarketingstatus',
    'optinstatus',
  ],
  unsubscribed: ['unsubscribed', 'unsubscribedat', 'unsubtime', 'optedout', 'optout'],
  confirmed: ['confirmed', 'confirmedat', 'confirmtime'],
  bounced: ['bounced', 'bouncedat', 'cleaned', 'cleantime'],
  complained: ['complained', 'complainedat', 'complaint', 'markedasspam'],
  blocklisted: ['blocklisted', 'blacklisted', 'emailblocklisted', 'emailblacklisted'],
  unsubscribeReason: ['unsubreason', 'unsubscribereason'],
}
const columnOfHeader = new Map(
  consentColumns.flatMap((column) => headers[column].map((header) => [header, column] as const)),
)

/** `header` reduced to lower-case letters and digits. */
export function consentColumnOf(header: string): ConsentColumn | null {
  return columnOfHeader.get(header) ?? null
}

/** Says nothing by itself: the reason for leaving, while another column says that they left. */
export function tellsConsent(column: ConsentColumn): boolean {
  return column !== 'unsubscribeReason'
}

/** What a row says about consent; or why that is unclear. */
export function consentOfCells(
  cells: { column: ConsentColumn; header: string; cell: string }[],
): Says | null | { fault: string } {
  let strictest = -1
  for (const { column, header, cell } of cells) {
    const reading: Reading = readers[column](cell)
    if (reading === undefined)
      return { fault: `${header} ${JSON.stringify(cell.slice(0, 80))} is not a known value for consent` }
    if (reading !== null) strictest = Math.max(strictest, strictness.indexOf(reading))
  }
  return strictness[strictest] ?? null
}

/** The strictest of several statements. */
export function strictestSays(...all: (Says | null)[]): Says | null {
  return strictness[Math.max(...all.map((one) => (one === null ? -1 : strictness.indexOf(one))))] ?? null
}

/** The suppression reason for a row that says never. */
export function suppressionOf(says: Says | null): SuppressionReason | null {
  return says === 'manual' || says === 'hardBounce' || says === 'complaint' ? says : null
}
