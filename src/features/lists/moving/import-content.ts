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
  const { content, warnings } = await readForeign(app, foreign)
  const subject = await findTitle(foreign.source)
  const mail = { content, subject, previewText: '', locale: workspace.primaryLocale, fromName: null }
  const { findings } = await previewMail(app, workspace, { ...mail, kind: 'transactional' }, {})
  const words = new Set(['subject', 'previewText'])
  return {
    kind: Array.isArray(content) ? ('tree' as const) : content.kind,
    content: asGiven(content),
    subject,
    warnings: Array.isArray(content) ? warnings : [...warnings, ...content.issues],
    findings: findings.filter(({ path, code }) => !words.has(path) && code !== 'missing_variable'),
  }
}

async function readForeign(
  app: App,
  { kind, source, dialect }: Foreign,
): Promise<{ content: Content; warnings: Issue[] }> {
  const written = await readSource(app, { kind, source, at: '' })
  const tree = kind === 'html' && source.length <= maxTreeChars ? await treeIn(app, source, dialect) : null
  if (tree !== null) return { content: tree, warnings: [] }
  if (dialect === undefined) return { content: written, warnings: [] }
  const { text, unknown } = inOurWords(dialect, source)
  return {
    content: await readSource(app, { kind, source: text, at: '' }),
    warnings: [...new Set(unknown)].slice(0, maxUnknown).map(toIssue),
  }
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
