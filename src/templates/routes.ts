// Templates and their component trees. Sending one is sending/routes.ts.

import { Elysia, t } from 'elysia'
import { type App, type Reader, write } from '../app.ts'
import { pageOf, pageQuery, readPage, writePage } from '../http/pagination.ts'
import { unknownFields } from '../http/unknown-fields.ts'
import { AppError, type Issue, invalidField } from '../lib/error.ts'
import type { Node } from '../rendering/nodes.ts'
import { parseTree, type Warning } from '../rendering/tree.ts'
import { auth } from '../workspaces/auth.ts'
import { successBody } from '../workspaces/schema.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { checkedLocale, compileWarnings, expectRevision, findContent, listLocales, setContent } from './contents.ts'
import { getRevision } from './resolve.ts'
import {
  checkFields,
  contentBody,
  contentView,
  createBody,
  deleteBody,
  templateListItem,
  templateView,
  toContentView,
  toListItem,
  toTemplateView,
  updateBody,
} from './schema.ts'
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  type Template,
  updateTemplate,
} from './templates.ts'

const detail = (operationId: string, summary: string) => ({ operationId, summary, tags: ['Transactional'] })
const path = '/v1/transactional'

export function templateRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listTemplates(app, workspace.id, bounds)
        const items = await Promise.all(
          rows.map(async (row) => toListItem(row, ...(await contentOf(app, workspace, row)))),
        )
        return writePage(app, request, bounds, {
          rows: items,
          total,
          idOf: ({ id }) => internalId(rows, id),
          view: (item) => item,
        })
      },
      {
        auth: 'transactional.read',
        query: t.Object(pageQuery),
        response: pageOf(templateListItem),
        detail: detail('listTemplates', 'List active templates'),
      },
    )
    .post(
      '/create',
      async ({ workspace, body, set }) => {
        checkFields(body)
        const { content, warnings } = readContent(body.content)
        const template = await write(app, (tx) =>
          createTemplate(tx, workspace.id, newTemplate(workspace, body, content)),
        )
        set.status = 201
        return viewOf(app, workspace, template, [...warnings, ...unknownFields(body, createBody)])
      },
      {
        auth: 'transactional.write',
        body: createBody,
        response: { 201: templateView },
        detail: detail('createTemplate', 'Create a template'),
      },
    )
    .put(
      '/update',
      async ({ workspace, body }) => {
        checkFields(body)
        const { content, warnings } = readContent(body.content)
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
        const template = await write(app, (tx) => updateTemplate(tx, workspace.id, idOf(body), change))
        return viewOf(app, workspace, template, [...warnings, ...unknownFields(body, updateBody)])
      },
      {
        auth: 'transactional.write',
        body: updateBody,
        response: templateView,
        detail: detail('updateTemplate', 'Update a template; `content` replaces the tree of the primary locale'),
      },
    )
    .post(
      '/delete',
      async ({ workspace, body }) => {
        await write(app, (tx) => deleteTemplate(tx, workspace.id, idOf(body)))
        return { success: true as const, message: 'Template deleted.' }
      },
      {
        auth: 'transactional.write',
        body: deleteBody,
        response: successBody,
        detail: detail('deleteTemplate', 'Delete a template'),
      },
    )
    .get(
      '/:templateId',
      async ({ workspace, params }) =>
        viewOf(app, workspace, await getTemplate(app, workspace.id, params.templateId), []),
      {
        auth: 'transactional.read',
        response: templateView,
        detail: detail('getTemplate', 'Fetch the metadata of one template'),
      },
    )
    .get(
      '/:templateId/content/:locale',
      async ({ workspace, params }) => {
        const { id } = await getTemplate(app, workspace.id, params.templateId)
        const locale = checkedLocale('locale', params.locale)
        const content = await findContent(app, id, locale)
        if (!content) throw new AppError('not_found', `the template has no content in ${locale}`)
        return toContentView(content)
      },
      {
        auth: 'transactional.read',
        response: contentView,
        detail: detail('getContent', 'Fetch the component tree of one locale'),
      },
    )
    .put(
      '/:templateId/content/:locale',
      async ({ workspace, params, body }) => {
        const given = Array.isArray(body) ? { content: body } : body
        checkFields(given)
        const locale = checkedLocale('locale', params.locale)
        return putContent(app, workspace, { slug: params.templateId, locale, given })
      },
      {
        auth: 'transactional.write',
        body: contentBody,
        response: contentView,
        detail: detail('putContent', 'Set the component tree of one locale'),
      },
    )
}

type GivenContent = { content?: unknown; subject?: string; previewText?: string; expectedRevisionId?: string }

async function putContent(
  app: App,
  workspace: Workspace,
  { slug, locale, given }: { slug: string; locale: string; given: GivenContent },
) {
  const { content, warnings } = parseTree(given.content)
  const input = await write(app, async (tx) => {
    const template = await getTemplate(tx, workspace.id, slug)
    const current = await findContent(tx, template.id, locale)
    expectRevision(given.expectedRevisionId, current?.revisionId)
    const subject = given.subject ?? current?.subject ?? template.subject
    const previewText = given.previewText ?? current?.previewText ?? template.previewText
    await setContent(tx, template, { locale, content, subject, previewText })
    return { templateId: template.id, locale, content, subject, previewText }
  })
  const stored = await findContent(app, input.templateId, locale)
  if (!stored) throw new AppError('not_found', 'the template was deleted meanwhile')
  return { ...toContentView(stored), ...present([...warnings, ...compileWarnings(input)]) }
}

/** The slug under any of its names. */
function idOf(body: { id?: string; templateId?: string; transactionalId?: string }): string {
  const id = body.id ?? body.templateId ?? body.transactionalId
  if (id !== undefined) return id
  const message = 'name the template: id'
  throw new AppError('missing_required_field', message, { errors: [{ path: 'id', message, code: 'required' }] })
}

function readContent(content: unknown): { content: Node[] | undefined; warnings: Warning[] } {
  return content === undefined ? { content: undefined, warnings: [] } : parseTree(content)
}

function newTemplate(workspace: Workspace, body: typeof createBody.static, content: Node[] | undefined) {
  const { name, subject, previewText = '', fromName = null, fromEmail = null, replyTo = null, status } = body
  if (body.id !== undefined && body.slug !== undefined && body.id !== body.slug) {
    throw invalidField('slug', 'is another name of id; give one of them', 'contradiction')
  }
  const slug = body.id ?? body.slug
  const primaryLocale =
    body.primaryLocale === undefined ? workspace.primaryLocale : checkedLocale('primaryLocale', body.primaryLocale)
  return { name, slug, subject, previewText, fromName, fromEmail, replyTo, primaryLocale, status, content }
}

async function contentOf(reader: Reader, { brand }: Workspace, template: Template) {
  const locales = await listLocales(reader, template.id)
  const primary = await findContent(reader, template.id, template.primaryLocale)
  const revision = primary ? await getRevision(reader, primary.revisionId, brand) : null
  return [locales, revision] as const
}

async function viewOf(app: App, workspace: Workspace, template: Template, warnings: Issue[]) {
  const current = await getTemplate(app, workspace.id, template.slug)
  const [locales, revision] = await contentOf(app, workspace, current)
  return {
    ...toTemplateView(current, locales, revision),
    ...present([...warnings, ...(revision?.compiled.warnings ?? [])]),
  }
}

function present(warnings: Issue[]): { warnings?: Issue[] } {
  return warnings.length > 0 ? { warnings } : {}
}

function internalId(rows: Template[], slug: string): string {
  return rows.find((row) => row.slug === slug)?.id ?? ''
}
