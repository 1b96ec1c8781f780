// What receivers say of one domain: which of their requirements it meets, whose mail they report day by day, and each report.

import { useRoute } from 'preact-iso'
import { type Got, get, type Listed, toCall } from '../../api.ts'
import { Chart } from '../../parts/chart.tsx'
import { Code, Copy, CopyCurl } from '../../parts/copy.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { colon, count } from '../../words.ts'
import { receiverNames, words } from './receivers-words.ts'

const domainsPath = '/v1/sending-domains'
const daysPath = '/v1/sending-domains/:domainId/reports/days'
const sourcesPath = '/v1/sending-domains/:domainId/reports'
const receivedPath = '/v1/sending-domains/:domainId/reports/received'
const requirementsPath = '/v1/sending-domains/:domainId/requirements'
const shownAtMost = 20

type Days = Got<typeof daysPath>
type Required = Listed<typeof requirementsPath>
type Source = Listed<typeof sourcesPath>
type Report = Listed<typeof receivedPath>

async function loadAll(domainId: string, signal: AbortSignal) {
  const params = { domainId }
  const of = { params, query: { perPage: shownAtMost } }
  const [{ data }, days, required, strangers, services, received] = await Promise.all([
    get(domainsPath, {}, signal),
    get(daysPath, { params }, signal),
    get(requirementsPath, { params }, signal),
    get(sourcesPath, { params, query: { ...of.query, verdict: 'stranger' } }, signal),
    get(sourcesPath, { params, query: { ...of.query, verdict: 'other_service' } }, signal),
    get(receivedPath, of, signal),
  ])
  const name = data.find(({ id }) => id === domainId)?.domain ?? domainId
  const others = [...strangers.data, ...services.data]
  return { name, days, required: required.data, others, received: received.data }
}

export default function Receivers() {
  const { domainId = '' } = useRoute().params
  const { to } = usePlace()
  const page = useLoaded(domainId, (signal) => loadAll(domainId, signal))
  return (
    <Show of={page}>
      {({ name, days, required, others, received }) => (
        <>
          <p>
            <a class="back" href={to('/domains')}>
              {words.all}
            </a>
          </p>
          <header class="title">
            <h1>{words.title(name)}</h1>
            <CopyCurl call={toCall('GET', daysPath, { params: { domainId } })} />
          </header>
          <p class="muted">{words.how}</p>
          <Requirements required={required} />
          <DayByDay days={days} />
          <Policy advice={days.advice} />
          <OtherSenders sources={others} />
          <Received reports={received} address={days.address} />
        </>
      )}
    </Show>
  )
}

const tones = { met: 'good', not_met: 'bad', unknown: '' } as const
/** What is to be done comes first. */
const order = ['not_met', 'unknown', 'met']

function Requirements({ required }: { required: Required[] }) {
  const rows = required.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
  return (
    <section>
      <h2>{words.requirementsTitle}</h2>
      <Table
        caption={words.requirementsTitle}
        rows={rows}
        keyOf={({ receiver, requirement }) => `${receiver} ${requirement}`}
        columns={[
          {
            name: words.state,
            show: ({ state, since }) => (
              <>
                <span class={`status ${tones[state]}`}>{words.states[state]}</span>
                {since !== null && (
                  <span class="muted">
                    {' '}
                    {words.since} <Time at={since} />
                  </span>
                )}
              </>
            ),
          },
          { name: words.receiver, show: ({ receiver }) => <span class="whole">{receiverNames[receiver]}</span> },
          { name: words.requirement, show: ({ requirement }) => words.requirements[requirement] },
          {
            name: words.why,
            show: ({ requirement, evidence, detail }) => {
              if (evidence === 'none') return words.unknown[requirement]
              return detail === null ? words.evidence[evidence] : `${words.evidence[evidence]}${colon}${detail}`
            },
          },
          {
            name: words.whatToDo,
            show: ({ state, requirement }) => (state === 'not_met' ? words.todo[requirement] : ''),
          },
        ]}
      />
    </section>
  )
}

function DayByDay({ days: { data } }: { days: Days }) {
  const times = data.map(({ day }) => `${day}T00:00:00.000Z`)
  const hasTls = data.some(({ tlsSessions }) => tlsSessions > 0)
  return (
    <section>
      <Chart
        title={words.chart}
        times={times}
        series={[
          { name: words.handedOver, colour: '--muted', values: data.map((one) => one.handedOver) },
          { name: words.verdicts.yours_aligned, colour: '--good', values: data.map((one) => one.yoursAligned) },
          { name: words.verdicts.yours_broken, colour: '--warn', values: data.map((one) => one.yoursBroken) },
          { name: words.verdicts.other_service, colour: '--link', values: data.map((one) => one.otherService) },
          { name: words.verdicts.stranger, colour: '--bad', values: data.map((one) => one.stranger) },
        ]}
      />
      {hasTls && (
        <Chart
          title={words.tlsChart}
          times={times}
          series={[
            { name: words.sessions, colour: '--good', values: data.map((one) => one.tlsSessions) },
            { name: words.tlsFailures, colour: '--bad', values: data.map((one) => one.tlsFailures) },
          ]}
        />
      )}
    </section>
  )
}

function Policy({ advice: { code, current, record } }: Pick<Days, 'advice'>) {
  return (
    <section>
      <h2>{words.policy}</h2>
      <p class={record === null ? 'muted' : 'notice good'}>{words.advice[code]}</p>
      {current !== null && (
        <p>
          {words.current}
          {colon}
          <code>{`p=${current}`}</code>
        </p>
      )}
      {record !== null && (
        <>
          <p>
            {words.proposed}
            {colon}
            <code>{`${record.type} ${record.name}`}</code>
          </p>
          <Code>{record.value}</Code>
        </>
      )}
    </section>
  )
}

function OtherSenders({ sources }: { sources: Source[] }) {
  return (
    <section>
      <h2>{words.sources}</h2>
      {sources.length === 0 ? (
        <p class="muted">{words.noSources}</p>
      ) : (
        <Table
          caption={words.sources}
          rows={sources}
          keyOf={({ day, reporter, verdict, source, signer }) => [day, reporter, verdict, source, signer].join(' ')}
          columns={[
            { name: words.day, show: ({ day }) => day },
            { name: words.state, show: ({ verdict }) => words.verdicts[verdict] },
            { name: words.source, show: ({ source }) => source || words.others },
            { name: words.signer, show: ({ signer }) => signer },
            { name: words.reporter, show: ({ reporter }) => reporter },
            { name: words.messages, isFigure: true, show: ({ messages }) => count(messages) },
            {
              name: words.rejected,
              isFigure: true,
              show: ({ quarantined, rejected }) => count(quarantined + rejected),
            },
          ]}
        />
      )}
    </section>
  )
}

function Received({ reports, address }: { reports: Report[]; address: string | null }) {
  return (
    <section>
      <h2>{words.received}</h2>
      <p class="muted">
        {address === null ? (
          words.noAddress
        ) : (
          <>
            {words.address} <code>{address}</code> <Copy text={address} />
          </>
        )}
      </p>
      {reports.length === 0 ? (
        <p class="muted">{words.noReports}</p>
      ) : (
        <Table
          caption={words.received}
          rows={reports}
          keyOf={({ id }) => id}
          columns={[
            { name: words.day, show: ({ beginsAt }) => beginsAt.slice(0, 10) },
            { name: words.kind, show: ({ kind }) => words.kinds[kind] },
            { name: words.reporter, show: ({ reporter }) => reporter },
            { name: words.state, show: ({ verified }) => (verified ? words.verified : words.unverified) },
            { name: words.total, isFigure: true, show: ({ total }) => count(total) },
          ]}
        />
      )}
    </section>
  )
}
