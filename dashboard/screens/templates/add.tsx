// What is added to a mail: a component, or a block by its name. Chosen by typing.

import { Choose } from '../../parts/choose.tsx'
import { words } from './editor-words.ts'
import { typeName } from './property-words.ts'
import { forms, inserted, mayAdd, newNode, placeFor } from './tree.ts'
import { useBlocks } from './use-blocks.ts'
import type { TemplateDraft } from './use-draft.ts'

/** Puts a new one behind what is chosen: a type, or `block` and which. */
export function useAdd({ written, chosen, rearrange }: TemplateDraft, edit: () => void): (is: string) => void {
  return (is) => {
    const [type = '', blockId] = is.split(' ')
    const node = newNode(type, blockId === undefined ? {} : { blockId })
    const path = placeFor(written.content, chosen, node)
    rearrange(inserted(written.content, path, node), path)
    edit()
  }
}

interface Props {
  draft: TemplateDraft
  add: (is: string) => void
  close: () => void
}

export function Add({ draft: { written, chosen }, add, close }: Props) {
  const components = forms.filter(({ type }) => type !== 'block' && mayAdd(written.content, chosen, type))
  const choices = [
    ...components.map(({ type }) => ({ says: typeName(type), is: type })),
    ...useBlocks().map(({ id, name }) => ({ says: `${typeName('block')}: ${name}`, is: `block ${id}` })),
  ]
  return (
    <Choose
      title={words.add}
      hint={words.addHint}
      nothing={words.addNothing}
      choicesFor={(typed) =>
        choices.filter(({ says, is }) => `${says} ${is}`.toLowerCase().includes(typed.trim().toLowerCase()))
      }
      choose={add}
      close={close}
    />
  )
}
