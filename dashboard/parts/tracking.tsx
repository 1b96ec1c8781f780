// Whether opens and clicks are counted, and the switch for it: without counting there are no numbers, not even a zero.

import { type Got, get, patch } from '../api.ts'
import { usePlace } from '../place.ts'
import { inLanguage } from '../words.ts'
import { useAct, WhyNot } from './act.tsx'
import { announce } from './announce.tsx'
import { AskFirst } from './ask-first.tsx'
import { useLoaded } from './load.tsx'

const words = inLanguage(catalogue.parts.tracking)

const path = '/v1/campaign-settings'

export type Tracking = Got<typeof path>

export function useTracking() {
  const { workspace } = usePlace()
  return useLoaded(`tracking ${workspace.id}`, (signal) => get(path, {}, signal))
}

/** Null where it is a figure: what was counted before the switch was turned off is still known. */
export function notTracked(isTracked: boolean, counted: number): string | null {
  return isTracked || counted > 0 ? null : words.notTracked
}

export function TrackingSwitch({ isOn, switched }: { isOn: boolean; switched: () => void }) {
  const { mayChange } = usePlace()
  const act = useAct()
  if (!mayChange) return null
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
