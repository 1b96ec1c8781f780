// Wire shapes of previews and test mails, of templates and of campaigns.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { brandBody } from '../../people/access/schema.ts'
import { mailContentSchema } from '../content/rendering/content.ts'
import { sendBody } from './schema.ts'

const locale = t.Optional(
  t.String({
    maxLength: 35,
    description: 'BCP 47; with the same fallback as a send. Default: the primary locale.',
    examples: ['de'],
  }),
)
const email = t.Optional(
  t.String({
    maxLength: 320,
    description: 'The contact whose `contact.*` values are used. Default: no contact, so that fallbacks are shown.',
    examples: ['ada@example.net'],
  }),
)
const subject = t.String({ minLength: 1, maxLength: 500, examples: ['Order {{order}} is on its way'] })
const previewText = t.Optional(t.String({ maxLength: 500, examples: ['On its way to you'] }))
const { dataVariables } = sendBody.properties
const unsaved = {
  content: t.Optional({ ...mailContentSchema, description: 'Unsaved content, instead of what is stored.' }),
  subject: t.Optional(subject),
  previewText,
}

const marks = t.Optional(
  t.Boolean({
    description:
      'Comments in the HTML mark which node produced each part: `<!--content[0]-->` … `<!--/content[0]-->`. Default: as it would be sent.',
  }),
)

const draft = t.Optional(
  t.Boolean({
    description:
      'For an editor: if the mail would be refused, the reasons are in `findings` as `error` and `html` is empty, instead of a 422. Default: false.',
  }),
)

/** For a tree that is not stored. */
export const draftPreviewBody = t.Object({
  content: mailContentSchema,
  subject,
  previewText,
  locale,
  email,
  dataVariables,
  marks,
  draft,
  brand: t.Optional({
    ...brandBody,
    description: 'The brand to render it with: the given members replace the stored ones.',
  }),
})
export const templatePreviewBody = t.Object({ locale, email, dataVariables, ...unsaved, marks, draft })
const variant = t.Optional(
  t.String({ maxLength: 50, description: 'The name of a variant of its test. Default: the campaign itself.' }),
)
export const campaignPreviewBody = t.Object({ locale, email, variant, ...unsaved, marks, draft })

const cut = (what: string) => t.Boolean({ description: `The ${what} is cut off there.` })

export const findingView = t.Object({
  code: t.String({ description: 'Stable; for programs.' }),
  severity: t.Union([t.Literal('error'), t.Literal('warning'), t.Literal('info')], {
    description:
      '`error`: it would not be sent, or leads nowhere; `warning`: some readers lose something; `info`: good to know.',
  }),
  path: t.String({ description: 'Where, e.g. `content[0].children[2].href`.' }),
  message: t.String(),
})

export const linkView = t.Object({
  path: t.String(),
  text: t.String({ description: 'The text of the link; for an image, its alternative text.' }),
  href: t.String({ description: 'Empty where it is sent as plain text or leads nowhere.' }),
  problems: t.Array(t.String(), { description: 'Codes of the findings about it.' }),
})

const listRowView = t.Object(
  {
    client: t.Union([t.Literal('gmail_desktop'), t.Literal('gmail_phone'), t.Literal('apple_mail_phone')]),
    subject: t.String(),
    previewText: t.String({ description: 'The first words of the mail where it has no preview text.' }),
    isSubjectCut: cut('subject'),
    isPreviewCut: cut('preview text'),
  },
  { description: 'Cut off about where the client cuts it, which measures in pixels.' },
)

const usedVariable = t.Object({
  name: t.String(),
  dataType: t.String({ description: '`string`, `number`, `boolean`, `date`, `url`, `list` or `object`.' }),
  state: t.Union([t.Literal('given'), t.Literal('missing'), t.Literal('fallback'), t.Literal('automatic')], {
    description: '`fallback`: not supplied, the template has a fallback; `automatic`: the platform fills it.',
  }),
  value: t.Optional(
    t.String({ description: 'Of `contact.*`: what is known of the contact; at most 200 characters of it.' }),
  ),
})

export const clientGapView = t.Object({
  feature: t.String({ description: 'See https://www.caniemail.com/features/{feature}/.' }),
  clients: t.Array(t.String(), { description: 'Clients without it, as caniemail.com names them.' }),
  instead: t.String({ description: 'What readers with these clients see.' }),
})

export const previewView = t.Object({
  locale: t.String({ description: 'The locale that was found.' }),
  requestedLocale: t.String({ description: 'The locale that was requested.' }),
  subject: t.String(),
  previewText: t.String(),
  html: t.String({
    description: 'As it would be sent; its links to unsubscribe, to confirm and to settings do nothing.',
  }),
  text: t.String(),
  htmlBytes: Type.Integer({ description: 'The size in bytes; Gmail clips a mail at 102 KB.' }),
  textBytes: Type.Integer(),
  isClipped: t.Boolean({ description: 'Whether Gmail clips it, which hides the end with the unsubscribe link.' }),
  inbox: t.Array(listRowView, { description: 'Its row in a list of mails.' }),
  variables: t.Array(usedVariable, { description: 'The variables that it uses.' }),
  missingVariables: t.Array(t.String(), {
    description: 'Variables that are required and not supplied: a send would be refused. They are shown as `{{name}}`.',
  }),
  unusedVariables: t.Array(t.String(), { description: 'Variables that are supplied but not used.' }),
  links: t.Array(linkView, { description: 'The links that the author put in the content.' }),
  hasUnsubscribeLink: t.Boolean({
    description: 'The unsubscribe link; campaigns always have it.',
  }),
  findings: t.Array(findingView, { description: 'Errors and warnings.' }),
  clientGaps: t.Array(clientGapView, {
    description:
      'Features it uses that some client does not support; each has a substitute. Those without one are among the findings.',
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
export const templateTestBody = t.Object({ emails, locale, dataVariables, ...unsaved })
export const campaignTestBody = t.Object({ emails, locale, variant, ...unsaved })
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
