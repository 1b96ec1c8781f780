// Wire shapes of forecasts.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { refusing } from '../../core/http/unknown-fields.ts'
import { time } from '../../core/http/wire.ts'
import { limitView, toLimitView } from '../campaigns/forecast-schema.ts'
import type { Forecast, SourceForecast } from './forecast.ts'

export const maxForecastDays = 90
export const defaultForecastDays = 30

export const rehearseCampaignBody = refusing(
  t.Object({
    days: t.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxForecastDays,
        default: defaultForecastDays,
        description: `How many days from now on; default ${defaultForecastDays}.`,
      }),
    ),
  }),
)

const byReason = (description: string) => t.Record(t.String(), Type.Integer(), { description })

const dayView = t.Object({
  date: t.String({ description: 'In the time zone of the workspace.', examples: ['2027-01-15'] }),
  leaves: Type.Integer(),
  stopped: byReason('Mails that will never leave, by reason.'),
  waited: byReason('Mails that had to wait, by reason; each counts once a day.'),
})

export const campaignForecastView = t.Object({
  campaignId: t.String(),
  from: time,
  until: time,
  leaves: Type.Integer({ description: 'How many mails leave in this time.' }),
  left: Type.Integer({ description: 'How many have not left by then.' }),
  lastAt: t.Union([time, t.Null()], { description: 'When the last of them leaves; null: none does.' }),
  limit: limitView,
  problem: t.Union([t.String(), t.Null()], { description: 'Why nothing of it would leave; null: it does.' }),
  days: t.Array(dayView),
})

export function toCampaignForecastView(
  { from, until }: Forecast,
  { id, leaves, left, lastAt, limit, problem, days }: SourceForecast,
): typeof campaignForecastView.static {
  return {
    campaignId: id,
    from: from.toISOString(),
    until: until.toISOString(),
    leaves,
    left: left ?? 0,
    lastAt: lastAt?.toISOString() ?? null,
    limit: toLimitView(limit),
    problem,
    days,
  }
}
