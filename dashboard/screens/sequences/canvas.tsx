// A sequence as the list of its steps, which is where it is edited: each is added, moved, removed and changed in its place.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Definition } from '../../../db/tables/sequences.ts'
import type { Issue } from '../../api.ts'
import { useShortcuts } from '../../keys.ts'
import type { Sequence } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { usePlace } from '../../place.ts'
import { Adder } from './adder.tsx'
import { words } from './canvas-words.ts'
import { Card, focusForm, goToCard } from './card.tsx'
import type { SequenceChoices } from './choices.ts'
import { Conflict } from './conflict.tsx'
import { endsInWords, mailInWords, startInWords } from './in-words.ts'
import { endsPlace, issuesByPlace, mailPlace, startPlace } from './places.ts'
import { StepCard } from './step-card.tsx'
import { moved, newStep, type StepType, without } from './steps.ts'
import type { SequenceDraft } from './use-draft.ts'

interface Props {
  sequence: Sequence
  draft: SequenceDraft
  choices: SequenceChoices
  /** Null while it is loaded. */
  editing: typeof import('./editing.ts') | null
  reload: () => void
}

export function Canvas({ sequence, draft, choices, editing, reload }: Props) {
  const { mayChange } = usePlace()
  const act = useAct()
  const { name, definition } = draft.now
  const { steps } = definition
  const opened = useOpened(act.issues, definition)
  const save = async () => {
    if (act.isRunning || !draft.isDirty) return
    await act.run(async () => {
      if (await draft.save()) announce(words.saved)
    })
  }
  useShortcuts(mayChange ? [{ keys: 'Mod+s', says: words.save, run: () => void save() }] : [])
  const stored = issuesByPlace(sequence.issues, sequence.definition as Definition)
  // Of what was discarded nothing is wrong any more.
  const refused = issuesByPlace(draft.isDirty ? act.issues : [], definition)
  const cardOf = (id: string) => ({
    id,
    issues: [...(refused.get(id) ?? []), ...(stored.get(id) ?? [])],
    isOpen: opened.has(id),
    turn: () => opened.turn(id),
  })
  const parts = { definition, set: draft.change, choices }
  const add = (at: number) => (type: StepType) => {
    const step = newStep(type, steps)
    draft.change({ steps: steps.toSpliced(at, 0, step) })
    opened.open(step.id)
  }
  const adder = (at: number) => mayChange && <Adder at={at} add={add(at)} />
  return (
    <form
      class="canvas"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {draft.theirs && <Conflict draft={draft} theirs={draft.theirs} choices={choices} />}
      <div class="form">
        <label>
          {words.name}
          <input
            required
            maxLength={200}
            readOnly={!mayChange}
            value={name}
            onInput={(event) => draft.rename(event.currentTarget.value)}
          />
        </label>
      </div>
      <Card {...cardOf(startPlace)} title={words.start} says={startInWords(definition, choices)}>
        {editing && <editing.StartFields {...parts} />}
      </Card>
      {adder(0)}
      <ol class="steps" aria-label={words.steps} key={draft.round}>
        {steps.map((step, at) => (
          <li key={step.id}>
            <StepCard
              {...cardOf(step.id)}
              step={step}
              at={at}
              steps={steps}
              set={(changed) => draft.change({ steps: steps.with(at, changed) })}
              move={(to) => draft.change({ steps: moved(steps, at, to) })}
              remove={() => {
                draft.change({ steps: without(steps, at) })
                announce(words.removed)
                goToCard((steps[at + 1] ?? steps[at - 1])?.id ?? startPlace)
              }}
              choices={choices}
              sequence={sequence}
              editing={editing}
              reload={reload}
            />
            {adder(at + 1)}
          </li>
        ))}
      </ol>
      <Card {...cardOf(endsPlace)} title={words.ends} says={endsInWords(definition, choices)}>
        {editing && <editing.EndsFields {...parts} />}
      </Card>
      <Card {...cardOf(mailPlace)} title={words.mail} says={mailInWords(definition, choices)}>
        {editing && <editing.MailFields {...parts} />}
      </Card>
      <NamesToChoose choices={choices} />
      {draft.isDirty && act.issues.length === 0 && <WhyNot act={act} />}
      {mayChange && <SaveBar draft={draft} isSaving={act.isRunning} />}
    </form>
  )
}

/** Which parts are open; those that are refused open by themselves. */
function useOpened(refused: Issue[], definition: Definition) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const toFocus = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (toFocus.current !== null && focusForm(toFocus.current)) toFocus.current = null
  })
  useEffect(() => {
    const places = [...issuesByPlace(refused, definition).keys()]
    const [first] = places
    if (first === undefined) return
    setIds((before) => before.union(new Set(places)))
    goToCard(first)
  }, [refused])
  return {
    has: (id: string) => ids.has(id),
    turn: (id: string) => setIds((before) => before.symmetricDifference(new Set([id]))),
    open: (id: string) => {
      toFocus.current = id
      setIds((before) => before.union(new Set([id])))
    },
  }
}

function SaveBar({ draft, isSaving }: { draft: SequenceDraft; isSaving: boolean }) {
  return (
    <div class="save-bar">
      <button type="submit" disabled={isSaving || !draft.isDirty}>
        {words.save}
      </button>
      {draft.isDirty && (
        <>
          <button type="button" class="quiet" onClick={draft.discard}>
            {words.discard}
          </button>
          <span class="muted">{words.unsaved}</span>
        </>
      )}
      <span class="muted keys-how">{words.keys}</span>
    </div>
  )
}

function NamesToChoose({ choices: { eventNames, properties } }: { choices: SequenceChoices }) {
  return (
    <>
      <datalist id="event-names">
        {eventNames.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <datalist id="property-names">
        {properties.map(({ key }) => (
          <option key={key} value={key} />
        ))}
      </datalist>
    </>
  )
}
