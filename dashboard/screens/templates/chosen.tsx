// What is said of the mail as a whole, and of the chosen component: their fields, and what is done to it.

import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Issue } from '../../api.ts'
import { Copy } from '../../parts/copy.tsx'
import { words } from './editor-words.ts'
import { describeFault } from './faults.tsx'
import { Properties } from './properties.tsx'
import { nodeAt, readPlace, replaced, toTreePath } from './tree.ts'
import type { TemplateDraft } from './use-draft.ts'

interface SubjectProps extends Pick<ChosenProps, 'draft' | 'issues' | 'fault'> {}

export function Subject({ draft: { written, change, isReadOnly }, issues, fault }: SubjectProps) {
  const place = useRef<HTMLDivElement>(null)
  useFocus(place, fault)
  return (
    <div ref={place}>
      {(['subject', 'previewText'] as const).map((name) => (
        <label key={name} class="field">
          {words[name]}
          <input
            name={name}
            value={written[name]}
            readOnly={isReadOnly}
            maxLength={500}
            aria-invalid={issues.some(({ path }) => path === name)}
            onInput={(event) => change({ [name]: event.currentTarget.value }, name)}
          />
        </label>
      ))}
    </div>
  )
}

/** Goes to the field that was refused last, where it is here. */
function useFocus(place: { current: HTMLElement | null }, fault: ChosenProps['fault']): void {
  useLayoutEffect(() => {
    if (fault) place.current?.querySelector<HTMLElement>(`[name="${CSS.escape(fault.property)}"]`)?.focus()
  }, [fault])
}

interface ChosenProps {
  draft: TemplateDraft
  issues: Issue[]
  focusRound: number
  /** The field that was refused last. */
  fault: { property: string } | null
}

export function Chosen({ draft, issues, focusRound, fault }: ChosenProps) {
  const { written, chosen, marked, change, copy, isReadOnly } = draft
  const node = chosen && nodeAt(written.content, chosen)
  const place = useRef<HTMLDivElement>(null)
  // Whoever is asked to edit is in the first field; whoever only chooses stays where they are.
  useLayoutEffect(() => {
    if (focusRound > 0) place.current?.querySelector<HTMLElement>('textarea, input, select')?.focus()
  }, [focusRound])
  useFocus(place, fault)
  if (!chosen || !node) return <p class="muted">{words.choose}</p>
  const here = toTreePath(chosen)
  const faults = issues.flatMap(({ path, message }): [string, string][] => {
    const place = readPlace(path)
    return place && toTreePath(place.path) === here
      ? [[place.property, describeFault(node, place.property, message)]]
      : []
  })
  return (
    <div ref={place}>
      {marked.length > 1 ? (
        <p>{words.marked(marked.length)}</p>
      ) : (
        <Properties
          key={`${here} ${node.type}`}
          node={node}
          faults={new Map(faults)}
          isReadOnly={isReadOnly}
          change={(next, property) =>
            change({ content: replaced(written.content, chosen, next) }, `${here} ${property}`)
          }
        />
      )}
      <div class="choices">
        <Copy text={copy()} label={words.copy} />
        {!isReadOnly && <Acts draft={draft} />}
      </div>
    </div>
  )
}

/** What is done to what is chosen. */
function Acts({ draft: { move, remove, duplicate } }: { draft: TemplateDraft }) {
  const acts: [does: () => unknown, says: string][] = [
    [() => move('up'), words.moveUp],
    [() => move('down'), words.moveDown],
    [duplicate, words.duplicate],
    [remove, words.remove],
  ]
  return (
    <>
      {acts.map(([does, says]) => (
        <button key={says} type="button" onClick={() => does()}>
          {says}
        </button>
      ))}
    </>
  )
}
