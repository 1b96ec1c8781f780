// One step in its list: what it does, how many people came to it, where it leads, and what can be done with it.

import { useLayoutEffect, useRef } from 'preact/hooks'
import type { BranchCondition, Step } from '../../../db/tables/sequences.ts'
import type { Sequence } from '../../nouns.ts'
import { announce } from '../../parts/announce.tsx'
import { toSearch } from '../../parts/pages.tsx'
import { usePlace } from '../../place.ts'
import { count, onward } from '../../words.ts'
import { isGroup, toGroup } from '../segments/filter.ts'
import { ConditionInWords, Read } from '../segments/read.tsx'
import { words } from './canvas-words.ts'
import { Card, type CardProps, goToCard, toggleId } from './card.tsx'
import type { SequenceChoices } from './choices.ts'
import { branchInWords, stepInWords, wayInWords } from './in-words.ts'
import { isMail, type Way } from './steps.ts'

interface Props extends Omit<CardProps, 'title' | 'says'> {
  step: Step
  at: number
  steps: Step[]
  set: (step: Step) => void
  move: (to: number) => void
  remove: () => void
  choices: SequenceChoices
  sequence: Sequence
  editing: typeof import('./editing.ts') | null
  reload: () => void
}

export function StepCard({ step, at, steps, set, move, remove, choices, sequence, editing, reload, ...card }: Props) {
  const { mayChange } = usePlace()
  // Its place in the page changes, and the focus would be lost with it.
  const toFocus = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (toFocus.current === null) return
    const wanted = document.getElementById(toFocus.current)
    const isOff = wanted instanceof HTMLButtonElement && wanted.disabled
    document.getElementById(isOff ? toggleId(step.id) : toFocus.current)?.focus()
    toFocus.current = null
  })
  const moveBy = (by: 1 | -1, from: string) => {
    const to = at + by
    if (to < 0 || to >= steps.length) return
    toFocus.current = from
    move(to)
    announce(words.movedTo(to + 1))
  }
  const moveByKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null
    if (!event.altKey || by === null || !mayChange) return
    event.preventDefault()
    moveBy(by, toggleId(step.id))
  }
  const [upId, downId] = [`up ${step.id}`, `down ${step.id}`]
  return (
    <Card
      {...card}
      title={`${at + 1}. ${words.types[step.type]}`}
      says={stepInWords(step, choices)}
      onKeyDown={moveByKey}
      tools={
        mayChange && (
          <div class="card-tools">
            <button
              type="button"
              class="quiet"
              id={upId}
              disabled={at === 0}
              aria-label={words.up(at + 1)}
              onClick={() => moveBy(-1, upId)}
            >
              ↑
            </button>
            <button
              type="button"
              class="quiet"
              id={downId}
              disabled={at === steps.length - 1}
              aria-label={words.down(at + 1)}
              onClick={() => moveBy(1, downId)}
            >
              ↓
            </button>
            <button
              type="button"
              class="quiet"
              disabled={steps.length === 1}
              aria-label={words.remove(at + 1)}
              onClick={remove}
            >
              ×
            </button>
          </div>
        )
      }
      more={
        <>
          <Counts sequence={sequence} stepId={step.id} isMail={isMail(step)} />
          {editing && step.type === 'send' && sequence.tests.some(({ stepId }) => stepId === step.id) && (
            <editing.StepTestResult sequence={sequence} step={step} reload={reload} />
          )}
          <Ways step={step} steps={steps} choices={choices} />
        </>
      }
    >
      {editing && <editing.StepForm step={step} set={set} steps={steps} choices={choices} />}
    </Card>
  )
}

/** Of the version that people begin. */
function Counts({ sequence, stepId, isMail }: { sequence: Sequence; stepId: string; isMail: boolean }) {
  const { to } = usePlace()
  const counts = sequence.steps.find((one) => one.stepId === stepId && one.version === sequence.version)
  if (!counts) return null
  const here = words.here(count(counts.here))
  return (
    <p class="counts">
      <span>{words.entered(count(counts.entered))}</span>
      {counts.here === 0 ? (
        <span>{here}</span>
      ) : (
        <a href={to(`/sequences/${sequence.id}/people${toSearch({ stepId })}`)}>{here}</a>
      )}
      {isMail && <span>{words.sent(count(counts.sent))}</span>}
      {isMail && <span>{words.skipped(count(counts.skipped))}</span>}
      {counts.opened > 0 && <span>{words.opened(count(counts.opened))}</span>}
      {isMail && <span>{words.clicked(count(counts.clicked))}</span>}
    </p>
  )
}

interface WaysProps {
  step: Step
  steps: Step[]
  choices: SequenceChoices
}

/** Where it leads, unless that is only the step below. */
function Ways({ step, steps, choices }: WaysProps) {
  const lead = { from: step.id, steps, choices }
  if (step.type === 'branch')
    return (
      <ul class="ways">
        {step.branches.map((branch, at) => (
          <li key={at}>
            {words.if} <ConditionOfBranch condition={branch.if} steps={steps} choices={choices} />{' '}
            <Lead way={branch.next} {...lead} />
          </li>
        ))}
        <li>
          {words.none} <Lead way={step.next} {...lead} />
        </li>
      </ul>
    )
  if (step.type === 'event')
    return (
      <ul class="ways">
        <li>
          {words.comes} <Lead way={step.next} {...lead} />
        </li>
        <li>
          {words.otherwise} <Lead way={step.otherwise} {...lead} />
        </li>
      </ul>
    )
  return step.next === undefined ? null : (
    <ul class="ways">
      <li>
        {words.next} <Lead way={step.next} {...lead} />
      </li>
    </ul>
  )
}

function Lead({ way, from, steps, choices }: { way: Way; from: string; steps: Step[]; choices: SequenceChoices }) {
  const says = wayInWords(way, steps, choices, from)
  if (!steps.some(({ id }) => id === way))
    return (
      <>
        {onward} {says}
      </>
    )
  return (
    <>
      {onward}{' '}
      <button type="button" class="quiet" onClick={() => goToCard(way ?? '')}>
        {says}
      </button>
    </>
  )
}

interface BranchProps extends Omit<WaysProps, 'step'> {
  condition: BranchCondition
}

function ConditionOfBranch({ condition, steps, choices }: BranchProps) {
  const line = branchInWords(condition, steps, choices)
  if (line !== null || !('contact' in condition)) return <>{line}</>
  const group = toGroup(condition.contact)
  const [only, ...others] = group.parts
  if (only === undefined || others.length > 0 || isGroup(only) || group.mode === 'none')
    return <Read group={group} choices={choices} />
  return <ConditionInWords part={only} choices={choices} />
}
