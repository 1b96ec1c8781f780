// Mailboxes: the addresses that receive mail.

import { get, toCall, toCurl } from '../../api.ts'
import { Code, CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { words } from './words.ts'

const path = '/v1/mailboxes'
const lookAgainMs = 3_000
const first = toCurl({ method: 'POST', path, body: { address: 'desk', name: 'Help desk' } })

export default function MailboxList() {
  const { to, workspace } = usePlace()
  const page = useLoaded('', (signal) => get(path, {}, signal))
  useRepeat(lookAgainMs, page.reload)
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCurl call={toCall('GET', path)} />
      </header>
      {workspace.role !== 'viewer' && (
        <p>
          <a class="button main" href={to('/mailboxes/new')}>
            {words.create}
          </a>
        </p>
      )}
      <Show of={page}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty says={words.empty} act={{ to: '/mailboxes/new' }}>
              <Code>{first}</Code>
            </Empty>
          ) : (
            <Table
              caption={words.caption}
              rows={data}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => to(`/mailboxes/${id}`)}
              columns={[
                { name: words.state, show: ({ status }) => <Status status={status} /> },
                { name: words.address, show: ({ address }) => address, isLink: true },
                { name: words.name, show: ({ name }) => name },
                { name: words.replies, show: ({ holdReplies }) => (holdReplies ? words.held : words.atOnce) },
                { name: words.made, show: ({ createdAt }) => <Time at={createdAt} /> },
              ]}
            />
          )
        }
      </Show>
    </>
  )
}
