// Tags and texts as they are written into a mail: every value in quotes, everything escaped, each attribute once.

import type { HtmlElement } from '../../../../kit/html-parse.ts'
import { isNamespace, valueKindOf } from './allowed.ts'
import { writeDeclarations } from './css.ts'
import type { LeftOut } from './left-out.ts'

/** Writes what an author said, escaped for its place. */
export interface Words {
  text(text: string): string
  value(text: string): string
  /** Null for an address that no mail may have. */
  link(given: string): string | null
  picture(given: string): string | null
}

export interface Writing {
  words: Words
  leftOut: LeftOut
  /** Is told each address whose clicks are not counted: that of a style sheet, and of a link with `data-notrack`. */
  untracked?: (url: string) => void
  /** Where in the source an element stands; undefined for one that the mail does not say it of. */
  places?: (element: HtmlElement) => string | undefined
  /** A mail says the same styles again and again. */
  styles: Map<string, string>
}

const maxStyles = 2_000
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g
const escapes = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\u00a0', '&nbsp;'],
])

export function escapeText(text: string): string {
  return text.replace(controls, '').replace(/[&<>\u00a0]/g, (char) => escapes.get(char) ?? char)
}

export function escapeValue(text: string): string {
  return text.replace(controls, '').replace(/[&<>"\u00a0]/g, (char) => escapes.get(char) ?? char)
}

/** `as`: its name as it is written. */
export function openTag(
  as: string,
  { name, attributes }: Pick<HtmlElement, 'name' | 'attributes'>,
  writing: Writing,
): string {
  let out = `<${as}`
  for (const [attribute, given] of Object.entries(attributes)) {
    const value = writtenValue(attribute, given, writing)
    if (value === null) writing.leftOut.note('The attribute', `${attribute}${keptKinds(attribute, given)} of <${name}>`)
    else if (value !== '' || given === '') out += ` ${attribute}="${value}"`
  }
  return `${out}>`
}

/** For a URL the scheme is reported, because it was the reason. */
function keptKinds(attribute: string, given: string): string {
  return valueKindOf(attribute) === null ? '' : `="${given.trim().slice(0, 40)}"`
}

/** Escaped. Null for a removed attribute; empty for a style of which nothing is left, which was reported. */
function writtenValue(attribute: string, given: string, writing: Writing): string | null {
  const { words } = writing
  const kind = valueKindOf(attribute)
  if (kind === 'text') return words.value(given)
  if (kind === 'style') return escapeValue(writeStyle(given, writing))
  if (kind === 'link') return words.link(given)
  if (kind === 'picture') return words.picture(given)
  if (kind === 'target') return /^_(?:blank|self|top|parent)$/i.test(given) ? given : null
  if (kind === 'place') return /^#[\w.:-]{1,200}$/.test(given) ? given : null
  return kind === 'namespace' && isNamespace(given) ? given : null
}

function writeStyle(given: string, { leftOut, styles }: Writing): string {
  const known = styles.get(given)
  if (known !== undefined) return known
  const written = writeDeclarations(given, leftOut)
  if (styles.size < maxStyles) styles.set(given, written)
  return written
}
