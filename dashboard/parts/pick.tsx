// Fields by which one of several is chosen, drawn from what is chosen.

import { inLanguage } from '../words.ts'

const words = inLanguage(catalogue.parts.pick)

interface PickOneProps<T extends string> {
  label: string
  /** As a refusal names it. */
  name?: string
  value: T
  options: [value: T, says: string][]
  set: (value: T) => void
}

export function PickOne<T extends string>({ label, name, value, options, set }: PickOneProps<T>) {
  return (
    <label>
      {label}
      <select
        name={name}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([one]) => one === currentTarget.value)
          if (chosen) set(chosen[0])
        }}
      >
        {options.map(([one, says]) => (
          <option key={one} value={one}>
            {says}
          </option>
        ))}
      </select>
    </label>
  )
}

interface NamedProps {
  label: string
  name?: string
  /** Where it may stay empty: what that means. */
  none?: string
  /** `isUnfit`: shown, but cannot be chosen. */
  among: { id: string; name: string; isUnfit?: boolean }[]
  id: string
  set: (id: string) => void
}

/** What is no longer there stays chosen, and says so. */
export function PickNamed({ label, name, none, among, id, set }: NamedProps) {
  return (
    <label>
      {label}
      <select name={name} required={none === undefined} value={id} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{none ?? words.choose}</option>
        {id !== '' && !among.some((one) => one.id === id) && <option value={id}>{words.missing(id)}</option>}
        {among.map((one) => (
          <option key={one.id} value={one.id} disabled={one.isUnfit}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  )
}
