// Campaigns, newest first, each with its numbers so far.

import { ownValue } from '../../../src/kit/own-value.ts'
import { get, toCurl } from '../../api.ts'
import { Code } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ChooseBy, ListPage, useList } from '../../parts/list.tsx'
import { Status, statusWord } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/campaigns'
const states = ['draft', 'approved', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed'] as const

const newList = { method: 'POST', path: '/v1/mailing-lists', body: { name: 'News' } }
const newCampaign = {
  method: 'POST',
  path,
  body: {
    name: 'July',
    subject: 'News for {{contact.firstName|you}}',
    mailingListId: 'LIST',
    content: [{ type: 'text', text: 'Hello {{contact.firstName|there}}.' }],
  },
}
/** The list that the first call makes stands in the second. */
const first = `LIST=$(${toCurl(newList)} | jq -r .id)\n${toCurl(newCampaign).replace('LIST', `'"$LIST"'`)}`

export default function CampaignList() {
  const { to, workspace } = usePlace()
  const list = useList({
    screen: '/campaigns',
    path,
    filters: ['status'],
    sorts: { first: '-createdAt', names: () => ['createdAt', 'startedAt'] },
    load: ({ status, ...query }, signal) => {
      const state = states.find((one) => one === status)
      return get(path, { query: { ...query, ...(state && { status: state }) } }, signal)
    },
  })
  const choices = states.map((state): [string, string] => [state, statusWord(state)])
  return (
    <ListPage
      of={list}
      title={words.title}
      tools={
        <>
          <p class="actions">
            {workspace.role !== 'viewer' && (
              <a class="button main" href={to('/campaigns/new')}>
                {words.create}
              </a>
            )}
            <a href={to('/campaigns/recurring')}>{words.recurring}</a>
          </p>
          <ChooseBy of={list} name="status" label={words.state} choices={[['', words.anyState], ...choices]} />
        </>
      }
      emptyFiltered={words.emptyFiltered}
      empty={
        <Empty says={words.empty} act={{ to: '/campaigns/new' }}>
          <Code>{first}</Code>
        </Empty>
      }
    >
      {({ data }) => (
        <Table
          caption={words.caption}
          sorting={list.sorting}
          rows={data}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => to(`/campaigns/${id}`)}
          columns={[
            {
              name: words.state,
              show: ({ status, waitsFor }) => (
                <>
                  <Status status={status} /> {waitsFor !== null && (ownValue(words.waitsFor, waitsFor) ?? waitsFor)}
                </>
              ),
            },
            { name: words.name, show: ({ name }) => name, isLink: true },
            { name: words.subject, show: ({ subject }) => subject },
            {
              name: words.audience,
              isFigure: true,
              show: ({ stats, startedAt }) => startedAt && count(stats.audience),
            },
            { name: words.opened, isFigure: true, show: ({ stats }) => stats.opened > 0 && count(stats.opened) },
            { name: words.clicked, isFigure: true, show: ({ stats }) => stats.clicked > 0 && count(stats.clicked) },
            {
              name: words.began,
              isFigure: true,
              sort: '-startedAt',
              show: ({ startedAt }) => startedAt && <Time at={startedAt} />,
            },
            { name: words.made, isFigure: true, sort: '-createdAt', show: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      )}
    </ListPage>
  )
}
