// Rewrites a caller's HTML: parses it into a tree, keeps what a mail may contain (allowed.ts), and writes one complete document. Every byte
// of the result is written by us; rewriting the result gives the same.

import type { Issue } from '../../../../kit/error.ts'
import { type HtmlDocument, type HtmlElement, type HtmlNode, isElement, parseHtml } from '../../../../kit/html-parse.ts'
import { closes, opens } from '../marks.ts'
import { isFontSheet, isMeta, isSwitch, standingOf, voidElements } from './allowed.ts'
import { LeftOut } from './left-out.ts'
import { outlookComment, styleElement } from './outlook.ts'
import { escapeText, escapeValue, openTag, type Words, type Writing } from './tags.ts'
import { plainUrl, safeLink, safePicture } from './urls.ts'

export function rewriteHtml(html: string): Rewritten {
  const document = parseHtml(html.toWellFormed())
  if ('fault' in document) return document
  const writing: Writing = { words: asGiven, leftOut: new LeftOut(), styles: new Map() }
  const written = writeDocument(document, writing)
  return { html: written.join(''), leftOut: writing.leftOut.issues() }
}

const address = (url: string | null) => (url === null ? null : escapeValue(url))
const asGiven: Words = {
  text: escapeText,
  value: escapeValue,
  link: (given) => address(safeLink(given)),
  picture: (given) => address(safePicture(given)),
}

/** Clients choose their layout mode by it; a missing one is not added, because mails are designed for that mode too. */
function writeDoctype({ doctype }: HtmlDocument): string {
  if (doctype === null) return ''
  if (!/transitional/i.test(doctype.publicId)) return '<!doctype html>'
  return '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'
}

/** In three parts, so that something can be put at the beginning and at the end of the body. */
export function writeDocument(document: HtmlDocument, writing: Writing): [before: string, body: string, after: string] {
  const { root } = document
  const body = root.children.findIndex((child) => isElement(child) && child.name !== 'head')
  const parts = root.children.map((child, index) => {
    if (typeof child === 'string' || index === body) return ''
    return 'comment' in child ? outlookComment(child.comment, writing) : writeHead(child, writing)
  })
  const [opened, inside] = writeBody(root.children[body], writing)
  const lines = (some: string[]) => some.filter((line) => line !== '').join('\n')
  const before = [writeDoctype(document), openTag('html', root, writing), ...parts.slice(0, body), opened]
  return [lines(before), inside, `${lines(['</body>', ...parts.slice(body + 1), '</html>'])}\n`]
}

function writeHead(head: HtmlElement, writing: Writing): string {
  const lines = head.children.map((child) => headLine(child, writing)).filter((line) => line !== '')
  // The mail says its charset too; this is for who saves it.
  return ['<head>', '<meta charset="utf-8">', ...lines, '</head>'].join('\n')
}

function headLine(node: HtmlNode, writing: Writing): string {
  if (typeof node === 'string') return writing.words.text(node).trim()
  if ('comment' in node) return outlookComment(node.comment, writing)
  const { name, attributes } = node
  if (name === 'title') return `<title>${writing.words.text(textContent(node))}</title>`
  if (name === 'style') return styleElement(textContent(node), node.attributes['media'], writing)
  if (name === 'meta') return writeMeta(attributes, writing)
  if (name === 'link' && /^stylesheet$/i.test(attributes['rel'] ?? '') && isFontSheet(attributes['href'] ?? ''))
    return writeFontLink(attributes['href'] ?? '', writing)
  if (name === 'noscript') return node.children.map((child) => headLine(child, writing)).join('')
  writing.leftOut.note('The element', `<${name}>`)
  return ''
}

function writeFontLink(url: string, { untracked }: Writing): string {
  untracked?.(url)
  return `<link rel="stylesheet" href="${escapeValue(url)}">`
}

const metaKnownElsewhere = /^(?:content-type|content-language|x-ua-compatible)$/i

function writeMeta(attributes: HtmlElement['attributes'], { leftOut }: Writing): string {
  const { name = '', content = '', charset } = attributes
  const equivalent = attributes['http-equiv'] ?? ''
  if (charset !== undefined || metaKnownElsewhere.test(equivalent)) return ''
  if (isMeta(name.toLowerCase()) && equivalent === '') {
    const value = content === '' ? '' : ` content="${escapeValue(content)}"`
    return `<meta name="${name.toLowerCase()}"${value}>`
  }
  leftOut.note('The element', `<meta ${equivalent || name}>`)
  return ''
}

function textContent({ children }: HtmlElement): string {
  return children.map((child) => (typeof child === 'string' ? child : '')).join('')
}

function writeBody(body: HtmlNode | undefined, writing: Writing): [opened: string, inside: string] {
  if (body === undefined || !isElement(body)) return ['<body>', '']
  const opened = openTag('body', body, writing)
  const out: string[] = []
  for (const child of body.children) writeNode(child, writing, out)
  // What stands behind its end is read as within it.
  return [opened, out.join('').trimEnd()]
}

function writeNode(node: HtmlNode, writing: Writing, out: string[]): void {
  if (typeof node === 'string') out.push(writing.words.text(node))
  else if ('comment' in node) out.push(outlookComment(node.comment, writing))
  else if (node.name === 'style' && !node.isForeign)
    out.push(styleElement(textContent(node), node.attributes['media'], writing))
  else writeElement(node, writing, out)
}

function writeElement(element: HtmlElement, writing: Writing, out: string[]): void {
  const { name, children, attributes, isForeign } = element
  const isKnown = !isForeign && isSwitch(element)
  const standing = isKnown ? { as: name } : isForeign ? 'with its content' : standingOf(name, false)
  if (typeof standing === 'string') {
    writing.leftOut.note('The element', standing === 'with its content' ? `<${name}>` : `<${name}>, ${standing},`)
    if (standing === 'with its content') return
  }
  const tag = typeof standing === 'object' ? openTag(standing.as, element, writing) : ''
  // Without an address there is nothing to show.
  if (name === 'img' && attributes['src'] !== undefined && !tag.includes(' src="')) return
  if ('data-notrack' in attributes) writing.untracked?.(plainUrl(attributes['href'] ?? ''))
  const place = writing.places?.(element)
  if (place !== undefined) out.push(opens(place))
  out.push(tag)
  // The first line break in it is not read.
  if (name === 'pre' && typeof children[0] === 'string' && children[0].startsWith('\n')) out.push('\n')
  for (const child of children) writeNode(child, writing, out)
  if (typeof standing === 'object' && !voidElements.has(name)) out.push(`</${standing.as}>`)
  if (place !== undefined) out.push(closes)
}

/** `leftOut`: what of it is not sent, as warnings. `fault`: why it is not read at all. */
export type Rewritten = { html: string; leftOut: Issue[] } | { fault: string }
