// One sequence: its steps to be edited in their list, with the people at each, what is published of it, and its rehearsal.

import { useRoute } from 'preact-iso'
import { get } from '../../api.ts'
import type { Sequence } from '../../nouns.ts'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { NotLoaded, usePart } from '../../screen.tsx'
import { Canvas } from './canvas.tsx'
import { words as canvasWords } from './canvas-words.ts'
import { loadSequenceChoices, type SequenceChoices } from './choices.ts'
import { Head } from './head.tsx'
import { Publish } from './publish.tsx'
import { useDraft } from './use-draft.ts'

const path = '/v1/sequences/:sequenceId'
const lookAgainMs = 3_000

export default function SequencePage() {
  const { sequenceId = '' } = useRoute().params
  const sequence = useLoaded(sequenceId, (signal) => get(path, { params: { sequenceId } }, signal))
  const choices = useLoaded('choices', loadSequenceChoices)
  useRepeat(lookAgainMs, sequence.reload)
  const templateMade = () => {
    choices.reload()
    sequence.reload()
  }
  return (
    <Show of={choices}>
      {(all) => (
        <Show of={sequence}>
          {(one) => (
            <SequenceEditor key={one.id} sequence={one} choices={{ ...all, templateMade }} reload={sequence.reload} />
          )}
        </Show>
      )}
    </Show>
  )
}

interface Props {
  sequence: Sequence
  choices: SequenceChoices
  reload: () => void
}

function SequenceEditor({ sequence, choices, reload }: Props) {
  const draft = useDraft(sequence, reload)
  const editing = usePart(() => import('./editing.ts'))
  const { version, steps } = sequence
  const isCounted = steps.some((one) => one.version === version)
  if (editing === undefined) return <NotLoaded />
  return (
    <>
      <Head sequence={sequence} at="steps" reload={reload} />
      <Publish sequence={sequence} choices={choices} draft={draft} reload={reload} />
      {isCounted && version !== null && <p class="muted">{canvasWords.countsOf(version)}</p>}
      <Canvas sequence={sequence} draft={draft} choices={choices} editing={editing} reload={reload} />
      {editing && <editing.Rehearsal sequence={sequence} draft={draft} />}
    </>
  )
}
