// A file of contacts, or the export of another service, before it is imported: what each column becomes, which rows would be left out, what
// else it holds, and what people agreed to.

import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { get, type Posted, upload } from '../../api.ts'
import type { ImportPreview } from '../../nouns.ts'
import { useAct, WhyNot } from '../../parts/act.tsx'
import { all } from '../../parts/all.ts'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { usePlace } from '../../place.ts'
import { Columns, type Mapping, UnclearColumns } from './columns.tsx'
import { BadRows, Counts } from './import-counts.tsx'
import { Report } from './import-report.tsx'
import { type Format, words } from './import-words.ts'

type ExportPreview = Posted<'/v1/imports/preview'>

interface Chosen {
  file: File
  /** Null: a CSV of their own. */
  format: Format | null
  mapping: Mapping
  mailingListId: string
}

function toQuery({ mapping, mailingListId }: Chosen) {
  return { mailingListId, ...(Object.keys(mapping).length > 0 && { columns: JSON.stringify(mapping) }) }
}

async function preview(chosen: Chosen): Promise<ImportPreview | ExportPreview> {
  const { file, format } = chosen
  const query = toQuery(chosen)
  if (format === null) return await upload('/v1/contacts/import/preview', { file: asCsv(file), query })
  return await upload('/v1/imports/preview', { file: asBytes(file), query: { ...query, format, name: file.name } })
}

/** The server goes on by itself from here, also after a crash. */
async function begin(chosen: Chosen, consent: string): Promise<string> {
  const { file, format } = chosen
  const query = { ...toQuery(chosen), consent }
  const begun =
    format === null
      ? await upload('/v1/contacts/import', { file: asCsv(file), query })
      : await upload('/v1/imports', { file: asBytes(file), query: { ...query, format, name: file.name } })
  return begun.id
}

// Systems differ in what they call a CSV or a ZIP.
const asCsv = (file: File) => file.slice(0, file.size, 'text/csv')
const asBytes = (file: File) => file.slice(0, file.size, 'application/octet-stream')

const formats = Object.keys(words.formats) as Format[]

export default function Import() {
  const { to } = usePlace()
  const { query, path, route } = useLocation()
  const act = useAct()
  const lists = useLoaded('lists', (signal) => all((query) => get('/v1/mailing-lists', { query }, signal)))
  const format = formats.find((one) => one === query['format']) ?? null
  const [file, setFile] = useState<File | null>(null)
  const [state, setState] = useState<{ chosen: Chosen; preview: ImportPreview | ExportPreview } | null>(null)
  /** The latest choice, which the server may not have answered yet. */
  const wanted = useRef<Chosen | null>(null)
  /** A choice is kept when the server accepts it; only the newest answer counts. */
  const look = (chosen: Chosen) => {
    wanted.current = chosen
    return act.run(async () => {
      try {
        const seen = await preview(chosen)
        if (wanted.current === chosen) setState({ chosen, preview: seen })
      } catch (error) {
        if (wanted.current === chosen) wanted.current = state?.chosen ?? null
        throw error
      }
    })
  }
  const map = (one: Mapping) => {
    const { current } = wanted
    if (current) void look({ ...current, mapping: { ...current.mapping, ...one } })
  }
  const begun = (file: File | null, format: Format | null) => {
    setFile(file)
    setState(null)
    wanted.current = null
    if (file) void look({ file, format, mapping: {}, mailingListId: '' })
  }
  return (
    <>
      <p>
        <a class="back" href={to('/contacts')}>
          {words.contacts}
        </a>
      </p>
      <header class="title">
        <h1>{words.title}</h1>
        <a href={to('/contacts/imports')}>{words.imports}</a>
      </header>
      <p>{words.how}</p>
      <div class="form">
        <label>
          {words.format}
          <select
            value={format ?? ''}
            onChange={({ currentTarget: { value } }) => {
              route(value === '' ? path : `${path}?format=${value}`, true)
              begun(file, formats.find((one) => one === value) ?? null)
            }}
          >
            <option value="">{words.ownCsv}</option>
            {formats.map((one) => (
              <option key={one} value={one}>
                {words.formats[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {format === null ? words.file : words.exported}
          <input
            type="file"
            accept={format === null ? '.csv,text/csv' : '.csv,.json,.jsonl,.html,.zip'}
            onChange={({ currentTarget: { files } }) => begun(files?.[0] ?? null, format)}
          />
          {format !== null && <span>{words.files[format]}</span>}
        </label>
      </div>
      <WhyNot act={act} />
      {state && (
        <div aria-busy={act.isRunning}>
          {isUnknown(state.preview) && (
            <p class="notice" role="status">
              {words.identity}
            </p>
          )}
          {state.preview.unclear.length > 0 && (
            <p class="notice" role="status">
              {words.unclearNotice}
            </p>
          )}
          {'columns' in state.preview ? (
            <Columns columns={state.preview.columns} change={map} />
          ) : (
            <UnclearColumns columns={state.preview.unclear} chosen={state.chosen.mapping} change={map} />
          )}
          {!isUnknown(state.preview) && state.preview.unclear.length === 0 && (
            <Show of={lists}>
              {(lists) => (
                <Send
                  {...state}
                  lists={lists}
                  choose={(mailingListId) => void look({ ...(wanted.current ?? state.chosen), mailingListId })}
                />
              )}
            </Show>
          )}
        </div>
      )}
    </>
  )
}

/** An export says by itself which column is the address. */
function isUnknown(preview: ImportPreview | ExportPreview): boolean {
  return 'columns' in preview && preview.identityNeeded
}

interface SendProps {
  chosen: Chosen
  preview: ImportPreview | ExportPreview
  lists: { id: string; name: string }[]
  choose: (mailingListId: string) => void
}

function Send({ chosen, preview, lists, choose }: SendProps) {
  const { route } = useLocation()
  const { to } = usePlace()
  const act = useAct()
  const { badRows, consentNeeded, rows, bad } = preview
  /** These are no rows. */
  const refused = 'report' in preview ? preview.report.refused.length : 0
  const send = (form: FormData) =>
    act.run(async () => {
      const subscribed = form.get('agreed') === 'yes'
      const statement = String(form.get('statement') ?? '')
      const consent = consentNeeded ? JSON.stringify({ subscribed, statement }) : ''
      route(to(`/contacts/imports/${await begin(chosen, consent)}`))
    })
  return (
    <>
      <Counts title={words.would} of={preview} />
      {'report' in preview && <Report of={preview.report} />}
      <BadRows rows={badRows} />
      <Form act={act} says={words.run(rows - bad + refused)} submit={send}>
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
