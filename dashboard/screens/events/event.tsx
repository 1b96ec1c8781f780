// One event: its properties, its contact, and what it caused.

import { useLocation, useRoute } from 'preact-iso'
import { type Got, get, toCall } from '../../api.ts'
import { all } from '../../parts/all.ts'
import { Code, Copy, CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { toSearch } from '../../parts/pages.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { moment } from '../../words.ts'
import { words } from './words.ts'

const path = '/v1/events/:eventId'
const lookAgainMs = 3_000

type Event = Got<typeof path>

export default function EventPage() {
  const { eventId = '' } = useRoute().params
  const { to } = usePlace()
  const params = { eventId }
  const event = useLoaded(eventId, (signal) => get(path, { params }, signal))
  const isWaiting = event.value?.runs.some(({ status }) => status === 'scheduled') ?? false
  useRepeat(isWaiting ? lookAgainMs : null, event.reload)
  return (
    <Show of={event}>
      {(one) => (
        <>
          <p>
            <a class="back" href={to('/events')}>
              {words.all}
            </a>
          </p>
          <header class="title">
            <h1>{one.name}</h1>
            <CopyCurl call={toCall('GET', path, { params })} />
          </header>
          <p class="under">
            <Copy text={one.id} label={one.id} />
          </p>
          <Facts
            title={words.about}
            facts={[
              [words.contact, <Whose key="contact" event={one} />],
              [words.occurred, moment(one.occurredAt)],
              [words.received, moment(one.createdAt)],
              [words.origin, words.origins[one.origin]],
              [words.callerId, one.callerEventId],
            ]}
          />
          <section>
            <h2>{words.says}</h2>
            <Code>{JSON.stringify(one.properties, null, 2)}</Code>
          </section>
          <SetOff runs={one.runs} />
          <TryRule event={one} />
        </>
      )}
    </Show>
  )
}

function Whose({ event: { contactId, email } }: { event: Event }) {
  const { to } = usePlace()
  if (email === null) return words.erased
  return (
    <>
      <a href={to(`/contacts/${contactId}`)}>{email}</a> ·{' '}
      <a href={to('/activity') + toSearch({ q: `to:${email}` })}>{words.mails}</a> ·{' '}
      <a href={to('/events') + toSearch({ email })}>{words.theirs}</a>
    </>
  )
}

function SetOff({ runs }: Pick<Event, 'runs'>) {
  const { to } = usePlace()
  return (
    <section>
      <h2>{words.setOff}</h2>
      {runs.length === 0 ? (
        <p class="muted">{words.nothing}</p>
      ) : (
        <Table
          caption={words.setOff}
          rows={runs}
          keyOf={({ ruleId }) => ruleId}
          columns={[
            { name: words.state, show: ({ status }) => <Status status={status} /> },
            {
              name: words.rule,
              show: ({ ruleId, ruleName }) =>
                ruleName === null ? words.deletedRule : <a href={to(`/rules/${ruleId}`)}>{ruleName}</a>,
            },
            { name: words.why, show: ({ reason }) => reason },
            { name: words.due, isFigure: true, show: ({ runAt }) => runAt && moment(runAt) },
            {
              name: words.mail,
              show: ({ messageId }) => messageId && <a href={to(`/activity/${messageId}`)}>{words.show}</a>,
            },
          ]}
        />
      )}
    </section>
  )
}

/** Which rule, with this event. */
function TryRule({ event }: { event: Event }) {
  const { route } = useLocation()
  const { to, workspace } = usePlace()
  const rules = useLoaded('rules', (signal) => all((query) => get('/v1/event-rules', { query }, signal)))
  return (
    <Show of={rules}>
      {(rules) => (
        <div class="filter">
          {rules.length > 0 && (
            <label>
              {words.tryWith}
              <select
                value=""
                onChange={({ currentTarget }) =>
                  route(to(`/rules/${currentTarget.value}`) + toSearch({ event: event.id }))
                }
              >
                <option value="">{words.chooseRule}</option>
                {rules.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          {workspace.role !== 'viewer' && (
            <a class="button" href={to('/rules/new') + toSearch({ event: event.name })}>
              {words.newRule}
            </a>
          )}
        </div>
      )}
    </Show>
  )
}
