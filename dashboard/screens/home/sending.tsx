// How sending went in the last thirty days.

import { type Got, get, toCall } from '../../api.ts'
import { Chart } from '../../parts/chart.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { notTracked, type Tracking, TrackingSwitch, useTracking } from '../../parts/tracking.tsx'
import { count, inLanguage } from '../../words.ts'

const words = inLanguage({
  en: {
    title: 'The last 30 days',
    plot: 'Mails a day',
    sent: 'Sent',
    delivered: 'Delivered',
    bounced: 'Bounced',
    complained: 'Complained',
    suppressed: 'Suppressed',
    failed: 'Failed',
    opened: 'Opened',
    clicked: 'Clicked',
    notReported: 'not reported',
    whoReports: 'Who reports deliveries',
    partial: 'Mail from before the upgrade is still being counted.',
  },
  de: {
    title: 'Die letzten 30 Tage',
    plot: 'Mails am Tag',
    sent: 'Gesendet',
    delivered: 'Zugestellt',
    bounced: 'Zurückgewiesen',
    complained: 'Beanstandet',
    suppressed: 'Gesperrt',
    failed: 'Gescheitert',
    opened: 'Geöffnet',
    clicked: 'Angeklickt',
    notReported: 'nicht gemeldet',
    whoReports: 'Wer Zustellungen meldet',
    partial: 'Was vor dem Upgrade gesendet wurde, wird noch gezählt.',
  },
})

const path = '/v1/stats'
const figures = ['sent', 'delivered', 'bounced', 'complained', 'suppressed', 'failed', 'opened', 'clicked'] as const
const plotted = { sent: '--link', delivered: '--good', bounced: '--bad', complained: '--warn' } as const

type Stats = Got<typeof path>

export function Sending({ workspaceId }: { workspaceId: string }) {
  const stats = useLoaded(workspaceId, (signal) => get(path, {}, signal))
  const tracking = useTracking()
  return (
    <section>
      <header class="title">
        <h2>{words.title}</h2>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <Show of={stats}>
        {(stats) => (
          <Show of={tracking}>
            {(isOn) => <SendingFigures stats={stats} tracking={isOn} switched={tracking.reload} />}
          </Show>
        )}
      </Show>
    </section>
  )
}

const isTracked = ({ trackOpens, trackClicks }: Tracking) => trackOpens || trackClicks

/** Why there is no figure: it is not counted, or no server has ever reported it. */
function missing({ totals }: Stats, { trackOpens, trackClicks }: Tracking) {
  return {
    opened: notTracked(trackOpens, totals.opened + totals.machineOpened),
    clicked: notTracked(trackClicks, totals.clicked + totals.machineClicked),
    delivered: totals.delivered === 0 && totals.sent > 0 ? words.notReported : null,
  }
}

interface Props {
  stats: Stats
  tracking: Tracking
  switched: () => void
}

function SendingFigures({ stats, tracking, switched }: Props) {
  const { totals, data, complete } = stats
  const none: Partial<Record<(typeof figures)[number], string | null>> = missing(stats, tracking)
  const names = (Object.keys(plotted) as (keyof typeof plotted)[]).filter((name) => !none[name])
  return (
    <>
      {!complete && <p class="notice">{words.partial}</p>}
      <dl class="totals">
        {figures.map((name) => (
          <div key={name}>
            <dt>{words[name]}</dt>
            <dd>{none[name] ? <span class="none">{none[name]}</span> : count(totals[name])}</dd>
          </div>
        ))}
      </dl>
      <div class="actions">
        {none.delivered && <a href="/docs/campaigns#bounces-and-complaints">{words.whoReports}</a>}
        {!isTracked(tracking) && <TrackingSwitch isOn={false} switched={switched} />}
      </div>
      <Chart
        title={words.plot}
        times={data.map(({ at }) => at)}
        series={names.map((name) => ({
          name: words[name],
          colour: plotted[name],
          values: data.map((one) => one[name]),
        }))}
      />
    </>
  )
}
