// The source of a mail beside the mail: a click in the one shows its place in the other.

import { useRef, useState } from 'preact/hooks'
import { MailFrame } from '../../parts/mail-frame.tsx'
import { LeftOut } from './bring.tsx'
import { words as editorWords } from './editor-words.ts'
import type { Preview } from './owner.ts'
import { markAt, readSourcePlace, type Source, withSource } from './source.ts'
import { words } from './source-words.ts'
import type { TemplateDraft } from './use-draft.ts'

interface Props {
  source: Source
  preview: Preview | null
  draft: TemplateDraft
}

const rows = 30

export function SourceEditor({ source: written, preview, draft: { change, isReadOnly } }: Props) {
  const { kind, source, footer } = written
  const field = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const goTo = (mark: string) => {
    const place = readSourcePlace(mark)
    if (!place || !field.current) return
    select(field.current, place)
    setCaret(place.from)
  }
  const follow = () => setCaret(field.current?.selectionStart ?? 0)
  return (
    <div class="source">
      <div>
        <label class="field">
          {words.sourceOf(kind.toUpperCase())}
          <textarea
            ref={field}
            class="code"
            name="source"
            rows={rows}
            wrap="off"
            spellcheck={false}
            autocapitalize="off"
            readOnly={isReadOnly}
            value={source}
            onInput={(event) => {
              change({ content: withSource({ ...written, source: event.currentTarget.value }) }, 'source')
              follow()
            }}
            onClick={follow}
            onKeyUp={follow}
          />
        </label>
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
            choose={goTo}
          />
        )}
        {preview && <LeftOut issues={preview.warnings.filter(isOfSource)} />}
      </div>
    </div>
  )
}

const isOfSource = ({ path }: { path: string }) => path === 'content.source'

/** That is said beside the mail. */
export function withoutLeftOut(preview: Preview): Preview {
  return { ...preview, findings: preview.findings.filter((one) => !isOfSource(one)) }
}

/** A field goes where its selection is only while it is written in, so the line is found by counting. */
function select(field: HTMLTextAreaElement, { from, to }: { from: number; to: number }): void {
  const line = field.value.slice(0, from).split('\n').length - 1
  field.focus({ preventScroll: true })
  field.setSelectionRange(from, to)
  field.scrollTop = Math.max(0, (line - rows / 3) * (field.scrollHeight / Math.max(1, field.value.split('\n').length)))
}
