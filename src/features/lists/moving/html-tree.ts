// Converts the HTML of another service's template to a component tree. An element without a faithful counterpart is a problem, and a
// template with a problem is not converted. Differences in looks (colours, fonts) are reported, and the look of the workspace replaces
// them.

import { type HtmlElement, isElement, parseHtml } from '../../../kit/html-parse.ts'
import type { Node } from '../../content/rendering/nodes.ts'

export interface Conversion {
  nodes: Node[]
  /** Why it cannot be converted. */
  problems: string[]
  /** What was not taken over, though the rest was. */
  notes: string[]
}

const boxes = new Set([
  '',
  'html',
  'body',
  'div',
  'center',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'table',
  'tbody',
  'thead',
  'tfoot',
  'tr',
  'td',
  'th',
  'blockquote',
])
const inlines = new Set([
  'a',
  'b',
  'strong',
  'i',
  'em',
  'br',
  'span',
  'font',
  'small',
  'u',
  'code',
  'wbr',
  'label',
  'sup',
  'sub',
])
const silent = new Set(['meta', 'link', 'base', 'col', 'colgroup'])
const maxProblems = 20

/** `words` maps the placeholders of a text to ours, or says which one is not known. */
export function treeOfHtml(html: string, words: (text: string) => { text: string; unknown: string[] }): Conversion {
  const problems = new Set<string>()
  const notes = new Set<string>()
  const document = parseHtml(html)
  if ('fault' in document) return { nodes: [], problems: [`it ${document.fault}`], notes: [] }
  const [head, body] = document.root.children.filter(isElement)
  const unreadInHead = new Set(head?.children.filter(isElement).map(({ name }) => name))
  const unreadInBody = new Set<string>()
  const shown = body && readable(body, unreadInBody)
  if (unreadInBody.has('script')) problems.add('it holds a script')
  if (unreadInHead.has('script')) notes.add('its script is not converted')
  if (unreadInHead.has('style') || unreadInBody.has('style')) notes.add('its style sheet is not converted')
  const say = (text: string) => {
    const { text: ours, unknown } = words(text)
    for (const one of unknown) problems.add(`${one} has no counterpart`)
    return ours
  }
  const context: Context = { say, problems, notes, isInline: rememberInline() }
  const nodes = shown === undefined ? [] : toBlocks(shown, context)
  if (nodes.length === 0 && problems.size === 0) problems.add('it holds no text')
  return { nodes, problems: [...problems].slice(0, maxProblems), notes: [...notes] }
}

interface Context {
  say(text: string): string
  /** A link around a block is a block. */
  isInline(element: Element): boolean
  problems: Set<string>
  notes: Set<string>
}

/** What is read of it: no comments, and no elements whose content is no text. */
interface Element {
  name: string
  attributes: Record<string, string>
  children: (Element | string)[]
}

const unread = new Set(['style', 'script', 'title', 'template'])

function readable({ name, attributes, children }: HtmlElement, found: Set<string>): Element {
  const shown: Element['children'] = []
  for (const child of children) {
    if (typeof child === 'string') shown.push(child)
    else if (!isElement(child)) continue
    else if (unread.has(child.name)) found.add(child.name)
    else shown.push(readable(child, found))
  }
  return { name, attributes, children: shown }
}

function toBlocks(element: Element, context: Context): Node[] {
  const nodes: Node[] = []
  let run: (Element | string)[] = []
  const endRun = () => {
    nodes.push(...paragraph(run, context))
    run = []
  }
  noteLook(element, context)
  for (const child of element.children) {
    if (typeof child === 'string' || context.isInline(child)) {
      run.push(child)
      continue
    }
    endRun()
    nodes.push(...toBlock(child, context))
  }
  endRun()
  return nodes
}

/** Each element is looked at once, however often its outer ones are asked about. */
function rememberInline(): Context['isInline'] {
  const known = new Map<Element, boolean>()
  const isInline = (element: Element): boolean => {
    const found = known.get(element) ?? isInlineItself(element, isInline)
    known.set(element, found)
    return found
  }
  return isInline
}

function isInlineItself(element: Element, isInline: Context['isInline']): boolean {
  const { name, attributes, children } = element
  if (!inlines.has(name) || (name === 'a' && looksLikeButton(attributes))) return false
  return children.every((child) => typeof child === 'string' || isInline(child))
}

function looksLikeButton({ class: className = '', style = '' }: Record<string, string>): boolean {
  return /\b(btn|button)/i.test(className) || /background(-color)?\s*:/i.test(style)
}

function toBlock(element: Element, context: Context): Node[] {
  const { name, children } = element
  if (/^h[1-6]$/.test(name)) {
    noteLook(element, context)
    const text = toPlainText(children, context)
    return text === '' ? [] : [{ type: 'heading', text, level: Math.min(3, Number(name[1])) }]
  }
  if (name === 'img') return toImage(element, null, context)
  if (name === 'hr') return [{ type: 'section', divider: 'top' }]
  if (name === 'ul' || name === 'ol') return toList(element, context)
  if (name === 'a') return linkBlock(element, context)
  if (name === 'p') return toBlocks(element, context)
  if (name === 'tr' && toCells(element) > 1) context.problems.add('it sets cells of a table side by side')
  if (boxes.has(name) || inlines.has(name)) return toBlocks(element, context)
  if (silent.has(name)) return []
  context.problems.add(`it holds <${name}>`)
  return []
}

const toCells = ({ children }: Element) =>
  children.filter(
    (child) => typeof child !== 'string' && (child.name === 'td' || child.name === 'th') && hasContent(child),
  ).length

function hasContent({ children }: Element): boolean {
  return children.some((child) =>
    typeof child === 'string' ? child.trim() !== '' : child.name === 'img' || hasContent(child),
  )
}

function linkBlock(element: Element, context: Context): Node[] {
  const { attributes, children } = element
  const [only, ...others] = children.filter((child) => typeof child !== 'string' || child.trim() !== '')
  if (only !== undefined && typeof only !== 'string' && only.name === 'img' && others.length === 0)
    return toImage(only, attributes['href'] ?? null, context)
  const text = toPlainText(children, context)
  if (!looksLikeButton(attributes) || text === '') return toBlocks({ ...element, name: 'div' }, context)
  noteLook(element, context)
  return [{ type: 'button', text, href: context.say(attributes['href'] ?? '') }]
}

function toImage({ attributes }: Element, href: string | null, context: Context): Node[] {
  const { src = '', alt = '', width = '', height = '' } = attributes
  // A picture of one pixel counts opens.
  if (width === '1' || height === '1') {
    context.notes.add('its pixel that counts opens is left out')
    return []
  }
  if (!/^https?:\/\//i.test(src)) {
    context.problems.add(`it shows a picture from ${JSON.stringify(src.slice(0, 80))}, which is no address on the web`)
    return []
  }
  const size = /^\d{2,3}$/.test(width) && Number(width) >= 12 && Number(width) <= 600 ? { width: Number(width) } : {}
  return [{ type: 'image', src, alt: context.say(alt), ...size, ...(href ? { href: context.say(href) } : {}) }]
}

function toList({ name, children }: Element, context: Context): Node[] {
  const items: Extract<Node, { type: 'text' }>[] = []
  for (const child of children) {
    if (typeof child === 'string') continue
    if (
      child.name !== 'li' ||
      !child.children.every((one) => typeof one === 'string' || context.isInline(one) || one.name === 'p')
    )
      context.problems.add('it holds a list with more in it than text')
    else {
      const text = toMarkdown(child.children, context).trim()
      if (text !== '') items.push({ type: 'text', text, format: 'markdown' })
    }
  }
  return items.length === 0 ? [] : [{ type: 'list', items, ...(name === 'ol' ? { ordered: true } : {}) }]
}

function paragraph(run: (Element | string)[], context: Context): Node[] {
  const text = toMarkdown(run, context)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()
  return text === '' ? [] : [{ type: 'text', text, format: 'markdown' }]
}

/** The words alone, for headings and buttons. */
function toPlainText(children: (Element | string)[], context: Context): string {
  const words = (child: Element | string): string =>
    typeof child === 'string' ? child : child.name === 'br' ? ' ' : child.children.map(words).join('')
  return context.say(children.map(words).join('').replace(/\s+/g, ' ').trim())
}

function toMarkdown(children: (Element | string)[], context: Context): string {
  return children
    .map((child) =>
      typeof child === 'string' ? escaped(context.say(child.replace(/\s+/g, ' '))) : toInline(child, context),
    )
    .join('')
}

function toInline(element: Element, context: Context): string {
  const { name, attributes, children } = element
  if (name === 'br') return '\n'
  noteLook(element, context)
  const inner = toMarkdown(children, context)
  const words = inner.trim()
  if (words === '') return inner
  const [before = '', behind = ''] = [inner.slice(0, inner.indexOf(words)), inner.slice(inner.trimEnd().length)]
  if (name === 'b' || name === 'strong') return `${before}**${words}**${behind}`
  if (name === 'i' || name === 'em') return `${before}*${words}*${behind}`
  if (name === 'a' && attributes['href']) {
    const href = context
      .say(attributes['href'].trim())
      .replaceAll(' ', '%20')
      .replaceAll('(', '%28')
      .replaceAll(')', '%29')
    return `${before}[${words}](${href})${behind}`
  }
  if (name === 'u' || name === 'code' || name === 'small' || name === 'sup' || name === 'sub')
    context.notes.add(`the look of <${name}> is not converted`)
  return inner
}

/** Outside of placeholders. */
function escaped(text: string): string {
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\*_[\]]/g, '\\$&')))
    .join('')
}

function noteLook({ attributes }: Element, { notes }: Context): void {
  if (attributes['style'] || attributes['bgcolor'] || attributes['color'] || attributes['align'])
    notes.add('its own colours, fonts and spacing are not converted')
}
