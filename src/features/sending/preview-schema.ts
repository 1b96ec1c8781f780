// Wire shapes of previews and test mails, of templates and of campaigns.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { brandBody } from '../../people/access/schema.ts'
import { contentSchema } from '../content/rendering/nodes.ts'
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
  content: t.Optional({ ...contentSchema, description: 'An unsaved tree in place of the stored one.' }),
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
      'For an editor: instead of a 422, the reasons for which the mail would be refused are in `findings` as `error`, and `html` is empty. Default: false.',
  }),
)

/** For a tree that is not stored. */
export const draftPreviewBody = t.Object({
  content: contentSchema,
  subject,
  previewText,
  locale,
  email,
  dataVariables,
  marks,
  draft,
  brand: t.Optional({
    ...brandBody,
    description: 'The brand to show it with: given members replace the stored ones.',
  }),
})
export const templatePreviewBody = t.Object({ locale, email, dataVariables, ...unsaved, marks, draft })
export const campaignPreviewBody = t.Object({ locale, email, ...unsaved, marks, draft })

const cut = (what: string) => t.Boolean({ description: `The ${what} is cut off there.` })

export const findingView = t.Object({
  code: t.String({ description: 'Stays the same, for programs.' }),
  severity: t.Union([t.Literal('error'), t.Literal('warning'), t.Literal('info')], {
    description:
      '`error`: it would not be sent, or leads nowhere; `warning`: some readers lose something; `info`: good to know.',
  }),
  path: t.String({ description: 'Where, e.g. `content[0].children[2].href`.' }),
  message: t.String(),
})

export const linkView = t.Object({
  path: t.String(),
  text: t.String({ description: 'What is clicked; of a picture its alternative text.' }),
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
  { description: 'Cut about where the client cuts, which measures in pixels.' },
)

const usedVariable = t.Object({
  name: t.String(),
  dataType: t.String({ description: '`string`, `number`, `boolean`, `date`, `url`, `list` or `object`.' }),
  state: t.Union([t.Literal('given'), t.Literal('missing'), t.Literal('fallback'), t.Literal('automatic')], {
    description: '`fallback`: not supplied, the template has a fallback; `automatic`: the platform fills it.',
  }),
})

export const clientGapView = t.Object({
  feature: t.String({ description: 'See https://www.caniemail.com/features/{feature}/.' }),
  clients: t.Array(t.String(), { description: 'Clients without it, as caniemail.com names them.' }),
  instead: t.String({ description: 'What their readers see.' }),
})

export const previewView = t.Object({
  locale: t.String({ description: 'The one that was found.' }),
  requestedLocale: t.String({ description: 'The one that was asked for.' }),
  subject: t.String(),
  previewText: t.String(),
  html: t.String({
    description: 'As it would be sent; its links to unsubscribe, to confirm and to settings do nothing.',
  }),
  text: t.String(),
  htmlBytes: Type.Integer({ description: 'The size in bytes; Gmail clips a mail at 102 KB.' }),
  textBytes: Type.Integer(),
  isClipped: t.Boolean({ description: 'Gmail cuts it, and hides the end with the link to unsubscribe.' }),
  inbox: t.Array(listRowView, { description: 'Its row in a list of mails.' }),
  variables: t.Array(usedVariable, { description: 'What it uses.' }),
  missingVariables: t.Array(t.String(), {
    description: 'Required and not supplied: a send would be refused. They are shown as `{{name}}`.',
  }),
  unusedVariables: t.Array(t.String(), { description: 'Supplied, and nowhere in it.' }),
  links: t.Array(linkView, { description: 'Those of the author.' }),
  hasUnsubscribeLink: t.Boolean({
    description: 'The link with which a reader leaves the list; campaigns always have it.',
  }),
  findings: t.Array(findingView, { description: 'What is wrong or doubtful, the warnings among it.' }),
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
export const campaignTestBody = t.Object({ emails, locale, ...unsaved })
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
