// Words of a mail as text: lines of at most 76 characters, addresses written out. A placeholder counts as a word of fixed length; what
// its value does to the line is left to the reader's client.

import type { TextPage } from './component.ts'
import { hasTarget } from './html-copy.ts'
import type { Inline } from './inline.ts'

const lineWidth = 76
const slotWidth = 12
const marker = /\x00\d+\x00/g

export function inlineText(inlines: Inline[], page: TextPage): string {
  return inlines
    .map((inline) => {
      if (inline.kind === 'text') return page.slots.plain(inline.text)
      if (inline.kind === 'break') return '\n'
      const inside = inlineText(inline.children, page)
      return inline.kind === 'link' ? linkText(page, inside, inline.href) : inside
    })
    .join('')
}

export function linkText(page: TextPage, label: string, href: string | undefined): string {
  if (!hasTarget(href)) return label
  const url = page.slots.link(href, 'plain')
  return label === url || `mailto:${label}` === url ? label : `${label} (${url})`
}

/** Breaks at spaces only, so an address is never cut; following lines are indented. */
export function wrap(text: string, indent = ''): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, indent))
    .join(`\n${indent}`)
}

function wrapLine(line: string, indent: string): string {
  const lines: string[] = []
  let current = ''
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`
    if (current !== '' && shownWidth(longer) > lineWidth) {
      lines.push(current)
      current = indent + word
    } else current = longer
  }
  return [...lines, current].join('\n')
}

function shownWidth(text: string): number {
  return text.replace(marker, 'x'.repeat(slotWidth)).length
}
