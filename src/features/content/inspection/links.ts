// The links of a mail: where each leads with the values filled in, and what is wrong with it.

import type { Issue } from '../../../kit/error.ts'
import { isSafeUrl } from '../../../kit/safe-url.ts'
import { fill, lookUp, type Values } from '../rendering/fill.ts'
import { type Inline, parseInline } from '../rendering/inline.ts'
import { isBranch, type Node } from '../rendering/nodes.ts'
import { placeholderName, splitPlaceholders } from '../rendering/placeholders.ts'
import { createSlots } from '../rendering/segments.ts'

/** More is cut off by some clients and by what tracks clicks. */
const maxComfortableChars = 2_000

export interface MailLink {
  /** `content[2].href`, or of the text in which it stands. */
  path: string
  /** What is clicked; of a picture its alternative text. */
  text: string
  /** As it is sent; empty where it is sent as plain text, or leads nowhere. */
  href: string
  /** Codes of the findings about it. */
  problems: string[]
}

interface LinkText {
  path: string
  text: string
  href: string
}

/** Every link that the tree has, in its order. `missing`: variables without a value, which are a finding of their own. */
export function listLinks(content: Node[], values: Values, missing: string[]): { links: MailLink[]; faults: Issue[] } {
  const faults: Issue[] = []
  const slots = createSlots()
  const textOf = (text: string, values: Values) =>
    text.includes('{{') ? fill(slots.segments(slots.plain(text)), values) : text
  const written = withExamples(content, values).flatMap(({ node, path, values }) =>
    ownLinks(node, path).map((link) => ({ ...link, values })),
  )
  const links = written.map(({ path, text, href, values }) => {
    const shown = textOf(href, values).trim()
    const fault = usesAny(href, missing) ? null : linkFault(shown)
    if (fault) faults.push({ path, ...fault })
    const sent = fill(slots.segments(slots.link(href, 'plain')), values)
    return { path, text: textOf(text, values), href: sent, problems: fault ? [fault.code] : [] }
  })
  return { links, faults }
}

interface Placed {
  node: Node
  path: string
  values: Values
}

/** Each node with what fills it: in an `each`, the first thing of its list. Where that is empty it shows none of them. */
function withExamples(nodes: Node[], values: Values, path = 'content'): Placed[] {
  return nodes.flatMap((node, index): Placed[] => {
    const at = `${path}[${index}]`
    const inside = node.type === 'each' ? exampleOf(node, values) : values
    const children = isBranch(node) ? (node.children ?? []) : []
    const below = withExamples(children, inside ?? values, `${at}.children`)
    const isElse = ({ path }: Placed) =>
      children.some(({ type }, n) => type === 'else' && path.startsWith(`${at}.children[${n}]`))
    return [{ node, path: at, values }, ...(inside === null ? below.filter(isElse) : below)]
  })
}

function exampleOf(node: Extract<Node, { type: 'each' }>, values: Values): Values | null {
  const items = lookUp(values, placeholderName(node.itemsVariable))
  const [first]: unknown[] = Array.isArray(items) ? items : []
  return first === undefined ? null : { ...values, [node.as ?? 'item']: first }
}

/** What can be said of an address without asking anybody. */
export function linkFault(url: string): Omit<Issue, 'path'> | null {
  if (url === '' || url === '#') return { code: 'missing_href', message: 'The link leads nowhere.' }
  const begun = url.slice(0, 100)
  if (!isSafeUrl(url.replaceAll(' ', '%20'))) {
    if (!/^[a-z][a-z0-9+.-]*:/i.test(url))
      return {
        code: 'invalid_href',
        message: `${begun} is no full address; the link is sent as plain text or leads nowhere.`,
      }
    return { code: 'unsafe_href', message: `${begun} is not http, https, mailto or tel; the link leads nowhere.` }
  }
  if (url.length > maxComfortableChars)
    return {
      code: 'long_href',
      message: `The address has ${url.length} characters; some clients cut it at ${maxComfortableChars}.`,
    }
  if (/^http:/i.test(url))
    return { code: 'insecure_href', message: `${begun} is not https: anybody on the way can read and change it.` }
  return null
}

function ownLinks(node: Node, path: string): LinkText[] {
  const own =
    'href' in node && node.href !== undefined ? [{ path: `${path}.href`, text: toLabel(node), href: node.href }] : []
  if (node.type === 'text') return node.format === 'markdown' ? inText(parseInline(node.text), `${path}.text`) : []
  if (node.type !== 'list') return own
  return node.items.flatMap((item, index) =>
    typeof item === 'string' || Array.isArray(item) ? [] : ownLinks(item, `${path}.items[${index}]`),
  )
}

function toLabel(node: Node): string {
  if ('text' in node && node.text !== undefined) return node.text
  if ('alt' in node && node.alt !== undefined) return node.alt
  return 'logoAlt' in node && node.logoAlt !== undefined ? node.logoAlt : ''
}

function inText(inlines: Inline[], path: string): LinkText[] {
  return inlines.flatMap((inline) => {
    if (inline.kind === 'link') return [{ path, text: toWords(inline.children), href: inline.href }]
    return 'children' in inline ? inText(inline.children, path) : []
  })
}

function toWords(inlines: Inline[]): string {
  return inlines
    .map((inline) => ('children' in inline ? toWords(inline.children) : inline.kind === 'text' ? inline.text : ' '))
    .join('')
}

function usesAny(text: string, names: string[]): boolean {
  return splitPlaceholders(text).some((part) => typeof part !== 'string' && names.includes(part.name))
}
