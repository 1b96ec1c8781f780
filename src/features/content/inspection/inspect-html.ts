// Inspects the HTML of a finished mail, without its component tree and without requests to other hosts: client support, links, images, text
// that is hard to read. Places in it are elements: `a[2]`, `img[0].src`.

import type { Issue } from '../../../kit/error.ts'
import { type HtmlElement, parseHtml } from '../../../kit/html-parse.ts'
import { maxHtmlBytes } from '../rendering/compile.ts'
import { type ClientGap, clientGaps, pictureFault } from './client-support.ts'
import { contrastIn } from './contrast.ts'
import { type Finding, finding, once, sizeFault } from './finding.ts'
import { linkFault, type MailLink } from './links.ts'

/** Looking at more would keep others waiting; no client shows it whole. */
export const maxInspectedChars = 500_000
const maxLinks = 500
const maxPictures = 500

export interface HtmlInspection {
  findings: Finding[]
  links: MailLink[]
  clientGaps: ClientGap[]
  htmlBytes: number
  isClipped: boolean
}

/** A mail of text alone has only links. */
export function inspectHtml(html: string | null, text: string): HtmlInspection {
  const htmlBytes = Buffer.byteLength(html ?? '')
  const looked = (html ?? '').slice(0, maxInspectedChars)
  const { written, faults } = html === null ? { written: urlsIn(text), faults: [] } : findElements(looked)
  const links = written.map(linked)
  const issues = [...links.flatMap(({ issues }) => issues), ...faults, ...sizeFault(htmlBytes, 'html')]
  return {
    findings: once(issues).map(finding),
    links: links.map(({ link }) => link),
    clientGaps: clientGaps(looked),
    htmlBytes,
    isClipped: htmlBytes > maxHtmlBytes,
  }
}

interface LinkElement {
  path: string
  text: string
  href: string
}

function linked({ path, text, href }: LinkElement): { link: MailLink; issues: Issue[] } {
  const fault = linkFault(href)
  const link = { path, text, href, problems: fault ? [fault.code] : [] }
  return { link, issues: fault ? [{ path, ...fault }] : [] }
}

const urlPattern = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g

function urlsIn(text: string): LinkElement[] {
  const urls = text.slice(0, maxInspectedChars).matchAll(urlPattern).take(maxLinks)
  return [...urls].map(([href], number) => ({ path: `text[${number}]`, text: href, href }))
}

function findElements(html: string): { written: LinkElement[]; faults: Issue[] } {
  const document = parseHtml(html)
  if ('fault' in document) return { written: [], faults: [unread(document.fault)] }
  const links: { href: string; words: string[] }[] = []
  const faults: Issue[] = []
  let pictures = 0
  const walk = ({ name, attributes, children }: HtmlElement, outer: string[] | null) => {
    const isLink = name === 'a' && attributes['href'] !== undefined && links.length < maxLinks
    const link = isLink ? { href: attributes['href'] ?? '', words: [] } : null
    if (link) links.push(link)
    const words: string[] | null = link?.words ?? outer
    if (name === 'img') words?.push(attributes['alt'] ?? '')
    if (name === 'img' && pictures < maxPictures) faults.push(...pictureFaults(attributes, `img[${pictures++}]`))
    for (const child of children) {
      if (typeof child === 'string') words?.push(child)
      else if ('name' in child) walk(child, words)
    }
  }
  walk(document.root, null)
  const faint = contrastIn(document.root).map((issue) => ({ ...issue, path: 'html' }))
  const written = links.map(({ href, words }, number) => ({ path: `a[${number}]`, text: toWords(words), href }))
  return { written, faults: [...faults, ...faint] }
}

function toWords(parts: string[]): string {
  return parts.join('').replace(/\s+/g, ' ').trim()
}

function unread(fault: string): Issue {
  return { path: 'html', code: 'unreadable_html', message: `It was not checked, because it ${fault}.` }
}

function pictureFaults({ src = '', alt }: Record<string, string>, path: string): Issue[] {
  const faults = pictureFault(src, `${path}.src`)
  if (/^http:/i.test(src)) {
    const message = `${src.slice(0, 100)} is not https: some clients do not show it, and anybody on the way can change it.`
    faults.push({ path: `${path}.src`, code: 'insecure_picture', message })
  }
  if (alt !== undefined) return faults
  return [...faults, { path: `${path}.alt`, code: 'missing_alt', message: 'The picture is not described.' }]
}
