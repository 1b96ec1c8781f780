// Pictures that are dropped or pasted anywhere on the editor: the chosen picture is replaced, or a new one stands after what is chosen.

import { ownValue } from '../../../src/kit/own-value.ts'
import type { Picture } from '../../nouns.ts'
import { useDropAnywhere } from '../../parts/dropped.ts'
import { type Uploading, useUploading } from '../../parts/picture-upload.tsx'
import { inserted, newNode, nodeAt, placeFor, replaced, type TreeNode } from './tree.ts'
import type { TemplateDraft } from './use-draft.ts'

/** The property that describes what another one shows. */
const describedBy: Record<string, string> = { src: 'alt', logoUrl: 'logoAlt' }

const mailWidth = 600
const leastWidth = 12

/** A node that shows it in that property, with its description if it has one. */
export function withPicture(node: TreeNode, property: string, picture: Picture): TreeNode {
  const { url, alt } = picture
  const description = ownValue(describedBy, property)
  const said = { [property]: url, ...(description !== undefined && alt !== '' && { [description]: alt }) }
  return property === 'src' ? { ...sized(node, picture), ...said } : { ...node, ...said }
}

/** What was set for the picture before is not of this one; one with fewer pixels than a mail is wide is not blown up. */
function sized({ width: _, height: __, ...others }: TreeNode, { width }: Picture): TreeNode {
  return { ...others, type: others.type, ...(width < mailWidth && { width: Math.max(leastWidth, width) }) }
}

export function usePictures(draft: TemplateDraft): Uploading {
  const uploading = useUploading((picture) => show(draft, picture))
  useDropAnywhere(draft.isReadOnly ? null : uploading.take)
  return uploading
}

function show({ written, chosen, rearrange }: TemplateDraft, picture: Picture): void {
  const { content } = written
  const node = chosen && nodeAt(content, chosen)
  if (chosen && node?.type === 'image') {
    rearrange(replaced(content, chosen, withPicture(node, 'src', picture)), chosen)
    return
  }
  const shown = withPicture(newNode('image'), 'src', picture)
  const path = placeFor(content, chosen, shown)
  rearrange(inserted(content, path, shown), path)
}
