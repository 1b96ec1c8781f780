// A file of contacts before it is imported: what each column becomes, which rows would be left out, and what people agreed to.

import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { get, upload } from '../../api.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { count } from '../../words.ts'
import { Columns, type Mapping } from './columns.tsx'
import { BadRows, Counts } from './import-counts.tsx'
import { words } from './import-words.ts'

const importPath = '/v1/contacts/import'
const previewPath = `${importPath}/preview` as const

export type Preview = Awaited<ReturnType<typeof upload<typeof previewPath>>>

interface Chosen {
  file: File
  mapping: Mapping
  mailingListId: string
}

function queryOf({ mapping, mailingListId }: Chosen) {
  return { mailingListId, ...(Object.keys(mapping).length > 0 && { columns: JSON.stringify(mapping) }) }
}

export default function Import() {
  const { to } = usePlace()
  const act = useAct()
  const lists = useLoaded('lists', (signal) => get('/v1/mailing-lists', { query: { perPage: 100 } }, signal))
  const [state, setState] = useState<{ chosen: Chosen; preview: Preview } | null>(null)
  /** What is chosen stands when the server can make something of it. */
  const look = (chosen: Chosen) =>
    act.run(async () => {
      const preview = await upload(previewPath, { file: chosen.file, query: queryOf(chosen) })
      setState({ chosen, preview })
    })
  return (
    <>
      <p>
        <a href={to('/contacts')}>← {words.contacts}</a>
      </p>
      <header class="title">
        <h1>{words.title}</h1>
        <a href={to('/contacts/imports')}>{words.imports}</a>
      </header>
      <p>{words.how}</p>
      <div class="form">
        <label>
          {words.file}
          <input
            type="file"
            accept=".csv,text/csv"
            onChange={({ currentTarget: { files } }) => {
              setState(null)
              if (files?.[0]) void look({ file: files[0], mapping: {}, mailingListId: '' })
            }}
          />
        </label>
      </div>
      <WhyNot act={act} />
      {state && (
        <div aria-busy={act.isRunning}>
          {state.preview.identityNeeded && (
            <p class="notice" role="status">
              {words.identity}
            </p>
          )}
          <Columns
            columns={state.preview.columns}
            change={(one) => void look({ ...state.chosen, mapping: { ...state.chosen.mapping, ...one } })}
          />
          {!state.preview.identityNeeded && (
            <Show of={lists}>
              {({ data }) => (
                <Send
                  {...state}
                  lists={data}
                  choose={(mailingListId) => void look({ ...state.chosen, mailingListId })}
                />
              )}
            </Show>
          )}
        </div>
      )}
    </>
  )
}

interface SendProps {
  chosen: Chosen
  preview: Preview
  lists: { id: string; name: string }[]
  choose: (mailingListId: string) => void
}

function Send({ chosen, preview, lists, choose }: SendProps) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const { columns: _, badRows, delimiter: __, consentNeeded, ...counts } = preview
  const send = (form: FormData) =>
    act.run(async () => {
      const subscribed = form.get('agreed') === 'yes'
      const statement = String(form.get('statement') ?? '')
      const consent = consentNeeded ? JSON.stringify({ subscribed, statement }) : ''
      const { id } = await upload(importPath, { file: chosen.file, query: { ...queryOf(chosen), consent } })
      route(to(`/contacts/imports/${id}`))
    })
  return (
    <>
      <Counts title={words.would} of={counts} />
      <BadRows rows={badRows} />
      <Form act={act} says={words.run(count(counts.rows - counts.bad))} submit={send}>
        {lists.length > 0 && (
          <label>
            {words.list}
            <select value={chosen.mailingListId} onChange={(event) => choose(event.currentTarget.value)}>
              <option value="">{words.noList}</option>
              {lists.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {consentNeeded && <Consent />}
      </Form>
    </>
  )
}

function Consent() {
  const [isAgreed, setAgreed] = useState(false)
  const choices = [
    ['yes', words.agreed],
    ['no', words.notAgreed],
  ] as const
  return (
    <>
      <fieldset>
        <legend>{words.consent}</legend>
        {choices.map(([value, says]) => (
          <label key={value}>
            <input type="radio" name="agreed" value={value} required onChange={() => setAgreed(value === 'yes')} />{' '}
            {says}
          </label>
        ))}
      </fieldset>
      {isAgreed && (
        <label>
          {words.statement}
          <textarea name="statement" rows={2} required maxLength={2_000} />
          <span>{words.statementHow}</span>
        </label>
      )}
    </>
  )
}
