// What a page of the documentation does with script: search as one types, copies a block, fills in a key. Without it every page can be
// read, and the search is a page of the server.

import './site.css'
import { type Entry, findIn, queryWords } from '../../src/doors/ui/docs-search.ts'

const input = document.querySelector<HTMLInputElement>('#query')
const list = document.querySelector<HTMLElement>('#results')

/** Loaded when somebody first searches. */
let entries: Promise<Entry[]> | undefined

if (input && list) {
  input.placeholder = 'Search  ( / )'
  input.setAttribute('role', 'combobox')
  input.setAttribute('aria-controls', list.id)
  input.setAttribute('aria-expanded', 'false')
  input.addEventListener('focus', () => {
    entries ??= fetch('/docs/search.json').then((answer) => answer.json())
  })
  input.addEventListener('input', () => void show(input, list))
  input.addEventListener('blur', () => close(input, list))
  input.addEventListener('keydown', (event) => onKey(event, input, list))
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey
    if (event.key !== '/' || isTyping) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

async function show(input: HTMLInputElement, list: HTMLElement): Promise<void> {
  const query = input.value
  const found = findIn((await entries) ?? [], query)
  // Somebody typed on while the index was on its way.
  if (query !== input.value) return
  if (query.trim() === '') return close(input, list)
  list.replaceChildren(
    ...found.map(({ href, page, heading, sentence }, number) => {
      const item = element('li', { id: `found-${number}`, role: 'option', 'data-href': href })
      const title = element('b')
      title.append(heading)
      const text = element('p')
      text.append(...marked(sentence, queryWords(query)))
      const place = element('span', { class: 'muted' })
      place.append(heading === page ? '' : `  ${page}`)
      item.append(title, place, text)
      // Before the field loses the focus and the list with it.
      item.addEventListener('mousedown', (event) => {
        event.preventDefault()
        go(item)
      })
      return item
    }),
  )
  if (found.length === 0) {
    const none = element('li', { role: 'option', 'aria-disabled': 'true' })
    none.append('No page has all of these words.')
    list.append(none)
  }
  list.hidden = false
  input.setAttribute('aria-expanded', 'true')
  choose(input, list, 0)
}

function close(input: HTMLInputElement, list: HTMLElement): void {
  list.hidden = true
  input.setAttribute('aria-expanded', 'false')
  input.removeAttribute('aria-activedescendant')
}

function onKey(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const items = [...list.querySelectorAll<HTMLElement>('[data-href]')]
  const at = items.findIndex((item) => item.getAttribute('aria-selected') === 'true')
  if (event.key === 'Escape') {
    if (list.hidden) input.blur()
    close(input, list)
  } else if (list.hidden) return
  else if (event.key === 'ArrowDown') choose(input, list, (at + 1) % items.length)
  else if (event.key === 'ArrowUp') choose(input, list, (at - 1 + items.length) % items.length)
  else if (event.key === 'Enter') go(items[at])
  else return
  event.preventDefault()
}

function choose(input: HTMLInputElement, list: HTMLElement, at: number): void {
  for (const [number, item] of list.querySelectorAll('[data-href]').entries()) {
    item.setAttribute('aria-selected', String(number === at))
    if (number !== at) continue
    input.setAttribute('aria-activedescendant', item.id)
    item.scrollIntoView({ block: 'nearest' })
  }
}

function go(item: HTMLElement | undefined): void {
  const { href } = item?.dataset ?? {}
  if (href !== undefined) location.assign(href)
}

/** The words that were looked for stand out. */
function marked(text: string, words: string[]): (string | Node)[] {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu')
  return text.split(pattern).map((part, number) => {
    if (number % 2 === 0) return part
    const mark = element('mark')
    mark.append(part)
    return mark
  })
}

for (const block of document.querySelectorAll<HTMLElement>('.code[data-language="sh"]')) {
  const button = element('button', { type: 'button' })
  button.append('Copy')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
    button.textContent = 'Copied'
    setTimeout(() => button.replaceChildren('Copy'), 2_000)
  })
  block.append(button)
}

const keys = document.querySelectorAll<HTMLElement>('.key')
if (keys.length > 0) document.querySelector('article .code')?.before(ownKey())

/** A key that is typed here stands in all blocks of the page. It is stored nowhere. */
function ownKey(): HTMLElement {
  const label = element('label', { class: 'own-key' })
  const field = element('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: 'pqk_…' })
  const says = element('small')
  says.append('stands in the blocks below while this page is open, and is kept nowhere')
  field.addEventListener('input', () => {
    const key = field instanceof HTMLInputElement && field.value.trim() !== '' ? field.value.trim() : 'pqk_YOUR_KEY'
    for (const one of keys) one.textContent = key
  })
  label.append('Your API key', field, says)
  return label
}

/** Open where it has a column of its own. */
const contents = document.querySelector<HTMLDetailsElement>('.contents details')
const isWide = matchMedia('(width >= 75rem)')
const openWhereWide = () => {
  if (contents) contents.open = isWide.matches
}
isWide.addEventListener('change', openWhereWide)
openWhereWide()

function element(name: string, attributes: Record<string, string> = {}): HTMLElement {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}
