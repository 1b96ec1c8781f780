// The source of a mail beside the mail: a click in the one shows its place in the other.

import { useRef, useState } from 'preact/hooks'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { LeftOut } from './bring.tsx'
import { CodeField } from './code-field.tsx'
import { words as editorWords } from './editor-words.ts'
import type { Preview } from './owner.ts'
import { markAt, placedIn, readSourcePlace, type Source, type SourcePlace, withSource } from './source.ts'
import { words } from './source-words.ts'
import type { TemplateDraft } from './use-draft.ts'

interface Props {
  source: Source
  preview: Preview | null
  draft: TemplateDraft
}

/** What is typed after such a pause is a step of its own. */
const pauseMs = 1_000

export function SourceEditor({ source: written, preview, draft: { change, isReadOnly } }: Props) {
  const { kind, source, footer } = written
  const [caret, setCaret] = useState(0)
  const [shown, setShown] = useState<SourcePlace | null>(null)
  const step = useRef({ number: 0, at: 0 })
  const type = (source: string) => {
    const now = Date.now()
    const number = step.current.number + (now - step.current.at > pauseMs ? 1 : 0)
    step.current = { number, at: now }
    change({ content: withSource({ ...written, source }) }, `source ${number}`)
  }
  const leftOut = preview?.warnings.filter(isOfSource) ?? []
  return (
    <div class="source">
      <div>
        <CodeField
          text={source}
          label={words.sourceOf(kind.toUpperCase())}
          isReadOnly={isReadOnly}
          findings={placedIn(source, [...leftOut, ...(preview?.findings ?? [])])}
          shown={shown}
          typed={type}
          caret={setCaret}
        />
        <p class="muted">{words.places}</p>
        <label>
          <input
            type="checkbox"
            name="footer"
            checked={footer === 'own'}
            disabled={isReadOnly}
            onChange={({ currentTarget: { checked } }) =>
              change({ content: withSource({ kind, source, ...(checked && { footer: 'own' }) }) })
            }
          />{' '}
          {words.ownFooter}
        </label>
      </div>
      <div>
        {preview && (
          <MailFrame
            title={editorWords.preview}
            html={preview.html}
            text={preview.text}
            chosen={markAt(preview.html, caret)}
            choose={(mark) => setShown(readSourcePlace(mark))}
          />
        )}
        {preview && <LeftOut issues={leftOut} />}
      </div>
    </div>
  )
}

const isOfSource = ({ path }: { path: string }) => path === 'content.source'

/** That is said beside the mail. */
export function withoutLeftOut(preview: Preview): Preview {
  return { ...preview, findings: preview.findings.filter((one) => !isOfSource(one)) }
}
