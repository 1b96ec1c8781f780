// A branch in fields: for each of its ways what decides, and where it leads.

import type { BranchCondition, BranchStep, Step } from '../../../db/tables/sequences.ts'
import { PickNamed, PickOne } from '../../parts/pick.tsx'
import { Conditions } from '../segments/conditions.tsx'
import { blank, toFilter, toGroup } from '../segments/filter.ts'
import { words } from './canvas-words.ts'
import type { SequenceChoices } from './choices.ts'
import { EventConditionFields, PickWay } from './fields.tsx'
import { wayInWords } from './in-words.ts'
import { isMail, newBranch } from './steps.ts'

type Branch = BranchStep['branches'][number]
type ConditionKind = 'contact' | 'event' | 'clicked' | 'share'

const kinds: ConditionKind[] = ['contact', 'event', 'clicked', 'share']

const newCondition: Record<ConditionKind, BranchCondition> = {
  contact: newBranch.if,
  event: { event: [{ property: '', operator: 'equals', value: '' }] },
  clicked: { clicked: '' },
  share: { share: 50 },
}

interface Props {
  step: BranchStep
  set: (step: BranchStep) => void
  steps: Step[]
  choices: SequenceChoices
}

export function BranchForm({ step, set, steps, choices }: Props) {
  const { branches } = step
  const change = (at: number, branch: Branch) => set({ ...step, branches: branches.with(at, branch) })
  return (
    <>
      {branches.map((branch, at) => (
        <fieldset key={at} class="form">
          <legend>{words.branch(at + 1)}</legend>
          <div class="pair">
            <PickOne
              label={words.about}
              value={kinds.find((kind) => kind in branch.if) ?? 'contact'}
              options={kinds.map((kind) => [kind, words.kinds[kind]])}
              set={(kind) => change(at, { ...branch, if: newCondition[kind] })}
            />
            {branches.length > 1 && (
              <button
                type="button"
                class="quiet"
                aria-label={words.removeOne(words.branch(at + 1))}
                onClick={() => set({ ...step, branches: branches.toSpliced(at, 1) })}
              >
                ×
              </button>
            )}
          </div>
          <ConditionFields
            condition={branch.if}
            set={(condition) => change(at, { ...branch, if: condition })}
            steps={steps}
            choices={choices}
          />
          <PickWay
            label={words.next}
            way={branch.next}
            set={(way) => change(at, { ...branch, next: way ?? null })}
            steps={steps}
            choices={choices}
          />
        </fieldset>
      ))}
      <div>
        <button type="button" onClick={() => set({ ...step, branches: [...branches, newBranch] })}>
          {words.addBranch}
        </button>
      </div>
    </>
  )
}

interface ConditionProps {
  condition: BranchCondition
  set: (condition: BranchCondition) => void
  steps: Step[]
  choices: SequenceChoices
}

function ConditionFields({ condition, set, steps, choices }: ConditionProps) {
  if ('contact' in condition)
    return (
      <Conditions
        group={toGroup(condition.contact)}
        set={(group) => set({ contact: group.parts.length === 0 ? blank.field : toFilter(group) })}
        choices={choices}
      />
    )
  if ('event' in condition) return <EventConditionFields conditions={condition.event} set={(event) => set({ event })} />
  if ('clicked' in condition) {
    const mails = steps.filter(isMail)
    return (
      <PickNamed
        label={words.ofMail}
        among={mails.map(({ id }) => ({ id, name: wayInWords(id, steps, choices) }))}
        id={condition.clicked}
        set={(clicked) => set({ clicked })}
      />
    )
  }
  return (
    <label>
      {words.share}
      <input
        type="number"
        min={1}
        max={99}
        required
        value={condition.share || ''}
        onInput={(event) => set({ share: event.currentTarget.valueAsNumber || 0 })}
      />
    </label>
  )
}
