// Two people saved at once: what only the other version contains, what only mine contains, and the choice between them.

import { ConflictNotice } from '../../parts/conflict.tsx'
import { colon, comma } from '../../words.ts'
import { words } from './editor-words.ts'
import type { DraftText, StoredDraft } from './history.ts'
import { typeName } from './property-words.ts'
import { sourceIn } from './source.ts'
import { listRows } from './tree.ts'
import type { TemplateDraft } from './use-draft.ts'

export function Conflict({ draft, theirs }: { draft: TemplateDraft; theirs: StoredDraft }) {
  return <ConflictNotice words={words} draft={draft} mine={toLines(draft.written)} theirs={toLines(theirs)} />
}

/** Each node with all of its own on a line. */
function toLines({ subject, previewText, content }: DraftText): string[] {
  const source = sourceIn(content)
  const nodes = source
    ? source.source.split('\n')
    : listRows(content).map(({ node: { type, children: _, ...own } }) => {
        const said = Object.entries(own).map(([name, value]) =>
          name === 'text' ? String(value) : `${name} ${JSON.stringify(value)}`,
        )
        return `${typeName(type)}${colon}${said.join(comma)}`
      })
  return [`${words.subject}${colon}${subject}`, `${words.previewText}${colon}${previewText}`, ...nodes]
}
