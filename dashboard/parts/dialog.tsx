// A window over the screen: the browser's own, so Escape closes it and the focus goes back to where it was.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  title: string
  close: () => void
  /** A drawer comes from the side, as high as the window. */
  look?: 'drawer'
  children: ComponentChildren
}

export function Dialog({ title, close, look, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    // Nothing else takes the focus while the window is there, so it is given back once that is gone, unless something has it by then.
    return () =>
      queueMicrotask(() => {
        if (before instanceof HTMLElement && document.activeElement === document.body) before.focus()
      })
  }, [])
  return (
    <dialog
      ref={dialog}
      class={look}
      aria-label={title}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
      // What is sent in it is its own, also where it stands within another form.
      onSubmit={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // At once: the browser's event comes a moment later, and would close the next dialog that a key has opened by then.
        event.preventDefault()
        close()
      }}
    >
      <div class="dialog">{children}</div>
    </dialog>
  )
}
