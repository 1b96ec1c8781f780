// A campaign that never began is deleted; one that has is only cancelled.

import { useLocation } from 'preact-iso'
import { remove } from '../../api.ts'
import type { Act } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'

const words = inLanguage(catalogue.campaigns.remove)

export function RemoveCampaign({ campaignId, act }: { campaignId: string; act: Act }) {
  const { route } = useLocation()
  const { to } = usePlace()
  const removeIt = async () => {
    await remove('/v1/campaigns/:campaignId', { params: { campaignId } })
    announce(words.removed)
    route(to('/campaigns'))
  }
  return <AskFirst act={act} does={words.remove} title={words.title} how={words.how} run={removeIt} />
}
