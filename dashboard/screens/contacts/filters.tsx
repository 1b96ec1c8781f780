// What narrows the contacts down: each condition stands above the list and in the address, and can be taken away by itself.

import { useLocation } from 'preact-iso'
import { get } from '../../api.ts'
import { all } from '../../parts/all.ts'
import { propertiesPath } from '../../parts/contact-properties.ts'
import type { List } from '../../parts/list.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { colon } from '../../words.ts'
import { words } from './words.ts'

/** Parameters of the address, as the API names them, beside `q`. */
export const narrowing = ['listId', 'state', 'suppressed', 'segmentId', 'property', 'value'] as const
const states = ['subscribed', 'unsubscribed', 'pending', 'rejected'] as const

interface FilterChoices {
  lists: { id: string; name: string }[]
  segments: { id: string; name: string }[]
  properties: { key: string }[]
}

async function load(signal: AbortSignal): Promise<FilterChoices> {
  const [lists, segments, properties] = await Promise.all([
    all((query) => get('/v1/mailing-lists', { query }, signal)),
    all((query) => get('/v1/segments', { query }, signal)),
    get(propertiesPath, { query: { list: 'custom' } }, signal),
  ])
  return { lists, segments, properties }
}

export function Filters({ of }: { of: List<unknown> }) {
  const choices = useLoaded('filters', load)
  return (
    <Show of={choices}>
      {(choices) => (
        <>
          <Chips of={of} known={choices} />
          <Narrow of={of} known={choices} />
        </>
      )}
    </Show>
  )
}

interface Props {
  of: List<unknown>
  known: FilterChoices
}

/** What is on, each with the parameters that go with it. */
function toChips(
  { q, listId, state, suppressed, segmentId, property, value }: Record<string, string>,
  choices: FilterChoices,
) {
  const nameIn = (among: FilterChoices['lists'], id: string) => among.find((one) => one.id === id)?.name ?? id
  const chips: { says: string; names: string[] }[] = []
  if (q) chips.push({ says: words.text(q), names: ['q'] })
  if (listId) chips.push({ says: words.onList(nameIn(choices.lists, listId)), names: ['listId'] })
  if (state) chips.push({ says: words.states[state as (typeof states)[number]] ?? state, names: ['state'] })
  if (suppressed) chips.push({ says: suppressed === 'true' ? words.held : words.notHeld, names: ['suppressed'] })
  if (segmentId) chips.push({ says: words.inSegment(nameIn(choices.segments, segmentId)), names: ['segmentId'] })
  if (property) chips.push({ says: `${property}${colon}${value ?? ''}`, names: ['property', 'value'] })
  return chips
}

function Chips({ of, known: choices }: Props) {
  const chips = toChips(of.filter, choices)
  if (chips.length === 0) return null
  const without = (names: string[]) =>
    of.hrefOf(Object.fromEntries(Object.entries(of.filter).filter(([name]) => !names.includes(name))))
  return (
    <nav class="choices" aria-label={words.filters}>
      {chips.map(({ says, names }) => (
        <a key={says} href={without(names)} aria-label={words.without(says)} title={words.without(says)}>
          {`${says} ×`}
        </a>
      ))}
      {chips.length > 1 && <a href={of.hrefOf({})}>{words.everybody}</a>}
    </nav>
  )
}

function Narrow({ of, known: choices }: Props) {
  const { route } = useLocation()
  const { filter } = of
  const submit = (form: FormData) => {
    const given = Object.fromEntries(narrowing.map((name) => [name, String(form.get(name) ?? '').trim()]))
    const value = given['property'] === '' ? '' : given['value']
    route(of.hrefOf({ ...(filter['q'] && { q: filter['q'] }), ...given, value }))
  }
  return (
    // Drawn anew by what is on, so its fields say that.
    <details key={JSON.stringify(filter)}>
      <summary>{words.narrow}</summary>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault()
          submit(new FormData(event.currentTarget))
        }}
      >
        <Choice name="listId" label={words.list} filter={filter} options={toOptions(choices.lists)} />
        <Choice
          name="state"
          label={words.state}
          filter={filter}
          options={states.map((state) => [state, words.states[state]])}
        />
        <Choice
          name="suppressed"
          label={words.suppression}
          filter={filter}
          options={[
            ['true', words.held],
            ['false', words.notHeld],
          ]}
        />
        <Choice name="segmentId" label={words.segment} filter={filter} options={toOptions(choices.segments)} />
        <Choice
          name="property"
          label={words.property}
          filter={filter}
          options={choices.properties.map(({ key }) => [key, key])}
        />
        <label>
          {words.value}
          <input name="value" maxLength={2_000} defaultValue={filter['value']} />
        </label>
        <button type="submit">{words.filter}</button>
      </form>
    </details>
  )
}

interface ChoiceProps {
  name: string
  label: string
  filter: Record<string, string>
  options: [value: string, says: string][]
}

/** Not shown where there is nothing to choose. */
function Choice({ name, label, filter, options }: ChoiceProps) {
  if (options.length === 0) return null
  return (
    <label>
      {label}
      <select name={name}>
        <option value="">{words.any}</option>
        {options.map(([value, says]) => (
          <option key={value} value={value} selected={value === filter[name]}>
            {says}
          </option>
        ))}
      </select>
    </label>
  )
}

function toOptions(among: FilterChoices['lists']): [value: string, says: string][] {
  return among.map(({ id, name }) => [id, name])
}
