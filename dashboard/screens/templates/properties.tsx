// What the chosen component is made of, as a form. The fields are those that the server checks.

import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Picture } from '../../nouns.ts'
import { operators, operatorWords } from '../../parts/operators.ts'
import { PictureField } from '../../parts/picture-field.tsx'
import { usePlace } from '../../place.ts'
import { Bar } from './bar.tsx'
import type { Property } from './component-forms.ts'
import { words } from './editor-words.ts'
import { usualWidths } from './pieces.ts'
import { propertyName, typeName } from './property-words.ts'
import { findForm, type TreeNode } from './tree.ts'
import { useBlocks } from './use-blocks.ts'
import { withPicture } from './use-pictures.ts'

interface Props {
  node: TreeNode
  /** What is wrong, by property. */
  faults: Map<string, string>
  isReadOnly: boolean
  change: (node: TreeNode, property: string) => void
}

export function Properties({ node, faults, isReadOnly, change }: Props) {
  const component = findForm(node.type)
  // What is set stays where it is while it is typed.
  const [set] = useState(() => Object.keys(node))
  if (!component) return null
  const isFirst = ({ name, isRequired, kind }: Property) =>
    name !== 'id' && (isRequired || kind === 'text' || name === 'href' || set.includes(name))
  const field = (property: Property) => (
    <Field
      key={property.name}
      property={property}
      value={node[property.name]}
      fault={faults.get(property.name)}
      isMarkdown={property.name === 'text' && node['format'] === 'markdown'}
      set={(value) => change(withProperty(node, property.name, value), property.name)}
      show={(picture) => change(withPicture(node, property.name, picture), property.name)}
    />
  )
  const others = component.properties.filter((one) => !isFirst(one))
  return (
    <form class="properties" onSubmit={(event) => event.preventDefault()}>
      <h2>{typeName(node.type)}</h2>
      <fieldset class="read" disabled={isReadOnly}>
        {component.properties.filter(isFirst).map(field)}
      </fieldset>
      <details open={others.some(({ name }) => faults.has(name))}>
        <summary>{words.more}</summary>
        <fieldset class="read" disabled={isReadOnly}>
          {others.map(field)}
        </fieldset>
      </details>
    </form>
  )
}

function withProperty(node: TreeNode, name: string, value: unknown): TreeNode {
  // As many columns as widths, and no widths of other columns.
  if (name === 'columnWidths' && Array.isArray(value)) return { ...node, columns: value.length, columnWidths: value }
  if (name === 'columns' && Array.isArray(node['columnWidths']) && node['columnWidths'].length !== value)
    return withProperty({ ...withProperty(node, 'columnWidths', undefined) }, name, value)
  if (value !== undefined) return { ...node, [name]: value }
  const { [name]: _, ...others } = node
  return { ...others, type: node.type }
}

interface FieldProps {
  property: Property
  value: unknown
  fault: string | undefined
  isMarkdown: boolean
  set: (value: unknown) => void
  /** A picture that was chosen for it. */
  show: (picture: Picture) => void
}

function Field({ property, value, fault, isMarkdown, set, show }: FieldProps) {
  const id = useId()
  const { name, kind } = property
  const control = <Control id={id} property={property} value={value} set={set} isWrong={fault !== undefined} />
  return (
    <div class="field">
      <label for={id}>{propertyName(name)}</label>
      {isMarkdown && <Bar of={id} set={set} />}
      {kind === 'picture' ? <PictureField take={show}>{control}</PictureField> : control}
      {kind === 'entries' && <small>{words.entries}</small>}
      {fault !== undefined && (
        <small id={`${id}-why`} class="why">
          {fault}
        </small>
      )}
    </div>
  )
}

interface ControlProps {
  id: string
  property: Property
  value: unknown
  set: (value: unknown) => void
  isWrong: boolean
}

function Control({ id, property: { name, kind, isRequired, choices }, value, set, isWrong }: ControlProps) {
  const common = { id, name, 'aria-invalid': isWrong, ...(isWrong && { 'aria-describedby': `${id}-why` }) }
  const written = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
  /** What is empty is not set, unless it must be. */
  const write = (text: string) => set(text === '' && !isRequired ? undefined : text)
  if (kind === 'text')
    return (
      <textarea
        {...common}
        rows={rowsFor(written)}
        value={written}
        onInput={(event) => write(event.currentTarget.value)}
      />
    )
  if (kind === 'entries') return <Entries common={common} value={value} set={set} />
  if (kind === 'widths') return <Widths common={common} value={value} set={set} />
  if (kind === 'block') return <Block common={common} id={written} set={set} />
  if (kind === 'number') {
    const number = (text: string) => set(text === '' ? undefined : Number(text))
    return <input {...common} type="number" value={written} onInput={(event) => number(event.currentTarget.value)} />
  }
  if (kind === 'flag') {
    const flag = (text: string) => set(text === '' ? undefined : text === 'true')
    return (
      <Select common={common} value={value === undefined ? '' : String(value)} set={flag}>
        <option value="true">{words.yes}</option>
        <option value="false">{words.no}</option>
      </Select>
    )
  }
  if (kind === 'choice')
    return (
      <Select common={common} value={written} mustBe={isRequired} set={(text) => set(text === '' ? undefined : text)}>
        {choices.map((one) => (
          <option key={one} value={one}>
            {name === 'operator' ? operatorName(one) : one}
          </option>
        ))}
      </Select>
    )
  const line = <input {...common} value={written} onInput={(event) => write(event.currentTarget.value)} />
  if (kind !== 'colour') return line
  const full = /^#[0-9a-f]{6}$/i.test(written) ? written : '#000000'
  return (
    <span class="colour">
      {line}
      <input
        type="color"
        aria-label={words.pick(propertyName(name))}
        value={full}
        onInput={(event) => write(event.currentTarget.value)}
      />
    </span>
  )
}

function rowsFor(text: string): number {
  return Math.min(10, Math.max(2, text.split('\n').length + Math.floor(text.length / 40)))
}

interface SelectProps {
  common: { id: string }
  value: string
  /** One of them is chosen. */
  mustBe?: boolean
  set: (text: string) => void
  children: ComponentChildren
}

function Select({ common, value, mustBe, set, children }: SelectProps) {
  return (
    <select {...common} value={value} onChange={(event) => set(event.currentTarget.value)}>
      {!mustBe && <option value="">{words.byDefault}</option>}
      {children}
    </select>
  )
}

/** The usual ones, and that of the node if it is another. */
function Widths({
  common,
  value,
  set,
}: Pick<SelectProps, 'common'> & { value: unknown; set: (value: unknown) => void }) {
  const written = Array.isArray(value) ? value.join(' ') : ''
  const options = usualWidths.some(({ is }) => is === written)
    ? usualWidths
    : [...usualWidths, { is: written, says: written.replaceAll(' ', ' + ') }]
  return (
    <Select common={common} value={written} set={(text) => set(text === '' ? undefined : text.split(' ').map(Number))}>
      {options
        .filter(({ is }) => is !== '')
        .map(({ is, says }) => (
          <option key={is} value={is}>
            {says}
          </option>
        ))}
    </Select>
  )
}

/** Which block, and the way to where it is written. */
function Block({ common, id, set }: Pick<SelectProps, 'common'> & { id: string; set: (value: unknown) => void }) {
  const { to } = usePlace()
  const blocks = useBlocks()
  const others = blocks.some((one) => one.id === id) || id === '' ? [] : [{ id, name: id }]
  return (
    <>
      <Select common={common} value={id} mustBe={id !== ''} set={set}>
        {[...others, ...blocks].map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </Select>
      {id !== '' && <a href={to(`/blocks/${id}`)}>{words.editBlock}</a>}
    </>
  )
}

function operatorName(operator: string): string {
  const known = operators.find((one) => one === operator)
  return known ? operatorWords[known] : operator
}

/** One on each line; what is no text stands there as JSON. */
function Entries({
  common,
  value,
  set,
}: Pick<SelectProps, 'common'> & { value: unknown; set: (value: unknown) => void }) {
  const [text, setText] = useState(() => toLines(value))
  return (
    <textarea
      {...common}
      rows={rowsFor(text)}
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value)
        set(parseEntries(event.currentTarget.value))
      }}
    />
  )
}

function toLines(value: unknown): string {
  if (!Array.isArray(value)) return ''
  return value.map((one: unknown) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
}

function parseEntries(text: string): unknown[] | undefined {
  if (text === '') return undefined
  return text.split('\n').map((line): unknown => {
    if (!/^\s*[[{]/.test(line)) return line
    try {
      return JSON.parse(line)
    } catch {
      return line
    }
  })
}
