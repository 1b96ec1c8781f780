// How sending went in the last thirty days.

import { callOf, get } from '../../api.ts'
import { Chart } from '../../parts/chart.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
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
    partial: 'What was sent before the upgrade is still being counted.',
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
    partial: 'Was vor dem Upgrade gesendet wurde, wird noch gezählt.',
  },
})

const path = '/v1/stats'
const figures = ['sent', 'delivered', 'bounced', 'complained', 'suppressed', 'failed', 'opened', 'clicked'] as const
const plotted = { sent: '--link', delivered: '--good', bounced: '--bad', complained: '--warn' } as const

type Stats = Awaited<ReturnType<typeof get<typeof path>>>

export function Sending({ workspaceId }: { workspaceId: string }) {
  const stats = useLoaded(workspaceId, (signal) => get(path, {}, signal))
  return (
    <section>
      <header class="title">
        <h2>{words.title}</h2>
        <CopyCurl call={callOf('GET', path)} />
      </header>
      <Show of={stats}>{(shown) => <Shown stats={shown} />}</Show>
    </section>
  )
}

function Shown({ stats: { totals, data, complete } }: { stats: Stats }) {
  const names = Object.keys(plotted) as (keyof typeof plotted)[]
  return (
    <>
      {!complete && <p class="notice">{words.partial}</p>}
      <dl class="totals">
        {figures.map((name) => (
          <div key={name}>
            <dt>{words[name]}</dt>
            <dd>{count(totals[name])}</dd>
          </div>
        ))}
      </dl>
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
