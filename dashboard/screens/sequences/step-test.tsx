// The test of a send step in its form, and what it has shown on its card. Both are loaded when they are shown first (step-test-later.ts).

import type { TestVariant } from '../../../db/tables/ab-tests.ts'
import type { StepTest } from '../../../db/tables/sequence-tests.ts'
import { post } from '../../api.ts'
import type { Sequence } from '../../nouns.ts'
import { TestResult, words as testWords } from '../../parts/ab-test.tsx'
import { PickNamed, PickOne } from '../../parts/pick.tsx'
import { usePlace } from '../../place.ts'
import { inLanguage } from '../../words.ts'
import type { SequenceChoices } from './choices.ts'
import { changed, type StepOf } from './steps.ts'

const words = inLanguage(catalogue.sequences.stepTest)

const texts = ['subject', 'fromName', 'fromEmail', 'replyTo'] as const
const names = 'ABCDE'
const fresh: StepTest = { variants: [{ name: 'A' }, { name: 'B' }], share: 100, holdOut: 0, winner: { by: 'hand' } }

interface FieldsProps {
  step: StepOf<'send'>
  set: (step: StepOf<'send'>) => void
  choices: SequenceChoices
}

export function StepTestFields({ step, set, choices }: FieldsProps) {
  const { test } = step
  const setTest = (next: StepTest | undefined) => set(changed(step, { test: next }))
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={test !== undefined}
          onChange={({ currentTarget: { checked } }) => setTest(checked ? fresh : undefined)}
        />{' '}
        {words.tests}
      </label>
      {test && <TestForm test={test} set={setTest} choices={choices} />}
    </>
  )
}

interface FormProps {
  test: StepTest
  set: (test: StepTest) => void
  choices: SequenceChoices
}

function TestForm({ test, set, choices }: FormProps) {
  const { variants, share, holdOut, winner } = test
  const number = (label: string, value: number, [min, max]: [number, number], change: (value: number) => void) => (
    <label>
      {label}
      <input
        type="number"
        min={min}
        max={max}
        required
        value={Number.isNaN(value) ? '' : value}
        onInput={({ currentTarget }) => change(currentTarget.valueAsNumber)}
      />
    </label>
  )
  const free = [...names].find((name) => variants.every((one) => one.name !== name))
  return (
    <fieldset class="form">
      <legend>{testWords.title}</legend>
      <p class="muted">{words.how}</p>
      {variants.map((variant, at) => (
        <VariantFields
          key={at}
          variant={variant}
          set={(next) => set({ ...test, variants: variants.with(at, next) })}
          remove={variants.length > 2 ? () => set({ ...test, variants: variants.toSpliced(at, 1) }) : null}
          choices={choices}
        />
      ))}
      {variants.length < names.length && free !== undefined && (
        <div>
          <button type="button" onClick={() => set({ ...test, variants: [...variants, { name: free }] })}>
            {words.add}
          </button>
        </div>
      )}
      {number(words.share, share, [1, 100], (value) => set({ ...test, share: value }))}
      {number(words.holdOut, holdOut, [0, 50], (value) => set({ ...test, holdOut: value }))}
      <PickOne
        label={testWords.winner}
        value={winner.by}
        options={[
          ['hand', testWords.byHand],
          ['clicks', testWords.byClicks],
        ]}
        set={(by) => set({ ...test, winner: by === 'hand' ? { by } : { by, afterHours: 48 } })}
      />
      {winner.by === 'clicks' &&
        number(testWords.afterHours, winner.afterHours, [1, 9_600], (afterHours) =>
          set({ ...test, winner: { ...winner, afterHours } }),
        )}
    </fieldset>
  )
}

interface VariantProps {
  variant: TestVariant
  set: (variant: TestVariant) => void
  /** Null: a test has two at least. */
  remove: (() => void) | null
  choices: SequenceChoices
}

function VariantFields({ variant, set, remove, choices }: VariantProps) {
  const { name, templateId = '' } = variant
  return (
    <fieldset class="form inner">
      <legend>{`${testWords.variant} ${name}`}</legend>
      <div class="pair">
        <label>
          {words.name}
          <input
            required
            maxLength={50}
            value={name}
            onInput={({ currentTarget }) => set({ ...variant, name: currentTarget.value })}
          />
        </label>
        {remove && (
          <button type="button" class="quiet" aria-label={words.remove(name)} onClick={remove}>
            ×
          </button>
        )}
      </div>
      {texts.map((field) => (
        <label key={field}>
          {words.texts[field]}
          <input
            maxLength={500}
            value={variant[field] ?? ''}
            onInput={({ currentTarget: { value } }) => set(changed(variant, { [field]: value || undefined }))}
          />
        </label>
      ))}
      <PickNamed
        label={words.template}
        none={words.ofStep}
        among={choices.templates}
        id={templateId}
        set={(id) => set(changed(variant, { templateId: id || undefined }))}
      />
    </fieldset>
  )
}

interface ResultProps {
  sequence: Sequence
  step: StepOf<'send'>
  reload: () => void
}

/** Of the version that people begin; the step of the draft may say something else by now. */
export function StepTestResult({ sequence, step, reload }: ResultProps) {
  const { mayChange } = usePlace()
  const { id: sequenceId, tests, state } = sequence
  const result = tests.find(({ stepId }) => stepId === step.id)
  if (result === undefined) return null
  const choose = async (variant: string) => {
    const params = { sequenceId, stepId: step.id }
    await post('/v1/sequences/:sequenceId/steps/:stepId/winner', { params, body: { variant } })
    reload()
  }
  const known = step.test?.variants ?? []
  const variants = result.variants.map(({ name }) => known.find((one) => one.name === name) ?? { name })
  return (
    <div class="step-test">
      <TestResult
        variants={variants}
        result={result}
        isBegun
        says={words}
        choose={mayChange && state !== 'stopped' ? choose : null}
      />
    </div>
  )
}
