// The trial of a rule with a received event: what it would have done, or which check says no.

import { useLocation } from 'preact-iso'
import { get, type Posted, post, toCall } from '../../api.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { operatorWords } from '../../parts/operators.ts'
import { toSearch } from '../../parts/pages.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { usePlace } from '../../place.ts'
import { colon, comma, moment } from '../../words.ts'
import { SendEvent } from '../events/send.tsx'
import type { Rule } from './draft.ts'
import { words } from './words.ts'

const path = '/v1/event-rules/:ruleId/try'

const lookAgainMs = 3_000

type Trial = Posted<typeof path>

export function Try({ rule, round }: { rule: Rule; round: number }) {
  const { query, route } = useLocation()
  const { to } = usePlace()
  const { event: eventId = '' } = query
  const events = useLoaded(rule.eventName, async (signal) => {
    const [named, all] = await Promise.all([
      get('/v1/events', { query: { name: rule.eventName, perPage: 50 } }, signal),
      get('/v1/events', { query: { perPage: 50 } }, signal),
    ])
    return { named: named.data, others: all.data.filter(({ name }) => name !== rule.eventName) }
  })
  useRepeat(lookAgainMs, events.reload)
  const body = { eventId }
  const option = ({
    id,
    name,
    email,
    createdAt,
  }: {
    id: string
    name: string
    email: string | null
    createdAt: string
  }) => (
    <option key={id} value={id} selected={id === eventId}>
      {[name, email, moment(createdAt)].filter(Boolean).join(' · ')}
    </option>
  )
  return (
    <section>
      <header class="title">
        <h2>{words.try}</h2>
        {eventId !== '' && <CopyCurl call={toCall('POST', path, { params: { ruleId: rule.id }, body })} />}
      </header>
      <p class="muted">{words.tryHow}</p>
      <Show of={events}>
        {({ named, others }) =>
          named.length + others.length === 0 ? (
            <>
              <p>{words.noEvents}</p>
              <SendEvent name={rule.eventName} />
            </>
          ) : (
            <div class="filter">
              <label>
                {words.tryWith}
                <select
                  onChange={(event) => route(to(`/rules/${rule.id}`) + toSearch({ event: event.currentTarget.value }))}
                >
                  <option value="">{words.choose}</option>
                  {eventId !== '' && ![...named, ...others].some(({ id }) => id === eventId) && (
                    <option value={eventId} selected>
                      {eventId}
                    </option>
                  )}
                  <optgroup label={words.ofThisName}>{named.map(option)}</optgroup>
                  <optgroup label={words.others}>{others.map(option)}</optgroup>
                </select>
              </label>
            </div>
          )
        }
      </Show>
      {eventId !== '' && <Result ruleId={rule.id} eventId={eventId} round={round} />}
    </section>
  )
}

function Result({ ruleId, eventId, round }: { ruleId: string; eventId: string; round: number }) {
  const trial = useLoaded(`${ruleId} ${eventId} ${round}`, () => post(path, { params: { ruleId }, body: { eventId } }))
  return (
    <Show of={trial}>
      {(found) => (
        <>
          <p class={found.wouldRun ? 'notice good' : 'notice bad'} role="status">
            {found.wouldRun ? words.wouldRun : words.wouldNot}
          </p>
          <Table
            caption={words.try}
            rows={found.checks}
            keyOf={({ check }) => check}
            columns={[
              { name: words.check, show: ({ check }) => words.checks[check] },
              {
                name: words.ok,
                show: ({ ok }) => <span class={ok ? 'status good' : 'status bad'}>{ok ? words.yes : words.no}</span>,
              },
              { name: words.found, show: (one) => <CheckResult trial={found} one={one} /> },
            ]}
          />
          <div class="two">
            {found.wouldRun && <Facts title={words.wouldSend} facts={toOutcome(found)} />}
            <Really trial={found} />
          </div>
        </>
      )}
    </Show>
  )
}

/** For conditions, the event's value for each; for a failed check, the API's message, which names the cause. */
function CheckResult({ trial, one: { check, ok, value } }: { trial: Trial; one: Trial['checks'][number] }) {
  const { yes, no } = words.findings[check]
  if (check !== 'conditions' || trial.conditions.length === 0)
    return ok ? (
      yes
    ) : (
      <>
        {no}
        {colon}
        <code>{value}</code>
      </>
    )
  return trial.conditions.map(({ property, operator, value: wanted, found, isMet }) => (
    <div key={`${property} ${operator} ${wanted}`}>
      {isMet ? '✓' : '✗'} {property} {operatorWords[operator]} {wanted === undefined ? '' : String(wanted)} (
      {words.says} <code>{found === undefined ? words.saysNothing : JSON.stringify(found)}</code>)
    </div>
  ))
}

function toOutcome({ mail, runAt, contactProperties }: Trial): [string, string | null][] {
  const pairs = (values: object) =>
    Object.entries(values)
      .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
      .join(comma)
  return [
    [words.to, mail?.to ?? null],
    [words.subject, mail?.subject ?? null],
    [words.locale, mail?.locale ?? null],
    [words.variables, mail && pairs(mail.variables)],
    [words.at, runAt && moment(runAt)],
    [words.actions.update_contact, contactProperties && pairs(contactProperties)],
  ]
}

function Really({ trial: { ran, eventId } }: { trial: Trial }) {
  const { to } = usePlace()
  return (
    <section>
      <h2>{words.really}</h2>
      {ran === null ? (
        <p class="muted">{words.neverRan}</p>
      ) : (
        <p>
          <Status status={ran.status} /> {ran.reason} {ran.runAt && moment(ran.runAt)}{' '}
          {ran.messageId !== null && <a href={to(`/activity/${ran.messageId}`)}>{words.theMail}</a>}
        </p>
      )}
      <p>
        <a href={to(`/events/${eventId}`)}>{words.theEvent}</a>
      </p>
    </section>
  )
}
