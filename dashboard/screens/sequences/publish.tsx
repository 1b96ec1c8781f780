// Whether what stands here is what people begin, what keeps it from that, and the button that publishes it.

import { useState } from 'preact/hooks'
import type { Definition } from '../../../db/tables/sequences.ts'
import { post } from '../../api.ts'
import type { Sequence } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { usePlace } from '../../place.ts'
import { words as canvasWords } from './canvas-words.ts'
import { openCard } from './card.tsx'
import type { SequenceChoices } from './choices.ts'
import { issueInWords } from './mail-words.ts'
import { endsPlace, issuesByPlace, mailPlace, startPlace } from './places.ts'
import { type PublishBody, PublishDialog } from './publish-dialog.tsx'
import type { SequenceDraft } from './use-draft.ts'
import { words } from './words.ts'

interface Props {
  sequence: Sequence
  choices: SequenceChoices
  /** As they stand on the screen. */
  draft: SequenceDraft
  reload: () => void
}

export function Publish({ sequence, choices, draft: { isDirty, now }, reload }: Props) {
  const { mayChange } = usePlace()
  const act = useAct()
  const [isAsking, setAsking] = useState(false)
  const { id: sequenceId, state, version, isPublished, issues } = sequence
  if (state === 'stopped') return <p class="notice">{words.stoppedHow}</p>
  const publish = (body: PublishBody) =>
    act.run(async () => {
      await post('/v1/sequences/:sequenceId/publish', { params: { sequenceId }, body })
      announce(words.published)
      reload()
    })
  const says = version === null ? words.unpublished : isPublished ? words.isPublished(version) : words.differs(version)
  return (
    <section class="publish">
      <p>{says}</p>
      {issues.length > 0 && <Missing sequence={sequence} steps={now.definition.steps} />}
      {mayChange && !isPublished && issues.length === 0 && (
        <div class="actions">
          <button type="button" class="main" disabled={isDirty || act.isRunning} onClick={() => setAsking(true)}>
            {words.publish}
          </button>
          {isDirty && <span class="muted">{words.saveFirst}</span>}
        </div>
      )}
      <WhyNot act={act} />
      {isAsking && (
        <PublishDialog
          sequence={sequence}
          choices={choices}
          close={() => setAsking(false)}
          publish={(body) => void publish(body)}
        />
      )}
    </section>
  )
}

/** What is wrong, with the way to where it is. */
function Missing({ sequence: { issues, definition }, steps }: Pick<Props, 'sequence'> & Pick<Definition, 'steps'>) {
  const titles = new Map([
    [startPlace, canvasWords.start],
    [endsPlace, canvasWords.ends],
    [mailPlace, canvasWords.mail],
    ...steps.map(({ id }, at) => [id, canvasWords.step(at + 1)] as const),
  ])
  return (
    <div class="notice">
      <p>{words.missing(issues.length)}</p>
      <ul class="plain">
        {[...issuesByPlace(issues, definition as Definition)].flatMap(([place, found]) =>
          found.map((issue) => (
            <li key={issue.path + issue.message}>
              <button type="button" class="quiet" onClick={() => openCard(place)}>
                {titles.get(place) ?? place}
              </button>{' '}
              {issueInWords(issue)}
            </li>
          )),
        )}
      </ul>
    </div>
  )
}
