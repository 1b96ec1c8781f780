// Whether opens and clicks are counted, and the switch: a nought of what nobody counts is no figure.

import { get, patch } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import type { Campaign } from './campaign.tsx'
import { words } from './words.ts'

const path = '/v1/campaign-settings'

type Stats = Campaign['stats']

export function Engagement({ stats }: { stats: Stats }) {
  const settings = useLoaded('settings', (signal) => get(path, {}, signal))
  return (
    <Show of={settings}>
      {({ trackOpens, trackClicks }) => (
        <>
          <Facts
            title={words.engagement}
            facts={[
              [words.opened, engaged(trackOpens, stats.opened, stats.machineOpened)],
              [words.clicked, engaged(trackClicks, stats.clicked, stats.machineClicked)],
              [words.complained, count(stats.complained)],
            ]}
          />
          <Switch isOn={trackOpens || trackClicks} switched={settings.reload} />
        </>
      )}
    </Show>
  )
}

/** What was counted before the switch was turned off is still known. */
function engaged(isTracked: boolean, people: number, machines: number): string {
  if (!isTracked && people + machines === 0) return words.notTracked
  return machines === 0 ? count(people) : `${count(people)} (${words.machines(count(machines))})`
}

function Switch({ isOn, switched }: { isOn: boolean; switched: () => void }) {
  const { workspace } = usePlace()
  const act = useAct()
  if (workspace.role === 'viewer') return null
  const turn = async () => {
    await patch(path, { body: { trackOpens: !isOn, trackClicks: !isOn } })
    announce(words.switched)
    switched()
  }
  return (
    <>
      <WhyNot act={act} />
      <AskFirst
        act={act}
        does={isOn ? words.trackNoMore : words.track}
        title={isOn ? words.trackNoMore : words.track}
        how={isOn ? words.trackNoMoreHow : words.trackHow}
        run={turn}
      />
    </>
  )
}
