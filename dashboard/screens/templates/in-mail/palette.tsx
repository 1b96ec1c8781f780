// The components, to be dragged into the mail; a click puts one behind what is chosen.

import { type Piece, piecesFor } from '../pieces.ts'
import type { TemplateDraft } from '../use-draft.ts'
import type { Dragging } from './use-dragging.ts'
import { words } from './words.ts'

interface Props {
  draft: TemplateDraft
  dragging: Dragging
  add: (piece: Piece) => void
}

/** Where there is room beside the mail. */
const isWide = () => window.matchMedia('(width >= 48rem)').matches

export function Palette({ draft: { written, chosen }, dragging, add }: Props) {
  return (
    <details class="palette" open={isWide()}>
      <summary>{words.palette}</summary>
      <div class="choices">
        {piecesFor(written, chosen).map((piece) => (
          <button
            key={piece.is}
            type="button"
            draggable
            onDragStart={(event) => dragging.start(piece.make(), event)}
            onDragEnd={dragging.end}
            onClick={() => add(piece)}
          >
            {piece.says}
          </button>
        ))}
      </div>
    </details>
  )
}
