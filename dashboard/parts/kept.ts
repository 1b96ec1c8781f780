// Keeps the input of a form in this browser tab until it is saved or discarded, so that neither a reload nor an expired session loses it.
// Secrets are not kept.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { usePlace } from '../place.ts'
import { useUnsaved } from './leaving.tsx'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Fields = Map<string, string>

/** What the form is drawn from, where its fields come and go with it. */
export interface Drawn<T> {
  value: T
  set: (value: T) => void
}

export interface KeptForm {
  /** On the form: after each change. */
  keep: () => void
  /** What is shown was typed earlier. */
  isAgain: boolean
  forget: () => void
  discard: () => void
  /** What is shown is what is stored, once that is done. */
  send: (work: () => Promise<boolean>) => Promise<void>
}

interface KeptFormOptions {
  form: { current: HTMLFormElement | null }
  drawn: Drawn<unknown> | null
  /** False where it stays when somebody goes to another screen. */
  isOfScreen: boolean
}

/** Leaving these needs no confirmation, because the action leads elsewhere; nor are they restored in the next form. */
const beingSent = new Set<string>()

export function useKept({ form, drawn, isOfScreen }: KeptFormOptions): KeptForm {
  const { member, workspace } = usePlace()
  /** What is stored, as the fields and what they are drawn from say it. */
  const stored = useRef<{ key: string; fields: Fields; drawn: unknown } | null>(null)
  /** What is there later than the form is no change of a person's. */
  const isTouched = useRef(false)
  const [isAgain, setAgain] = useState(false)
  const [settled, setSettled] = useState(0)
  const changes = () => {
    if (!stored.current || !form.current) return []
    const { fields } = stored.current
    return [...read(form.current)].filter(([name, value]) => fields.get(name) !== value)
  }
  const isDrawnAnew = () => JSON.stringify(drawn?.value) !== JSON.stringify(stored.current?.drawn)
  const isChanged = () => {
    if (!stored.current || beingSent.has(stored.current.key)) return false
    return drawn ? isDrawnAnew() : isTouched.current && changes().length > 0
  }
  const forget = () => {
    if (stored.current) sessionStorage.removeItem(stored.current.key)
    stored.current = null
    setAgain(false)
  }
  const keep = () => {
    if (!stored.current) return
    const { key } = stored.current
    const kept = drawn ? { drawn: drawn.value } : { fields: changes() }
    if (isChanged()) sessionStorage.setItem(key, JSON.stringify(kept))
    else sessionStorage.removeItem(key)
  }
  useLayoutEffect(() => {
    if (!form.current || !isOfScreen) return
    const fields = read(form.current)
    const key = ['unsaved', member.email, workspace.id, location.pathname, ...fields.keys()].join(' ')
    stored.current = { key, fields, drawn: drawn?.value }
    isTouched.current = false
    const kept = settled === 0 ? readKept(key) : null
    if (!kept) return
    isTouched.current = true
    if (drawn) drawn.set(kept.drawn)
    else fill(form.current, new Map(kept.fields))
    setAgain(true)
  }, [settled])
  useLayoutEffect(keep, [JSON.stringify(drawn?.value)])
  useUnsaved({ isChanged, forget: isOfScreen ? forget : null })
  return {
    keep: () => {
      isTouched.current = true
      keep()
    },
    isAgain,
    forget,
    discard: () => {
      if (!stored.current || !form.current) return
      if (drawn) drawn.set(stored.current.drawn)
      else fill(form.current, stored.current.fields)
      sessionStorage.removeItem(stored.current.key)
      setAgain(false)
    },
    send: async (work) => {
      const { key = '' } = stored.current ?? {}
      beingSent.add(key)
      if (await work()) {
        forget()
        setSettled((before) => before + 1)
      }
      beingSent.delete(key)
    },
  }
}

function readKept(key: string): { fields: [string, string][]; drawn: unknown } | null {
  const text = sessionStorage.getItem(key)
  return text === null || beingSent.has(key) ? null : { fields: [], drawn: null, ...JSON.parse(text) }
}

const secrets = ['password', 'file', 'hidden', 'submit', 'button']

/** Each by its name; several of one name, or of none, by their number. */
function readFields(form: HTMLFormElement): [string, Field][] {
  const seen = new Map<string, number>()
  return [...form.elements].flatMap((field): [string, Field][] => {
    if (!isField(field)) return []
    const number = (seen.get(field.name) ?? 0) + 1
    seen.set(field.name, number)
    return [[`${field.name}#${number}`, field]]
  })
}

function isField(field: Element): field is Field {
  if (field instanceof HTMLInputElement) return !secrets.includes(field.type) && field.autocomplete !== 'one-time-code'
  return field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
}

const isTicked = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')

function read(form: HTMLFormElement): Fields {
  return new Map(readFields(form).map(([key, field]) => [key, isTicked(field) ? String(field.checked) : field.value]))
}

/** As if it were typed, so that event listeners run. */
function fill(form: HTMLFormElement, fields: Fields): void {
  for (const [key, field] of readFields(form)) {
    const value = fields.get(key)
    if (value === undefined) continue
    if (isTicked(field)) field.checked = value === 'true'
    else field.value = value
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
    if (field.closest('details')?.open === false) field.closest('details')?.setAttribute('open', '')
  }
}
