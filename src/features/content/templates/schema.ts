// Wire shapes of templates, and the checks that a schema cannot say.

import { t } from 'elysia'
import { addressProblem, headerTextProblem } from '../../../core/http/text-checks.ts'
import { issue, nullableText, time } from '../../../core/http/wire.ts'
import { AppError, type Issue } from '../../../kit/error.ts'
import { withoutUndefined } from '../../../kit/without-undefined.ts'
import { placeholders } from '../rendering/compile.ts'
import { asGiven, mailContentSchema, toContent } from '../rendering/content.ts'
import { describeVariables, type VariableUse } from '../rendering/variables.ts'
import type { LocaleContent } from './contents.ts'
import type { Revision } from './resolve.ts'
import type { Template } from './templates.ts'

const text = (maxLength: number, description?: string) =>
  t.Optional(t.String({ maxLength, ...withoutUndefined({ description }) }))
const nullable = (maxLength: number, description: string) =>
  t.Optional(t.Union([t.String({ maxLength }), t.Null()], { description }))
const status = t.Union([t.Literal('active'), t.Literal('draft'), t.Literal('archived')], {
  description: 'Only an active one can be sent.',
})

export const listFilter = {
  status: t.Optional(t.Union([...status.anyOf, t.Literal('all')], { description: 'Default: `active`.' })),
  q: t.Optional(t.String({ maxLength: 200, description: 'Finds templates whose name or slug contains this.' })),
}

const templateFields = {
  previewText: text(500, 'Shown by mail clients after the subject.'),
  fromName: nullable(200, 'The sender name. Default: the sender name of the brand.'),
  fromEmail: nullable(
    320,
    'The sender address, at a domain that the workspace may use. Default: the address of MAIL_FROM.',
  ),
  replyTo: nullable(320, 'The address replies go to. Default: the sender.'),
  primaryLocale: text(35, 'BCP 47. Default: the locale of the brand.'),
  status: t.Optional(status),
  content: t.Optional(mailContentSchema),
}

export const createBody = t.Object(
  {
    name: t.String({ minLength: 1, maxLength: 200 }),
    id: text(300, 'The slug: 1-64 of a-z, 0-9, "_", "-". Alias: `slug`. Default: made from the name.'),
    slug: text(300, 'The same as `id`.'),
    subject: t.String({ minLength: 1, maxLength: 500 }),
    ...templateFields,
  },
  { additionalProperties: t.Unknown() },
)

const ids = {
  id: text(300, 'The slug. Aliases: `templateId`, `transactionalId`.'),
  templateId: text(300, 'The same as `id`.'),
  transactionalId: text(300, 'The same as `id`.'),
}

const anyId = [Object.keys(ids)]

export const updateBody = t.Object(
  {
    ...ids,
    name: t.Optional(t.String({ minLength: 1, maxLength: 200 })),
    subject: t.Optional(t.String({ minLength: 1, maxLength: 500 })),
    ...templateFields,
    expectedRevisionId: text(100, 'Refuses the update with 409 unless this is the current revision.'),
  },
  { additionalProperties: t.Unknown(), needed: anyId },
)

export const deleteBody = t.Object(
  {
    ...ids,
    force: t.Optional(t.Boolean({ description: 'Cancels the unsent campaigns and delayed mails that use it.' })),
  },
  { additionalProperties: t.Unknown(), needed: anyId },
)

const contentFields = t.Object(
  {
    content: mailContentSchema,
    subject: t.Optional(
      t.String({
        minLength: 1,
        maxLength: 500,
        description: 'The subject in this locale. Default: unchanged, or that of the template.',
      }),
    ),
    previewText: text(500, 'In this locale.'),
    expectedRevisionId: text(100, 'Refuses the change with 409 unless this is the current revision of this locale.'),
  },
  { additionalProperties: t.Unknown() },
)
export const contentBody = t.Union([
  contentFields,
  t.Array(t.Unknown(), { component: 'ComponentTree', description: 'The tree alone.' }),
])

const warnings = t.Optional(t.Array(issue, { description: 'Accepted, but questionable.' }))

const metadata = {
  id: t.String({ description: 'The slug.' }),
  name: t.String(),
  subject: t.String(),
  previewText: t.String(),
  fromName: nullableText,
  fromEmail: nullableText,
  replyTo: nullableText,
  status,
  locales: t.Array(t.String(), { description: 'The locales that have content.' }),
  primaryLocale: t.String(),
  revisionId: t.String({ description: 'Changes with every change; see `expectedRevisionId`.' }),
  createdAt: time,
  updatedAt: time,
}

const descriptor = t.Object(
  {
    name: t.String(),
    label: t.String({ description: 'For people.' }),
    kind: t.String({ description: '`custom`, `contact`, `event`, `workspace`, `system` or `collection`.' }),
    data_type: t.String({ description: '`string`, `number`, `boolean`, `date`, `url`, `list` or `object`.' }),
    required: t.Boolean({ description: 'False where the template has a fallback: `{{name|there}}`.' }),
    auto_resolved: t.Boolean({ description: 'The platform fills it; callers must not supply it.' }),
    editable_in_rule: t.Boolean({ description: 'An event rule may fill it.' }),
    sources: t.Optional(t.Array(t.String(), { description: 'Where its value comes from.' })),
    child_fields: t.Optional(
      t.Array(t.Unknown(), { description: 'Descriptors of the fields of a list item or object.' }),
    ),
    legacy_aliases: t.Optional(t.Array(t.String(), { description: 'Other names that mean the same.' })),
    locales: t.Optional(t.Array(t.String(), { description: 'The locales that use it.' })),
  },
  { description: 'A variable descriptor record.' },
)

const variables = {
  variables: t.Array(t.String(), {
    description: 'The variables that the caller supplies in `dataVariables`, for all locales together.',
  }),
  autoResolvedVariables: t.Array(t.String(), { description: 'The variables that the platform fills in.' }),
  variableDescriptors: t.Array(descriptor, { description: 'Each variable with its kind and type.' }),
  dataVariables: t.Array(t.String(), { description: 'The same as `variables`.' }),
}

export const templateView = t.Object({ ...metadata, ...variables, warnings })
export const templateListItem = t.Object({
  ...metadata,
  ...variables,
  htmlBody: t.String({ description: 'Rendered HTML of the primary locale, placeholders preserved.' }),
  textBody: t.String({ description: 'Rendered text of the primary locale, placeholders preserved.' }),
})

export const contentView = t.Object({
  locale: t.String(),
  content: mailContentSchema,
  subject: t.String(),
  previewText: t.String(),
  revisionId: t.String(),
  updatedAt: time,
  warnings,
})

export interface Contents {
  locales: string[]
  /** Of all locales. */
  uses: VariableUse[]
  /** Of the primary locale; null while that has no content. */
  revision: Revision | null
}

export function toTemplateView(template: Template, { locales, uses }: Contents) {
  const { slug, name, subject, previewText, fromName, fromEmail, replyTo, status, primaryLocale, revisionId } = template
  const lists = describeVariables({ uses })
  return {
    id: slug,
    name,
    subject,
    previewText,
    fromName,
    fromEmail,
    replyTo,
    status,
    locales,
    primaryLocale,
    revisionId,
    createdAt: template.createdAt.toISOString(),
    updatedAt: template.updatedAt.toISOString(),
    ...lists,
    dataVariables: lists.variables,
  }
}

export function toListItem(template: Template, contents: Contents) {
  const { revision } = contents
  const bodies = revision ? placeholders(revision.compiled) : { htmlBody: '', textBody: '' }
  return { ...toTemplateView(template, contents), ...bodies }
}

export function toContentView(content: LocaleContent) {
  const { locale, subject, previewText, revisionId, updatedAt } = content
  return {
    locale,
    content: asGiven(toContent(content.content)),
    subject,
    previewText,
    revisionId,
    updatedAt: updatedAt.toISOString(),
  }
}

/** Rendered parts are ours to make, and refused. Text that stands in a header, and addresses, are checked here. */
export function checkFields(body: Record<string, unknown>): void {
  const errors: Issue[] = ['htmlBody', 'textBody'].flatMap((path) =>
    Object.hasOwn(body, path)
      ? [{ path, code: 'not_accepted', message: `${path} is not accepted; send content, a component tree` }]
      : [],
  )
  for (const path of ['name', 'subject', 'previewText', 'fromName']) errors.push(...headerTextProblem(path, body[path]))
  for (const path of ['fromEmail', 'replyTo']) errors.push(...addressProblem(path, body[path]))
  if (errors.length > 0) throw new AppError('validation_failed', errors[0]?.message ?? '', { errors })
}
