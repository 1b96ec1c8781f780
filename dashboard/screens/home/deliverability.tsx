// Whether mail gets through: the domains that it is from, and a day's bounces and complaints beside the rates at which campaigns are paused.

import {
  dropAtBounces,
  dropAtComplaints,
  enoughSent,
  pauseAtBounces,
} from '../../../src/features/campaigns/reputation/thresholds.ts'
import { get } from '../../api.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { inLanguage, locale } from '../../words.ts'

const words = inLanguage(catalogue.home.deliverability)

const domainsAtMost = 4
const tones = { verified: 'good', failed: 'bad', pending: '' } as const
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })

async function load(signal: AbortSignal) {
  const [domains, day] = await Promise.all([
    get('/v1/sending-domains', {}, signal),
    get('/v1/stats', { query: { bucket: 'hour' } }, signal),
  ])
  const shown = await Promise.all(
    domains.data.slice(0, domainsAtMost).map(async ({ id, domain, status }) => {
      const params = { domainId: id }
      const { data } = await get('/v1/sending-domains/:domainId/requirements', { params }, signal)
      const countIn = (wanted: string) => data.filter(({ state }) => state === wanted).length
      return { id, domain, status, broken: countIn('not_met'), met: countIn('met') }
    }),
  )
  return { domains: shown, day: day.totals }
}

export function Deliverability() {
  const { to, workspace } = usePlace()
  const found = useLoaded(workspace.id, load)
  return (
    <section>
      <header class="title">
        <h2>{words.title}</h2>
        <a href={to('/domains')}>{words.all}</a>
      </header>
      <Show of={found}>
        {({ domains, day }) => (
          <>
            <Domains of={domains} />
            {day.sent < enoughSent ? (
              <p class="muted">{words.tooFew(day.sent)}</p>
            ) : (
              <div class="rates">
                <Rate name={words.bounced} is={day.bounced / day.sent} pausesAt={pauseAtBounces} most={dropAtBounces} />
                <Rate
                  name={words.complained}
                  is={day.complained / day.sent}
                  pausesAt={dropAtComplaints}
                  most={2 * dropAtComplaints}
                />
              </div>
            )}
          </>
        )}
      </Show>
    </section>
  )
}

function Domains({ of }: { of: Awaited<ReturnType<typeof load>>['domains'] }) {
  const { to } = usePlace()
  if (of.length === 0)
    return (
      <p>
        {words.none} <a href={to('/domains')}>{words.add}</a>
      </p>
    )
  return (
    <ul class="standing">
      {of.map(({ id, domain, status, broken, met }) => (
        <li key={id}>
          <a href={to(`/domains/${id}`)}>{domain}</a>
          <span class={`status ${tones[status]}`}>{words.status[status]}</span>
          {broken > 0 && <span class="fault">{words.broken(broken)}</span>}
          {broken === 0 && met > 0 && <span class="muted">{words.met}</span>}
        </li>
      ))}
    </ul>
  )
}

interface RateProps {
  name: string
  is: number
  pausesAt: number
  /** The end of the bar. */
  most: number
}

function Rate({ name, is, pausesAt, most }: RateProps) {
  const tone = is >= pausesAt ? 'bad' : is >= pausesAt / 2 ? 'warn' : 'good'
  return (
    <div class="rate">
      <p>
        {name} <strong>{percent.format(is)}</strong>
      </p>
      <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="open" width="100" height="10" />
        <rect class={tone} width={Math.min(1, is / most) * 100} height="10" />
        <rect class="mark" x={(pausesAt / most) * 100} width="0.5" height="10" />
      </svg>
      <p class="muted">{words.pausedAt(percent.format(pausesAt))}</p>
    </div>
  )
}
