// The results of a campaign: every recipient in one state, so that the numbers add up to the audience; opens, clicks and who left, also over
// time; on what, and where people clicked.

import type { Campaign } from '../../nouns.ts'
import { Shares } from '../../parts/shares.tsx'
import { statusWord } from '../../parts/status.tsx'
import { usePlace } from '../../place.ts'
import { ClickMap } from './click-map.tsx'
import { Compare } from './compare.tsx'
import { Devices } from './devices.tsx'
import { Forecast } from './forecast.tsx'
import { OverTime } from './over-time.tsx'
import { Engagement } from './tracking.tsx'
import { Uncertain } from './uncertain.tsx'
import { words } from './words.ts'

/** In the order of the bar. */
export const states = [
  'sent',
  'sending',
  'delayed',
  'queued',
  'uncertain',
  'bounced',
  'failed',
  'unsubscribed',
  'unconfirmed',
  'suppressed',
  'rate_guardrail',
  'held_out',
  'cancelled',
] as const

export function Report({ campaign, reload }: { campaign: Campaign; reload: () => void }) {
  const { to } = usePlace()
  const { id, stats, status } = campaign
  const isGoing = status === 'sending'
  const shares = states.map((state) => ({
    key: state,
    name: statusWord(state),
    why: words.why.outcomes[state] ?? '',
    count: stats[state],
    href: to(`/campaigns/${id}/recipients?state=${state}`),
  }))
  return (
    <>
      <section>
        <h2>{isGoing ? words.progress : words.report}</h2>
        {isGoing && <p class="muted">{words.going}</p>}
        <Forecast of={campaign} />
        <Shares caption={isGoing ? words.progress : words.report} shares={shares} />
      </section>
      {stats.uncertain > 0 && <Uncertain campaign={campaign} reload={reload} />}
      <Engagement stats={stats} />
      <OverTime campaign={campaign} />
      <Devices campaign={campaign} />
      {stats.clicked + stats.machineClicked > 0 && <ClickMap campaign={campaign} />}
      <Compare campaign={campaign} />
    </>
  )
}
