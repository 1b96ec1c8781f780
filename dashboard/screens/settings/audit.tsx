// The audit log: who changed what, from where, with what was there before and after. Owners see it; no key opens it.

import { useLocation } from 'preact-iso'
import { get, type Listed, toCall } from '../../api.ts'
import { CopyCommand } from '../../parts/copy.tsx'
import { Download } from '../../parts/download.tsx'
import { Empty } from '../../parts/empty.tsx'
import { type List, ListRows, useList } from '../../parts/list.tsx'
import { Table } from '../../parts/table.tsx'
import { screenOf, usePlace } from '../../place.ts'
import { comma, count, moment } from '../../words.ts'
import { words } from './audit-words.ts'
import { Tabs } from './tabs.tsx'
import { words as settings } from './words.ts'

const path = '/v1/audit'
const filters = ['actor', 'operation', 'kind', 'thing', 'since', 'until'] as const
const times = ['since', 'until'] as const

type Line = Listed<typeof path>
type Change = Line['changes'][number]

export default function Audit() {
  const { workspace } = usePlace()
  return (
    <>
      <header class="title">
        <h1>{settings.tabs.audit}</h1>
        {workspace.role === 'owner' && <Command />}
      </header>
      <Tabs at="audit" />
      {workspace.role === 'owner' ? <Log /> : <p class="notice">{settings.forOwners}</p>}
    </>
  )
}

/** The same question on the server. */
function Command() {
  const { workspace } = usePlace()
  const { query } = useLocation()
  const asked = filters.flatMap((name) => (query[name] ? [` --${name} '${query[name].replaceAll("'", '')}'`] : []))
  return <CopyCommand command={`paquebot audit --workspace ${workspace.slug}${asked.join('')}`} />
}

function Log() {
  const list = useList({
    screen: '/settings/audit',
    path,
    filters: [...filters],
    load: (query, signal) => get(path, { query }, signal),
  })
  return (
    <>
      <Filter key={list.call.path} of={list} />
      <p class="actions">
        <Download path={exportOf(list.filter, 'csv')} name="audit.csv" says={words.asCsv} />
        <Download path={exportOf(list.filter, 'ndjson')} name="audit.ndjson" says={words.asJson} />
      </p>
      <ListRows of={list} empty={<Empty says={words.empty} act={null} />} emptyFiltered={words.emptyFiltered}>
        {({ data }) => (
          <Table
            caption={words.caption}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { name: words.when, show: ({ at }) => <time dateTime={at}>{moment(at)}</time> },
              { name: words.who, show: (line) => <Who line={line} of={list} /> },
              { name: words.what, show: (line) => <What line={line} of={list} /> },
              {
                name: words.from,
                isFigure: true,
                show: ({ ip, client }) => <span title={client ?? ''}>{ip ?? client}</span>,
              },
              { name: words.changed, show: ({ changes }) => <Changes changes={changes} /> },
            ]}
          />
        )}
      </ListRows>
    </>
  )
}

/** Of all pages of what the list is narrowed down to. */
const exportOf = (filter: Record<string, string>, format: 'csv' | 'ndjson') =>
  toCall('GET', '/v1/audit/export', { query: { ...filter, format } }).path

interface OfLine {
  line: Line
  of: List<Line>
}

function Who({ line: { actor }, of }: OfLine) {
  return <a href={of.hrefOf({ ...of.filter, actor: actor.id })}>{actor.name ?? words.actors[actor.kind]}</a>
}

function What({ line: { operation, count: times }, of }: OfLine) {
  return (
    <>
      <a href={of.hrefOf({ ...of.filter, operation })}>{operation}</a> {times > 1 && words.times(count(times))}
    </>
  )
}

function Changes({ changes }: { changes: Change[] }) {
  const [first] = changes
  if (!first) return null
  return (
    <details>
      <summary>
        {first.kind} {changeSummary(first)} {changes.length > 1 && words.more(count(changes.length - 1))}
      </summary>
      {changes.map((change) => (
        <Fields key={change.kind + change.id} change={change} />
      ))}
    </details>
  )
}

/** In short: made, removed, or the fields that are others now. */
function changeSummary({ before, after }: Change): string {
  if (before === null) return after === null ? '' : words.made
  return after === null ? words.gone : Object.keys(after).join(comma)
}

/** Each field as it was and as it is. */
function Fields({ change: { kind, id, before, after } }: { change: Change }) {
  return (
    <dl class="facts changes">
      <div>
        <dt>{kind}</dt>
        <dd>
          <ThingLink id={id} />
        </dd>
      </div>
      {Object.keys({ ...before, ...after }).map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {before !== null && <del>{toText(before[name])}</del>} {after !== null && <ins>{toText(after[name])}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** By the way to its screen, if it has one. */
function ThingLink({ id }: { id: string }) {
  const { to } = usePlace()
  const screen = screenOf(id)
  return <code>{screen === null ? id : <a href={to(screen)}>{id}</a>}</code>
}

function toText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function Filter({ of }: { of: List<Line> }) {
  const { route } = useLocation()
  const search = (form: FormData) => {
    const given = filters.map((name) => [name, String(form.get(name) ?? of.filter[name] ?? '').trim()])
    const asked = Object.fromEntries(given)
    for (const name of times) if (asked[name] !== '') asked[name] = new Date(asked[name]).toISOString()
    route(of.hrefOf(asked))
  }
  return (
    <search>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault()
          search(new FormData(event.currentTarget))
        }}
      >
        {(['operation', 'kind', 'thing'] as const).map((name) => (
          <label key={name}>
            {words.filters[name]}
            <input name={name} maxLength={200} placeholder={words.hints[name]} defaultValue={of.filter[name] ?? ''} />
          </label>
        ))}
        {times.map((name) => (
          <label key={name}>
            {words.filters[name]}
            <input type="datetime-local" name={name} defaultValue={toLocalTime(of.filter[name])} />
          </label>
        ))}
        <button type="submit">{words.filter}</button>
        {Object.keys(of.filter).length > 0 && <a href={of.hrefOf({})}>{words.all}</a>}
      </form>
    </search>
  )
}

/** As the field of the browser takes it: by the clock on the wall. */
function toLocalTime(iso: string | undefined): string {
  const at = new Date(iso ?? '')
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
