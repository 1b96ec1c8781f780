// The components, to be dragged into the mail; a click puts one behind what is chosen.

import { typeName } from '../property-words.ts'
import { forms, mayAdd, newNode } from '../tree.ts'
import type { TemplateDraft } from '../use-draft.ts'
import type { Dragging } from './use-dragging.ts'
import { words } from './words.ts'

interface Props {
  draft: TemplateDraft
  dragging: Dragging
  add: (type: string) => void
}

/** Where there is room beside the mail. */
const isWide = () => window.matchMedia('(width >= 48rem)').matches

export function Palette({ draft: { written, chosen }, dragging, add }: Props) {
  const types = forms.filter(({ type }) => type !== 'block' && mayAdd(written.content, chosen, type))
  return (
    <details class="palette" open={isWide()}>
      <summary>{words.palette}</summary>
      <div class="choices">
        {types.map(({ type }) => (
          <button
            key={type}
            type="button"
            draggable
            onDragStart={(event) => dragging.start(newNode(type), event)}
            onDragEnd={dragging.end}
            onClick={() => add(type)}
          >
            {typeName(type)}
          </button>
        ))}
      </div>
    </details>
  )
}
