// What stands around the steps of a sequence: who begins it and how often, who leaves early, and what holds for its mail.

import type { Definition } from '../../../db/tables/sequences.ts'
import { PickNamed, PickOne } from '../../parts/pick.tsx'
import { usePlace } from '../../place.ts'
import { words } from './canvas-words.ts'
import type { SequenceChoices } from './choices.ts'
import { SpanFields } from './fields.tsx'
import { kindOfTrigger, newTrigger, startKinds, TriggerFields, TriggerList } from './trigger.tsx'

interface Props {
  definition: Definition
  set: (change: Partial<Definition>) => void
  choices: SequenceChoices
}

export function StartFields({ definition, set, choices }: Props) {
  const { start } = definition
  return (
    <>
      <PickOne
        label={words.startBy}
        value={start === null ? 'hand' : kindOfTrigger(start)}
        options={(['hand', ...startKinds] as const).map((kind) => [kind, words.starts[kind]])}
        set={(kind) => set({ start: kind === 'hand' ? null : newTrigger[kind] })}
      />
      {start && <TriggerFields trigger={start} set={(trigger) => set({ start: trigger })} choices={choices} />}
      <ReEntryFields definition={definition} set={set} />
    </>
  )
}

const modes = ['never', 'afterExit', 'always'] as const

function ReEntryFields({ definition: { reEntry }, set }: Omit<Props, 'choices'>) {
  const { mode, minDays, key } = reEntry
  return (
    <>
      <fieldset>
        <legend>{words.reEntry}</legend>
        {modes.map((one) => (
          <label key={one} class="check">
            <input
              type="radio"
              name="mode"
              checked={mode === one}
              onChange={() => set({ reEntry: { ...reEntry, mode: one } })}
            />{' '}
            {words.modes[one]}
          </label>
        ))}
      </fieldset>
      {mode !== 'never' && (
        <label>
          {words.minDays}
          <input
            type="number"
            min={0}
            max={400}
            value={minDays}
            onInput={(event) => set({ reEntry: { ...reEntry, minDays: event.currentTarget.valueAsNumber || 0 } })}
          />
        </label>
      )}
      <label>
        {words.key}
        <input
          maxLength={200}
          placeholder="{{event.cartId}}"
          value={key ?? ''}
          onInput={({ currentTarget: { value } }) => set({ reEntry: { ...reEntry, key: value === '' ? null : value } })}
        />
        <span>{words.keyHow}</span>
      </label>
    </>
  )
}

export function EndsFields({ definition: { exits, goals, reEntry }, set, choices }: Props) {
  const isKeyed = reEntry.key !== null
  return (
    <>
      <TriggerList
        title={words.goals}
        how={words.goalsHow}
        add={words.addGoal}
        triggers={goals}
        set={(changed) => set({ goals: changed })}
        choices={choices}
        isKeyed={isKeyed}
      />
      <TriggerList
        title={words.exits}
        how={words.exitsHow}
        add={words.addExit}
        triggers={exits}
        set={(changed) => set({ exits: changed })}
        choices={choices}
        isKeyed={isKeyed}
      />
    </>
  )
}

const purposes = ['marketing', 'transactional'] as const

export function MailFields({ definition, set, choices }: Props) {
  const { workspace } = usePlace()
  const isOwner = workspace.role === 'owner'
  const { purpose, mailingListId, postponeAtMost } = definition
  return (
    <>
      <fieldset disabled={!isOwner}>
        <legend>{words.purpose}</legend>
        {purposes.map((one) => (
          <label key={one} class="check">
            <input type="radio" name="purpose" checked={purpose === one} onChange={() => set({ purpose: one })} />{' '}
            {words.purposes[one]}
          </label>
        ))}
        {!isOwner && <p class="muted">{words.purposeOwner}</p>}
      </fieldset>
      {(purpose === 'marketing' || mailingListId !== null) && (
        <PickNamed
          label={words.subscribersOf}
          none={words.anyList}
          among={choices.lists.filter(({ status }) => status === 'active')}
          id={mailingListId ?? ''}
          set={(id) => set({ mailingListId: id === '' ? null : id })}
        />
      )}
      <SpanFields label={words.postpone} span={postponeAtMost} set={(span) => set({ postponeAtMost: span })} />
      <p class="muted">{words.postponeHow}</p>
    </>
  )
}
