// What a mail may be written as: a component tree, or HTML or MJML that somebody brought. Its source is kept, to be edited; what is sent
// are its parts, every byte of which we wrote when it was saved (own-html/write-source.ts). Plain JSON.

import { Type } from '@sinclair/typebox'
import type { Issue } from '../../../kit/error.ts'
import type { Node } from './nodes.ts'
import type { Segment } from './segments.ts'

export const sourceKinds = ['html', 'mjml'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Of UTF-8. */
export const maxSourceBytes = 512 * 1024

/** `added`: ours ends a marketing mail that shows no way to leave. `own`: such a mail is refused. */
export const footers = ['added', 'own'] as const

export interface SourceContent {
  kind: SourceKind
  source: string
  footer: (typeof footers)[number]
  /** Of the mail: up to its body, what stands in it, and what closes it. */
  html: { before: Segment[]; body: Segment[]; after: Segment[] }
  text: Segment[]
  /** Addresses that are loaded, not clicked. */
  untracked: string[]
  /** What of the source is not sent, and what is doubtful about it. */
  issues: Issue[]
}

export type Content = Node[] | SourceContent

export function isTree(content: Content): content is Node[] {
  return Array.isArray(content)
}

/** The same for a stored one of any age. */
export function toContent(stored: unknown): Content {
  return stored as Content
}

interface GivenSource {
  kind: SourceKind
  source: string
  /** Default: `added`. */
  footer?: SourceContent['footer']
}

/** As a client writes it, and reads it again. */
export function asGiven(content: Content): Node[] | GivenSource {
  if (isTree(content)) return content
  const { kind, source, footer } = content
  return { kind, source, ...(footer === 'own' ? { footer } : {}) }
}

/** In a request or an answer. `readContent()` is the validator (templates/read-content.ts). */
export const mailContentSchema = Type.Unknown({
  component: 'MailContent',
  description: 'A component tree, or HTML or MJML with its `kind`.',
})
