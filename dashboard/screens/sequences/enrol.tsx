// People are put into a sequence: some by their addresses, which are looked at before, or everybody of a segment, which takes a while.

import { useState } from 'preact/hooks'
import { get, type Posted, post, toCall } from '../../api.ts'
import type { Sequence } from '../../nouns.ts'
import { useAct } from '../../parts/act.tsx'
import { all } from '../../parts/all.ts'
import { announce } from '../../parts/announce.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { useRepeat } from '../../parts/repeat.ts'
import { separated } from '../../parts/separated.ts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { usePlace } from '../../place.ts'
import { colon, count } from '../../words.ts'
import { reasonInWords, words } from './people-words.ts'

const path = '/v1/sequences/:sequenceId/enrol'
const enrolmentsPath = '/v1/sequences/:sequenceId/enrolments'
const membersPath = '/v1/segments/:segmentId/contacts'
const lookAgainMs = 3_000

interface Props {
  sequence: Sequence
  enrolled: () => void
}

export function Enrol({ sequence, enrolled }: Props) {
  const { mayChange } = usePlace()
  const { id, state } = sequence
  const isOpen = state === 'active' || state === 'paused'
  return (
    <>
      {mayChange && state !== 'stopped' && (
        <section aria-labelledby="put-in">
          <header class="title">
            <h2 id="put-in">{words.putIn}</h2>
            <CopyCurl
              call={toCall('POST', path, {
                params: { sequenceId: id },
                body: { emails: ['ada@example.net'], dryRun: true },
              })}
            />
          </header>
          <p class="muted">{isOpen ? words.putInHow : words.onlyPublished}</p>
          {isOpen && (
            <div class="two">
              <ByAddress sequenceId={id} enrolled={enrolled} />
              <BySegment sequenceId={id} enrolled={enrolled} />
            </div>
          )}
        </section>
      )}
      <Enrolments sequenceId={id} />
    </>
  )
}

interface WayIn {
  sequenceId: string
  enrolled: () => void
}

function ByAddress({ sequenceId, enrolled }: WayIn) {
  const act = useAct()
  const [looked, setLooked] = useState<{ emails: string[]; answer: Posted<typeof path> } | null>(null)
  /** A new form once those of the last are in. */
  const [round, setRound] = useState(0)
  const params = { sequenceId }
  const look = (form: FormData) =>
    act.run(async () => {
      const emails = addressesIn(String(form.get('emails')))
      setLooked({ emails, answer: await post(path, { params, body: { emails, dryRun: true } }) })
    })
  const putIn = (emails: string[]) =>
    act.run(async () => {
      const { started } = await post(path, { params, body: { emails } })
      setLooked(null)
      setRound(round + 1)
      announce(words.begun(started))
      enrolled()
    })
  return (
    <div>
      <Form key={round} act={act} says={words.look} submit={look} isOfScreen={false}>
        <label>
          {words.addresses}
          <textarea name="emails" required rows={4} spellcheck={false} />
        </label>
      </Form>
      {looked && (
        <div class="notice" role="status">
          <p>{words.wouldBegin(looked.answer.started)}</p>
          <Refused answer={looked.answer} />
          {looked.answer.started > 0 && (
            <button type="button" disabled={act.isRunning} onClick={() => void putIn(looked.emails)}>
              {words.putInNow(looked.answer.started)}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function addressesIn(text: string): string[] {
  return [...new Set(separated(text))]
}

function Refused({ answer: { refused } }: { answer: Posted<typeof path> }) {
  if (refused.length === 0) return null
  return (
    <>
      <p>{words.notBegin}</p>
      <ul>
        {refused.map(({ email, reason }) => (
          <li key={email}>
            {email}
            {colon}
            {reasonInWords(reason)}
          </li>
        ))}
      </ul>
    </>
  )
}

function BySegment({ sequenceId, enrolled }: WayIn) {
  const act = useAct()
  const segments = useLoaded('segments', (signal) => all((query) => get('/v1/segments', { query }, signal)))
  const [chosen, setChosen] = useState<{ id: string; name: string; people: number; estimate: Estimate } | null>(null)
  const list = segments.value ?? []
  const ask = (form: FormData) =>
    act.run(async () => {
      const segment = list.find(({ id }) => id === form.get('segmentId'))
      if (!segment) return
      const members = await get(membersPath, { params: { segmentId: segment.id }, query: { perPage: 1 } })
      const params = { sequenceId }
      const { estimate } = await post(path, { params, body: { segmentId: segment.id, dryRun: true } })
      setChosen({ ...segment, people: members.pagination.totalResults, estimate })
    })
  const putIn = (segmentId: string) =>
    act.run(async () => {
      await post(path, { params: { sequenceId }, body: { segmentId } })
      enrolled()
    })
  if (list.length === 0) return null
  return (
    <div>
      <Form act={act} says={words.segmentPut} submit={ask} isOfScreen={false}>
        <label>
          {words.segment}
          <select name="segmentId">
            {list.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </Form>
      {chosen && (
        <Confirm
          title={words.segmentTitle(chosen.name)}
          does={words.segmentPut}
          close={() => setChosen(null)}
          run={() => void putIn(chosen.id)}
        >
          <p>{words.segmentHow(chosen.people)}</p>
          <EstimateInWords of={chosen.estimate} />
        </Confirm>
      )}
    </div>
  )
}

type Estimate = Posted<typeof path>['estimate']

/** Who would begin, and why others would not. */
function EstimateInWords({ of }: { of: Estimate }) {
  if (of === null) return null
  const { looked, isWhole, started, notStarted } = of
  return (
    <>
      <p>{isWhole ? words.wouldBegin(started) : words.ofFirst({ looked, n: started })}</p>
      {notStarted.length > 0 && (
        <ul>
          {notStarted.map(({ reason, contacts }) => (
            <li key={reason}>
              {reasonInWords(reason)}
              {colon}
              {count(contacts)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Segments that were put in, each with how far it is. */
function Enrolments({ sequenceId }: { sequenceId: string }) {
  const { to } = usePlace()
  const params = { sequenceId }
  const found = useLoaded(sequenceId, async (signal) => {
    const [{ data }, segments] = await Promise.all([
      get(enrolmentsPath, { params }, signal),
      all((query) => get('/v1/segments', { query }, signal)),
    ])
    return { enrolments: data.toReversed(), names: new Map(segments.map(({ id, name }) => [id, name])) }
  })
  useRepeat(lookAgainMs, found.reload)
  if (found.value?.enrolments.length === 0) return null
  return (
    <section>
      <h2>{words.enrolments}</h2>
      <Show of={found}>
        {({ enrolments, names }) => (
          <Table
            caption={words.enrolments}
            rows={enrolments}
            keyOf={({ id }) => id}
            columns={[
              {
                name: words.segmentName,
                show: ({ segmentId }) => <a href={to(`/segments/${segmentId}`)}>{names.get(segmentId) ?? segmentId}</a>,
              },
              { name: words.started, isFigure: true, show: ({ started }) => count(started) },
              { name: words.skippedPeople, isFigure: true, show: ({ skipped }) => count(skipped) },
              {
                name: words.progress,
                isFigure: true,
                show: ({ doneAt }) => (doneAt === null ? words.going : words.finished),
              },
              { name: words.since, isFigure: true, show: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        )}
      </Show>
    </section>
  )
}
