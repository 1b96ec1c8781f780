// An empty list: what would be in it, a button that creates the first entry, and how a program does so.

import type { ComponentChildren } from 'preact'
import { usePlace } from '../place.ts'
import { inLanguage } from '../words.ts'

const words = inLanguage(catalogue.parts.empty)

/** Where it leads to, or the name of the field on this screen that it is typed into. */
type Act = { says?: string; to: string } | { says?: string; field: string }

interface Props {
  says: ComponentChildren
  /** Null where nothing can be done about it: what stands here comes by itself. */
  act: Act | null
  /** The calls. */
  children?: ComponentChildren
}

export function Empty({ says, act, children }: Props) {
  const { workspace } = usePlace()
  return (
    <div class="empty">
      <p>{says}</p>
      {act !== null && workspace.role !== 'viewer' && <Do act={act} />}
      {children && (
        <details>
          <summary>{words.program}</summary>
          {children}
        </details>
      )}
    </div>
  )
}

function Do({ act }: { act: Act }) {
  const { to } = usePlace()
  const { says = words.first } = act
  if ('to' in act)
    return (
      <a class="button main" href={to(act.to)}>
        {says}
      </a>
    )
  const go = () => {
    const [field] = document.getElementsByName(act.field)
    field?.focus()
    if (field instanceof HTMLInputElement && field.type === 'file') field.click()
  }
  return (
    <button type="button" class="main" onClick={go}>
      {says}
    </button>
  )
}
