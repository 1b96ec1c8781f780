// Who would get a campaign if it were sent now and who not, by name, with why.

import { useRoute } from 'preact-iso'
import { get } from '../../api.ts'
import { Empty } from '../../parts/empty.tsx'
import { ChooseBy, ListPage, useList } from '../../parts/list.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { Status, statusWord } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { moment } from '../../words.ts'
import { reasonWord } from './reasons.ts'
import { words } from './words.ts'

const path = '/v1/campaigns/:campaignId/audience'
/** In the order of the pre-flight. */
const outcomes = [
  'recipients',
  'unsubscribed',
  'unconfirmed',
  'suppressed',
  'rate_guardrail',
  'held_out',
  'failed',
] as const

const toName = (outcome: string) => (outcome === 'recipients' ? words.wouldGet : statusWord(outcome))

export default function Audience() {
  const { campaignId = '' } = useRoute().params
  const { to } = usePlace()
  const params = { campaignId }
  const campaign = useLoaded(campaignId, (signal) => get('/v1/campaigns/:campaignId', { params }, signal))
  const list = useList({
    screen: `/campaigns/${campaignId}/audience`,
    path,
    params,
    filters: ['outcome'],
    load: ({ outcome, ...query }, signal) => {
      const chosen = outcomes.find((one) => one === outcome)
      return get(path, { params, query: { ...query, ...(chosen && { outcome: chosen }) } }, signal)
    },
  })
  const choices = outcomes.map((outcome): [string, string] => [outcome, toName(outcome)])
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
        title={name === undefined ? words.audience : words.audienceOf(name)}
        tools={
          <>
            <p class="muted">{words.audienceHow}</p>
            <ChooseBy of={list} name="outcome" label={words.outcome} choices={[['', words.anyState], ...choices]} />
          </>
        }
        emptyFiltered={words.nobodyFiltered}
        empty={<Empty says={words.nobodyMeant} act={{ to: '/contacts/import', says: words.addPeople }} />}
      >
        {({ data }) => (
          <Table
            caption={words.audience}
            rows={data}
            keyOf={({ contactId }) => contactId}
            hrefOf={({ contactId }) => to(`/contacts/${contactId}`)}
            columns={[
              {
                name: words.outcome,
                show: ({ outcome }) =>
                  outcome === 'recipients' ? (
                    <span class="status good">{words.wouldGet}</span>
                  ) : (
                    <Status status={outcome} />
                  ),
              },
              { name: words.contact, show: ({ email }) => email, isLink: true },
              { name: words.reason, show: ({ reason }) => reasonWord(reason) },
              {
                name: words.found,
                show: ({ reason, message }) => message !== null && message !== reason && withTimes(message),
              },
            ]}
          />
        )}
      </ListPage>
    </>
  )
}

/** The API's words name times as it does: `2026-01-15T12:00:08.000Z`. */
const withTimes = (message: string) => message.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => moment(at))
