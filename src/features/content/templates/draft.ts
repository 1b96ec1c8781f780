// Drafts of templates, for REST and the tools: parsed, validated, stored, returned.

import { type App, type Reader, write } from '../../../core/app.ts'
import { underAnyName } from '../../../kit/aliases.ts'
import { AppError, type Issue, shownWarnings } from '../../../kit/error.ts'
import { warnOfAddress } from '../../../people/domain-owners.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import type { EmbeddedPicture } from '../media/embedded.ts'
import { writeShowing } from '../media/keep.ts'
import { type Content, toContent } from '../rendering/content.ts'
import { unionOfUses } from '../rendering/variables.ts'
import {
  checkedLocale,
  compileWarnings,
  currentRevisions,
  expectRevision,
  findContent,
  setContent,
} from './contents.ts'
import { readContent } from './read-content.ts'
import { getRevision, usesByLocale } from './resolve.ts'
import {
  type Contents,
  checkFields,
  type contentBody,
  type createBody,
  type deleteBody,
  toContentView,
  toTemplateView,
  type updateBody,
} from './schema.ts'
import { createTemplate, deleteTemplate, getTemplate, type Template, updateTemplate } from './templates.ts'
import { useWarnings } from './use-warnings.ts'
import { type Cancelling, cancelUses } from './uses.ts'

/** `shown`: pictures that the content names by the addresses that they will have. */
export async function draftTemplate(
  app: App,
  workspace: Workspace,
  body: typeof createBody.static,
  shown: EmbeddedPicture[] = [],
) {
  checkFields(body)
  const { content, warnings, pictures } = await readGiven(app, workspace, body.content)
  const template = await writeShowing(app, workspace.id, [...shown, ...pictures], (tx) =>
    createTemplate(tx, workspace.id, newTemplate(workspace, body, content)),
  )
  return getTemplateView(app, workspace, template.slug, [...warnings, ...(await senderWarnings(app, template))])
}

export async function changeTemplate(app: App, workspace: Workspace, body: typeof updateBody.static) {
  checkFields(body)
  const { content, warnings, pictures } = await readGiven(app, workspace, body.content)
  const { name, subject, previewText, fromName, fromEmail, replyTo, status, expectedRevisionId } = body
  const primaryLocale =
    body.primaryLocale === undefined ? undefined : checkedLocale('primaryLocale', body.primaryLocale)
  const fields = {
    name,
    subject,
    previewText,
    fromName,
    fromEmail,
    replyTo,
    status,
    primaryLocale,
    content,
    expectedRevisionId,
  }
  const change = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const template = await writeShowing(app, workspace.id, pictures, (tx) =>
    updateTemplate(tx, workspace.id, readId(body), change),
  )
  const inUse = [...(await senderWarnings(app, template)), ...(await useWarnings(app, workspace, template))]
  return getTemplateView(app, workspace, template.slug, [...warnings, ...inUse])
}

/** Templates are often written before their domain is verified. */
function senderWarnings(app: App, { workspaceId, fromEmail }: Template): Promise<Issue[]> {
  return warnOfAddress(app, workspaceId, { address: fromEmail, path: 'fromEmail' })
}

/** `force` cancels everything that would send it. */
export async function removeTemplate(
  app: App,
  workspace: Workspace,
  body: typeof deleteBody.static,
  cancelling: Cancelling | null = null,
) {
  const { slug } = await getTemplate(app, workspace.id, readId(body))
  if (body.force && cancelling !== null) await cancelUses(app, cancelling, workspace.id, slug)
  await write(app, (tx) => deleteTemplate(tx, workspace.id, slug))
  return { success: true as const, message: 'Template deleted.' }
}

/** Throws `not_found`. */
export async function contentOfLocale(reader: Reader, workspace: Workspace, params: ContentPath) {
  const { id } = await getTemplate(reader, workspace.id, params.templateId)
  const locale = checkedLocale('locale', params.locale)
  const content = await findContent(reader, id, locale)
  if (!content) throw new AppError('not_found', `the template has no content in ${locale}`)
  return toContentView(content)
}

interface ContentPath {
  templateId: string
  locale: string
}

/** Replaces the content of one locale, or adds the locale. */
export async function putLocale(app: App, workspace: Workspace, params: ContentPath, body: typeof contentBody.static) {
  const given = Array.isArray(body) ? { content: body } : body
  checkFields(given)
  const locale = checkedLocale('locale', params.locale)
  const { content, warnings, pictures } = await readContent(app, workspace.id, given.content, { mayAttach: true })
  const input = await writeShowing(app, workspace.id, pictures, async (tx) => {
    const template = await getTemplate(tx, workspace.id, params.templateId)
    const current = await findContent(tx, template.id, locale)
    expectRevision(given.expectedRevisionId, current?.revisionId)
    const subject = given.subject ?? current?.subject ?? template.subject
    const previewText = given.previewText ?? current?.previewText ?? template.previewText
    await setContent(tx, template, { locale, content, subject, previewText, activates: true })
    return { slug: template.slug, locale, content, subject, previewText }
  })
  const template = await getTemplate(app, workspace.id, input.slug)
  const stored = await findContent(app, template.id, locale)
  if (!stored) throw new AppError('not_found', 'the template was deleted meanwhile')
  const inUse = await useWarnings(app, workspace, template)
  return {
    ...toContentView(stored),
    ...shownWarnings([...warnings, ...compileWarnings({ ...input, content: toContent(stored.content) }), ...inUse]),
  }
}

/** The slug under any of its names. */
function readId(body: { id?: string; templateId?: string; transactionalId?: string }): string {
  const id = underAnyName(body, ['id', 'templateId', 'transactionalId'])?.value
  if (id !== undefined) return id
  const message = 'say which template: id'
  throw new AppError('missing_required_field', message, { errors: [{ path: 'id', message, code: 'required' }] })
}

interface GivenContent {
  content: Content | undefined
  warnings: Issue[]
  pictures: EmbeddedPicture[]
}

async function readGiven(app: App, workspace: Workspace, content: unknown): Promise<GivenContent> {
  if (content === undefined) return { content, warnings: [], pictures: [] }
  return await readContent(app, workspace.id, content, { mayAttach: true })
}

function newTemplate(workspace: Workspace, body: typeof createBody.static, content: Content | undefined) {
  const { name, subject, previewText = '', fromName = null, fromEmail = null, replyTo = null, status } = body
  const slug = underAnyName(body, ['id', 'slug'])?.value
  const primaryLocale =
    body.primaryLocale === undefined ? workspace.primaryLocale : checkedLocale('primaryLocale', body.primaryLocale)
  return { name, slug, subject, previewText, fromName, fromEmail, replyTo, primaryLocale, status, content }
}

/** Its revision in the primary locale, and the variables of all locales, starting with that one. */
export async function loadContents(
  reader: Reader,
  { brand }: Workspace,
  { id, primaryLocale }: Template,
): Promise<Contents> {
  const revisions = await currentRevisions(reader, id)
  const primary = revisions.get(primaryLocale)
  const inOrder = primary === undefined ? revisions : new Map([[primaryLocale, primary], ...revisions])
  return {
    locales: [...revisions.keys()],
    uses: unionOfUses(await usesByLocale(reader, inOrder, brand)),
    revision: primary === undefined ? null : await getRevision(reader, primary, brand),
  }
}

/** The template as clients see it. Throws `not_found`. */
export async function getTemplateView(app: App, workspace: Workspace, slug: string, warnings: Issue[] = []) {
  const template = await getTemplate(app, workspace.id, slug)
  const contents = await loadContents(app, workspace, template)
  return {
    ...toTemplateView(template, contents),
    ...shownWarnings([...warnings, ...(contents.revision?.compiled.warnings ?? [])]),
  }
}
