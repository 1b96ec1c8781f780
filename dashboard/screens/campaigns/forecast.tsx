// The forecast of a campaign's last mail when it was sent or scheduled, by which limit, and how wrong it was.

import { ownValue } from '../../../src/kit/own-value.ts'
import { spanText } from '../../../src/kit/span-text.ts'
import type { Campaign } from '../../nouns.ts'
import { moment } from '../../words.ts'
import { words } from './words.ts'

type Forecast = NonNullable<Campaign['forecast']>

export function Forecast({ of: { forecast, waitsFor } }: { of: Campaign }) {
  // It knows nothing of how long that will be.
  if (forecast === null || waitsFor !== null) return null
  const { lastAt, limit, lateSeconds } = forecast
  const end = lastAt === null ? words.endless : words.forecastOfLast(moment(lastAt))
  return (
    <p>{[end, limitWords(limit), lateSeconds === null ? '' : wrongWords(lateSeconds)].filter(Boolean).join(' ')}</p>
  )
}

/** Of what is sent now. */
export function lastMailWords({
  recipients,
  lastAt,
  limit,
}: Pick<Forecast, 'recipients' | 'lastAt' | 'limit'>): string {
  if (recipients === 0) return words.nothingLeaves
  return `${lastAt === null ? words.endless : words.lastAt(moment(lastAt))} ${limitWords(limit)}`
}

export function limitWords(limit: Forecast['limit']): string {
  if (limit === null) return words.unlimited
  return words.limitedBy(ownValue<string>(words.limitNames, limit.by ?? limit.reason) ?? limit.message)
}

function wrongWords(lateSeconds: number): string {
  const span = spanText(Math.abs(lateSeconds))
  return span === null ? words.onTime : words.wrongBy({ span, isLate: lateSeconds > 0 })
}
