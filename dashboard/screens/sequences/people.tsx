// Who is in a sequence and who was: by state and step; and how others are put in.

import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import type { Definition, RunState } from '../../../db/tables/sequences.ts'
import { get } from '../../api.ts'
import type { Sequence } from '../../nouns.ts'
import { Breakable } from '../../parts/breakable.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { ChooseBy, type List, ListRows, useList } from '../../parts/list.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { Status, statusWord } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { Enrol } from './enrol.tsx'
import { Head } from './head.tsx'
import { words as peopleWords, reasonInWords } from './people-words.ts'
import { stepName } from './steps-in-words.ts'
import { words } from './words.ts'

const path = '/v1/sequences/:sequenceId'
const runsPath = `${path}/runs` as const
const lookAgainMs = 3_000
const states: RunState[] = ['waiting', 'sending', 'uncertain', 'failed', 'completed', 'exited']

export default function SequencePeople() {
  const { sequenceId = '' } = useRoute().params
  const sequence = useLoaded(sequenceId, (signal) => get(path, { params: { sequenceId } }, signal))
  useRepeat(lookAgainMs, sequence.reload)
  const [round, setRound] = useState(0)
  const reload = () => {
    sequence.reload()
    setRound((before) => before + 1)
  }
  return (
    <Show of={sequence}>
      {(one) => (
        <>
          <Head sequence={one} at="people" reload={reload} />
          <Runs sequence={one} round={round} />
          <Enrol sequence={one} enrolled={reload} />
        </>
      )}
    </Show>
  )
}

function Runs({ sequence, round }: { sequence: Sequence; round: number }) {
  const { to } = usePlace()
  const params = { sequenceId: sequence.id }
  const { steps } = sequence.definition as Definition
  const list = useList({
    screen: `/sequences/${sequence.id}/people`,
    path: runsPath,
    params,
    filters: ['state', 'stepId'],
    round,
    load: ({ state, ...query }, signal) => {
      const chosen = states.find((one) => one === state)
      return get(runsPath, { params, query: { ...query, ...(chosen && { state: chosen }) } }, signal)
    },
  })
  useRepeat(list.cursor === '' ? lookAgainMs : null, list.page.reload)
  const choices = states.map((state): [string, string] => [state, statusWord(state)])
  return (
    <section aria-labelledby="people">
      <header class="title">
        <h2 id="people">{words.people}</h2>
        <CopyCurl call={list.call} />
      </header>
      <ChooseBy of={list} name="state" label={peopleWords.state} choices={[['', peopleWords.anyState], ...choices]} />
      <ChooseStep of={list} steps={steps} />
      <ListRows of={list} emptyFiltered={peopleWords.emptyFiltered} empty={<p class="muted">{peopleWords.empty}</p>}>
        {({ data }) => (
          <Table
            caption={peopleWords.caption}
            rows={data}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => to(`/sequences/${sequence.id}/people/${id}`)}
            columns={[
              { name: peopleWords.state, show: ({ state }) => <Status status={state} /> },
              {
                name: peopleWords.address,
                show: ({ email }) => <Breakable text={email ?? peopleWords.erased} />,
                isLink: true,
              },
              { name: peopleWords.step, isFigure: true, show: ({ stepId }) => stepName(stepId, steps) },
              { name: peopleWords.reason, show: ({ reason }) => reason && reasonInWords(reason) },
              { name: peopleWords.goesOn, isFigure: true, show: ({ dueAt }) => dueAt && <Time at={dueAt} /> },
              { name: peopleWords.began, isFigure: true, show: ({ startedAt }) => <Time at={startedAt} /> },
            ]}
          />
        )}
      </ListRows>
    </section>
  )
}

function ChooseStep<Row>({ of, steps }: { of: List<Row>; steps: Definition['steps'] }) {
  const { route } = useLocation()
  const chosen = of.filter['stepId'] ?? ''
  return (
    <div class="filter">
      <label>
        {peopleWords.step}
        <select
          value={chosen}
          onChange={({ currentTarget: { value } }) => route(of.hrefOf({ ...of.filter, stepId: value }))}
        >
          <option value="">{peopleWords.anyStep}</option>
          {chosen !== '' && !steps.some(({ id }) => id === chosen) && <option value={chosen}>{chosen}</option>}
          {steps.map(({ id }) => (
            <option key={id} value={id}>
              {`${stepName(id, steps)} (${id})`}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
