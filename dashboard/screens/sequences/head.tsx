// The top of each screen of one sequence: its name and state, why it is paused, what can be done with it, and the way to its other screen.

import { useLocation } from 'preact-iso'
import { ownValue } from '../../../src/kit/own-value.ts'
import { post, remove, toCall } from '../../api.ts'
import type { Sequence } from '../../nouns.ts'
import { type Act, useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Copy, CopyCurl } from '../../parts/copy.tsx'
import { Status } from '../../parts/status.tsx'
import { offerUndo } from '../../parts/undo.tsx'
import { usePlace } from '../../place.ts'
import { openPeople, words } from './words.ts'

const sequences = '/v1/sequences'
const path = '/v1/sequences/:sequenceId'

interface Props {
  sequence: Sequence
  at: 'steps' | 'people'
  reload: () => void
}

export function Head({ sequence, at, reload }: Props) {
  const { to, mayChange } = usePlace()
  const act = useAct()
  const { id, name, state, pauseReason, waitsFor } = sequence
  const params = { sequenceId: id }
  const here = `/sequences/${id}`
  return (
    <>
      <p>
        <a class="back" href={to('/sequences')}>
          {words.all}
        </a>
      </p>
      <header class="title">
        <h1>{name}</h1>
        <CopyCurl call={toCall('GET', path, { params })} />
      </header>
      <p class="under">
        <Status status={state} /> {waitsFor !== null && (ownValue(words.waitsFor, waitsFor) ?? waitsFor)}{' '}
        <Copy text={id} label={id} />
      </p>
      {state === 'paused' && <PauseReason reason={pauseReason ?? 'manual'} />}
      <div class="actions">
        <nav class="choices" aria-label={words.tabs}>
          <a href={to(here)} aria-current={at === 'steps' ? 'page' : undefined}>
            {words.steps}
          </a>
          <a href={to(`${here}/people`)} aria-current={at === 'people' ? 'page' : undefined}>
            {words.people}
          </a>
        </nav>
        {mayChange && <Acts sequence={sequence} act={act} reload={reload} />}
      </div>
      <WhyNot act={act} />
    </>
  )
}

/** Why it is paused, and what to do about it. */
function PauseReason({ reason }: { reason: string }) {
  return (
    <div class={reason === 'manual' ? 'notice' : 'notice bad'}>
      <p>
        <strong>{words.pausedTitle}</strong> {ownValue(words.pauses, reason) ?? words.pausedHow(reason)}
      </p>
    </div>
  )
}

function Acts({ sequence, act, reload }: Omit<Props, 'at'> & { act: Act }) {
  const { id, name, state, version, people } = sequence
  const params = { sequenceId: id }
  const doing = (work: () => Promise<unknown>, says: string) => () =>
    void act.run(async () => {
      await work()
      announce(says)
      reload()
    })
  const stop = async () => {
    await post(`${path}/stop`, { params })
    reload()
  }
  return (
    <>
      {state === 'active' && (
        <button
          type="button"
          disabled={act.isRunning}
          onClick={doing(() => post(`${path}/pause`, { params }), words.paused)}
        >
          {words.pause}
        </button>
      )}
      {state === 'paused' && (
        <button
          type="button"
          disabled={act.isRunning}
          onClick={doing(() => post(`${path}/resume`, { params }), words.resumed)}
        >
          {words.resume}
        </button>
      )}
      {(state === 'active' || state === 'paused') && (
        <AskFirst
          act={act}
          does={words.stop}
          title={words.stopTitle}
          how={words.stopHow(openPeople(people))}
          typed={name}
          run={stop}
        />
      )}
      {version === null && <Removal sequence={sequence} act={act} />}
    </>
  )
}

/** What nobody ever began can be made again as it was. */
function Removal({ sequence: { id, name, definition }, act }: { sequence: Sequence; act: Act }) {
  const { route } = useLocation()
  const { to } = usePlace()
  const removeIt = () =>
    act.run(async () => {
      await remove(path, { params: { sequenceId: id } })
      route(to('/sequences'))
      offerUndo(words.removed(name), async () => {
        const { id: again } = await post(sequences, { body: { name, definition } })
        route(to(`/sequences/${again}`))
      })
    })
  return (
    <button type="button" class="quiet" disabled={act.isRunning} onClick={() => void removeIt()}>
      {words.remove}
    </button>
  )
}
