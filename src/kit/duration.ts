// Durations in the code are milliseconds; these constants say how many.

import { ownValue } from './own-value.ts'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

const units: Record<string, number> = { ms: 1, s: second, m: minute, h: hour, d: day }

/** `parseDuration('90s')` -> 90000; units ms, s, m, h, d. Null when the text is not a duration. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text)
  const unit = ownValue(units, match?.[2] ?? '')
  return match && unit !== undefined ? Number(match[1]) * unit : null
}

/** Days of 24 hours: a span is elapsed time, not a time of day. */
export function spanMs({ amount, unit }: { amount: number; unit: 'm' | 'h' | 'd' }): number {
  return amount * { m: minute, h: hour, d: day }[unit]
}
