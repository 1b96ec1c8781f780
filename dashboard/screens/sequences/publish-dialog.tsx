// What publishing means, before it is done: what people begin from then on, and whether those who are in an earlier version stay there or
// move, each with the next mail that they would get.

import { useState } from 'preact/hooks'
import type { Definition } from '../../../db/tables/sequences.ts'
import { type Posted, post } from '../../api.ts'
import type { Sequence } from '../../nouns.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { Table } from '../../parts/table.tsx'
import { colon, count } from '../../words.ts'
import type { SequenceChoices } from './choices.ts'
import { startInWords } from './in-words.ts'
import { stepName } from './steps-in-words.ts'
import { openPeople, words } from './words.ts'

const path = '/v1/sequences/:sequenceId/moves'
const shownOfHash = 12

type Plan = Posted<typeof path>
/** By the id of a step of an earlier version: the one of the draft, or null to take its people out. */
type StepMap = Record<string, string | null>

export interface PublishBody {
  contentHash: string
  steps?: StepMap
}

interface Props {
  sequence: Sequence
  choices: SequenceChoices
  close: () => void
  publish: (body: PublishBody) => void
}

export function PublishDialog({ sequence, choices, close, publish }: Props) {
  const definition = sequence.definition as Definition
  const people = openPeople(sequence.people)
  /** Null: everybody stays. */
  const [steps, setSteps] = useState<StepMap | null>(null)
  const [plan, setPlan] = useState<Plan | null>(null)
  const contentHash = steps === null ? sequence.contentHash : plan?.contentHash
  const run = () => contentHash && publish({ contentHash, ...(steps !== null && { steps }) })
  return (
    <Confirm title={words.publishTitle(sequence.name)} does={words.publish} close={close} run={() => void run()}>
      <p>
        {words.publishHow((sequence.version ?? 0) + 1)} {startInWords(definition, choices)}
      </p>
      <p>{steps === null ? words.staying(people) : words.moving(people)}</p>
      {people > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={steps !== null}
            onChange={(event) => setSteps(event.currentTarget.checked ? {} : null)}
          />{' '}
          {words.moveThem}
        </label>
      )}
      {steps !== null && (
        <Moves sequence={sequence} steps={steps} set={setSteps} planned={setPlan} definition={definition} />
      )}
      {definition.purpose === 'transactional' && <p class="notice bad">{words.forEverybody}</p>}
      {sequence.state === 'paused' && <p>{words.staysPaused}</p>}
      <p class="muted">
        {words.whatIsPublished}
        {colon}
        <code title={contentHash}>{contentHash?.slice(0, shownOfHash)}</code>
      </p>
    </Confirm>
  )
}

interface MovesProps {
  sequence: Sequence
  definition: Definition
  steps: StepMap
  set: (steps: StepMap) => void
  planned: (plan: Plan | null) => void
}

const [stays, out] = ['stays', 'out']

/** Where everybody would move, to be changed step by step. */
function Moves({ sequence, definition, steps, set, planned }: MovesProps) {
  const params = { sequenceId: sequence.id }
  const plan = useLoaded(JSON.stringify([sequence.contentHash, steps]), async () => {
    planned(null)
    const answer = await post(path, { params, body: { steps } })
    planned(answer)
    return answer
  })
  const move = (stepId: string, to: string) => {
    const { [stepId]: _, ...others } = steps
    set(to === stays ? others : { ...others, [stepId]: to === out ? null : to.slice(1) })
  }
  return (
    <Show of={plan}>
      {({ moves }) => (
        <Table
          caption={words.moves}
          rows={moves}
          keyOf={({ version, stepId }) => `${version} ${stepId}`}
          columns={[
            { name: words.from, isFigure: true, show: ({ version, stepId }) => words.stepOf({ stepId, version }) },
            { name: words.people, isFigure: true, show: ({ people }) => count(people) },
            {
              name: words.to,
              show: ({ stepId, to, moves: isMoving }) => (
                <select
                  aria-label={`${stepId}${colon}${words.to}`}
                  value={isMoving ? (to === null ? out : `:${to}`) : stays}
                  onChange={(event) => move(stepId, event.currentTarget.value)}
                >
                  {!isMoving && <option value={stays}>{words.stays}</option>}
                  {definition.steps.map(({ id }) => (
                    <option key={id} value={`:${id}`}>
                      {`${stepName(id, definition.steps)} (${id})`}
                    </option>
                  ))}
                  <option value={out}>{words.movesOut}</option>
                </select>
              ),
            },
            { name: words.nextMail, isFigure: true, show: ({ nextMail }) => nextMail ?? words.noMail },
          ]}
        />
      )}
    </Show>
  )
}
