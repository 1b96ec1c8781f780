// What is added to a mail, chosen by typing.

import { Choose } from '../../parts/choose.tsx'
import { words } from './editor-words.ts'
import { blockPieces, type Piece, piecesFor } from './pieces.ts'
import { firstText, inserted, placeFor } from './tree.ts'
import { useBlocks } from './use-blocks.ts'
import type { TemplateDraft } from './use-draft.ts'

/** Puts a new one behind what is chosen; what is written next is its first text. */
export function useAdd({ written, chosen, rearrange }: TemplateDraft, edit: () => void): (piece: Piece) => void {
  return ({ make }) => {
    const node = make()
    const path = placeFor(written.content, chosen, node)
    rearrange(inserted(written.content, path, node), [...path, ...firstText(node)])
    edit()
  }
}

interface Props {
  draft: TemplateDraft
  add: (piece: Piece) => void
  close: () => void
}

export function Add({ draft: { written, chosen }, add, close }: Props) {
  const pieces = [...piecesFor(written, chosen), ...blockPieces(useBlocks())]
  return (
    <Choose
      title={words.add}
      hint={words.addHint}
      nothing={words.addNothing}
      choicesFor={(typed) =>
        pieces.filter(({ says, is }) => `${says} ${is}`.toLowerCase().includes(typed.trim().toLowerCase()))
      }
      choose={(is) => {
        const piece = pieces.find((one) => one.is === is)
        if (piece) add(piece)
      }}
      close={close}
    />
  )
}
