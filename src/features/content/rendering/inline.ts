// The markdown of a text node: **strong**, *em*, [link](url), a line break, backslash to escape; nothing else.
// It is read from the template's own text. Placeholders pass through whole and are replaced later, so a value is never markdown.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'em'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }

type Delimiter = '**' | '__' | '*' | '_'

const placeholder = /\{\{[^{}]*\}\}/y
const link = /\[((?:\{\{[^{}]*\}\}|[^[\]\n{]|\{(?!\{)){1,500})\]\(((?:\{\{[^{}]*\}\}|[^()\s{]|\{(?!\{)){1,2000})\)/y
const plainRun = /[^*_[\\\n{]+/y
const wordCharacter = /[\p{L}\p{N}]/u

/** Linear in the length of `text`: at most one opening of each delimiter waits at a time. */
export function parseInline(text: string): Inline[] {
  return parse(text, true)
}

/** Text with line breaks only: the `plain` format. */
export function plainInline(text: string): Inline[] {
  return text.split('\n').flatMap((line, index): Inline[] => {
    const words: Inline[] = line === '' ? [] : [{ kind: 'text', text: line }]
    return index === 0 ? words : [{ kind: 'break' }, ...words]
  })
}

/** Every link address in the text, in order. */
export function linkTargets(inlines: Inline[]): string[] {
  return inlines.flatMap((inline) => {
    if (inline.kind === 'link') return [inline.href]
    return 'children' in inline ? linkTargets(inline.children) : []
  })
}

interface Opening {
  delimiter: Delimiter
  at: number
}

function parse(text: string, links: boolean): Inline[] {
  const out: Inline[] = []
  const open: Opening[] = []
  let position = 0
  while (position < text.length) {
    const mark = delimiterAt(text, position)
    if (mark === null) {
      const step = literalAt(text, position) ?? (links ? linkAt(text, position) : null)
      out.push(step?.inline ?? { kind: 'text', text: text[position] ?? '' })
      position += step?.length ?? 1
      continue
    }
    const before = text[position - 1] ?? ' '
    const after = text[position + mark.length] ?? ' '
    if (!close(out, open, mark, before, after)) {
      if (opens(mark, before, after) && !open.some((opening) => opening.delimiter === mark)) {
        open.push({ delimiter: mark, at: out.length })
      }
      out.push({ kind: 'text', text: mark })
    }
    position += mark.length
  }
  return mergeText(out)
}

function literalAt(text: string, position: number): { inline: Inline; length: number } | null {
  const whole = (matchAt(plainRun, text, position) ?? matchAt(placeholder, text, position))?.[0]
  if (whole !== undefined) return { inline: { kind: 'text', text: whole }, length: whole.length }
  if (text[position] === '\n') return { inline: { kind: 'break' }, length: 1 }
  const escaped = text[position + 1]
  if (text[position] === '\\' && escaped !== undefined && '\\*_[]()'.includes(escaped)) {
    return { inline: { kind: 'text', text: escaped }, length: 2 }
  }
  return null
}

function linkAt(text: string, position: number): { inline: Inline; length: number } | null {
  if (text[position] !== '[') return null
  const match = matchAt(link, text, position)
  if (!match) return null
  const [whole, label = '', href = ''] = match
  return { inline: { kind: 'link', href, children: parse(label, false) }, length: whole.length }
}

/** Wraps what stands since the matching opening; false when this mark closes nothing. */
function close(out: Inline[], open: Opening[], mark: Delimiter, before: string, after: string): boolean {
  const index = open.findIndex((opening) => opening.delimiter === mark)
  const opening = open[index]
  if (!opening || /\s/.test(before) || opening.at === out.length - 1) return false
  if (mark.startsWith('_') && wordCharacter.test(after)) return false
  open.length = index
  const children = out.splice(opening.at + 1)
  out.pop()
  out.push({ kind: mark.length === 2 ? 'strong' : 'em', children: mergeText(children) })
  return true
}

function opens(mark: Delimiter, before: string, after: string): boolean {
  return !/\s/.test(after) && !(mark.startsWith('_') && wordCharacter.test(before))
}

function mergeText(inlines: Inline[]): Inline[] {
  const merged: Inline[] = []
  for (const inline of inlines) {
    const last = merged.at(-1)
    if (inline.kind === 'text' && last?.kind === 'text')
      merged[merged.length - 1] = { kind: 'text', text: last.text + inline.text }
    else merged.push(inline)
  }
  return merged
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(text)
}

function delimiterAt(text: string, position: number): Delimiter | null {
  const char = text[position]
  if (char !== '*' && char !== '_') return null
  if (text[position + 1] !== char) return char
  return char === '*' ? '**' : '__'
}

/** The words of a text that may be Markdown. */
export function parseInlines({ text, format }: { text: string; format?: string }): Inline[] {
  return format === 'markdown' ? parseInline(text) : plainInline(text)
}
