// The recipients of a campaign, each with its outcome and the reason.

import { useRoute } from 'preact-iso'
import { get } from '../../api.ts'
import { Empty } from '../../parts/empty.tsx'
import { ChooseBy, ListPage, useList } from '../../parts/list.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { Status, statusWord } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { reasonWord } from './reasons.ts'
import { states } from './report.tsx'
import { words } from './words.ts'

const path = '/v1/campaigns/:campaignId/recipients'

export default function Recipients() {
  const { campaignId = '' } = useRoute().params
  const { to } = usePlace()
  const params = { campaignId }
  const campaign = useLoaded(campaignId, (signal) => get('/v1/campaigns/:campaignId', { params }, signal))
  const list = useList({
    screen: `/campaigns/${campaignId}/recipients`,
    path,
    params,
    filters: ['state'],
    load: ({ state, ...query }, signal) => {
      const chosen = states.find((one) => one === state)
      return get(path, { params, query: { ...query, ...(chosen && { state: chosen }) } }, signal)
    },
  })
  const choices = states.map((state): [string, string] => [state, statusWord(state)])
  const name = campaign.value?.name
  return (
    <>
      <p>
        <a class="back" href={to(`/campaigns/${campaignId}`)}>
          {name ?? words.all}
        </a>
      </p>
      <ListPage
        of={list}
        title={name === undefined ? words.recipients : words.recipientsOf(name)}
        tools={<ChooseBy of={list} name="state" label={words.state} choices={[['', words.anyState], ...choices]} />}
        emptyFiltered={words.nobodyFiltered}
        empty={<Empty says={words.nobody} act={{ to: `/campaigns/${campaignId}`, says: words.toCampaign }} />}
      >
        {({ data }) => (
          <Table
            caption={words.recipients}
            rows={data}
            keyOf={({ contactId }) => contactId}
            hrefOf={({ contactId }) => to(`/contacts/${contactId}`)}
            columns={[
              { name: words.outcome, show: ({ state }) => <Status status={state} /> },
              { name: words.contact, show: ({ email }) => email ?? words.erased, isLink: true },
              { name: words.reason, show: ({ reason }) => reasonWord(reason) },
              { name: words.when, show: ({ updatedAt }) => <Time at={updatedAt} /> },
              {
                name: words.mail,
                show: ({ messageId }) => messageId && <a href={to(`/activity/${messageId}`)}>{words.showMail}</a>,
              },
            ]}
          />
        )}
      </ListPage>
    </>
  )
}
