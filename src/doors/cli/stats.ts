// paquebot stats: what was sent and what became of it, as a table with a plot of what was sent.

import { withoutUndefined } from '../../kit/without-undefined.ts'
import { columns, defineCommand } from './command.ts'
import { type Answer, cells, rowsOf, withApi } from './with-api.ts'

const barChars = 24
/** Eighths of a character. */
const bars = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const steps = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const countColumns = ['sent', 'delivered', 'bounced', 'complained', 'suppressed', 'failed', 'opened', 'clicked']
/** Of a time, as much as tells the bucket. */
const timeChars = { hour: 16, day: 10, month: 7 }

export const stats = defineCommand({
  name: 'stats',
  says: 'Shows how many mails were sent, delivered, bounced and so on, by hour, day or month (UTC).',
  flags: {
    workspace: { type: 'string', value: 'SLUG', required: true, says: 'which workspace' },
    from: { type: 'string', value: 'TIME', says: 'a day or a time; default 24 hours, 30 days or 12 months ago' },
    to: { type: 'string', value: 'TIME', says: 'up to then; default now' },
    bucket: { type: 'string', value: 'hour|day|month', says: 'the length of a bucket; default day' },
    by: { type: 'string', value: 'template|campaign|domain', says: 'separate rows for those with the most mail' },
    template: { type: 'string', value: 'ID', says: 'only of this template' },
    campaign: { type: 'string', value: 'ID', says: 'only of this campaign' },
    domain: { type: 'string', value: 'DOMAIN', says: 'only to this receiving domain' },
  },
  run: ({ workspace, by: groupBy, template: templateId, campaign: campaignId, ...flags }, config) =>
    withApi(config(), workspace, async (api) => {
      const { from, to, bucket, domain } = flags
      const query = withoutUndefined({ from, to, bucket, domain, groupBy, templateId, campaignId })
      const json = await api('GET', `/v1/stats?${new URLSearchParams(query)}`)
      return { json, lines: groupBy === undefined ? overTime(json) : byGroup(json) }
    }),
})

function overTime(answer: Answer): string[] {
  const rows = rowsOf(answer)
  const chars = timeChars[answer['bucket'] as keyof typeof timeChars]
  const most = Math.max(...rows.map(sentOf), 1)
  const lines = rows.map((row) => [
    cells(row, ['at'])[0]?.slice(0, chars).replace('T', ' ') ?? '',
    bar(sentOf(row) / most),
    ...cells(row, countColumns),
  ])
  const totals = ['total', '', ...cells(answer['totals'] as Answer, countColumns)]
  return columns([['', '', ...countColumns], ...lines, totals])
}

function byGroup({ groups }: Answer): string[] {
  const rows = groups as (Answer & { totals: Answer })[]
  const lines = rows.map((row) => {
    const sent = rowsOf(row).map(sentOf)
    const most = Math.max(...sent, 1)
    const curve = sent.map((mails) => (mails === 0 ? ' ' : steps[Math.ceil((mails / most) * steps.length) - 1]))
    return [...cells(row, ['group']), curve.join(''), ...cells(row.totals, countColumns)]
  })
  return columns([['', '', ...countColumns], ...lines])
}

const sentOf = (row: Answer) => Number(row['sent'])

function bar(share: number): string {
  const eighths = Math.ceil(share * barChars * bars.length)
  return '█'.repeat(Math.floor(eighths / bars.length)) + (bars[eighths % bars.length] ?? '')
}
