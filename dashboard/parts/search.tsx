// A search field whose text stands in the address: `/` goes there, Enter searches.

import { useRef } from 'preact/hooks'
import { useShortcuts } from '../keys.ts'
import { inLanguage } from '../words.ts'

const words = inLanguage(catalogue.parts.search)

interface Props {
  label: string
  hint?: string
  /** What was searched for. */
  text: string
  search: (text: string) => void
}

export function Search({ label, hint, text, search }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useShortcuts([{ keys: '/', says: words.search, run: () => input.current?.focus() }])
  return (
    <search>
      <form
        class="filter"
        onSubmit={(event) => {
          event.preventDefault()
          search(input.current?.value.trim() ?? '')
        }}
      >
        <label>
          {label}
          <input ref={input} type="search" value={text} placeholder={hint} />
        </label>
        <button type="submit">{words.search}</button>
      </form>
    </search>
  )
}
