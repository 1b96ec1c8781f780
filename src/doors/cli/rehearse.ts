// paquebot rehearse: what all that is published would send in the coming days. `paquebot campaign rehearse` is made of its operation.

import { limitText } from '../../features/campaigns/limits.ts'
import { type Forecast, forecast, type SourceForecast } from '../../features/forecast/forecast.ts'
import { defaultForecastDays, maxForecastDays } from '../../features/forecast/schema.ts'
import { getWorkspaceBySlug } from '../../people/workspaces.ts'
import { columns, defineCommand, UsageError } from './command.ts'
import { withApp } from './with-app.ts'

export const rehearse = defineCommand({
  name: 'rehearse',
  says: 'Shows what all published sequences and campaigns would send in the coming days, and what limits it. Sends nothing.',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    days: { type: 'string', value: 'N', says: `how many days from now on; default ${defaultForecastDays}` },
  },
  run: ({ workspace: slug, days = String(defaultForecastDays) }, config) => {
    if (!/^[1-9]\d?$/.test(days) || Number(days) > maxForecastDays)
      throw new UsageError(`--days takes a number from 1 to ${maxForecastDays}, not ${days}`)
    return withApp(config(), async (app) => {
      const told = await forecast(app, await getWorkspaceBySlug(app, slug), { days: Number(days) })
      return { json: told, lines: linesOf(told) }
    })
  },
})

function linesOf({ sources, people, recurring }: Forecast): string[] {
  const without = recurring === 0 ? [] : [`Not in it: what ${recurring} recurring campaigns will make.`]
  if (sources.length === 0) return ['Nothing is published, scheduled or being sent.', ...without]
  const head = ['date', 'source', 'leaves', 'never', 'waits']
  const rows = sources.flatMap((source) =>
    source.days.map(({ date, leaves, stopped, waited }) => [
      date,
      source.name,
      String(leaves),
      inWords(stopped),
      inWords(waited),
    ]),
  )
  const sorted = rows.sort(([one = ''], [other = '']) => (one < other ? -1 : one > other ? 1 : 0))
  return [
    ...columns([head, ...sorted]),
    '',
    ...sources.map(summaryOf),
    `${people} people have something ahead.`,
    ...without,
  ]
}

const inWords = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ')

function summaryOf({ name, problem, leaves, left, lastAt, limit }: SourceForecast): string {
  if (problem !== null) return `${name}: nothing leaves. ${problem}`
  const last =
    lastAt === null
      ? 'no mail leaves'
      : `${leaves} leave, the last on ${lastAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const rest = left ? `; ${left} have not left by then` : ''
  return `${name}: ${last}${rest}; ${limit === null ? 'nothing limits it' : `limited by ${limitText(limit)}`}.`
}
