// A text of a mail as runs of letters that look alike, and back to what is stored. A text that would be written otherwise than it stands
// there has no runs: it is edited as it is.

import { type Inline, parseInline } from '../../src/features/content/rendering/inline.ts'

export type Format = 'plain' | 'markdown'

/** Line breaks and placeholders are in its text. */
export interface Run {
  text: string
  strong: boolean
  em: boolean
  href: string | null
}

/** Which of several ways to write the same was used: `**` or `__`, what is in what, which letters are escaped. */
export type Style = number

export const placeholders = /(\{\{[^{}]*\}\})/

/** Longer ones are edited as they are: what they look like is found out anew with each letter. */
const mostChars = 20_000

const unmarked = { strong: false, em: false, href: null }
const levels = [
  ['href', 'strong', 'em'],
  ['href', 'em', 'strong'],
  ['strong', 'em', 'href'],
  ['em', 'strong', 'href'],
  ['strong', 'href', 'em'],
  ['em', 'href', 'strong'],
] as const
const escapes = [/(?!)/g, /[*_\\]/g, /[*_\\[\]]/g, /[*_\\[\]()]/g]
const styles = escapes.flatMap((escaped) =>
  ['**', '__'].flatMap((strong) => ['*', '_'].flatMap((em) => levels.map((order) => ({ strong, em, order, escaped })))),
)

export function plainRuns(text: string): Run[] {
  return text === '' ? [] : [{ text, ...unmarked }]
}

/** Null where no style writes the same text. */
export function readMarkdown(text: string): { runs: Run[]; style: Style } | null {
  if (text.length > mostChars) return null
  const runs = merged(flat(parseInline(text), unmarked))
  const style = styles.findIndex((one) => write(runs, one) === text)
  return style < 0 ? null : { runs, style }
}

/** In that style if it can be, else in another. Null where markdown cannot say it. */
export function writeMarkdown(runs: Run[], style: Style = 0): string | null {
  const wanted = withoutEdges(merged(runs))
  const tried = new Set<string>()
  for (const one of [styles[style], ...styles]) {
    const text = one && write(wanted, one)
    if (text === undefined || tried.has(text)) continue
    tried.add(text)
    if (isSame(merged(flat(parseInline(text), unmarked)), wanted)) return text
  }
  return null
}

export const isUnmarked = (runs: Run[]) => runs.every(({ strong, em, href }) => !strong && !em && href === null)

export function textOf(runs: Run[]): string {
  return runs.map(({ text }) => text).join('')
}

function flat(inlines: Inline[], marks: Omit<Run, 'text'>): Run[] {
  return inlines.flatMap((inline): Run[] => {
    if (inline.kind === 'text') return [{ text: inline.text, ...marks }]
    if (inline.kind === 'break') return [{ text: '\n', ...marks }]
    if (inline.kind === 'link') return flat(inline.children, { ...marks, href: inline.href })
    return flat(inline.children, { ...marks, [inline.kind]: true })
  })
}

const looksLike = (one: Run, other: Run) =>
  one.strong === other.strong && one.em === other.em && one.href === other.href

function merged(runs: Run[]): Run[] {
  const out: Run[] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (run.text === '') continue
    if (last && looksLike(last, run)) out[out.length - 1] = { ...last, text: last.text + run.text }
    else out.push(run)
  }
  return out
}

function isSame(some: Run[], others: Run[]): boolean {
  return (
    some.length === others.length &&
    some.every((run, at) => {
      const other = others[at]
      return other !== undefined && run.text === other.text && looksLike(run, other)
    })
  )
}

/** Spaces at the beginning and end of what is bold or italic are neither: nobody sees it, and markdown does not know it. */
function withoutEdges(runs: Run[]): Run[] {
  return (['strong', 'em'] as const).reduce((now, mark) => merged(trimmed(trimmed(now, mark, 1), mark, -1)), runs)
}

function trimmed(runs: Run[], mark: 'strong' | 'em', way: 1 | -1): Run[] {
  const out: Run[] = []
  let isEdge = true
  for (const run of way === 1 ? runs : runs.toReversed()) {
    if (!run[mark]) {
      isEdge = true
      out.push(run)
      continue
    }
    const rest = isEdge ? (way === 1 ? run.text.trimStart() : run.text.trimEnd()) : run.text
    const spaces = run.text.length - rest.length
    const edge = way === 1 ? run.text.slice(0, spaces) : run.text.slice(rest.length)
    if (edge !== '') out.push({ ...run, text: edge, [mark]: false })
    if (rest === '') continue
    isEdge = false
    out.push({ ...run, text: rest })
  }
  return way === 1 ? out : out.reverse()
}

type Writing = (typeof styles)[number]

function write(runs: Run[], style: Writing, depth = 0): string {
  const mark = style.order[depth]
  if (mark === undefined) return runs.map(({ text }) => escapedIn(text, style.escaped)).join('')
  return groups(runs, mark)
    .map(([value, group]) => {
      const inside = write(group, style, depth + 1)
      if (value === null || value === false) return inside
      return mark === 'href' ? `[${inside}](${value})` : style[mark] + inside + style[mark]
    })
    .join('')
}

function groups(runs: Run[], mark: 'href' | 'strong' | 'em'): [string | boolean | null, Run[]][] {
  const out: [string | boolean | null, Run[]][] = []
  for (const run of runs) {
    const last = out.at(-1)
    if (last && last[0] === run[mark]) last[1].push(run)
    else out.push([run[mark], [run]])
  }
  return out
}

/** A placeholder is written as it is. */
function escapedIn(text: string, escaped: RegExp): string {
  return text
    .split(placeholders)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(escaped, '\\$&')))
    .join('')
}
