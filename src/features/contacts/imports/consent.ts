// What the cells of an export say about consent. When several columns of a row say something, the strictest counts. Nothing is read into a
// word: that somebody is "enabled" is not consent.

import type { SuppressionReason } from '../../../../db/tables/contacts.ts'
import { readYesNo } from '../properties.ts'
import type { ConsentColumn } from './consent-columns.ts'
import { headerKey } from './headers.ts'

/** From the mildest to the strictest. */
const strictness = ['subscribed', 'unconfirmed', 'unsubscribed', 'manual', 'hardBounce', 'complaint'] as const
export type ConsentState = (typeof strictness)[number]

/** Null: the cell says nothing. Undefined: the cell is not understood. */
type Reading = ConsentState | null | undefined

const statesOf: Record<ConsentState | 'nothing', string[]> = {
  subscribed: ['subscribed', 'active', 'confirmed', 'accepted', 'optedin', 'optin', 'granted', 'given', 'consented'],
  unconfirmed: [
    ...['unconfirmed', 'pending', 'inactive', 'nonsubscribed', 'notsubscribed', 'neversubscribed', 'transactional'],
    ...['validating', 'needsapproval', 'needsattention', 'unspecified'],
  ],
  unsubscribed: [
    ...['unsubscribed', 'cancelled', 'canceled', 'rejected', 'optedout', 'optout', 'disabled', 'archived', 'denied'],
    ...['declined', 'refused', 'revoked', 'withdrawn', 'donotemail', 'redacted'],
  ],
  manual: ['blocklisted', 'blacklisted', 'denylisted', 'blocked', 'suppressed'],
  hardBounce: ['bounced', 'bounce', 'hardbounced', 'hardbounce', 'cleaned', 'undeliverable', 'invalid'],
  complaint: ['complained', 'complaint', 'spam', 'spamcomplaint', 'markedasspam', 'reportedspam', 'abuse', 'junk'],
  nothing: ['enabled', 'softbounced', 'softbounce', 'cold'],
}
const states = new Map(
  Object.entries(statesOf).flatMap(([says, words]) =>
    words.map((word) => [word, says === 'nothing' ? null : (says as ConsentState)] as const),
  ),
)

const yes = new Set(['on', 'x', 'checked', 'ja', 'oui', 'si', 'sim', 'tak', 'да'])
const no = new Set(['off', 'unchecked', 'nein', 'nee', 'non', 'nao', 'nie', 'нет', 'never'])
/** What databases write for an empty cell. */
const nothing = /^(null|none|n\/?a|nil|undefined|unknown|\\n|[-–—]+|0000-00-00[0:. ]*)$/i

/** Null: nothing. Undefined: neither a yes nor a no. */
function yesOrNo(cell: string): boolean | null | undefined {
  if (nothing.test(cell)) return null
  const word = headerKey(cell)
  return yes.has(word) ? true : no.has(word) ? false : readYesNo(cell)
}

/** A yes, the time at which it happened, or how often. */
const happened = (says: ConsentState, otherwise: ConsentState | null) => (cell: string) => {
  const known = yesOrNo(cell)
  if (known === undefined) return /^\d/.test(cell) ? says : undefined
  return known === null ? null : known ? says : otherwise
}

/** How to read the cells of a consent column, by the column's name. Empty cells say nothing and are skipped. */
const readers: Record<ConsentColumn, (cell: string) => Reading> = {
  subscribed: (cell) => {
    const known = yesOrNo(cell)
    if (known === undefined) return states.get(headerKey(cell))
    return known === null ? null : known ? 'subscribed' : 'unsubscribed'
  },
  status: (cell) => states.get(headerKey(cell)),
  unsubscribed: happened('unsubscribed', 'subscribed'),
  optedOut: happened('unsubscribed', null),
  confirmed: happened('subscribed', 'unconfirmed'),
  bounced: happened('hardBounce', null),
  complained: happened('complaint', null),
  blocklisted: happened('manual', null),
  unsubscribeReason: (cell) => (/abuse|spam|complain/i.test(cell) ? 'complaint' : null),
}

/** Whether a yes is among the values: if the others say nothing, only the caller knows whether people agreed. */
export function tellsConsent(column: ConsentColumn): boolean {
  return ['subscribed', 'status', 'unsubscribed', 'confirmed'].includes(column)
}

/** What a row says about consent; or why that is unclear. */
export function consentOfCells(
  cells: { column: ConsentColumn; header: string; cell: string }[],
): ConsentState | null | { fault: string } {
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
export function strictestSays(...all: (ConsentState | null)[]): ConsentState | null {
  return strictness[Math.max(...all.map((one) => (one === null ? -1 : strictness.indexOf(one))))] ?? null
}

/** The suppression reason for a row that says never. */
export function toSuppressionReason(says: ConsentState | null): SuppressionReason | null {
  return says === 'manual' || says === 'hardBounce' || says === 'complaint' ? says : null
}
