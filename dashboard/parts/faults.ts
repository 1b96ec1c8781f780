// Shows the errors of a form at the fields they are about: the field is marked, described by its error, and focused.

import type { Issue } from '../api.ts'

interface Marked {
  /** Whether each has a field of its own. */
  isWhole: boolean
  undo: () => void
}

/** A field is found by its name, which is the path of the API's, or of the list that is typed into it. */
export function markFaults(form: HTMLFormElement, issues: Issue[]): Marked {
  const marks = issues.flatMap(({ path, message }) => {
    const field = form.elements.namedItem(path) ?? form.elements.namedItem(path.replace(/\.\d+$/, ''))
    if (path === '' || !(field instanceof HTMLElement)) return []
    field.closest('details')?.setAttribute('open', '')
    const says = document.createElement('span')
    Object.assign(says, { id: `fault-${path}`, className: 'fault', textContent: message })
    says.setAttribute('role', 'alert')
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', says.id)
    field.after(says)
    return [{ field, says }]
  })
  marks[0]?.field.focus()
  const undo = () => {
    for (const { field, says } of marks) {
      says.remove()
      field.removeAttribute('aria-invalid')
      field.removeAttribute('aria-describedby')
    }
  }
  return { isWhole: issues.length > 0 && marks.length === issues.length, undo }
}
