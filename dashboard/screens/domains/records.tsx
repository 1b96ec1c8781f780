// What the sending domains and the link domain of this screen share: adding one by its name, when it was checked, and the records to publish.

import { useAct, WhyNot } from '../../parts/act.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { words } from './words.ts'

const verdicts = { ok: 'good', missing: 'warn', wrong: 'bad', unknown: '', optional: '' } as const

type RecordState = keyof typeof verdicts | null

/** What a check of the DNS found of one record; null: it was not asked. */
export function State({ of }: { of: RecordState }) {
  return of === null ? (
    <span class="status">{words.notAsked}</span>
  ) : (
    <span class={`status ${verdicts[of]}`}>{words.states[of]}</span>
  )
}

interface AddProps {
  /** Of the field. */
  name: string
  label: string
  example: string
  add(domain: string): Promise<unknown>
}

export function AddDomain({ name, label, example, add }: AddProps) {
  const act = useAct()
  const submit = (form: HTMLFormElement) =>
    act.run(async () => {
      await add(String(new FormData(form).get(name)).trim())
      form.reset()
    })
  return (
    <>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault()
          void submit(event.currentTarget)
        }}
      >
        <label>
          {label}
          <input name={name} required maxLength={253} placeholder={example} autocomplete="off" />
        </label>
        <button type="submit" disabled={act.isRunning}>
          {words.addIt}
        </button>
      </form>
      <WhyNot act={act} />
    </>
  )
}

/** Nothing of a domain that was never checked. */
export function LastCheck({ at }: { at: string | null }) {
  if (at === null) return null
  return (
    <p class="muted">
      {words.checked} <Time at={at} />
    </p>
  )
}

interface DnsRecord {
  type: string
  name: string
  value: string
}

interface RecordsProps<One extends DnsRecord> {
  domain: string
  records: One[]
  stateOf(record: One): RecordState
  /** What it is for. */
  useOf(record: One): string
}

export function Records<One extends DnsRecord>({ domain, records, stateOf, useOf }: RecordsProps<One>) {
  return (
    <Table
      caption={words.records(domain)}
      rows={records}
      keyOf={({ name, value }) => name + value}
      columns={[
        { name: words.state, show: (record) => <State of={stateOf(record)} /> },
        { name: words.what, show: useOf },
        { name: words.name, show: ({ type, name }) => <code>{`${type} ${name}`}</code> },
        { name: words.value, show: ({ value }) => <code>{value}</code> },
        {
          name: words.action,
          show: ({ name, value }) => (
            <>
              <Copy text={name} label={words.copyName} />
              <Copy text={value} label={words.copyValue} />
            </>
          ),
        },
      ]}
    />
  )
}
