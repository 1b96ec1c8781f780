// Parses untrusted HTML into the tree that a browser would build: parse5 follows the standard. It takes linear time except for endless
// nesting and for elements that must be reopened again and again; both are an error here.

import { type DefaultTreeAdapterTypes, defaultTreeAdapter, type html, parse, type TreeAdapter } from 'parse5'

export interface HtmlElement {
  /** In lower case; in SVG and MathML as it is spelled there. */
  name: string
  /** Without a prototype: a name of a stranger finds nothing else. */
  attributes: Record<string, string>
  children: HtmlNode[]
  /** SVG or MathML, in which names mean something else. */
  isForeign: boolean
  /** Where it stands in the text, if that was asked for and it was written there. */
  at?: { from: number; to: number }
}
interface HtmlComment {
  comment: string
}
/** A string is text, with its entities resolved. */
export type HtmlNode = HtmlElement | HtmlComment | string

export interface HtmlDocument {
  /** Its public and system id; null where none was written. */
  doctype: { publicId: string; systemId: string } | null
  /** `html`, with a `head` and a `body`: the standard adds what was left out. */
  root: HtmlElement
}

/** Those of the mails that people send are below 100. */
export const maxHtmlDepth = 512

/** Never throws for its input. `fault`: what about it is not read, for its author. */
export function parseHtml(text: string, { places = false } = {}): HtmlDocument | { fault: string } {
  try {
    const document = parse(text, {
      treeAdapter: boundedAdapter(text.length),
      scriptingEnabled: false,
      sourceCodeLocationInfo: places,
    })
    return toDocument(document)
  } catch (error) {
    if (error instanceof TooMuch) return { fault: error.message }
    throw error
  }
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return typeof node === 'object' && 'name' in node
}

class TooMuch extends Error {}

const tooDeep = `has elements inside each other, more than ${maxHtmlDepth} deep`
/** Each of its own takes three characters at least, and may imply three others. */
const maxElements = (chars: number) => 1_000 + 1.5 * chars

type Adapter = TreeAdapter<DefaultTreeAdapterTypes.DefaultTreeAdapterMap>

function boundedAdapter(chars: number): Adapter {
  let depth = 0
  let elements = 0
  return {
    ...defaultTreeAdapter,
    createElement(name: string, namespace: html.NS, attributes) {
      if (++elements > maxElements(chars))
        throw new TooMuch('opens elements that are never closed, which have to be opened again in each that follows')
      return defaultTreeAdapter.createElement(name, namespace, attributes)
    },
    onItemPush() {
      if (++depth > maxHtmlDepth) throw new TooMuch(tooDeep)
    },
    onItemPop() {
      depth--
    },
  }
}

function toDocument(document: DefaultTreeAdapterTypes.Document): HtmlDocument {
  let doctype: HtmlDocument['doctype'] = null
  let root: HtmlElement | null = null
  for (const child of document.childNodes) {
    if (child.nodeName === '#documentType' && 'publicId' in child)
      doctype = { publicId: child.publicId, systemId: child.systemId }
    else if ('tagName' in child) root = toTree(child)
  }
  if (root === null) throw new Error('a document without an element')
  return { doctype, root }
}

/** Without recursion, for elements that were nested wrongly may have ended deeper than they were open. */
function toTree(whole: DefaultTreeAdapterTypes.Element): HtmlElement {
  const root = toElement(whole)
  const open = [{ from: whole, to: root, depth: 0 }]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { from, to, depth } = one
    if (depth > maxHtmlDepth) throw new TooMuch(tooDeep)
    for (const child of isTemplate(from) ? from.content.childNodes : from.childNodes) {
      if ('value' in child) to.children.push(child.value)
      else if ('data' in child) to.children.push({ comment: child.data })
      else if ('tagName' in child) {
        const element = toElement(child)
        to.children.push(element)
        open.push({ from: child, to: element, depth: depth + 1 })
      }
    }
  }
  return root
}

/** What it holds stands beside its children. */
function isTemplate(element: DefaultTreeAdapterTypes.Element): element is DefaultTreeAdapterTypes.Template {
  return 'content' in element
}

const htmlNamespace = 'http://www.w3.org/1999/xhtml'

function toElement({ tagName, attrs, namespaceURI, sourceCodeLocation }: DefaultTreeAdapterTypes.Element): HtmlElement {
  const attributes: Record<string, string> = Object.create(null)
  for (const { name, value } of attrs) attributes[name] = value
  const element = { name: tagName, attributes, children: [], isForeign: namespaceURI !== htmlNamespace }
  if (!sourceCodeLocation) return element
  return { ...element, at: { from: sourceCodeLocation.startOffset, to: sourceCodeLocation.endOffset } }
}
