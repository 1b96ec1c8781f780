// A mail that is HTML or MJML, as the editor holds it: a tree of one node of that type, which holds the source. So it is undone, kept, saved
// and compared like any other.

import type { TreeNode } from './tree.ts'

const kinds = ['html', 'mjml'] as const
export type SourceKind = (typeof kinds)[number]

export interface Source {
  kind: SourceKind
  source: string
  /** Of a campaign without an unsubscribe link it is refused; else it is given our footer. */
  footer?: 'own'
}

/** Null for a component tree. */
export function sourceIn([node]: TreeNode[]): Source | null {
  const kind = kinds.find((one) => one === node?.type)
  if (kind === undefined) return null
  return { kind, source: String(node?.['source'] ?? ''), ...(node?.['footer'] === 'own' && { footer: 'own' }) }
}

export function withSource({ kind, ...own }: Source): TreeNode[] {
  return [{ type: kind, ...own }]
}

/** As the API takes it. */
export function asContent(content: TreeNode[]): TreeNode[] | Source {
  return sourceIn(content) ?? content
}

/** As the API says it. Fields know one kind of line break. */
export function asNodes(content: unknown): TreeNode[] {
  if (Array.isArray(content)) return content
  const given = content as Source
  return withSource({ ...given, source: given.source.replaceAll('\r\n', '\n') })
}

export interface SourcePlace {
  from: number
  to: number
}

/** `content@120-180`, as the preview marks what it shows. */
export function readSourcePlace(mark: string): SourcePlace | null {
  const [, from, to] = /^content@(\d+)-(\d+)$/.exec(mark) ?? []
  return from === undefined ? null : { from: Number(from), to: Number(to) }
}

/** The mark of what is shown for a place in the source: the smallest part that it is in, else the last that begins before it. */
export function markAt(html: string, caret: number): string | null {
  const marks = [...html.matchAll(/<!--(content@\d+-\d+)-->/g)].flatMap(([, mark = '']) => {
    const place = readSourcePlace(mark)
    return place && place.from <= caret ? [{ mark, ...place }] : []
  })
  const around = marks.filter(({ to }) => caret < to).sort((one, other) => one.to - one.from - (other.to - other.from))
  return (around[0] ?? marks.sort((one, other) => one.from - other.from).at(-1))?.mark ?? null
}

interface Finding {
  path: string
  message: string
}

/** Findings with their places: as they name them, by their line, or by the element or placeholder that they speak of. */
export function placedIn(source: string, findings: Finding[]): (SourcePlace & { message: string })[] {
  return findings.flatMap(({ path, message }) => {
    const place = readSourcePlace(path) ?? placeOf(source, message)
    return place ? [{ ...place, message }] : []
  })
}

function placeOf(source: string, message: string): SourcePlace | null {
  const [, line] = /^Line (\d+)\b/.exec(message) ?? []
  if (line !== undefined) {
    const lines = source.split('\n')
    const from = lines.slice(0, Number(line) - 1).reduce((sum, { length }) => sum + length + 1, 0)
    return { from, to: from + (lines[Number(line) - 1]?.length ?? 0) }
  }
  const [named] = /<[a-z][\w:-]*|\{\{[^{}]*\}\}/i.exec(message) ?? []
  const from = named === undefined ? -1 : source.toLowerCase().indexOf(named.toLowerCase())
  return from < 0 || named === undefined ? null : { from, to: from + named.length }
}
