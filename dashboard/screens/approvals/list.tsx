// Waiting for approval: mail and calls of agents, and campaigns, newest first. No key opens it, so the way without a browser is the command line.

import { useLocation } from 'preact-iso'
import { visible } from '../../../src/kit/visible.ts'
import { get } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import { Code, CopyCommand } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ListRows, useList } from '../../parts/list.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { titleOf } from './about.tsx'
import { words } from './words.ts'

const path = '/v1/approvals'

export default function ApprovalList() {
  const { to, workspace } = usePlace()
  const { route } = useLocation()
  const list = useList({
    screen: '/approvals',
    path,
    filters: [],
    load: (query, signal) => get(path, { query }, signal),
  })
  const isAny = (list.page.value?.data.length ?? 0) > 0
  useShortcuts(isAny ? [{ keys: 'b', says: words.readAll, run: () => route(to('/approvals/read')) }] : [])
  const at = `--workspace ${workspace.slug}`
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCommand command={`paquebot approval list ${at}`} />
      </header>
      {isAny && (
        <p>
          <a class="button main" href={to('/approvals/read')}>
            {words.readAll} <kbd>b</kbd>
          </a>
        </p>
      )}
      <ListRows
        of={list}
        empty={
          <Empty
            says={
              <>
                <strong>{words.empty}</strong> {words.emptyHow}
              </>
            }
            act={{ to: '/mailboxes', says: words.holdReplies }}
          >
            <Code>{`MAILBOX=$(paquebot mailbox list ${at} --json | jq -r '.data[0].id')\npaquebot mailbox update $MAILBOX ${at} --hold-replies true`}</Code>
          </Empty>
        }
        emptyFiltered=""
      >
        {({ data }) => (
          <Table
            caption={words.caption}
            rows={data}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => to(`/approvals/${id}`)}
            columns={[
              {
                name: words.kind,
                show: ({ kind }) => <span class="status">{words.kinds[kind]}</span>,
              },
              {
                name: words.subject,
                show: titleOf,
                isLink: true,
              },
              { name: words.to, show: ({ to: recipient }) => visible(recipient ?? '') },
              { name: words.why, show: ({ waitsFor }) => words.whys[waitsFor] },
              { name: words.author, show: ({ author }) => visible(author?.name ?? author?.id ?? '') },
              { name: words.when, show: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        )}
      </ListRows>
    </>
  )
}
