// The rehearsal: what the draft would do with one person, and when, as a time line. Nothing is sent, and nothing stays.

import { useState } from 'preact/hooks'
import type { Span } from '../../../db/tables/sequences.ts'
import { type Posted, post, toCall } from '../../api.ts'
import type { Sequence } from '../../nouns.ts'
import { useAct } from '../../parts/act.tsx'
import { readConstant } from '../../parts/constant.ts'
import { CopyCurl } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { Status } from '../../parts/status.tsx'
import { usePlace } from '../../place.ts'
import { comma, moment } from '../../words.ts'
import { words as canvasWords } from './canvas-words.ts'
import { EventName, SpanFields } from './fields.tsx'
import { outcomeInWords, reasonInWords } from './people-words.ts'
import { stepName } from './steps-in-words.ts'
import type { SequenceDraft } from './use-draft.ts'
import { words } from './words.ts'

const path = '/v1/sequences/:sequenceId/rehearse'

type Rehearsed = Posted<typeof path>['data'][number]

interface ComingEvent {
  event: string
  after: Span
}

export function Rehearsal({ sequence, draft }: { sequence: Sequence; draft: SequenceDraft }) {
  const { mayChange } = usePlace()
  const act = useAct()
  const [events, setEvents] = useState<ComingEvent[]>([])
  const [people, setPeople] = useState<Rehearsed[]>([])
  const params = { sequenceId: sequence.id }
  const rehearse = (form: FormData) =>
    act.run(async () => {
      setPeople([])
      const emails = [String(form.get('emails[0]')).trim()]
      const properties = propertiesIn(String(form.get('properties')))
      const { data } = await post(path, { params, body: { emails, properties, events } })
      setPeople(data)
    })
  if (!mayChange || sequence.state === 'stopped') return null
  return (
    <section aria-labelledby="rehearsal">
      <header class="title">
        <h2 id="rehearsal">{words.rehearsal}</h2>
        <CopyCurl call={toCall('POST', path, { params, body: { emails: ['ada@example.net'] } })} />
      </header>
      <p class="muted">{draft.isDirty ? words.rehearseSaved : words.rehearsalHow}</p>
      <div class="two">
        <Form act={act} says={words.rehearse} submit={rehearse} isOfScreen={false}>
          <label>
            {words.rehearseFor}
            <input type="email" name="emails[0]" required maxLength={320} autocomplete="off" />
          </label>
          <label>
            {words.beginProperties}
            <textarea name="properties" rows={2} spellcheck={false} placeholder="plan = pro" />
          </label>
          <ComingEvents events={events} set={setEvents} />
        </Form>
        <div role="status">
          {people.map((one) => (
            <TimeLine key={one.email} person={one} draft={draft} />
          ))}
        </div>
      </div>
    </section>
  )
}

/** One `name = value` a line. */
function propertiesIn(text: string) {
  const pairs = text.split('\n').flatMap((line) => {
    const [name = '', ...value] = line.split('=')
    return name.trim() === '' || value.length === 0
      ? []
      : [[name.trim(), readConstant(value.join('=').trim())] as const]
  })
  return Object.fromEntries(pairs)
}

function ComingEvents({ events, set }: { events: ComingEvent[]; set: (events: ComingEvent[]) => void }) {
  return (
    <fieldset class="form">
      <legend>{words.meanwhile}</legend>
      {events.map((one, at) => (
        <fieldset key={at} class="form inner">
          <legend class="unseen">{words.meanwhileOf(String(at + 1))}</legend>
          <div class="pair">
            <EventName name={one.event} set={(event) => set(events.with(at, { ...one, event }))} />
            <button
              type="button"
              class="quiet"
              aria-label={canvasWords.removeOne(words.meanwhileOf(String(at + 1)))}
              onClick={() => set(events.toSpliced(at, 1))}
            >
              ×
            </button>
          </div>
          <SpanFields
            label={words.afterBegin}
            span={one.after}
            set={(after) => set(events.with(at, { ...one, after }))}
          />
        </fieldset>
      ))}
      <div>
        <button type="button" onClick={() => set([...events, { event: '', after: { amount: 1, unit: 'd' } }])}>
          {words.addMeanwhile}
        </button>
      </div>
    </fieldset>
  )
}

function TimeLine({ person, draft }: { person: Rehearsed; draft: SequenceDraft }) {
  const { path: lines, state, stepId, reason } = person
  const { steps } = draft.now.definition
  return (
    <>
      <ol class="history time-line">
        {lines.map(({ number, stepId: id, at, outcome, detail }) => (
          <li key={number}>
            <time dateTime={at}>{moment(at)}</time>
            <div>
              <strong>{stepName(id, steps)}</strong> ({id}): {outcomeInWords(outcome)}
              {detail !== null && !detail.startsWith('evt_') && `${comma}${reasonInWords(detail)}`}
            </div>
          </li>
        ))}
      </ol>
      <p>
        <Status status={state} /> {reason === null ? '' : reasonInWords(reason)}{' '}
        {state === 'completed' ? '' : stepName(stepId, steps)}
      </p>
    </>
  )
}
