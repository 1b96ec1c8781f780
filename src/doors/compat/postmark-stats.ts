// Postmark: mails sent, bounced and reported as spam, by day, in the form its SDK expects. The numbers are the workspace's figures, by day
// of UTC.

import { Elysia, t } from 'elysia'
import type { App } from '../../core/app.ts'
import type { Figure } from '../../features/sending/stats/count.ts'
import { bucketsBetween, countBuckets, readSeries } from '../../features/sending/stats/read.ts'
import { day } from '../../kit/duration.ts'
import { invalidField } from '../../kit/error.ts'
import { auth, type Caller } from '../../people/access/auth.ts'
import { checkStream, hidden, outbound, root } from './postmark-mail.ts'

const defaultDays = 30
const mostDays = 366

type Query = Record<string, string>
type StatsCall = Pick<Caller, 'workspace'> & { query: Query }

export function postmarkStatsRoutes(app: App) {
  const rule = { auth: 'activity.read', query: t.Record(t.String(), t.String({ maxLength: 500 })) } as const
  return new Elysia({ prefix: `${root}/stats/outbound`, ...hidden })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const { sent, bounced, complained } = (await loadFigures(app, { workspace, query })).totals
        const rate = (count: number) => (sent === 0 ? 0 : (count / sent) * 100)
        return {
          ...{ Sent: sent, Bounced: bounced, BounceRate: rate(bounced) },
          ...{ SpamComplaints: complained, SpamComplaintsRate: rate(complained) },
        }
      },
      rule,
    )
    .get('/sends', ({ workspace, query }) => byDay(app, { workspace, query }, 'Sent', 'sent'), rule)
    .get('/spam', ({ workspace, query }) => byDay(app, { workspace, query }, 'SpamComplaint', 'complained'), rule)
}

/** Days on which nothing happened are left out, as there. */
async function byDay(app: App, asking: StatsCall, name: string, figure: Figure) {
  const { totals, data } = await loadFigures(app, asking)
  const Days = data.flatMap(({ at, [figure]: count }) =>
    count === 0 ? [] : [{ Date: at.toISOString().slice(0, 10), [name]: count }],
  )
  return { Days, [name]: totals[figure] }
}

async function loadFigures(app: App, { workspace, query }: StatsCall) {
  const begins = readDays(app, query)
  const [series] = await readSeries(
    app,
    { workspaceId: workspace.id, dimension: 'all', bucket: 'day' },
    { begins, values: [''] },
  )
  if (!series) throw new Error('no figures were read')
  return series
}

/** By the names in lower case: its documents and its SDK differ in them. Throws 422. */
function readDays(app: App, query: Query): Date[] {
  const given = new Map(Object.entries(query).flatMap(([name, value]) => (value ? [[name.toLowerCase(), value]] : [])))
  checkStream(given.get('messagestream') ?? outbound)
  for (const name of given.keys())
    if (!['fromdate', 'todate', 'messagestream'].includes(name))
      throw invalidField(name, `there is no filter ${name}`, 'unknown_field')
  const until = readDate('todate', given.get('todate')) ?? app.clock.now()
  const from = readDate('fromdate', given.get('fromdate')) ?? new Date(until.getTime() - (defaultDays - 1) * day)
  // The last day is one of them.
  const to = new Date(until.getTime() + 1)
  if (from >= to) throw invalidField('fromdate', 'fromdate must not be after todate')
  if (countBuckets('day', from, to) > mostDays)
    throw invalidField('fromdate', `fromdate may be at most ${mostDays} days before todate`)
  return bucketsBetween('day', from, to)
}

function readDate(path: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const at = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : Number.NaN)
  if (!Number.isNaN(at.getTime())) return at
  throw invalidField(path, `${path} must be a day: 2027-01-15`)
}
