// Agents: every credential that calls tools, with what it may do and when it last did.

import { Copy } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { listAgents } from './agents.ts'
import { Connect } from './connect.tsx'
import { PowerChips } from './powers.tsx'
import { words } from './words.ts'

export default function AgentList() {
  const { to, workspace } = usePlace()
  const agents = useLoaded('', listAgents)
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <Copy text={`paquebot mailbox token --mailbox $MAILBOX --scope read --scope reply`} label={words.copyCommand} />
      </header>
      <p class="muted">{words.how}</p>
      {workspace.role !== 'viewer' && (
        <p>
          <a class="button" href={to('/agents/new')}>
            {words.create}
          </a>
        </p>
      )}
      <Show of={agents}>
        {(all) =>
          all.length === 0 ? (
            <Empty says={words.empty} act={{ to: '/agents/new' }}>
              <Connect path="/mailbox/mcp" secret="mbtok_…" />
            </Empty>
          ) : (
            <Table
              caption={words.title}
              rows={all}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => to(`/agents/${id}`)}
              columns={[
                { name: words.name, show: ({ name }) => name, isLink: true },
                { name: words.opens, show: ({ mailbox }) => mailbox?.address ?? words.workspace },
                { name: words.powers, show: (agent) => <PowerChips agent={agent} /> },
                {
                  name: words.lastUse,
                  show: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <Time at={lastUsedAt} />),
                },
              ]}
            />
          )
        }
      </Show>
    </>
  )
}
