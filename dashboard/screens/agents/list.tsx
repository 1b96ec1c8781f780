// Agents: every credential that calls tools, with what it may do and when it last did.

import { type Act, useAct, WhyNot } from '../../parts/act.tsx'
import { Code, CopyCommand } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { type Agent, listAgents, revokeAgent } from './agents.ts'
import { Connect } from './connect.tsx'
import { PowerChips } from './powers.tsx'
import { allowedBy, words } from './words.ts'

export default function AgentList() {
  const { to, workspace } = usePlace()
  const agents = useLoaded('', listAgents)
  const act = useAct()
  const mayRevoke = workspace.role !== 'viewer'
  return (
    <>
      <header class="title">
        <h1>{words.title}</h1>
        <CopyCommand command="paquebot mailbox token --mailbox $MAILBOX --scope read --scope reply" />
      </header>
      <p class="muted">{words.how}</p>
      {workspace.role !== 'viewer' && (
        <p>
          <a class="button main" href={to('/agents/new')}>
            {words.create}
          </a>
        </p>
      )}
      <WhyNot act={act} />
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
                  name: words.comesWith,
                  show: ({ connection }) =>
                    connection === null ? words.secretMade : words.allowed(allowedBy(connection)),
                },
                {
                  name: words.lastUse,
                  isFigure: true,
                  show: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <Time at={lastUsedAt} />),
                },
                ...(mayRevoke
                  ? [
                      {
                        name: words.revokeShort,
                        show: (agent: Agent) => <RevokeAtOnce agent={agent} act={act} done={agents.reload} />,
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Show>
      <section>
        <h2>{words.byAddress}</h2>
        <p class="muted">{words.byAddressHow}</p>
        <h3>{words.workspaceTools}</h3>
        <Code>{`${location.origin}/mcp`}</Code>
        <h3>{words.oneMailbox}</h3>
        <Code>{`${location.origin}/mailbox/mcp`}</Code>
      </section>
    </>
  )
}

/** A connection is allowed again as easily; a secret would have to be put in its place again, so that is asked first, on its own page. */
function RevokeAtOnce({ agent, act, done }: { agent: Agent; act: Act; done: () => void }) {
  if (agent.connection === null) return null
  const revoke = async () => {
    await revokeAgent(agent)
    done()
  }
  return (
    // In a row that is a link, the button is no second way to open it.
    <span>
      <button
        type="button"
        class="quiet"
        aria-label={words.revokeOne(agent.name)}
        disabled={act.isRunning}
        onClick={() => void act.run(revoke)}
      >
        {words.revokeShort}
      </button>
    </span>
  )
}
