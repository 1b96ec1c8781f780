// The conditions of a segment as fields: groups within groups, each condition in a row that reads like a sentence.

import { useLayoutEffect, useRef } from 'preact/hooks'
import { colon } from '../../words.ts'
import type { Choices } from './choices.ts'
import { Condition } from './condition.tsx'
import { blank, type Group, isGroup, modes, type Part } from './filter.ts'
import { words } from './words.ts'

/** The API takes five levels, and a group of which none holds is two of them. */
const deepest = 4

interface Props {
  group: Group
  set: (group: Group) => void
  choices: Choices
  /** `2.1`: where it stands; the outermost has no number. */
  at?: string
}

export function Conditions({ group, set, choices, at = '' }: Props) {
  const { parts } = group
  const box = useRef<HTMLFieldSetElement>(null)
  /** Where the focus goes once it is drawn: to what was added, or from what was removed to the group. */
  const next = useRef<number | 'group' | null>(null)
  useLayoutEffect(() => {
    if (next.current === null) return
    const row = next.current === 'group' ? box.current : box.current?.querySelectorAll(':scope > ul > li')[next.current]
    row?.querySelector('select')?.focus()
    next.current = null
  }, [parts.length])
  const add = (part: Part) => {
    next.current = parts.length
    set({ ...group, parts: [...parts, part] })
  }
  const remove = (n: number) => {
    next.current = 'group'
    set({ ...group, parts: parts.toSpliced(n, 1) })
  }
  const level = at === '' ? 1 : at.split('.').length + 1
  return (
    <fieldset ref={box} class="condition-group">
      <legend class="unseen">{at === '' ? words.conditions : words.group(at)}</legend>
      <select
        aria-label={at === '' ? words.mode : `${words.group(at)}${colon}${words.mode}`}
        value={group.mode}
        onChange={({ currentTarget: { value } }) =>
          set({ ...group, mode: modes.find((one) => one === value) ?? 'all' })
        }
      >
        {modes.map((one) => (
          <option key={one} value={one}>
            {words.modes[one]}
          </option>
        ))}
      </select>
      <ul>
        {parts.map((part, n) => {
          const place = at === '' ? String(n + 1) : `${at}.${n + 1}`
          const change = (changed: Part) => set({ ...group, parts: parts.with(n, changed) })
          const name = isGroup(part) ? words.group(place) : words.condition(place)
          return (
            <li key={n}>
              {isGroup(part) ? (
                <Conditions group={part} set={change} choices={choices} at={place} />
              ) : (
                <Condition condition={part} set={change} choices={choices} label={name} />
              )}
              <button type="button" class="quiet" aria-label={words.removeOne(name)} onClick={() => remove(n)}>
                ×
              </button>
            </li>
          )
        })}
      </ul>
      <div class="actions">
        <button type="button" onClick={() => add(blank.field)}>
          {words.addCondition}
        </button>
        {level < deepest && (
          <button type="button" onClick={() => add({ mode: 'any', parts: [blank.field] })}>
            {words.addGroup}
          </button>
        )}
      </div>
    </fieldset>
  )
}
