// The form of a person, new or known: their fields, and the workspace's own properties, each by its type. Only what was changed is sent.

import { ownValue } from '../../../src/kit/own-value.ts'
import { type Got, get, post } from '../../api.ts'
import type { Contact } from '../../nouns.ts'
import { useAct } from '../../parts/act.tsx'
import { propertiesPath } from '../../parts/contact-properties.ts'
import { Form } from '../../parts/form.tsx'
import { Show, useLoaded } from '../../parts/load.tsx'
import { words } from './person-words.ts'

const types = ['string', 'number', 'boolean', 'date'] as const
const fields = ['firstName', 'lastName', 'userId', 'userGroup', 'locale', 'timezone', 'source'] as const

type Property = Got<typeof propertiesPath>[number]
type Value = string | number | boolean | null
type Change = Record<string, Value>

interface Props {
  /** Null for a new one. */
  contact: Contact | null
  save: (change: Change) => Promise<void>
  close?: () => void
}

export function PersonForm({ contact, save, close }: Props) {
  const properties = useLoaded('properties', (signal) => get(propertiesPath, { query: { list: 'custom' } }, signal))
  return (
    <Show of={properties}>
      {(known) => <Fields contact={contact} properties={known} save={save} {...(close && { close })} />}
    </Show>
  )
}

function Fields({ contact, properties, save, close }: Props & { properties: Property[] }) {
  const act = useAct()
  const before = new Map<string, unknown>(Object.entries(contact ?? {}))
  const text = (name: string) => dayOrText(before.get(name))
  const submit = (form: FormData) =>
    act.run(async () => {
      const typed = (name: string) => String(form.get(name) ?? '').trim()
      const added = { key: typed(':name'), type: typed(':type'), value: typed(':value') }
      if (added.key !== '') await post(propertiesPath, { body: { name: added.key, type: typeNamed(added.type) } })
      const given = [...['email', ...fields].map((name) => ({ key: name, type: 'string' })), ...properties]
      const changed = given.filter(({ key }) => typed(key) !== text(key))
      const change = Object.fromEntries(changed.map(({ key, type }) => [key, readAs(type, typed(key))]))
      await save(added.key === '' ? change : { ...change, [added.key]: readAs(added.type, added.value) })
    })
  return (
    <Form act={act} says={contact === null ? words.add : words.save} submit={submit} {...(close && { close })}>
      <label>
        {words.fields.email}
        <input type="email" name="email" required maxLength={320} defaultValue={text('email')} />
        {contact !== null && <span>{words.emailHow}</span>}
      </label>
      {fields.map((name) => (
        <label key={name}>
          {words.fields[name]}
          <input
            name={name}
            maxLength={200}
            defaultValue={text(name)}
            list={name === 'timezone' ? 'time-zones' : undefined}
            placeholder={ownValue<string>(words.hints, name)}
          />
        </label>
      ))}
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {properties.map(({ key, type }) => (
        <PropertyField key={key} name={key} type={type} value={text(key)} />
      ))}
      <details>
        <summary>{words.newProperty}</summary>
        <div class="form">
          <label>
            {words.propertyName}
            <input name=":name" maxLength={50} pattern="[a-z][A-Za-z0-9_]*" placeholder="planName" />
          </label>
          <label>
            {words.propertyType}
            <select name=":type">
              {types.map((type) => (
                <option key={type} value={type}>
                  {words.types[type]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {words.propertyValue}
            <input name=":value" maxLength={2_000} />
            <span>{words.newPropertyHow}</span>
          </label>
        </div>
      </details>
    </Form>
  )
}

function PropertyField({ name, type, value }: { name: string; type: Property['type']; value: string }) {
  const id = `property-${name}`
  return (
    <label htmlFor={id}>
      <span>
        {name} <small>({words.types[type]})</small>
      </span>
      {type === 'boolean' ? (
        <select id={id} name={name}>
          {['', 'true', 'false'].map((one) => (
            <option key={one} value={one} selected={one === value}>
              {one === '' ? words.notSaid : words.yesOrNo(one === 'true')}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={name}
          maxLength={2_000}
          inputMode={type === 'number' ? 'decimal' : 'text'}
          defaultValue={value}
          placeholder={type === 'date' ? '2026-01-31' : undefined}
        />
      )}
    </label>
  )
}

function typeNamed(text: string): (typeof types)[number] {
  return types.find((one) => one === text) ?? 'string'
}

/** A day is stored as its first moment. */
export function dayOrText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value).replace(/T00:00:00\.000Z$/, '')
}

/** As the API takes it; of another type it is refused there, by name. */
function readAs(type: string, text: string): Value {
  if (text === '') return null
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text)
  return type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text
}
