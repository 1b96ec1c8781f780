// The mail of a tree as it would be sent, where it is chosen from, edited in, and dragged.

import { MailFrame } from '../../../parts/mail-frame.tsx'
import { words as editorWords } from '../editor-words.ts'
import type { Preview } from '../owner.ts'
import { readPlace, replaced, toTreePath } from '../tree.ts'
import type { TemplateDraft } from '../use-draft.ts'
import { Tools } from './tools.tsx'
import type { Dragging } from './use-dragging.ts'
import type { InMail } from './use-in-mail.ts'
import { words } from './words.ts'

interface Props {
  preview: Preview
  draft: TemplateDraft
  inMail: InMail
  dragging: Dragging
  take: (files: File[]) => void
}

export function ShownTree({ preview, draft, inMail, dragging, take }: Props) {
  const { html, text, variables } = preview
  const { written, chosen, choose, change, isReadOnly } = draft
  const give = (files: File[], place: string | null) => {
    if (place !== null) choose(readPlace(place)?.path ?? null)
    take(files)
  }
  return (
    <MailFrame
      title={editorWords.preview}
      html={html}
      text={text}
      chosen={chosen && toTreePath(chosen)}
      choose={inMail.click}
      editing={{
        edit: inMail.edit,
        handle: isReadOnly ? null : words.drag,
        isDropPlace: dragging.isOfPage,
        send: inMail.send,
        hear: (message) => {
          dragging.hear(message)
          inMail.hear(message)
        },
        tools: (place) => (
          <Tools
            {...place}
            inMail={inMail}
            variables={variables}
            change={(node) => chosen && change({ content: replaced(written.content, chosen, node) })}
          />
        ),
      }}
      {...(!isReadOnly && { give })}
    />
  )
}
