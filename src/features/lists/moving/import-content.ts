// Reads HTML or MJML that somebody has as content: a component tree where it says all that the source says and the source has no look of its
// own, else the source, which is written anew.

import type { App } from '../../../core/app.ts'
import type { Issue } from '../../../kit/error.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { asGiven, type Content, type SourceKind } from '../../content/rendering/content.ts'
import { readSource } from '../../content/templates/read-content.ts'
import { previewMail } from '../../sending/preview.ts'
import { convertTemplate, type Dialect, inOurWords } from './convert-template.ts'

interface Foreign {
  kind: SourceKind
  source: string
  /** The service whose placeholders it has. */
  dialect?: Dialect | undefined
}

/** Throws 422 for a source that cannot be read. */
export async function importContent(app: App, workspace: Workspace, foreign: Foreign) {
  const { content, given, warnings } = await readForeign(app, workspace, foreign)
  const subject = await findTitle(foreign.source)
  const mail = { content, subject, previewText: '', locale: workspace.primaryLocale, fromName: null }
  const { findings } = await previewMail(app, workspace, { ...mail, kind: 'transactional' }, {})
  const words = new Set(['subject', 'previewText'])
  return {
    kind: Array.isArray(content) ? ('tree' as const) : content.kind,
    content: given,
    subject,
    warnings: Array.isArray(content) ? warnings : [...warnings, ...content.issues],
    findings: findings.filter(({ path, code }) => !words.has(path) && code !== 'missing_variable'),
  }
}

/** `given`: to be saved. It still has its pictures in itself, because only who saves it stores them. */
interface ReadForeign {
  content: Content
  given: ReturnType<typeof asGiven>
  warnings: Issue[]
}

async function readForeign(app: App, workspace: Workspace, { kind, source, dialect }: Foreign): Promise<ReadForeign> {
  const read = async (text: string) => {
    const { content } = await readSource(app, workspace.id, { kind, source: text, at: '' })
    return { content, given: { ...asGiven(content), source: text } }
  }
  const written = await read(source)
  const isPlain = written.content.source === source && source.length <= maxTreeChars
  const tree = kind === 'html' && isPlain ? await treeIn(app, source, dialect) : null
  if (tree !== null) return { content: tree, given: asGiven(tree), warnings: [] }
  if (dialect === undefined) return { ...written, warnings: [] }
  const { text, unknown } = inOurWords(dialect, source)
  return { ...(await read(text)), warnings: [...new Set(unknown)].slice(0, maxUnknown).map(toIssue) }
}

/** What is longer has a look of its own. */
const maxTreeChars = 100_000
const maxUnknown = 20

async function treeIn(app: App, html: string, dialect: Dialect | undefined): Promise<Content | null> {
  const made = await app.aside.run(convertTemplate, { html, subject: '', dialect }, html.length)
  return 'problems' in made || made.notes.length > 0 ? null : made.content
}

function toIssue(placeholder: string): Issue {
  const message = `${placeholder} has no counterpart and was left out.`
  return { path: 'content.source', code: 'left_out', message }
}

const title = /<(?:mj-)?title\b[^<>]{0,200}>([^<]{0,500})</i

async function findTitle(source: string): Promise<string> {
  const { isElement, parseHtml } = await import('../../../kit/html-parse.ts')
  const document = parseHtml(title.exec(source)?.[1] ?? '')
  const body = 'fault' in document ? undefined : document.root.children.filter(isElement).at(-1)
  const [text] = body?.children ?? []
  return typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : ''
}
