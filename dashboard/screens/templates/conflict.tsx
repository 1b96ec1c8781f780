// Two people saved at once: what only the other version contains, what only mine contains, and the choice between them.

import { useAct, WhyNot } from '../../parts/act.tsx'
import { words } from './editor-words.ts'
import type { DraftText, StoredDraft } from './history.ts'
import { typeName } from './property-words.ts'
import { listRows } from './tree.ts'
import type { TemplateDraft } from './use-draft.ts'

export function Conflict({ draft, theirs }: { draft: TemplateDraft; theirs: StoredDraft }) {
  const act = useAct()
  const [mine, others] = [toLines(draft.written), toLines(theirs)]
  return (
    <div class="notice bad" role="alert">
      <p>
        <strong>{words.conflict}</strong>
      </p>
      <div class="two">
        <Only title={words.onlyTheirs} lines={without(others, mine)} />
        <Only title={words.onlyMine} lines={without(mine, others)} />
      </div>
      <div class="choices">
        <button type="button" onClick={draft.takeTheirs}>
          {words.takeTheirs}
        </button>
        <button
          type="button"
          disabled={act.isRunning}
          onClick={() => void act.run(async () => void (await draft.keepMine()))}
        >
          {words.keepMine}
        </button>
      </div>
      <WhyNot act={act} />
    </div>
  )
}

function Only({ title, lines }: { title: string; lines: string[] }) {
  return (
    <div>
      <strong>{title}</strong>
      <ul class="plain">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length === 0 && <li class="muted">–</li>}
      </ul>
    </div>
  )
}

/** Each node with all of its own on a line. */
function toLines({ subject, previewText, content }: DraftText): string[] {
  const nodes = listRows(content).map(({ node: { type, children: _, ...own } }) => {
    const said = Object.entries(own).map(([name, value]) =>
      name === 'text' ? String(value) : `${name} ${JSON.stringify(value)}`,
    )
    return `${typeName(type)}: ${said.join(', ')}`
  })
  return [`${words.subject}: ${subject}`, `${words.previewText}: ${previewText}`, ...nodes]
}

/** Each line as often as it is more often in the one. */
function without(lines: string[], others: string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
