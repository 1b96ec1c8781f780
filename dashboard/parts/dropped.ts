// Files that somebody drags onto something, or pastes there. What is dragged from within the page is no file and is left alone.

import { useEffect, useRef } from 'preact/hooks'

type Take = (files: File[]) => void

const hasFiles = (given: DataTransfer | null) => given?.types.includes('Files') === true

/** The attributes of what files are dropped or pasted on. */
export function dropOn(take: Take) {
  return {
    onDragOver: (event: DragEvent) => accept(event),
    onDrop: (event: DragEvent) => receive(event, event.dataTransfer, take),
    onPaste: (event: ClipboardEvent) => receive(event, event.clipboardData, take),
  }
}

function accept(event: DragEvent): void {
  if (!hasFiles(event.dataTransfer)) return
  event.preventDefault()
  event.stopPropagation()
}

/** Text that is copied with its picture, as from a document, is text. */
function receive(event: Event, given: DataTransfer | null, take: Take): void {
  const isText = event.type === 'paste' && given?.types.includes('text/plain')
  if (!given || !hasFiles(given) || isText) return
  event.preventDefault()
  event.stopPropagation()
  take([...given.files])
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
    // A frame would take what is dragged over it.
    const drag = (event: DragEvent) => root.classList.toggle('dragging', hasFiles(event.dataTransfer))
    const end = () => root.classList.remove('dragging')
    window.addEventListener('dragenter', drag, { signal })
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
