// HTML and MJML that somebody has, read as content of a template or a campaign.

import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { extension, looking } from '../../../core/http/operation.ts'
import { refusing } from '../../../core/http/unknown-fields.ts'
import { issue, oneOf } from '../../../core/http/wire.ts'
import { auth } from '../../../people/access/auth.ts'
import { mailContentSchema, maxSourceBytes, sourceKinds } from '../../content/rendering/content.ts'
import { findingView } from '../../sending/preview-schema.ts'
import { dialects } from './convert-template.ts'
import { importContent } from './import-content.ts'

/** It changes nothing, although it is a POST. */
const read = { scope: 'transactional.read', session: 'viewer' } as const

const body = refusing(
  t.Object({
    kind: oneOf(sourceKinds, 'What the source is.'),
    source: t.String({ minLength: 1, maxLength: maxSourceBytes, description: 'The mail, at most 512 KB.' }),
    dialect: t.Optional(oneOf(dialects, 'The service whose placeholders it has. Default: they are ours.')),
  }),
)
const view = t.Object({
  kind: oneOf(['tree', ...sourceKinds], '`tree` where a component tree says all of it; else as it was sent.'),
  content: mailContentSchema,
  subject: t.String({ description: 'The title that it has; empty for none.' }),
  warnings: t.Array(issue, { description: 'What is left out of it, and what is doubtful.' }),
  findings: t.Array(findingView, { description: 'What the inspection of the mail says.' }),
})

export function importContentRoutes(app: App) {
  return new Elysia({ prefix: '/v1/transactional' })
    .use(auth)
    .post('/import', ({ workspace, body }) => importContent(app, workspace, body), {
      auth: read,
      body,
      response: view,
      detail: {
        ...looking,
        ...extension(
          'importContent',
          'Read HTML or MJML as content',
          'Answers the `content` for a template or a campaign: a component tree where one says all that the source says, and the source has no look of its own; else the source with its `kind`. Nothing is stored: what is left out is seen before it is.',
        ),
        command: false,
      },
    })
}
