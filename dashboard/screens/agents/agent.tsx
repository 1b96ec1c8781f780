// One agent: what it may do, what it did, how much of its budget is used, and revoking it.

import { useLocation, useRoute } from 'preact-iso'
import { get, toCall } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Facts } from '../../parts/facts.tsx'
import { ListRows, useList } from '../../parts/list.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { comma, count, moment } from '../../words.ts'
import { type Agent, listAgents, revokeAgent } from './agents.ts'
import { Connect } from './connect.tsx'
import { Danger, PowerChips } from './powers.tsx'
import { allowedBy, words } from './words.ts'

const callsPath = '/v1/mcp-calls'
/** Of each credential (docs/mcp.md, Limits). */
const callsPerMinute = 60

export default function AgentPage() {
  const { agentId = '' } = useRoute().params
  const { to, workspace } = usePlace()
  const found = useLoaded(agentId, async (signal) => {
    const all = await listAgents(signal)
    return { agent: all.find(({ id }) => id === agentId) ?? null }
  })
  return (
    <>
      <p>
        <a class="back" href={to('/agents')}>
          {words.all}
        </a>
      </p>
      <Show of={found}>
        {({ agent }) =>
          agent === null ? (
            <p class="notice">{words.gone}</p>
          ) : (
            <>
              <header class="title">
                <h1>{agent.name}</h1>
              </header>
              <p class="under">
                {agent.prefix !== null && <code>{agent.prefix}…</code>} <PowerChips agent={agent} />
              </p>
              <Danger agent={agent} />
              {workspace.role !== 'viewer' && <Kill agent={agent} />}
              <AgentFacts agent={agent} />
              <Calls agent={agent} />
              {agent.connection === null && (
                <section>
                  <h2>{words.connect}</h2>
                  <p class="muted">{words.connectHow}</p>
                  <Connect
                    path={agent.mailbox === null ? '/mcp' : '/mailbox/mcp'}
                    secret={agent.mailbox === null ? 'pqk_…' : 'mbtok_…'}
                  />
                </section>
              )}
            </>
          )
        }
      </Show>
    </>
  )
}

interface Props {
  agent: Agent
}

function AgentFacts({ agent }: Props) {
  const { to } = usePlace()
  const { mailbox, connection, scopes, createdAt, expiresAt, lastUsedAt, replies } = agent
  const afterReading = connection ? 'always' : agent.airlock ? 'waits' : 'acts'
  return (
    <Facts
      title={words.about}
      facts={[
        [words.opens, mailbox ? <a href={to(`/mailboxes/${mailbox.id}`)}>{mailbox.address}</a> : words.workspace],
        [words.scopes, scopes.join(comma)],
        [words.allowedBy, connection && allowedBy(connection)],
        [words.sentBackTo, connection?.clientHost ?? null],
        [words.clientId, connection && <code>{connection.clientId}</code>],
        [words.replies, mailbox && (mailbox.holdReplies ? words.held : words.atOnce)],
        [words.afterReading, words.afterReadings[afterReading]],
        [words.hasRead, agent.firstReadAt === null ? words.notYet : words.since(moment(agent.firstReadAt))],
        [words.repliesUsed, replies && words.ofLimit({ n: count(replies.lastHour), limit: count(replies.limit) })],
        [words.callsAllowed, words.aMinute(count(callsPerMinute))],
        [words.lastUse, lastUsedAt === null ? words.never : moment(lastUsedAt)],
        [words.made, moment(createdAt)],
        [words.ends, expiresAt === null ? words.untilRevoked : moment(expiresAt)],
      ]}
    />
  )
}

/** The switch that ends it, with what it means. */
function Kill({ agent }: Props) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const { name, mailbox, connection } = agent
  const revoke = async () => {
    await revokeAgent(agent)
    route(to('/agents'))
  }
  const how =
    connection === null ? (mailbox === null ? words.revokeKeyHow : words.revokeHow) : words.revokeConnectionHow
  return (
    <>
      <WhyNot act={act} />
      <p class="actions">
        <AskFirst act={act} does={words.revoke} title={words.revokeTitle(name)} how={how} run={revoke} />
      </p>
    </>
  )
}

function Calls({ agent }: Props) {
  const list = useList({
    screen: `/agents/${agent.id}`,
    path: callsPath,
    filters: [],
    always: { credentialId: agent.id },
    load: (query, signal) => get(callsPath, { query: { ...query, credentialId: agent.id } }, signal),
  })
  return (
    <section>
      <header class="title">
        <h2>{words.calls}</h2>
        <CopyCurl call={toCall('GET', callsPath, { query: { credentialId: agent.id } })} />
      </header>
      <ListRows of={list} empty={<Empty says={words.noCalls} act={null} />} emptyFiltered="">
        {({ data }) => (
          <Table
            caption={words.calls}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { name: words.tool, show: ({ tool }) => <code>{tool}</code> },
              {
                name: words.outcome,
                show: ({ outcome }) => <span class={`status ${outcome === 'ok' ? 'good' : 'bad'}`}>{outcome}</span>,
              },
              { name: words.took, isFigure: true, show: ({ durationMs }) => words.ms(count(durationMs)) },
              { name: words.when, show: ({ at }) => <Time at={at} /> },
            ]}
          />
        )}
      </ListRows>
    </section>
  )
}
