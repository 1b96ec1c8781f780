// What can be said of the HTML of a finished mail, without its tree and without asking any other host: what clients make of it, its
// links and pictures, text that is hard to read. Places are those of elements: `a[2]`, `img[0].src`.

import type { Issue } from '../lib/error.ts'
import { htmlText } from '../mail/html-text.ts'
import { maxHtmlBytes } from '../rendering/compile.ts'
import { type ClientGap, clientGaps, pictureFault } from './client-support.ts'
import { contrastFaults } from './contrast.ts'
import { type Finding, finding } from './finding.ts'
import { once, sizeFault } from './inspect.ts'
import { linkFault, type MailLink } from './links.ts'

/** Looking at more would keep others waiting; no client shows it whole. */
const maxInspectedChars = 500_000
const maxLinks = 500

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
  const { written, faults } = html === null ? { written: urlsIn(text), faults: [] } : elementsOf(looked)
  const links = written.slice(0, maxLinks).map(linked)
  const issues = [
    ...links.flatMap(({ issues }) => issues),
    ...faults,
    ...contrastFaults(looked).map((issue) => ({ ...issue, path: 'html' })),
    ...sizeFault(htmlBytes, 'html'),
  ]
  return {
    findings: once(issues).map(finding),
    links: links.map(({ link }) => link),
    clientGaps: clientGaps(looked),
    htmlBytes,
    isClipped: htmlBytes > maxHtmlBytes,
  }
}

interface Written {
  path: string
  text: string
  href: string
}

function linked({ path, text, href }: Written): { link: MailLink; issues: Issue[] } {
  const fault = linkFault(href)
  const link = { path, text, href, problems: fault ? [fault.code] : [] }
  return { link, issues: fault ? [{ path, ...fault }] : [] }
}

const urlPattern = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g

function urlsIn(text: string): Written[] {
  return [...text.slice(0, maxInspectedChars).matchAll(urlPattern)].map(([href], number) => ({
    path: `text[${number}]`,
    text: href,
    href,
  }))
}

function elementsOf(html: string): { written: Written[]; faults: Issue[] } {
  const written: Written[] = []
  const faults: Issue[] = []
  let pictures = 0
  const say = (words: string) => {
    const link = written.at(-1)
    if (link) link.text += words
  }
  new HTMLRewriter()
    .on('a[href]', {
      element: (a) =>
        void written.push({ path: `a[${written.length}]`, text: '', href: htmlText(a.getAttribute('href') ?? '') }),
      text: (chunk) => say(chunk.text),
    })
    .on('a[href] img', { element: (img) => say(img.getAttribute('alt') ?? '') })
    .on('img', { element: (img) => void faults.push(...pictureFaults(img, `img[${pictures++}]`)) })
    .transform(html)
  return { written: written.map((link) => ({ ...link, text: htmlText(link.text) })), faults }
}

function pictureFaults(img: HTMLRewriterTypes.Element, path: string): Issue[] {
  const src = htmlText(img.getAttribute('src') ?? '')
  const faults = pictureFault(src, `${path}.src`)
  if (/^http:/i.test(src)) {
    const message = `${src.slice(0, 100)} is not https: some clients do not show it, and anybody on the way can change it.`
    faults.push({ path: `${path}.src`, code: 'insecure_picture', message })
  }
  if (img.getAttribute('alt') !== null) return faults
  return [...faults, { path: `${path}.alt`, code: 'missing_alt', message: 'The picture is not described.' }]
}
