// The columns of an imported file: the server suggests what each becomes, and the person may change it.

import type { ImportPreview } from '../../nouns.ts'
import { colon } from '../../words.ts'
import { words } from './import-words.ts'

type Column = ImportPreview['columns'][number]

/** By `#3`, the third column; null leaves it out. */
export type Mapping = Record<string, string | null>

const fields = ['email', 'userId', 'firstName', 'lastName', 'source', 'userGroup', 'locale', 'timezone', 'mailingLists']
const consents = [
  ...['subscribed', 'status', 'unsubscribed', 'optedOut', 'confirmed', 'bounced', 'complained', 'blocklisted'],
]
const types = ['string', 'number', 'boolean', 'date'] as const
const leftOut = ''
const unclear = '?'

interface Props {
  columns: Column[]
  change: (mapping: Mapping) => void
}

export function Columns({ columns, change }: Props) {
  return (
    <section>
      <h2>{words.columns}</h2>
      <table>
        <Head />
        <tbody>
          {columns.map((column, at) => (
            <ColumnRow key={at} column={column} number={at + 1} change={change} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Head() {
  return (
    <>
      <caption class="unseen">{words.columns}</caption>
      <thead>
        <tr>
          <th scope="col">{words.header}</th>
          <th scope="col">{words.example}</th>
          <th scope="col">{words.becomes}</th>
        </tr>
      </thead>
    </>
  )
}

function ColumnRow({ column, number, change }: { column: Column; number: number; change: Props['change'] }) {
  const name = column.header || words.nameless(number)
  return (
    <tr>
      <td>
        <strong>{name}</strong>
      </td>
      <td data-name={words.example}>{column.example}</td>
      <td>
        <select
          aria-label={`${words.becomes}${colon}${name}`}
          value={chosenFor(column)}
          onChange={({ currentTarget: { value } }) => change({ [`#${number}`]: value === leftOut ? null : value })}
        >
          {column.becomes === 'unclear' && (
            <option value={unclear} disabled>
              {words.unclear}
            </option>
          )}
          <option value={leftOut}>{words.nothing}</option>
          <Choices label={words.fields} of={fields.map((one) => [one, one])} />
          <Choices label={words.consents} of={consents.map((one) => [one, one])} />
          <Choices
            label={words.property}
            of={types.map((type) => [
              `${toProperty(column, number)}:${type}`,
              `${toProperty(column, number)} (${words.types[type]})`,
            ])}
          />
        </select>
      </td>
    </tr>
  )
}

function Choices({ label, of }: { label: string; of: [value: string, says: string][] }) {
  return (
    <optgroup label={label}>
      {of.map(([value, says]) => (
        <option key={value} value={value}>
          {says}
        </option>
      ))}
    </optgroup>
  )
}

function chosenFor({ becomes, name, type }: Column): string {
  if (name === null) return becomes === 'unclear' ? unclear : leftOut
  return becomes === 'property' ? `${name}:${type}` : name
}

/** The columns of an export, of which only those that are unclear have to be chosen. */
export function UnclearColumns({ columns, chosen, change }: UnclearProps) {
  const all = [...Object.keys(chosen).map((column) => ({ column, example: '' })), ...columns]
  if (all.length === 0) return null
  return (
    <section>
      <h2>{words.columns}</h2>
      <table>
        <Head />
        <tbody>
          {all.map(({ column, example }) => (
            <tr key={column}>
              <td>
                <strong>{column}</strong>
              </td>
              <td data-name={words.example}>{example}</td>
              <td>
                <select
                  aria-label={`${words.becomes}${colon}${column}`}
                  value={column in chosen ? (chosen[column] ?? leftOut) : unclear}
                  onChange={({ currentTarget: { value } }) => change({ [column]: value === leftOut ? null : value })}
                >
                  <option value={unclear} disabled>
                    {words.unclear}
                  </option>
                  <option value={leftOut}>{words.nothing}</option>
                  <Choices label={words.consents} of={consents.map((one) => [one, one])} />
                  <Choices label={words.property} of={[[toName(column, 0), toName(column, 0)]]} />
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface UnclearProps {
  columns: ImportPreview['unclear']
  chosen: Mapping
  change: (mapping: Mapping) => void
}

/** A name that a property may have, from that of the column. */
function toProperty({ becomes, name, header }: Column, number: number): string {
  return becomes === 'property' && name !== null ? name : toName(header, number)
}

function toName(header: string, number: number): string {
  const words = header.match(/[A-Za-z0-9]+/g) ?? []
  const joined = words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
  return /^[A-Za-z]/.test(joined) ? joined.charAt(0).toLowerCase() + joined.slice(1, 50) : `column${number}`
}
