// A part of a sequence: what it is in a line, what is wrong with it, and its form once it is opened.

import type { ComponentChildren } from 'preact'
import type { Issue } from '../../api.ts'
import { usePlace } from '../../place.ts'
import { issueInWords } from './mail-words.ts'

export interface CardProps {
  id: string
  title: string
  /** What it does, in words. */
  says: string
  issues: Issue[]
  isOpen: boolean
  turn: () => void
}

interface Props extends CardProps {
  /** What can be done with it as a whole. */
  tools?: ComponentChildren
  onKeyDown?: (event: KeyboardEvent) => void
  /** What is to be seen of it while it is closed, too. */
  more?: ComponentChildren
  /** Its form. */
  children: ComponentChildren
}

export const toggleId = (id: string) => `toggle ${id}`
const formId = (id: string) => `form ${id}`

/** Goes there, without opening it. */
export function goToCard(id: string): void {
  document.getElementById(toggleId(id))?.focus()
}

/** Goes there, and opens it. */
export function openCard(id: string): void {
  goToCard(id)
  const toggle = document.getElementById(toggleId(id))
  if (toggle?.ariaExpanded === 'false') toggle.click()
}

/** False while the form is not there yet. */
export function focusForm(id: string): boolean {
  const first = document.getElementById(formId(id))?.querySelector<HTMLElement>('input, select, button')
  first?.focus()
  return first !== undefined && first !== null
}

export function Card({ id, title, says, issues, isOpen, turn, tools, onKeyDown, more, children }: Props) {
  const { mayChange } = usePlace()
  return (
    <div class={issues.length > 0 ? 'card faulty' : 'card'}>
      <div class="card-head">
        <button
          type="button"
          class="quiet"
          id={toggleId(id)}
          aria-expanded={isOpen}
          onClick={turn}
          {...(onKeyDown && { onKeyDown })}
        >
          <strong>{title}</strong> {says && <span class="says">{says}</span>}
        </button>
        {tools}
      </div>
      {more}
      {issues.map((issue) => (
        <p key={issue.path + issue.message} class="fault">
          {issueInWords(issue)}
        </p>
      ))}
      {isOpen && (
        <fieldset id={formId(id)} class={mayChange ? 'form own' : 'form own read'} disabled={!mayChange}>
          <legend class="unseen">{title}</legend>
          {children}
        </fieldset>
      )}
    </div>
  )
}
