// Wire shapes of revisions and of the difference between two.

import { t } from 'elysia'
import type { contentRevisions } from '../../../../db/tables/content-revisions.ts'
import { pageQuery } from '../../../core/http/pagination.ts'
import { issue, time } from '../../../core/http/wire.ts'
import { actorView } from '../../../people/access/audit/schema.ts'
import { asGiven, mailContentSchema, toContent } from '../../content/rendering/content.ts'

const revisionId = (description: string) => t.Optional(t.String({ maxLength: 100, description }))

export const revisionQuery = t.Object({
  locale: t.Optional(t.String({ maxLength: 35, description: 'Only those of this locale.' })),
  ...pageQuery,
})
export const fromQuery = t.Object({
  from: revisionId('Id of the older revision. Default: the one before it in its locale.'),
})
export const draftBody = t.Object({
  content: mailContentSchema,
  subject: t.Optional(t.String({ minLength: 1, maxLength: 500, description: 'Default: that of the revision.' })),
  previewText: t.Optional(t.String({ maxLength: 500 })),
})
export const restoreBody = t.Object({
  expectedRevisionId: revisionId('Refuses it with 409 unless this is the current revision of its locale.'),
})

export const revisionView = t.Object({
  id: t.String(),
  locale: t.String(),
  subject: t.String(),
  previewText: t.String(),
  author: t.Union([actorView, t.Null()], { description: 'Who wrote it; null when it is older than this field.' }),
  createdAt: time,
  isCurrent: t.Boolean({ description: 'Whether this is the revision that is sent now.' }),
})
export const revisionContentView = t.Object({
  ...revisionView.properties,
  content: mailContentSchema,
  settings: t.Record(t.String(), t.Unknown(), {
    description: 'The sender and, for a campaign, the audience, as they were then.',
  }),
})

const words = t.Array(
  t.Object({ kind: t.Union([t.Literal('same'), t.Literal('removed'), t.Literal('added')]), text: t.String() }),
  { description: '`same` and `removed` are the old text, `same` and `added` the new one.' },
)
const wordsOrNull = t.Union([words, t.Null()], { description: 'Null if it is unchanged.' })
const names = t.Array(t.String())

const propertyChange = t.Object({
  name: t.String(),
  from: t.Optional(t.Unknown()),
  to: t.Optional(t.Unknown()),
  words: t.Optional(words),
})
const treeChange = t.Object(
  {
    op: t.Union([t.Literal('removed'), t.Literal('added'), t.Literal('moved'), t.Literal('changed')]),
    from: t.Optional(t.String({ description: 'Its path in the old tree.' })),
    path: t.Optional(t.String({ description: 'Its path in the new tree.' })),
    type: t.Optional(t.String({ description: 'The type of the node.' })),
    node: t.Optional(
      t.Unknown({ description: 'The node that was removed or added, with its descendants that did not move.' }),
    ),
    properties: t.Optional(
      t.Array(propertyChange, {
        description: 'The properties of a changed node; without `from` one is new, without `to` it was removed.',
      }),
    ),
  },
  { description: 'One change of a tree. All of them, applied to the old tree, make the new one.' },
)

export const differenceView = t.Object({
  from: t.Union([revisionView, t.Null()], { description: 'The older revision; null if there is none.' }),
  to: revisionView,
  subject: wordsOrNull,
  previewText: wordsOrNull,
  settings: t.Array(t.Object({ name: t.String(), from: t.Unknown(), to: t.Unknown() })),
  variables: t.Object({ added: names, removed: names }, { description: 'The variables that a send must supply.' }),
  content: t.Array(treeChange),
})
export const draftDifferenceView = t.Object({
  ...differenceView.properties,
  from: revisionView,
  to: t.Null({ description: 'It is not stored.' }),
  warnings: t.Array(issue),
})

export function toRevisionView(row: Revision, { names, current }: RevisionContext): typeof revisionView.static {
  const { id, locale, subject, previewText, author, createdAt } = row
  return {
    id,
    locale,
    subject,
    previewText,
    author: author && { ...author, name: names.get(author.id) ?? null },
    createdAt: createdAt.toISOString(),
    isCurrent: current.includes(id),
  }
}

export function toRevisionContentView(row: Revision, context: RevisionContext): typeof revisionContentView.static {
  return { ...toRevisionView(row, context), content: asGiven(toContent(row.content)), settings: row.settings ?? {} }
}

export type Revision = typeof contentRevisions.$inferSelect

/** What a view of a revision needs besides its row. */
export interface RevisionContext {
  /** Of authors, by id. */
  names: Map<string, string>
  current: string[]
}
