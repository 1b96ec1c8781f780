// Writes what is sent of a mail that was brought as HTML, or as MJML that is compiled (compile-mjml.ts): parsed, kept to what a mail may contain (allowed.ts), with slots for its
// variables, and a text copy. It runs on the side thread, because the author of the source decides how long it takes.

import type { Issue } from '../../../../kit/error.ts'
import { parseHtml } from '../../../../kit/html-parse.ts'
import type { SourceContent, SourceKind } from '../content.ts'
import { createSlots } from '../segments.ts'
import { LeftOut } from './left-out.ts'
import { readPlaces } from './places.ts'
import { plainCopy } from './plain-copy.ts'
import { slottedWords } from './slotted.ts'
import { writeDocument } from './write.ts'

export interface Source {
  kind: SourceKind
  source: string
  footer: SourceContent['footer']
  /** What it is compiled to; of HTML itself. */
  html: string
  /** What the compiler did not understand. */
  issues: Issue[]
  /** The HTML says where in the source its parts stand (marks.ts). */
  marks: boolean
}

export type WrittenSource = SourceContent | { fault: string }

const maxDoubts = 20

export function writeSource({ kind, source, footer, html, issues, marks }: Source): WrittenSource {
  const document = parseHtml(html, { places: marks && kind === 'html' })
  if ('fault' in document) return document
  const slots = createSlots()
  const doubts = new Set<string>()
  const leftOut = new LeftOut()
  const untracked: string[] = []
  const places = marks ? readPlaces(document, kind) : new Map<never, string>()
  const copy = plainCopy(document, slots, html.length)
  const [before, body, after] = writeDocument(document, {
    words: slottedWords(slots, (faulty) => doubts.add(faulty)),
    leftOut,
    untracked: (url) => untracked.push(url),
    places: (element) => places.get(element),
    styles: new Map(),
  })
  return {
    kind,
    source,
    footer,
    html: { before: slots.segments(before), body: slots.segments(body), after: slots.segments(after) },
    text: slots.segments(copy),
    untracked,
    issues: [
      ...issues,
      ...leftOut.issues().map((issue) => ({ ...issue, path: 'content.source' })),
      ...[...doubts].slice(0, maxDoubts).map(doubtful),
    ],
  }
}

function doubtful(placeholder: string): Issue {
  const message = `${placeholder.slice(0, 80)} names no variable and is left out.`
  return { path: 'content.source', code: 'invalid_placeholder', message }
}
