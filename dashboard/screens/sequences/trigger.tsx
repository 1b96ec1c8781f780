// What begins a sequence, takes people out of it, or is its goal, in fields.

import type { Trigger } from '../../../db/tables/sequences.ts'
import { PickNamed, PickOne } from '../../parts/pick.tsx'
import { colon } from '../../words.ts'
import { words } from './canvas-words.ts'
import type { SequenceChoices } from './choices.ts'
import { ConstantField, DateFields, EventConditionFields, EventName } from './fields.tsx'
import { changed } from './steps.ts'

type TriggerKind = 'event' | 'list' | 'segment' | 'property' | 'mail'
/** A date only begins a sequence. */
type StartKind = TriggerKind | 'date'

const triggerKinds: TriggerKind[] = ['event', 'list', 'segment', 'property', 'mail']
export const startKinds: StartKind[] = [...triggerKinds, 'date']

export const newTrigger: Record<StartKind, Trigger> = {
  event: { event: '' },
  list: { list: '', change: 'joined' },
  segment: { segment: '', change: 'joined' },
  property: { property: '' },
  mail: { mail: 'clicked' },
  date: { date: '' },
}

export const kindOfTrigger = (trigger: Trigger): StartKind => startKinds.find((kind) => kind in trigger) ?? 'event'

interface Props {
  trigger: Trigger
  set: (trigger: Trigger) => void
  choices: SequenceChoices
  /** Each person may have several runs, told apart by a key; not of what begins one. */
  isKeyed?: boolean
}

export function TriggerFields({ trigger, set, choices, isKeyed = false }: Props) {
  if ('event' in trigger)
    return (
      <>
        <EventName name={trigger.event} set={(event) => set({ ...trigger, event })} />
        <EventConditionFields
          conditions={trigger.filter ?? []}
          set={(filter) => set(changed(trigger, { filter: filter.length === 0 ? undefined : filter }))}
        />
        {isKeyed && (
          <label class="check">
            <input
              type="checkbox"
              checked={trigger.sameKey === true}
              onChange={(event) => set(changed(trigger, { sameKey: event.currentTarget.checked || undefined }))}
            />{' '}
            {words.sameKey}
          </label>
        )}
      </>
    )
  if ('list' in trigger)
    return (
      <div class="pair">
        <PickNamed
          label={words.list}
          among={choices.lists}
          id={trigger.list}
          set={(list) => set({ ...trigger, list })}
        />
        <PickChange change={trigger.change} set={(change) => set({ ...trigger, change })} />
      </div>
    )
  if ('segment' in trigger)
    return (
      <div class="pair">
        <PickNamed
          label={words.segment}
          among={choices.segments}
          id={trigger.segment}
          set={(segment) => set({ ...trigger, segment })}
        />
        <PickChange change={trigger.change} set={(change) => set({ ...trigger, change })} />
      </div>
    )
  if ('mail' in trigger) return <MailTrigger trigger={trigger} set={set} choices={choices} />
  if ('date' in trigger)
    return (
      <>
        <DateFields
          date={trigger.date}
          days={trigger.days}
          set={(change) => set(changed(trigger, change))}
          choices={choices}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={trigger.yearly === true}
            onChange={(event) => set({ ...trigger, yearly: event.currentTarget.checked })}
          />{' '}
          {words.yearly}
        </label>
      </>
    )
  return (
    <>
      <label>
        {words.property}
        <input
          required
          list="property-names"
          maxLength={100}
          value={trigger.property}
          onInput={(event) => set({ ...trigger, property: event.currentTarget.value })}
        />
      </label>
      <ConstantField
        label={words.anyValue}
        value={trigger.equals}
        set={(value) => set(changed(trigger, { equals: value === '' ? undefined : value }))}
      />
    </>
  )
}

function MailTrigger({ trigger, set, choices }: Props & { trigger: Extract<Trigger, { mail: string }> }) {
  const { mail, campaignId = '' } = trigger
  return (
    <div class="pair">
      <PickOne
        label={words.fromMail}
        value={mail}
        options={(['clicked', 'bounced'] as const).map((one) => [one, words.mails[one]])}
        set={(chosen) => set({ mail: chosen })}
      />
      {mail === 'clicked' && (
        <PickNamed
          label={words.campaign}
          none={words.anyCampaign}
          among={choices.campaigns}
          id={campaignId}
          set={(id) => set(id === '' ? { mail } : { mail, campaignId: id })}
        />
      )}
    </div>
  )
}

type Change = 'joined' | 'left'

function PickChange({ change, set }: { change: Change; set: (change: Change) => void }) {
  return (
    <PickOne
      label={words.change}
      value={change}
      options={(['joined', 'left'] as const).map((one) => [one, words.changes[one]])}
      set={set}
    />
  )
}

interface ListProps extends Pick<Props, 'choices' | 'isKeyed'> {
  title: string
  how: string
  add: string
  triggers: Trigger[]
  set: (triggers: Trigger[]) => void
}

export function TriggerList({ title, how, add, triggers, set, ...rest }: ListProps) {
  return (
    <fieldset class="form">
      <legend>{title}</legend>
      <p class="muted">{how}</p>
      {triggers.map((one, at) => (
        <fieldset key={at} class="form inner">
          <legend class="unseen">{`${title}${colon}${words.trigger(at + 1)}`}</legend>
          <div class="pair">
            <PickOne
              label={words.trigger(at + 1)}
              value={triggerKinds.find((kind) => kind in one) ?? 'event'}
              options={triggerKinds.map((kind) => [kind, words.triggers[kind]])}
              set={(kind) => set(triggers.with(at, newTrigger[kind]))}
            />
            <button
              type="button"
              class="quiet"
              aria-label={words.removeOne(`${title}${colon}${words.trigger(at + 1)}`)}
              onClick={() => set(triggers.toSpliced(at, 1))}
            >
              ×
            </button>
          </div>
          <TriggerFields trigger={one} set={(changedOne) => set(triggers.with(at, changedOne))} {...rest} />
        </fieldset>
      ))}
      <div>
        <button type="button" onClick={() => set([...triggers, newTrigger.event])}>
          {add}
        </button>
      </div>
    </fieldset>
  )
}
