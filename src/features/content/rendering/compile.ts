// Compiles a template's content once, to be filled often. `Compiled` is plain JSON. Raise `rendererVersion` when the output changes, so
// that cached results are compiled again.

import { sixDigits } from '../../../kit/colour.ts'
import { contentIdsIn } from '../../../kit/content-id.ts'
import type { Issue } from '../../../kit/error.ts'
import { textDirection } from '../../../kit/locale.ts'
import { type MailFont, mailFonts } from '../../../kit/mail-fonts.ts'
import { turn } from '../../../kit/turn.ts'
import type { Page, TextPage } from './component.ts'
import { componentOf } from './components.ts'
import { isConditional } from './conditional.ts'
import { type Content, isTree, type SourceContent } from './content.ts'
import { documentHtml, preheader } from './html-document.ts'
import { footerHtml, rowsHtml } from './html-layout.ts'
import { withoutMarks } from './marks.ts'
import { holdsLink, isBranch, type Node, nodePaths } from './nodes.ts'
import { faultyPlaceholders, splitPlaceholders, writePlaceholder } from './placeholders.ts'
import { createSlots, numberSlot, type Segment, type Slots } from './segments.ts'
import { blocksText, documentText } from './text.ts'
import { defaultAccent, groundOf } from './theme.ts'
import { describeVariable, isFilledByUs } from './variable-names.ts'
import { listUses, type VariableUse } from './variables.ts'

const rendererVersion = 6

/** Gmail cuts a mail behind this and hides the rest, the unsubscribe link with it. */
export const maxHtmlBytes = 102 * 1024

export interface Source {
  content: Content
  subject: string
  previewText?: string
  /** BCP 47: the mail's `lang`, its direction and the language of the few words we add. */
  locale: string
  /** A marketing mail always ends with a footer and its unsubscribe link. */
  kind: 'transactional' | 'marketing'
  brand?: Brand
  /** The HTML says which node made which part of it; withoutMarks() makes it a mail. */
  marks?: true
}

interface Brand {
  /** Colour of buttons and links, `#rgb` or `#rrggbb`. */
  accentColor?: string
  /** Logo of a header that names none. */
  logoUrl?: string
  darkLogoUrl?: string
  /** Colour of the page, which isGround(). */
  backgroundColor?: string
  fontFamily?: MailFont
  borderRadius?: number
}

export interface Compiled {
  version: number
  html: Segment[]
  text: Segment[]
  subject: Segment[]
  previewText: Segment[]
  uses: VariableUse[]
  /** URLs of nodes marked `notrack`. */
  untracked: string[]
  /** Content-IDs of pictures that the sender has to attach. */
  contentIds: string[]
  warnings: Issue[]
}

/** `content` must come from parseTree or writeSource. Compiling never fails; questionable content is reported in `warnings`. */
export function compileContent(source: Source): Compiled {
  const parts = compiling(source)
  for (;;) {
    const { done, value } = parts.next()
    if (done) return value
  }
}

/** The same; others have their turn between its parts, because the largest content takes longer than anybody should wait. */
export async function compileInTurns(source: Source): Promise<Compiled> {
  const parts = compiling(source)
  for (;;) {
    await turn()
    const { done, value } = parts.next()
    if (done) return value
  }
}

/** A subject by itself. */
export function compileSubject(subject: string): Segment[] {
  const slots = createSlots()
  return slots.segments(slots.header(subject))
}

function compiling(source: Source): Generator<undefined, Compiled> {
  const { content } = source
  return isTree(content) ? compilingTree({ ...source, content }) : compilingSource(source, content)
}

type TreeSource = Source & { content: Node[] }

function* compilingTree(source: TreeSource): Generator<undefined, Compiled> {
  const content = withFooter(source)
  const { previewText = '' } = source
  const slots = createSlots()
  const { page, textPage } = pagesOf(source, slots, lacksUnsubscribe(content))
  const html = slots.segments(documentHtml(content, page, { subject: source.subject, previewText }))
  yield
  const text = slots.segments(documentText(content, textPage))
  const words = compileWords(source)
  yield
  const contentIds = [...new Set(partsOf(html).flatMap(contentIdsIn))]
  const uses = listUses([...words.subject, ...words.previewText, ...html, ...text])
  const warnings = [...treeWarnings(source), ...findWarnings(source, { html, uses, contentIds })]
  const untracked = listUntracked(content)
  return { version: rendererVersion, html, text, ...words, uses, untracked, contentIds, warnings }
}

/** What was written when it was saved; a marketing mail without a way to leave is given our footer. */
function* compilingSource(source: Source, content: SourceContent): Generator<undefined, Compiled> {
  const { before, body, after } = content.html
  const slots = createSlots()
  const { page, textPage } = pagesOf(source, slots, true)
  const isGiven = source.kind === 'marketing' && !showsUnsubscribe(content)
  const top = slots.segments(preheader(page, source.previewText ?? ''))
  const foot = isGiven ? slots.segments(footerHtml(page)) : []
  const html = joined([...before, ...top, ...body, ...foot, ...after])
  yield
  const footText = isGiven ? slots.segments(`\n${documentText([{ type: 'footer' }], textPage)}`) : []
  const text = joined([...content.text, ...footText])
  const words = compileWords(source)
  const contentIds = contentIdsIn(writeSegments(html))
  const uses = listUses([...words.subject, ...words.previewText, ...html, ...text])
  const message = 'A campaign needs a visible unsubscribe link: a footer with one is put at the end.'
  const added = isGiven ? [{ path: 'content', code: 'unsubscribe_added', message }] : []
  const warnings = [...content.issues, ...added, ...findWarnings(source, { html, uses, contentIds })]
  const { untracked } = content
  return { version: rendererVersion, html, text, ...words, uses, untracked, contentIds, warnings }
}

/** In what a reader sees of it: its text has no more. */
export function showsUnsubscribe({ text }: SourceContent): boolean {
  return listUses(text).some(({ name }) => name === 'unsubscribe_url')
}

/** Strings that follow each other are one: what is looked for may stand across them. */
function joined(segments: Segment[]): Segment[] {
  const all: Segment[] = []
  for (const segment of segments) {
    const last = all.at(-1)
    if (typeof segment === 'string' && typeof last === 'string') all[all.length - 1] = last + segment
    else all.push(segment)
  }
  return all
}

function compileWords({ subject, previewText = '' }: Source): Pick<Compiled, 'subject' | 'previewText'> {
  const slots = createSlots()
  return { subject: slots.segments(slots.header(subject)), previewText: slots.segments(slots.header(previewText)) }
}

function pagesOf(source: Source, slots: Slots, keepsUnsubscribe: boolean): { page: Page; textPage: TextPage } {
  const mail = { slots, locale: source.locale, kind: source.kind, keepsUnsubscribe }
  const page: Page = {
    ...mail,
    direction: textDirection(source.locale),
    accent: sixDigits(source.brand?.accentColor ?? defaultAccent),
    logoUrl: source.brand?.logoUrl ?? null,
    darkLogoUrl: source.brand?.darkLogoUrl ?? null,
    font: mailFonts[source.brand?.fontFamily ?? 'system'],
    radius: source.brand?.borderRadius ?? null,
    ground: groundOf(source.brand?.backgroundColor),
    rows: (nodes, surface) => rowsHtml(nodes, page, surface),
    holdsLink,
    ...(source.marks && isTree(source.content) ? { paths: nodePaths(source.content) } : {}),
  }
  const textPage: TextPage = { ...mail, blocks: (nodes) => blocksText(nodes, textPage) }
  return { page, textPage }
}

/** The rendered parts as the API lists them, with every `{{variable}}` in place: a list shows its entry once, a condition is met. */
export function placeholders(compiled: Compiled): { htmlBody: string; textBody: string } {
  return { htmlBody: writeSegments(compiled.html), textBody: writeSegments(compiled.text) }
}

/** The text of all that the mail may show, each part that depends on a condition by itself. */
function partsOf(segments: Segment[]): string[] {
  const choices = segments.flatMap((segment): Segment[][] => {
    if (typeof segment === 'string' || !('when' in segment || 'each' in segment)) return []
    return 'each' in segment ? [segment.body] : [segment.there, segment.otherwise]
  })
  const own = segments.filter((segment) => typeof segment === 'string' || 'url' in segment)
  return [writeSegments(own), ...choices.flatMap(partsOf)]
}

function writeSegments(segments: Segment[]): string {
  return segments
    .map((segment): string => {
      if (typeof segment === 'string') return segment
      if ('url' in segment)
        return segment.into === 'attribute' ? Bun.escapeHTML(writeSegments(segment.url)) : writeSegments(segment.url)
      if ('each' in segment) return writeSegments(segment.body)
      if ('when' in segment) return writeSegments(segment.there) || writeSegments(segment.otherwise)
      if (segment.name === numberSlot) return '1'
      const inHtml = segment.escape === 'text' || segment.escape === 'attribute'
      return inHtml ? Bun.escapeHTML(writePlaceholder(segment)) : writePlaceholder(segment)
    })
    .join('')
}

function withFooter(source: TreeSource): Node[] {
  if (source.kind === 'transactional' || someShown(source.content, (node) => node.type === 'footer'))
    return source.content
  return [...source.content, { type: 'footer' }]
}

/** Whether no footer shows the unsubscribe link, and the author's text does not contain it, in the HTML and in the text. */
function lacksUnsubscribe(content: Node[]): boolean {
  return !someShown(content, (node) => (componentOf(node.type).words?.(node) ?? []).some(unsubscribes))
}

function unsubscribes(text: string): boolean {
  return splitPlaceholders(text).some((part) => typeof part !== 'string' && part.name === 'unsubscribe_url')
}

function treeWarnings(source: TreeSource): Issue[] {
  const warnings: Issue[] = []
  const warn = (code: string, message: string) => warnings.push({ path: 'content', code, message })
  if (source.kind === 'marketing' && lacksUnsubscribe(withFooter(source))) {
    const message =
      'A campaign needs a visible unsubscribe link: the footer shows it although showUnsubscribe is false.'
    warn('unsubscribe_kept', message)
  }
  if (
    someNode(
      source.content,
      (node) => node.type === 'section' && node.href !== undefined && (node.children ?? []).some(holdsLink),
    )
  ) {
    warn('nested_link', 'A section with links inside cannot be a link itself; its own address is left out.')
  }
  return warnings
}

function findWarnings(
  source: Source,
  { html, uses, contentIds }: Pick<Compiled, 'html' | 'uses' | 'contentIds'>,
): Issue[] {
  const warnings: Issue[] = []
  const warn = (path: string, code: string, message: string) => warnings.push({ path, code, message })
  const used = new Set(uses.map((use) => use.name))
  if (source.kind === 'transactional' && used.has('unsubscribe_url')) {
    warn('content', 'unsubscribe_in_transactional', 'A transactional mail has nothing to unsubscribe from.')
  }
  for (const name of used) {
    if (describeVariable(name).auto && !isFilledByUs(name))
      warn('content', 'unsupported_variable', `Nothing fills in ${name}; it stays empty.`)
  }
  for (const [path, literal] of [
    ['subject', source.subject],
    ['previewText', source.previewText ?? ''],
  ] as const) {
    for (const faulty of faultyPlaceholders(literal))
      warn(path, 'invalid_placeholder', `${faulty} names no variable and is left out.`)
  }
  for (const id of contentIds)
    warn('content', 'picture_of_the_send', `Every send has to attach the picture cid:${id}, with this contentId.`)
  const bytes = Buffer.byteLength(withoutMarks(writeSegments(html)))
  if (bytes > maxHtmlBytes)
    warn('content', 'html_too_large', `The HTML is ${Math.round(bytes / 1024)} KB; Gmail clips a mail at 102 KB.`)
  return warnings
}

function listUntracked(nodes: Node[]): string[] {
  return nodes.flatMap((node) => [
    ...('notrack' in node && node.notrack && node.href !== undefined ? [node.href] : []),
    ...(isBranch(node) ? listUntracked(node.children ?? []) : []),
  ])
}

/** The same of what every reader gets. */
function someShown(nodes: Node[], test: (node: Node) => boolean): boolean {
  return nodes.some(
    (node) => test(node) || (isBranch(node) && !isConditional(node) && someShown(node.children ?? [], test)),
  )
}

function someNode(nodes: Node[], test: (node: Node) => boolean): boolean {
  return nodes.some((node) => test(node) || (isBranch(node) && someNode(node.children ?? [], test)))
}
