// The sentence of a rule with fields in its blanks, and what does not fit the sentence: the values of the template, and how often the rule
// may run.

import { useState } from 'preact/hooks'
import { get } from '../../api.ts'
import type { Act } from '../../parts/act.tsx'
import { all } from '../../parts/all.ts'
import { Form } from '../../parts/form.tsx'
import { useLoaded } from '../../parts/load.tsx'
import { operators, operatorWords, takesValue } from '../../parts/operators.ts'
import { usePlace } from '../../place.ts'
import { colon } from '../../words.ts'
import { type RuleDraft, toBody } from './draft.ts'
import { Sentence } from './sentence.tsx'
import { words } from './words.ts'

/** There may be any number of names of events. */
const mostNames = 1_000

async function choicesFor(signal: AbortSignal) {
  const [templates, lists, seen] = await Promise.all([
    all((query) => get('/v1/transactional', { query }, signal)),
    all((query) => get('/v1/mailing-lists', { query }, signal)),
    all((query) => get('/v1/event-names', { query }, signal), mostNames),
  ])
  return {
    templates,
    lists: lists.filter(({ optIn, status }) => optIn === 'single' && status === 'active'),
    eventNames: seen.map(({ name }) => name),
  }
}

type Choices = Awaited<ReturnType<typeof choicesFor>>
const none: Choices = { templates: [], lists: [], eventNames: [] }

interface Props {
  start: RuleDraft
  act: Act
  save: (body: ReturnType<typeof toBody>) => Promise<boolean>
}

export function Write({ start, act, save }: Props) {
  const [draft, setDraft] = useState(start)
  const set = (change: Partial<RuleDraft>) => setDraft({ ...draft, ...change })
  const choices = useLoaded('choices', choicesFor).value ?? none
  const template = choices.templates.find(({ id }) => id === draft.templateId)
  // What it takes from the event needs no word of the rule.
  const variables = (template?.dataVariables ?? Object.keys(draft.variables)).filter((one) => !one.startsWith('event.'))
  const sends = draft.action === 'send_template'
  const parts = { draft, set, choices }
  return (
    <Form
      act={act}
      says={words.save}
      submit={() => save(toBody(draft, variables))}
      drawn={{ value: draft, set: setDraft }}
    >
      <fieldset class="sentence">
        <legend class="unseen">{words.rule}</legend>
        <Sentence
          event={<EventName {...parts} />}
          conditions={draft.conditions.map((_, at) => <Condition key={at} {...parts} at={at} />)}
          delay={sends ? <Delay {...parts} /> : words.atOnce}
          action={draft.action}
          what={<What {...parts} />}
          cancel={
            sends ? (
              <input
                aria-label={words.cancelOn}
                placeholder={words.cancelHint}
                value={draft.cancelOn}
                onInput={(event) => set({ cancelOn: event.currentTarget.value })}
              />
            ) : null
          }
        />
      </fieldset>
      <datalist id="event-names">
        {choices.eventNames.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Additions {...parts} />
      {draft.conditions.some(({ operator }) => takesValue(operator)) && <p class="muted">{words.valueHow}</p>}
      {draft.action === 'subscribe' && <p class="muted">{words.noList}</p>}
      {sends && variables.length > 0 && <Mapping {...parts} variables={variables} />}
      {sends && <Purpose {...parts} />}
      <Rest {...parts} />
    </Form>
  )
}

interface PartProps {
  draft: RuleDraft
  set: (change: Partial<RuleDraft>) => void
  choices: Choices
}

function EventName({ draft, set }: PartProps) {
  return (
    <input
      required
      list="event-names"
      maxLength={100}
      aria-label={words.event}
      placeholder="trialStarted"
      value={draft.eventName}
      onInput={(event) => set({ eventName: event.currentTarget.value })}
    />
  )
}

function Condition({ draft, set, at }: PartProps & { at: number }) {
  const one = draft.conditions[at]
  if (!one) return null
  const change = (part: Partial<typeof one>) => set({ conditions: draft.conditions.with(at, { ...one, ...part }) })
  const label = words.condition(at + 1)
  return (
    <>
      <input
        required
        aria-label={`${label}${colon}${words.property}`}
        placeholder="plan"
        value={one.property}
        onInput={(event) => change({ property: event.currentTarget.value })}
      />{' '}
      <select
        aria-label={`${label}${colon}${words.operator}`}
        value={one.operator}
        onChange={(event) =>
          change({ operator: operators.find((name) => name === event.currentTarget.value) ?? 'equals' })
        }
      >
        {operators.map((name) => (
          <option key={name} value={name}>
            {operatorWords[name]}
          </option>
        ))}
      </select>{' '}
      {takesValue(one.operator) && (
        <input
          aria-label={`${label}${colon}${words.value}`}
          placeholder="pro"
          value={one.value}
          onInput={(event) => change({ value: event.currentTarget.value })}
        />
      )}
      <button
        type="button"
        class="quiet"
        aria-label={words.removeOne(label)}
        onClick={() => set({ conditions: draft.conditions.toSpliced(at, 1) })}
      >
        ×
      </button>
    </>
  )
}

function Delay({ draft, set }: PartProps) {
  return (
    <>
      {words.after}{' '}
      <input
        type="number"
        min={0}
        required
        aria-label={words.delay}
        value={draft.amount}
        onInput={(event) => set({ amount: event.currentTarget.valueAsNumber || 0 })}
      />{' '}
      <select
        aria-label={words.unitOf}
        value={draft.unit}
        onChange={(event) => set({ unit: units.find((one) => one === event.currentTarget.value) ?? 'd' })}
      >
        {units.map((one) => (
          <option key={one} value={one}>
            {words.units[one](draft.amount)}
          </option>
        ))}
      </select>
    </>
  )
}

const units = ['m', 'h', 'd'] as const

function What({ draft, set, choices }: PartProps) {
  if (draft.action === 'update_contact') return <Properties draft={draft} set={set} choices={choices} />
  const sends = draft.action === 'send_template'
  const value = sends ? draft.templateId : draft.mailingListId
  const known = sends ? choices.templates : choices.lists
  return (
    <select
      required
      aria-label={sends ? words.template : words.list}
      value={value}
      onChange={(event) => set({ [sends ? 'templateId' : 'mailingListId']: event.currentTarget.value })}
    >
      <option value="">{words.choose}</option>
      {value !== '' && !known.some(({ id }) => id === value) && <option value={value}>{value}</option>}
      {known.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

function Properties({ draft: { properties }, set }: PartProps) {
  return (
    <>
      {properties.map((one, at) => {
        const change = (part: Partial<typeof one>) => set({ properties: properties.with(at, { ...one, ...part }) })
        return (
          <span key={at}>
            {at > 0 && `${words.and} `}
            <input
              required
              aria-label={words.property}
              placeholder="plan"
              value={one.name}
              onInput={(event) => change({ name: event.currentTarget.value })}
            />
            {' = '}
            <input
              aria-label={words.value}
              placeholder="{{event.plan}}"
              value={one.value}
              onInput={(event) => change({ value: event.currentTarget.value })}
            />
            {properties.length > 1 && (
              <button
                type="button"
                class="quiet"
                aria-label={words.removeOne(one.name || words.property)}
                onClick={() => set({ properties: properties.toSpliced(at, 1) })}
              >
                ×
              </button>
            )}{' '}
          </span>
        )
      })}
    </>
  )
}

/** What fills the template. */
function Mapping({ draft, set, variables }: PartProps & { variables: string[] }) {
  return (
    <fieldset class="mapping">
      <legend>{words.mapping}</legend>
      <p class="muted">{words.mappingHow}</p>
      {variables.map((name) => (
        <label key={name}>
          {name}
          <input
            value={draft.variables[name] ?? ''}
            onInput={(event) => set({ variables: { ...draft.variables, [name]: event.currentTarget.value } })}
          />
        </label>
      ))}
    </fieldset>
  )
}

/** That mail reaches people who agreed to nothing is for an owner to say. */
function Purpose({ draft, set }: PartProps) {
  const { workspace } = usePlace()
  const isOwner = workspace.role === 'owner'
  return (
    <fieldset disabled={!isOwner}>
      <legend>{words.purpose}</legend>
      {purposes.map((one) => (
        <label key={one} class="check">
          <input type="radio" name="purpose" checked={draft.purpose === one} onChange={() => set({ purpose: one })} />{' '}
          {words.purposes[one]}
        </label>
      ))}
      {!isOwner && <p class="muted">{words.purposeOwner}</p>}
    </fieldset>
  )
}

const purposes = ['marketing', 'transactional'] as const

function Rest({ draft, set }: PartProps) {
  return (
    <>
      <label>
        {words.name}
        <input
          maxLength={200}
          placeholder={draft.eventName}
          value={draft.name}
          onInput={(event) => set({ name: event.currentTarget.value })}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.reEligible}
          onChange={(event) => set({ reEligible: event.currentTarget.checked })}
        />{' '}
        {words.reEligible}
      </label>
    </>
  )
}

/** What makes the sentence longer, and another of it. */
function Additions({ draft, set }: PartProps) {
  const actions = ['send_template', 'subscribe', 'update_contact'] as const
  return (
    <div class="actions">
      <button
        type="button"
        onClick={() => set({ conditions: [...draft.conditions, { property: '', operator: 'equals', value: '' }] })}
      >
        {words.addCondition}
      </button>
      {draft.action === 'update_contact' && (
        <button type="button" onClick={() => set({ properties: [...draft.properties, { name: '', value: '' }] })}>
          {words.addProperty}
        </button>
      )}
      <label class="place">
        <span class="unseen">{words.action}</span>
        <select
          value={draft.action}
          onChange={(event) =>
            set({ action: actions.find((one) => one === event.currentTarget.value) ?? 'send_template' })
          }
        >
          {actions.map((one) => (
            <option key={one} value={one}>
              {words.actions[one]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
