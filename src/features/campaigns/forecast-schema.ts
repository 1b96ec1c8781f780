// Wire shapes of the forecast of a campaign, and of how wrong it was.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import type { Limit } from '../../../db/tables/campaigns.ts'
import { nullableText, time } from '../../core/http/wire.ts'
import { second } from '../../kit/duration.ts'
import { spanText } from '../../kit/span-text.ts'
import type { Campaign } from './campaign.ts'
import { limitText } from './limits.ts'

export const limitView = t.Union(
  [
    t.Object({ reason: t.String(), by: nullableText, message: t.String({ description: 'The limit, in words.' }) }),
    t.Null(),
  ],
  { description: 'What keeps the most mails for the longest; null: nothing has to wait.' },
)

export const toLimitView = (limit: Limit | null) => limit && { ...limit, message: limitText(limit) }

export const forecastView = t.Union(
  [
    t.Object({
      madeAt: time,
      recipients: Type.Integer({ description: 'How many would have got it.' }),
      lastAt: t.Union([time, t.Null()], {
        description: 'When the last mail would leave; null: not within a year, or nobody knew.',
      }),
      limit: limitView,
      lateSeconds: t.Union([Type.Integer(), t.Null()], {
        description: 'By how much its end (`endedAt`) was later; less than 0: it was earlier. Null until it is sent.',
      }),
    }),
    t.Null(),
  ],
  { description: 'The forecast when it was sent or scheduled; null: none was made.' },
)

export type CampaignForecastView = NonNullable<typeof forecastView.static>

export function toForecastView({ forecast, status, endedAt }: Campaign): CampaignForecastView | null {
  if (forecast === null) return null
  const { madeAt, recipients, lastAt, limit } = forecast
  const lateMs = status === 'sent' && endedAt !== null && lastAt !== null ? endedAt.getTime() - lastAt : null
  return {
    madeAt: new Date(madeAt).toISOString(),
    recipients,
    lastAt: lastAt === null ? null : new Date(lastAt).toISOString(),
    limit: toLimitView(limit),
    lateSeconds: lateMs === null ? null : Math.round(lateMs / second),
  }
}

/** `1 h 5 min later`, to the minute. */
export function lateText(seconds: number): string {
  const span = spanText(Math.abs(seconds))
  return span === null ? 'less than a minute' : `${span} ${seconds > 0 ? 'later' : 'earlier'}`
}
