// A segment as it is written: its name, its conditions as fields and as JSON, and beside them who meets them now.

import { useState } from 'preact/hooks'
import type { SegmentFilter } from '../../../db/tables/segments.ts'
import { post, toCall } from '../../api.ts'
import type { Act } from '../../parts/act.tsx'
import { useAnswer } from '../../parts/asked.ts'
import { Breakable } from '../../parts/breakable.tsx'
import { CopyCurl } from '../../parts/copy.tsx'
import { Form } from '../../parts/form.tsx'
import type { Choices } from './choices.ts'
import { Conditions } from './conditions.tsx'
import { type Group, isWhole, readFilter, toFilter, toGroup } from './filter.ts'
import { words } from './words.ts'

const path = '/v1/segments/preview'

export interface SegmentDraft {
  name: string
  group: Group
}

interface Props {
  start: SegmentDraft
  choices: Choices
  act: Act
  save: (body: { name: string; filter: SegmentFilter }) => Promise<boolean>
  /** Where it may be left as it was. */
  close?: () => void
}

export function Write({ start, choices, act, save, close }: Props) {
  const [draft, setDraft] = useState(start)
  const { name, group } = draft
  const setGroup = (changed: Group) => setDraft({ ...draft, group: changed })
  return (
    <div class="segment">
      <Form
        act={act}
        says={words.save}
        submit={() => save({ name: name.trim(), filter: toFilter(group) })}
        drawn={{ value: draft, set: setDraft }}
        {...(close && { close })}
      >
        <label>
          {words.name}
          <input
            name="name"
            required
            maxLength={200}
            value={name}
            onInput={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          />
        </label>
        <Conditions group={group} set={setGroup} choices={choices} />
        <datalist id="event-names">
          {choices.eventNames.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <AsJson group={group} set={setGroup} />
      </Form>
      <Preview group={group} />
    </div>
  )
}

/** What is typed stays as it is until the field is left, or longer while it is no filter; the conditions follow it as far as it is one. */
function AsJson({ group, set }: { group: Group; set: (group: Group) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  const isFilter = typed === null || readFilter(typed) !== null
  const type = (text: string) => {
    setTyped(text)
    const filter = readFilter(text)
    if (filter !== null) set(toGroup(filter))
  }
  return (
    <details>
      <summary>{words.json}</summary>
      <textarea
        aria-label={words.json}
        class="code"
        rows={12}
        spellcheck={false}
        aria-invalid={!isFilter}
        value={typed ?? JSON.stringify(toFilter(group), null, 2)}
        onInput={(event) => type(event.currentTarget.value)}
        onBlur={() => isFilter && setTyped(null)}
      />
      <p class="muted" role="status">
        {isFilter ? words.jsonHow : words.noFilter}
      </p>
    </details>
  )
}

function Preview({ group }: { group: Group }) {
  const filter = toFilter(group)
  const { answer, issues } = useAnswer(
    () => (isWhole(group) ? { filter } : null),
    (body) => post(path, { body }),
  )
  return (
    <section aria-labelledby="preview">
      <header class="title">
        <h2 id="preview">{words.preview}</h2>
        <CopyCurl call={toCall('POST', path, { body: { filter } })} />
      </header>
      {issues.map(({ message }) => (
        <p key={message} class="notice bad">
          {message}
        </p>
      ))}
      {!isWhole(group) && <p class="muted">{words.notWhole}</p>}
      {answer && issues.length === 0 && (
        <>
          <p role="status">
            {answer.contacts === 0
              ? words.nobody
              : answer.exact
                ? words.found(answer.contacts)
                : words.reckoned(answer.contacts)}
          </p>
          {answer.contacts > answer.data.length && <p class="muted">{words.firstOnes}</p>}
          <ul class="plain">
            {answer.data.map(({ id, email }) => (
              <li key={id}>
                <Breakable text={email} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
