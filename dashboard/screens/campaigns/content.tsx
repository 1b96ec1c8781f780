// The content of a campaign, edited like a template. Saving it makes the campaign a draft again.

import { useRoute } from 'preact-iso'
import { get } from '../../api.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Status } from '../../parts/status.tsx'
import { usePlace } from '../../place.ts'
import { InLocale } from '../templates/in-locale.tsx'
import { campaignOwner } from '../templates/owner.ts'
import { words } from './words.ts'

const path = '/v1/campaigns/:campaignId'

export default function CampaignContent() {
  const { campaignId = '' } = useRoute().params
  const { to } = usePlace()
  const params = { campaignId }
  const found = useLoaded(campaignId, async (signal) => {
    const [campaign, contents] = await Promise.all([
      get(path, { params }, signal),
      get(`${path}/content`, { params }, signal),
    ])
    return { campaign, locales: contents.data.map(({ locale }) => locale) }
  })
  return (
    <>
      <p>
        <a class="back" href={to(`/campaigns/${campaignId}`)}>
          {words.toCampaign}
        </a>
      </p>
      <Show of={found}>
        {({ campaign, locales }) =>
          campaign.templateId !== null || campaign.startedAt !== null ? (
            <p class="notice">{words.notWrittenHere}</p>
          ) : (
            <InLocale
              owner={campaignOwner(campaign, locales)}
              state={() => <Status status={campaign.status} />}
              saved={found.reload}
            />
          )
        }
      </Show>
    </>
  )
}
