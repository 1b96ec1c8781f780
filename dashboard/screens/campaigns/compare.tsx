// A campaign beside the last five before it to the same list: each share as a figure with a bar, so that one sees what is different.

import { get } from '../../api.ts'
import type { Campaign } from '../../nouns.ts'
import { useLoaded } from '../../parts/load.tsx'
import { notTracked, type Tracking, useTracking } from '../../parts/tracking.tsx'
import { usePlace } from '../../place.ts'
import { count, locale, moment } from '../../words.ts'
import { words } from './words.ts'

const others = 5
const query = { status: 'sent' as const, perPage: 100 }
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

type Compared = Pick<Campaign, 'id' | 'name' | 'startedAt' | 'stats'>

interface Share {
  name: string
  tone: string
  of: (stats: Campaign['stats']) => number
  /** Why it is no figure. */
  none?: (stats: Campaign['stats'], tracking: Tracking) => string | null
}

const shares: Share[] = [
  {
    name: words.opened,
    tone: 'going',
    of: ({ opened }) => opened,
    none: ({ opened, machineOpened }, { trackOpens }) => notTracked(trackOpens, opened + machineOpened),
  },
  {
    name: words.clicked,
    tone: 'good',
    of: ({ clicked }) => clicked,
    none: ({ clicked, machineClicked }, { trackClicks }) => notTracked(trackClicks, clicked + machineClicked),
  },
  { name: words.optedOut, tone: 'other', of: ({ left }) => left },
  { name: words.bounced, tone: 'warn', of: ({ bounced }) => bounced },
  { name: words.complained, tone: 'bad', of: ({ complained }) => complained },
]

/** Of what was handed over: a mail that bounced was. */
const shareOf = ({ stats }: Compared, part: (stats: Campaign['stats']) => number) =>
  part(stats) / Math.max(1, stats.sent + stats.bounced)

export function Compare({ campaign }: { campaign: Campaign }) {
  const { to } = usePlace()
  const { id, startedAt, mailingListId } = campaign
  const tracking = useTracking().value
  const before = useLoaded(id, async (signal) => (await get('/v1/campaigns', { query }, signal)).data).value ?? []
  const earlier = before
    .filter((one) => one.id !== id && one.mailingListId === mailingListId && (one.startedAt ?? '') < (startedAt ?? ''))
    .slice(0, others)
  if (earlier.length === 0 || tracking === undefined) return null
  const rows: Compared[] = [campaign, ...earlier]
  return (
    <section>
      <h2>{words.compare}</h2>
      <p class="muted">{words.compareHow}</p>
      <table class="compare">
        <caption class="unseen">{words.compare}</caption>
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.sent}</th>
            {shares.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                {row.id === id ? <b>{row.name}</b> : <a href={to(`/campaigns/${row.id}`)}>{row.name}</a>}
                <div class="muted">{row.startedAt && moment(row.startedAt)}</div>
              </th>
              <td class="figure" data-name={words.sent}>
                {count(row.stats.sent)}
              </td>
              {shares.map(({ name, tone, of, none }) => {
                const why = none?.(row.stats, tracking)
                if (why)
                  return (
                    <td key={name} class="figure muted" data-name={name}>
                      {why}
                    </td>
                  )
                const most = Math.max(...rows.map((one) => shareOf(one, of)))
                const share = shareOf(row, of)
                return (
                  <td key={name} class="figure" data-name={name}>
                    {percent.format(share)}
                    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                      <rect class={tone} width={most === 0 ? 0 : (share / most) * 100} height="10" />
                    </svg>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
