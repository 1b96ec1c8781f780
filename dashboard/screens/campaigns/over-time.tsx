// When a campaign was opened, clicked, left, bounced and complained of: by hour in its first days, or by day. What never happened is not drawn.

import { useState } from 'preact/hooks'
import { get, toCall } from '../../api.ts'
import type { Campaign } from '../../nouns.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { usePart } from '../../screen.tsx'
import { words } from './words.ts'

const path = '/v1/stats'
const hourMs = 3_600_000
const spanMs = { hour: 48 * hourMs, day: 30 * 24 * hourMs }
type Bucket = keyof typeof spanMs

const plotted = { opened: '--link', clicked: '--good', left: '--ink', bounced: '--bad', complained: '--warn' } as const
const saying = { ...words, left: words.optedOut }
const names = Object.keys(plotted) as (keyof typeof plotted)[]

export function OverTime({ campaign: { id: campaignId, startedAt, stats } }: { campaign: Campaign }) {
  const [by, setBy] = useState<Bucket>('hour')
  const chart = usePart(() => import('../../parts/chart.tsx'))
  const query = { campaignId, bucket: by, ...spanOf(startedAt ?? '', by) }
  const counted = names.map((name) => stats[name]).join(' ')
  const { value } = useLoaded(`${campaignId} ${by} ${counted}`, (signal) => get(path, { query }, signal))
  const happened = names.filter((name) => stats[name] > 0)
  if (!value || !chart || happened.length === 0) return null
  return (
    <section>
      <header class="title">
        <h2>{words.overTime}</h2>
        <CopyCurl call={toCall('GET', path, { query })} />
      </header>
      <div class="choices">
        {(['hour', 'day'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={one === by} onClick={() => setBy(one)}>
            {one === 'hour' ? words.byHour : words.byDay}
          </button>
        ))}
      </div>
      <chart.Chart
        title={by === 'hour' ? words.byHour : words.byDay}
        times={value.data.map(({ at }) => at)}
        isByHour={value.bucket === 'hour'}
        series={happened.map((name) => ({
          name: saying[name],
          colour: plotted[name],
          values: value.data.map((one) => one[name]),
        }))}
      />
    </section>
  )
}

/** From its start for so long, or until now. */
function spanOf(startedAt: string, by: Bucket): { from: string; to?: string } {
  const end = new Date(startedAt).getTime() + spanMs[by]
  return { from: startedAt, ...(end < Date.now() && { to: new Date(end).toISOString() }) }
}
