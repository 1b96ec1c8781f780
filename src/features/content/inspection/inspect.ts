// Inspects a mail before it is sent: what is wrong with it, where its links lead, how it looks in a list of mails, what clients do not
// support. It reads the rendered mail and contains no rule of sending.

import type { App } from '../../../core/app.ts'
import type { Issue } from '../../../kit/error.ts'
import { turn } from '../../../kit/turn.ts'
import { type Compiled, maxHtmlBytes } from '../rendering/compile.ts'
import { componentOf } from '../rendering/components.ts'
import { type Content, isTree } from '../rendering/content.ts'
import { fill, lookUp, type Values } from '../rendering/fill.ts'
import { marksAsComments, withoutMarks } from '../rendering/marks.ts'
import { type Node, nodePaths } from '../rendering/nodes.ts'
import type { Segment } from '../rendering/segments.ts'
import type { DataType } from '../rendering/variable-names.ts'
import type { VariableUse } from '../rendering/variables.ts'
import { type ClientGap, clientGaps, pictureFaults } from './client-support.ts'
import { type Finding, finding, once, sizeFault } from './finding.ts'
import { contrastCheck, htmlInspection } from './html-work.ts'
import { listLinks, type MailLink } from './links.ts'
import { type ListRow, listRows } from './list-row.ts'

const maxShownChars = 200

export interface Rendered {
  content: Content
  compiled: Compiled
  values: Values
  /** Required and not supplied. */
  missing: string[]
  /** With its marks (features/content/rendering/marks.ts). */
  html: string
  text: string
  subject: string
  previewText: string
  /** The issues found while parsing, compiling and filling. */
  warnings: Issue[]
}

interface UsedVariable {
  name: string
  dataType: DataType
  /** `automatic`: the platform fills it. `fallback`: none was supplied, and the author said what stands there then. */
  state: 'given' | 'missing' | 'fallback' | 'automatic'
  /** Of `contact.*`: what is known of the reader. */
  value?: string
}

export interface Inspection {
  findings: Finding[]
  links: MailLink[]
  inbox: ListRow[]
  variables: UsedVariable[]
  clientGaps: ClientGap[]
  isClipped: boolean
}

export async function inspect(app: App, mail: Rendered): Promise<Inspection> {
  const { content } = mail
  return isTree(content) ? await inspectTree(app, { ...mail, content }) : await inspectSource(app, mail)
}

/** By what its HTML shows, because nothing else says what it holds. */
async function inspectSource({ aside }: App, mail: Rendered): Promise<Inspection> {
  const html = fill(withStandIns(mail), mail.values)
  const seen = await aside.run(htmlInspection, { html, text: mail.text }, html.length)
  // Each is another thing, though all are of the source.
  const isOfSource = ({ path }: Issue) => path === 'content.source'
  const [ofSource, others] = [mail.warnings.filter(isOfSource), mail.warnings.filter((one) => !isOfSource(one))]
  const issues = [...others, ...wordFaults(mail), ...variableFaults(mail), ...darkModeFault(html)]
  const { links, clientGaps, isClipped } = seen
  return {
    ...about(mail),
    findings: [...[...ofSource, ...once(issues)].map(finding), ...seen.findings],
    links,
    clientGaps,
    isClipped,
  }
}

/** An address that is missing is a finding of its own, and no link that leads nowhere. */
function withStandIns({ compiled, missing }: Rendered): Segment[] {
  return compiled.html.map((segment): Segment => {
    if (typeof segment === 'string') return withoutMarks(segment)
    if (!('url' in segment)) return segment
    const isMissing = segment.url.some(
      (part) => typeof part === 'object' && 'name' in part && missing.includes(part.name),
    )
    return isMissing ? 'https://example.com/' : segment
  })
}

function darkModeFault(html: string): Issue[] {
  if (/prefers-color-scheme|color-scheme/i.test(html)) return []
  const message = 'It says nothing of dark mode: clients that are dark change its colours as they like.'
  return [{ path: 'html', code: 'no_dark_mode', message }]
}

async function inspectTree({ aside }: App, mail: Rendered & { content: Node[] }): Promise<Inspection> {
  const html = withoutMarks(mail.html)
  const { links, faults } = listLinks(mail.content, mail.values, mail.missing)
  await turn()
  const bytes = Buffer.byteLength(html)
  const issues = [
    ...mail.warnings,
    ...wordFaults(mail),
    ...variableFaults(mail),
    ...faults,
    ...doubts(mail.content),
    ...pictureFaults(mail.content),
    ...(await aside.run(contrastCheck, marksAsComments(mail.html), mail.html.length)),
    ...sizeFault(bytes),
  ]
  return {
    ...about(mail),
    findings: once(issues).map(finding),
    links,
    clientGaps: clientGaps(html),
    isClipped: bytes > maxHtmlBytes,
  }
}

function about(mail: Rendered): Pick<Inspection, 'inbox' | 'variables'> {
  const variables = mail.compiled.uses.map((use) => ({
    name: use.name,
    dataType: use.dataType,
    state: toUsedVariable(use, mail),
    ...knownOf(use.name, mail.values),
  }))
  return { inbox: listRows(mail), variables }
}

/** Of the reader; what is not one value is shown by the mail alone. */
function knownOf(name: string, values: Values): { value?: string } {
  const value = name.startsWith('contact.') ? lookUp(values, name) : undefined
  const isOne = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isOne && value !== '' ? { value: String(value).slice(0, maxShownChars).toWellFormed() } : {}
}

function wordFaults({ subject, previewText }: Rendered): Issue[] {
  const faults: Issue[] = []
  if (subject.trim() === '') faults.push({ path: 'subject', code: 'empty_subject', message: 'The subject is empty.' })
  if (previewText.trim() === '') {
    const message = 'There is no preview text: lists show the first words of the mail behind the subject.'
    faults.push({ path: 'previewText', code: 'missing_preview_text', message })
  }
  return faults
}

function variableFaults({ compiled, values, missing }: Rendered): Issue[] {
  const lacking = missing.map((name) => {
    return { path: `dataVariables.${name}`, code: 'missing_variable', message: `${name} is required and not supplied.` }
  })
  const empty = compiled.uses.filter(({ name, auto, required }) => auto && required && isEmpty(lookUp(values, name)))
  if (empty.length === 0) return lacking
  const names = empty.map(({ name }) => name).join(', ')
  const message = `For this reader ${names} would be empty: there is neither a value nor a fallback.`
  return [...lacking, { path: 'content', code: 'empty_variable', message }]
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function toUsedVariable({ name, auto, required }: VariableUse, { values, missing }: Rendered): UsedVariable['state'] {
  if (auto) return 'automatic'
  if (missing.includes(name)) return 'missing'
  return !required && isEmpty(lookUp(values, name)) ? 'fallback' : 'given'
}

/** What components doubt of their own nodes, e.g. a picture that is not described. */
function doubts(content: Node[]): Issue[] {
  return [...nodePaths(content)].flatMap(([node, path]) => {
    const doubt = componentOf(node.type).doubt?.(node)
    return doubt ? [{ path: `${path}.${doubt.name}`, code: doubt.code, message: doubt.message }] : []
  })
}
