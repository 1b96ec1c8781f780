// Why the mail is not saved, or cannot be shown: which component, which of its fields, and what is wrong with it.

import type { Issue } from '../../api.ts'
import type { Act } from '../../parts/act.tsx'
import { colon } from '../../words.ts'
import { words } from './editor-words.ts'
import { propertyName, typeName } from './property-words.ts'
import { nodeAt, readPlace, type TreeNode } from './tree.ts'
import type { TemplateDraft } from './use-draft.ts'

/** Says that the input is kept and why it is not stored, in the screen's own texts; errors about the whole mail in the server's. */
export function NotSaved({ act, draft }: { act: Act; draft: TemplateDraft }) {
  if (act.error === null) return null
  const isOfFields = act.issues.some(({ path }) => isField(path))
  return (
    <div class="notice bad" role="alert">
      <strong>{words.notSaved}</strong>
      {isOfFields ? <Faults issues={act.issues} draft={draft} /> : <p>{act.error}</p>}
    </div>
  )
}

export function NotShown({ issues, draft }: { issues: Issue[]; draft: TemplateDraft }) {
  if (issues.length === 0) return null
  return (
    <div class="notice bad" role="alert">
      <strong>{words.notShown}</strong>
      <Faults issues={issues} draft={draft} />
    </div>
  )
}

/** Which component, which of its fields, and what is wrong with it. */
function Faults({ issues, draft: { written, choose } }: { issues: Issue[]; draft: TemplateDraft }) {
  return (
    <ul class="plain">
      {issues.map(({ path, message }) => {
        const place = readPlace(path)
        const node = place && nodeAt(written.content, place.path)
        return (
          <li key={path + message}>
            {place && node ? (
              <>
                <button type="button" class="quiet" onClick={() => choose(place.path)}>
                  {typeName(node.type)}
                  {colon}
                  {propertyName(place.property)}
                </button>{' '}
                {describeFault(node, place.property, message)}
              </>
            ) : (
              <>
                {isHead(path) && `${words[path]}: `}
                {isHead(path) && written[path] === '' ? words.isMissing : message}
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const isHead = (path: string): path is 'subject' | 'previewText' => path === 'subject' || path === 'previewText'
const isField = (path: string) => isHead(path) || readPlace(path) !== null

/** An empty value is missing; everything else is checked by the server. */
export function describeFault(node: TreeNode, property: string, message: string): string {
  const value = node[property]
  return value === undefined || value === '' ? words.isMissing : message
}
