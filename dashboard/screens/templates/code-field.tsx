// The source of a mail as a field with numbers of lines, colours and findings.

import { useEffect, useRef } from 'preact/hooks'
import { NotLoaded, usePart } from '../../screen.tsx'
import type { CodeEditor, CodeFinding } from './code-editor.ts'
import type { SourcePlace } from './source.ts'
import { codePhrases } from './source-words.ts'

interface Props {
  text: string
  label: string
  isReadOnly: boolean
  findings: CodeFinding[]
  /** What is to be shown, anew with each such object. */
  shown: SourcePlace | null
  typed: (text: string) => void
  caret: (at: number) => void
}

export function CodeField({ text, label, isReadOnly, findings, shown, typed, caret }: Props) {
  const part = usePart(() => import('./code-editor.ts'))
  const host = useRef<HTMLDivElement>(null)
  const code = useRef<CodeEditor | null>(null)
  const last = useRef({ typed, caret })
  last.current = { typed, caret }
  useEffect(() => {
    if (!part || !host.current) return undefined
    code.current = part.openCode({
      host: host.current,
      text,
      label,
      phrases: codePhrases,
      isReadOnly,
      typed: (text) => last.current.typed(text),
      caret: (at) => last.current.caret(at),
    })
    return () => code.current?.close()
  }, [part])
  useEffect(() => code.current?.set(text), [part, text])
  useEffect(() => code.current?.show(findings), [part, JSON.stringify(findings)])
  useEffect(() => {
    if (shown) code.current?.select(shown)
  }, [part, shown])
  return part === undefined ? <NotLoaded /> : <div ref={host} class="code-field" />
}
