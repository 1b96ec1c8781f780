// Wire shapes of previews and test mails, of templates and of campaigns.

import { t } from 'elysia'
import { contentSchema } from '../rendering/nodes.ts'
import { sendBody } from './schema.ts'

const locale = t.Optional(
  t.String({
    maxLength: 35,
    description: 'BCP 47; found as in a send. Default: the primary locale.',
    examples: ['de'],
  }),
)
const email = t.Optional(
  t.String({
    maxLength: 320,
    description: 'Whose `contact.*` is shown. Default: no contact, so that fallbacks show.',
    examples: ['ada@example.net'],
  }),
)
const subject = t.String({ minLength: 1, maxLength: 500, examples: ['Order {{order}} is on its way'] })
const previewText = t.Optional(t.String({ maxLength: 500, examples: ['On its way to you'] }))
const { dataVariables } = sendBody.properties
const unsaved = {
  content: t.Optional({ ...contentSchema, description: 'An unsaved tree to show in place of the stored one.' }),
  subject: t.Optional(subject),
  previewText,
}

/** Of a tree that is no template yet. */
export const draftPreviewBody = t.Object({ content: contentSchema, subject, previewText, locale, email, dataVariables })
export const templatePreviewBody = t.Object({ locale, email, dataVariables, ...unsaved })
export const campaignPreviewBody = t.Object({ locale, email, ...unsaved })

export const previewView = t.Object({
  locale: t.String({ description: 'The one that was found.' }),
  subject: t.String(),
  previewText: t.String(),
  html: t.String({
    description: 'As it would be sent; its links to unsubscribe, to confirm and to settings do nothing.',
  }),
  text: t.String(),
  htmlBytes: t.Integer({ description: 'Gmail cuts a mail at 102 KB.' }),
  textBytes: t.Integer(),
  missingVariables: t.Array(t.String(), {
    description: 'Required and not supplied: a send would be refused. They are shown as `{{name}}`.',
  }),
  warnings: t.Array(t.Object({ path: t.String(), message: t.String(), code: t.String() })),
})

const emails = t.Optional(
  t.Array(t.String({ maxLength: 320 }), {
    minItems: 1,
    maxItems: 10,
    description: 'Addresses of members of the workspace. Default: the address of the signed-in member.',
    examples: [['ada@example.net']],
  }),
)
export const templateTestBody = t.Object({ emails, locale, dataVariables })
export const campaignTestBody = t.Object({ emails, locale })
export const testView = t.Object({
  success: t.Literal(true),
  tests: t.Array(
    t.Object({
      email: t.String(),
      messageId: t.String({ description: 'In Email Activity, with the kind `test`.' }),
      status: t.Union([t.Literal('queued'), t.Literal('suppressed')]),
    }),
  ),
  warnings: t.Array(t.Object({ path: t.String(), message: t.String(), code: t.String() })),
})
