// Files that somebody drags onto something, or pastes there.

import { useEffect, useRef } from 'preact/hooks'
import { filesGiven, hasFiles } from '../files-given.ts'

type Take = (files: File[]) => void

/** The attributes of what files are dropped or pasted on. */
export function dropOn(take: Take) {
  const receive = (event: DragEvent | ClipboardEvent) => {
    const files = filesGiven(event)
    if (files.length === 0) return
    keep(event)
    take(files)
  }
  return { onDragOver: (event: DragEvent) => hasFiles(event) && keep(event), onDrop: receive, onPaste: receive }
}

/** For nobody else, the browser among them. */
function keep(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}

/** The same for all of a screen. Null: it takes none. */
export function useDropAnywhere(take: Take | null): void {
  const latest = useRef(take)
  latest.current = take
  const isTaking = take !== null
  useEffect(() => {
    if (!isTaking) return undefined
    const stop = new AbortController()
    const { signal } = stop
    const { onDragOver, onDrop, onPaste } = dropOn((files) => latest.current?.(files))
    const root = document.documentElement
    const end = () => root.classList.remove('dragging')
    window.addEventListener('dragenter', (event) => root.classList.toggle('dragging', hasFiles(event)), { signal })
    window.addEventListener('dragleave', (event) => event.relatedTarget === null && end(), { signal })
    window.addEventListener('drop', end, { signal, capture: true })
    window.addEventListener('dragover', onDragOver, { signal })
    window.addEventListener('drop', onDrop, { signal })
    window.addEventListener('paste', onPaste, { signal })
    return () => {
      stop.abort()
      end()
    }
  }, [isTaking])
}
