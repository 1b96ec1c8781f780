// How sending went in the last thirty days, beside the thirty before them.

import { type Got, get, toCall } from '../../api.ts'
import { Chart } from '../../parts/chart.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { notTracked, type Tracking, TrackingSwitch, useTracking } from '../../parts/tracking.tsx'
import { count, inLanguage, locale } from '../../words.ts'

const words = inLanguage(catalogue.home.sending)

const path = '/v1/stats'
const main = ['sent', 'delivered', 'bounced', 'complained'] as const
const others = ['suppressed', 'failed', 'opened', 'clicked'] as const
const plotted = { sent: '--link', delivered: '--good', bounced: '--bad', complained: '--warn' } as const

type Stats = Got<typeof path>
type Figure = (typeof main)[number] | (typeof others)[number]

interface Compared {
  now: Stats
  /** As many days, up to the first of those. */
  before: Stats
}

async function load(signal: AbortSignal): Promise<Compared> {
  const now = await get(path, {}, signal)
  const [from, to] = [new Date(now.from).getTime(), new Date(now.to).getTime()]
  const query = { from: new Date(from - (to - from)).toISOString(), to: now.from }
  return { now, before: await get(path, { query }, signal) }
}

export function Sending({ workspaceId }: { workspaceId: string }) {
  const stats = useLoaded(workspaceId, load)
  const tracking = useTracking()
  return (
    <section>
      <header class="title">
        <h2>{words.title}</h2>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      <Show of={stats}>
        {(compared) => (
          <Show of={tracking}>
            {(isOn) => <SendingFigures of={compared} tracking={isOn} switched={tracking.reload} />}
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
  of: Compared
  tracking: Tracking
  switched: () => void
}

type Missing = Partial<Record<Figure, string | null>>

function SendingFigures({ of, tracking, switched }: Props) {
  const { now, before } = of
  const none: Missing = missing(now, tracking)
  return (
    <>
      {!now.complete && <p class="notice">{words.partial}</p>}
      <Totals figures={main} of={of} none={none} />
      <Totals figures={others} of={of} none={none} />
      <div class="actions">
        {none.delivered && <a href="/docs/campaigns#bounces-and-complaints">{words.whoReports}</a>}
        {!isTracked(tracking) && <TrackingSwitch isOn={false} switched={switched} />}
      </div>
      <Chart title={words.plot} times={now.data.map(({ at }) => at)} series={toSeries({ now, before }, none)} />
    </>
  )
}

function toSeries({ now, before }: Compared, none: Missing) {
  const names = (Object.keys(plotted) as (keyof typeof plotted)[]).filter((name) => !none[name])
  return [
    ...names.map((name) => ({
      name: words[name],
      colour: plotted[name],
      values: now.data.map((one) => one[name]),
      ...(name === 'sent' && { look: 'area' as const }),
    })),
    {
      name: words.sentBefore,
      colour: '--muted',
      values: before.data.map(({ sent }) => sent),
      look: 'dashed' as const,
    },
  ]
}

interface TotalsProps {
  figures: readonly Figure[]
  of: Compared
  none: Missing
}

function Totals({ figures, of: { now, before }, none }: TotalsProps) {
  return (
    <dl class="totals">
      {figures.map((name) => (
        <div key={name}>
          <dt>{words[name]}</dt>
          <dd>
            {none[name] ? (
              <span class="none">{none[name]}</span>
            ) : (
              <>
                <span>{count(now.totals[name])}</span> <Change now={now.totals[name]} before={before.totals[name]} />
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const percent = new Intl.NumberFormat(locale, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 0,
})

/** Nothing where there was nothing and is nothing. */
function Change({ now, before }: { now: number; before: number }) {
  if (now === 0 && before === 0) return null
  const change = before === 0 ? '' : `${percent.format((now - before) / before)}, `
  return <small class="muted">{change + words.before(count(before))}</small>
}
