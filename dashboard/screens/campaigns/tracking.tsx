// Opens and clicks of a campaign's mails, as far as they are counted.

import type { Campaign } from '../../nouns.ts'
import { Facts } from '../../parts/facts.tsx'
import { Show } from '../../parts/load.tsx'
import { notTracked, TrackingSwitch, useTracking } from '../../parts/tracking.tsx'
import { count } from '../../words.ts'
import { words } from './words.ts'

type Stats = Campaign['stats']

export function Engagement({ stats }: { stats: Stats }) {
  const tracking = useTracking()
  return (
    <Show of={tracking}>
      {({ trackOpens, trackClicks }) => (
        <>
          <Facts
            title={words.engagement}
            facts={[
              [words.opened, engaged(trackOpens, stats.opened, stats.machineOpened)],
              [words.clicked, engaged(trackClicks, stats.clicked, stats.machineClicked)],
              [words.optedOut, count(stats.left)],
              [words.complained, count(stats.complained)],
            ]}
          />
          <TrackingSwitch isOn={trackOpens || trackClicks} switched={tracking.reload} />
        </>
      )}
    </Show>
  )
}

function engaged(isTracked: boolean, people: number, machines: number): string {
  const figure = machines === 0 ? count(people) : `${count(people)} (${words.machines(count(machines))})`
  return notTracked(isTracked, people + machines) ?? figure
}
