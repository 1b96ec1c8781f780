// The difference between two revisions, or between a revision and a tree that is not stored.

import { isDeepStrictEqual } from 'node:util'
import type { App, Reader } from '../../../core/app.ts'
import { createPace, turn } from '../../../kit/turn.ts'
import { compileContent, type Source } from '../../content/rendering/compile.ts'
import type { AnyNode } from '../../content/rendering/component.ts'
import { type Content, isTree, toContent } from '../../content/rendering/content.ts'
import { fillBlocks } from '../../content/templates/fill-blocks.ts'
import { readContent } from '../../content/templates/read-content.ts'
import { checkFields } from '../../content/templates/schema.ts'
import { getOwnersRevision, loadContext, type Owner, revisionBefore } from './revisions.ts'
import { type draftBody, type Revision, toRevisionView } from './schema.ts'
import { diffTrees, type TreeChange } from './tree-diff.ts'
import { diffWords, type Word } from './word-diff.ts'

/** The content of a revision, or of a draft. */
export interface RevisionContent extends Words {
  settings: Record<string, unknown>
}

export interface Words {
  locale: string
  subject: string
  previewText: string
  content: Content
}

export interface SettingChange {
  name: string
  from: unknown
  to: unknown
}

export interface Difference {
  subject: Word[] | null
  previewText: Word[] | null
  variables: { added: string[]; removed: string[] }
  content: TreeChange[]
}

/** From the revision `from`; default: the one before it in its locale. The first of a locale added all that it has. */
export async function compareRevisions(reader: Reader, owner: Owner, revisionId: string, from: string | undefined) {
  const to = await getOwnersRevision(reader, owner, revisionId)
  const before =
    from === undefined ? await revisionBefore(reader, owner, to) : await getOwnersRevision(reader, owner, from)
  const context = await loadContext(reader, owner, [before, to])
  const [old, fresh] = [before ? saidBy(before) : nothingIn(to.locale), saidBy(to)]
  return {
    from: before && toRevisionView(before, context),
    to: toRevisionView(to, context),
    settings: settingChanges(old.settings, fresh.settings),
    ...(await differenceBetween(old, fresh, owner.mail)),
  }
}

/** The difference to content that is not stored. Throws 422 for what is invalid. */
export async function differenceToDraft(app: App, owner: Owner, revisionId: string, body: typeof draftBody.static) {
  checkFields(body)
  const from = await getOwnersRevision(app, owner, revisionId)
  const before = saidBy(from)
  const { content: given, warnings } = await readContent(app, from.workspaceId, body.content, {
    mayAttach: owner.mail === 'transactional',
  })
  const content = await fillBlocks(app, from, given)
  const { subject = before.subject, previewText = before.previewText } = body
  const difference = await differenceBetween(before, { ...before, content, subject, previewText }, owner.mail)
  const view = toRevisionView(from, await loadContext(app, owner, [from]))
  return { from: view, to: null, settings: [], ...difference, warnings }
}

export const nothingIn = (locale: string): RevisionContent => ({
  locale,
  subject: '',
  previewText: '',
  content: [],
  settings: {},
})

/** Revisions were checked. */
export function saidBy({ locale, subject, previewText, content, settings }: Revision): RevisionContent {
  return { locale, subject, previewText, content: toContent(content), settings: settings ?? {} }
}

/** In steps: others have their turn between them. */
export async function differenceBetween(before: Words, after: Words, mail: Source['kind']): Promise<Difference> {
  const used = await listVariables(before, mail)
  const uses = await listVariables(after, mail)
  return {
    subject: before.subject === after.subject ? null : diffWords(before.subject, after.subject),
    previewText: before.previewText === after.previewText ? null : diffWords(before.previewText, after.previewText),
    variables: { added: lacking(uses, used), removed: lacking(used, uses) },
    content: await diffTrees(nodesOf(before.content), nodesOf(after.content), createPace()),
  }
}

/** A source as a node of its kind, so that a change of it is one of its words. */
function nodesOf(content: Content): AnyNode[] {
  if (isTree(content)) return content
  const node = { type: content.kind, source: content.source }
  return [node]
}

async function listVariables(
  { content, subject, previewText, locale }: Words,
  kind: Source['kind'],
): Promise<string[]> {
  if (isTree(content) && content.length === 0) return []
  const { uses } = compileContent({ content, subject, previewText, locale, kind })
  await turn()
  return uses.filter(({ auto }) => !auto).map(({ name }) => name)
}

const lacking = (names: string[], others: string[]) => names.filter((name) => !others.includes(name))

/** A setting that one revision lacks (because it is older than the setting) is no change. */
export function settingChanges(before: Record<string, unknown>, after: Record<string, unknown>): SettingChange[] {
  const from = new Map(Object.entries(before))
  return Object.entries(after)
    .filter(([name, to]) => from.has(name) && !isDeepStrictEqual(from.get(name), to))
    .map(([name, to]) => ({ name, from: from.get(name), to }))
}
