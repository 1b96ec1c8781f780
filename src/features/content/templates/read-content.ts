// Reads what a client says a mail is: a component tree, or HTML or MJML, which is written anew beside the main thread.

import type { App } from '../../../core/app.ts'
import { type Issue, invalidField } from '../../../kit/error.ts'
import { type EmbeddedPicture, takeOutPictures } from '../media/embedded.ts'
import {
  type Content,
  footers,
  maxSourceBytes,
  type SourceContent,
  type SourceKind,
  sourceKinds,
} from '../rendering/content.ts'
import { mjmlCompiling, sourceWriting } from '../rendering/own-html/source-work.ts'
import { parseTree, type TreeOptions } from '../rendering/tree.ts'

interface Read {
  content: Content
  /** Of a tree; those of a source are its own. */
  warnings: Issue[]
  /** That the source had in itself: to be stored with the content (media/keep.ts). */
  pictures: EmbeddedPicture[]
}

export interface ReadOptions extends TreeOptions {
  /** To be shown: the HTML says where in the source its parts stand. */
  marks?: boolean | undefined
}

/** Throws 422 with each fault of a tree, or for a source that cannot be read. */
export async function readContent(
  app: App,
  workspaceId: string,
  given: unknown,
  options: ReadOptions = {},
): Promise<Read> {
  const hasKind = typeof given === 'object' && given !== null && 'kind' in given
  if (!hasKind) return { ...parseTree(given, { ...options, blocks: 'named' }), pictures: [] }
  const { kind, source, footer } = given as Record<string, unknown>
  const marks = options.marks ?? false
  return { ...(await readSource(app, workspaceId, { kind, source, footer, marks, at: 'content.' })), warnings: [] }
}

interface GivenSource {
  kind: unknown
  source: unknown
  footer?: unknown
  marks?: boolean
  /** What stands before the names of its fields in a fault. */
  at: string
}

/** As it would be stored, with the pictures that it had in itself. */
export async function readSource(
  app: App,
  workspaceId: string,
  { kind, source, footer = 'added', marks = false, at }: GivenSource,
): Promise<{ content: SourceContent; pictures: EmbeddedPicture[] }> {
  if (!isSourceKind(kind)) throw invalidField(`${at}kind`, `must be ${sourceKinds.join(' or ')}`, 'invalid_kind')
  if (typeof source !== 'string' || source.trim() === '')
    throw invalidField(`${at}source`, `must be the ${kind.toUpperCase()} of the mail`, 'required')
  const end = footers.find((one) => one === footer)
  if (end === undefined) throw invalidField(`${at}footer`, `must be ${footers.join(' or ')}`, 'invalid_value')
  const bytes = Buffer.byteLength(source)
  if (bytes > maxSourceBytes)
    throw invalidField(`${at}source`, `has ${bytes} bytes; the limit is ${maxSourceBytes} (512 KB)`, 'too_large')
  const { source: text, pictures, issues } = takeOutPictures(app, workspaceId, source.toWellFormed())
  const made =
    kind === 'html'
      ? { html: text, issues: [] }
      : await app.aside.run(mjmlCompiling, { source: text, marks }, text.length)
  if ('fault' in made) throw invalidField(`${at}source`, made.fault, 'unreadable')
  const written = await app.aside.run(
    sourceWriting,
    { kind, source: text, footer: end, marks, ...made },
    made.html.length,
  )
  if ('fault' in written) throw invalidField(`${at}source`, written.fault, 'unreadable')
  return { content: { ...written, issues: [...issues, ...written.issues] }, pictures }
}

function isSourceKind(kind: unknown): kind is SourceKind {
  return sourceKinds.some((one) => one === kind)
}
