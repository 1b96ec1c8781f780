// Wire shapes of blocks.

import { t } from 'elysia'
import { refusing } from '../../../core/http/unknown-fields.ts'
import { issue, time } from '../../../core/http/wire.ts'
import { contentSchema } from '../rendering/nodes.ts'
import type { Block, BlockContent } from './blocks.ts'

const name = t.String({ minLength: 1, maxLength: 200, description: 'What people call it.' })
const content = {
  ...contentSchema,
  description: 'What it holds. No other blocks, and no pictures that a send would have to attach.',
}

export const createBody = refusing(
  t.Object({
    name,
    content,
    locale: t.Optional(
      t.String({ maxLength: 35, description: 'BCP 47, of the content. Default: the locale of the brand.' }),
    ),
  }),
)
export const renameBody = refusing(t.Object({ name }))
export const contentBody = refusing(
  t.Object({
    content,
    expectedRevisionId: t.Optional(
      t.String({
        maxLength: 100,
        description: 'Refuses the change with 409 unless this is the current revision of this locale.',
      }),
    ),
  }),
)

export const blockView = t.Object({
  id: t.String(),
  name: t.String(),
  primaryLocale: t.String({ description: 'What mails get whose language it is not written in.' }),
  locales: t.Array(t.String(), { description: 'The locales that have content.' }),
  createdAt: time,
  updatedAt: time,
})

const user = t.Object({ id: t.String(), name: t.String() })
export const usesView = t.Object({
  templates: t.Array(user),
  campaigns: t.Array(user, { description: 'Those that have not begun, with content of their own.' }),
  recurringCampaigns: t.Array(user),
})

export const contentView = t.Object({
  locale: t.String(),
  content: contentSchema,
  revisionId: t.String(),
  updatedAt: time,
})
export const savedView = t.Object({
  ...contentView.properties,
  renewed: t.Optional({ ...usesView, description: 'What uses the block, and says what it says now.' }),
  warnings: t.Optional(t.Array(issue, { description: 'Accepted, but questionable.' })),
})

export function toBlockView({ workspaceId: _, createdAt, updatedAt, ...block }: Block) {
  return { ...block, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}

export function toContentView({ updatedAt, ...content }: BlockContent) {
  return { ...content, updatedAt: updatedAt.toISOString() }
}
