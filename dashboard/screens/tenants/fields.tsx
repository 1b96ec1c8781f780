// What a plan allows, as the fields of a form: an empty one is no limit.

import type { Listed } from '../../api.ts'
import { words } from './words.ts'

export type Tenant = Listed<'/v1/workspaces'>

const most = 1_000_000_000
/** In the order of the form, with the least that each may be. */
const limits = { mailsPerDay: 0, mailsPerMonth: 0, mailsPerSecond: 1, contacts: 0 } as const
export type LimitName = keyof typeof limits
const limitNames = Object.keys(limits) as LimitName[]

export function NameField({ name }: { name?: string }) {
  return (
    <label>
      {words.name}
      <input name="name" required={name !== undefined} maxLength={200} autocomplete="off" defaultValue={name} />
    </label>
  )
}

export function LimitFields({ of }: { of?: Tenant['limits'] }) {
  return (
    <fieldset>
      <legend>{words.limits}</legend>
      {limitNames.map((name) => (
        <label key={name}>
          {words.limitNames[name]}
          <input
            type="number"
            name={`limits.${name}`}
            min={limits[name]}
            max={most}
            defaultValue={of?.[name] ?? undefined}
          />
        </label>
      ))}
      <p class="muted">{words.limitsHow}</p>
    </fieldset>
  )
}

/** As the API takes them. */
export function limitsIn(form: FormData): Record<LimitName, number | null> {
  const limitIn = (name: LimitName) => {
    const said = String(form.get(`limits.${name}`) ?? '').trim()
    return said === '' ? null : Number(said)
  }
  return {
    mailsPerDay: limitIn('mailsPerDay'),
    mailsPerMonth: limitIn('mailsPerMonth'),
    mailsPerSecond: limitIn('mailsPerSecond'),
    contacts: limitIn('contacts'),
  }
}
