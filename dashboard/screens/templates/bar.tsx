// Bold, italic and links in a text: around what is marked in its field.

import { words } from './editor-words.ts'

const marks = { bold: ['**', '**'], italic: ['*', '*'], link: ['[', '](https://)'] } as const

/** `of`: the id of the field. */
export function Bar({ of, set }: { of: string; set: (text: string) => void }) {
  const wrap = ([before, after]: readonly [string, string]) => {
    const field = document.getElementById(of)
    if (!(field instanceof HTMLTextAreaElement)) return
    const { selectionStart: from, selectionEnd: to } = field
    field.setRangeText(before + field.value.slice(from, to) + after, from, to, 'end')
    if (from === to) field.selectionEnd -= after.length
    field.focus()
    set(field.value)
  }
  return (
    <div class="choices">
      {(['bold', 'italic', 'link'] as const).map((name) => (
        <button key={name} type="button" onClick={() => wrap(marks[name])}>
          {words[name]}
        </button>
      ))}
    </div>
  )
}
