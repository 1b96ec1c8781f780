// The test data that fills the variables of a preview, kept for this mail until the browser is closed; and sending a real test mail.

import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { announce } from '../../parts/announce.tsx'
import { usePlace } from '../../place.ts'
import { words } from './editor-words.ts'
import type { DraftText } from './history.ts'
import type { Owner, Preview } from './owner.ts'

/** As it is typed. */
export type Typed = Record<string, string>

export function useTestData(ownerId: string): [Typed, (next: Typed) => void] {
  const { workspace } = usePlace()
  const key = `test data ${workspace.id} ${ownerId}`
  const [typed, setTyped] = useState<Typed>(() => JSON.parse(sessionStorage.getItem(key) ?? '{}'))
  const set = (next: Typed) => {
    sessionStorage.setItem(key, JSON.stringify(next))
    setTyped(next)
  }
  return [typed, set]
}

/** What was typed, as the types that the mail uses them with. What is empty, or no JSON yet, is left out. */
export function toData(typed: Typed, variables: Preview['variables']): Record<string, unknown> {
  const values = variables.flatMap(({ name, dataType }) => {
    const value = readTyped(typed[name] ?? '', dataType)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(values)
}

const isText = (dataType: string) => ['string', 'date', 'url'].includes(dataType)

function readTyped(text: string, dataType: string): unknown {
  if (text === '' || isText(dataType)) return text || undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Props {
  variables: Preview['variables']
  typed: Typed
  set: (next: Typed) => void
}

export function TestData({ variables, typed, set }: Props) {
  const id = useId()
  const asked = variables.filter(({ state }) => state !== 'automatic')
  return (
    <section>
      <h2>{words.data}</h2>
      {asked.length === 0 && <p class="muted">{words.dataNone}</p>}
      {asked.map(({ name, dataType, state }) => (
        <div key={name} class="field">
          <label for={`${id}-${name}`}>
            {name} {!isText(dataType) && <span class="muted">{words.json}</span>}{' '}
            {state === 'missing' && <span class="status warn">{words.required}</span>}
          </label>
          <textarea
            id={`${id}-${name}`}
            rows={isText(dataType) ? 1 : 3}
            value={typed[name] ?? ''}
            onInput={(event) => set({ ...typed, [name]: event.currentTarget.value })}
          />
        </div>
      ))}
    </section>
  )
}

interface SendProps {
  test: NonNullable<Owner['test']>
  locale: string
  written: DraftText
  dataVariables: Record<string, unknown>
}

type Tests = Awaited<ReturnType<SendProps['test']>>['tests']

export function SendTest({ test, written, locale, dataVariables }: SendProps) {
  const { to } = usePlace()
  const act = useAct()
  const [tests, setTests] = useState<Tests>([])
  const button = useRef<HTMLButtonElement>(null)
  const { query } = useLocation()
  // Focused, for people who came to edit it.
  useLayoutEffect(() => {
    if (query['do'] === 'test') button.current?.focus()
  }, [query['do']])
  const send = () =>
    act.run(async () => {
      const answer = await test({ ...written, locale, dataVariables })
      setTests(answer.tests)
      announce(words.tested)
    })
  return (
    <div>
      <button
        ref={button}
        type="button"
        disabled={act.isRunning || written.content.length === 0}
        onClick={() => void send()}
      >
        {words.test}
      </button>
      <WhyNot act={act} />
      {tests.map(({ messageId }) => (
        <p key={messageId}>
          {words.tested} <a href={to(`/activity/${messageId}`)}>{words.seeTest}</a>
        </p>
      ))}
    </div>
  )
}
