// Templates and their component trees. Sending one is sending/routes.ts.

import { Elysia, t } from 'elysia'
import { type App, type Reader, write } from '../app.ts'
import { specified } from '../http/operation.ts'
import { type PageRequest, pageOf, pageQuery, readPage, writePage } from '../http/pagination.ts'
import { underAnyName } from '../lib/aliases.ts'
import { AppError, type Issue } from '../lib/error.ts'
import type { Node } from '../rendering/nodes.ts'
import { parseTree, type Warning } from '../rendering/tree.ts'
import { unionOfUses } from '../rendering/variables.ts'
import { auth } from '../workspaces/auth.ts'
import { warnOfAddress } from '../workspaces/domain-owners.ts'
import { successBody } from '../workspaces/schema.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import {
  checkedLocale,
  compileWarnings,
  currentRevisions,
  expectRevision,
  findContent,
  setContent,
} from './contents.ts'
import { getRevision, usesByLocale } from './resolve.ts'
import {
  type Contents,
  checkFields,
  contentBody,
  contentView,
  createBody,
  deleteBody,
  templateListItem,
  templateView,
  toContentView,
  toFamilyView,
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
import { useWarnings } from './use-warnings.ts'
import { type Cancelling, cancelUses } from './uses.ts'

const path = '/v1/transactional'

export function templateRoutes(app: App, cancelling: Cancelling) {
  const read = 'transactional.read'
  const write = 'transactional.write'
  return new Elysia({ prefix: path })
    .use(auth)
    .get('', ({ workspace, query }) => list(app, workspace, query), {
      auth: read,
      query: t.Object(pageQuery),
      response: pageOf(templateListItem),
      detail: specified(
        'listTemplates',
        'List active templates',
        'Only active templates. Each one has its rendered `htmlBody` and `textBody` in the primary locale, and the variables that a send must supply.',
      ),
    })
    .post('/create', ({ workspace, body, set }) => create(app, workspace, body, set), {
      auth: write,
      body: createBody,
      response: { 201: templateView },
      detail: specified(
        'createTemplate',
        'Create a template',
        'With `content` the template is active and can be sent at once, unless `status` is `draft`; without it, it is a draft. 409 `template_exists` when another template has this slug.',
        [409],
      ),
    })
    .put('/update', ({ workspace, body }) => update(app, workspace, body), {
      auth: write,
      body: updateBody,
      response: templateView,
      detail: specified(
        'updateTemplate',
        'Update a template; `content` replaces the tree of the primary locale',
        'Only the fields that are given change; `content` replaces the whole tree of the primary locale. Mail that was accepted before is sent as it was then.',
        [404, 409],
      ),
    })
    .post('/delete', ({ workspace, body }) => remove(app, workspace, body, cancelling), {
      auth: write,
      body: deleteBody,
      response: successBody,
      detail: specified(
        'deleteTemplate',
        'Delete a template',
        'Refused with 409 `template_in_use` while campaigns or delayed mails would be sent with it; `force` cancels those and deletes. Mail that was accepted before still leaves.',
        [404, 409],
      ),
    })
    .get('/:templateId', ({ workspace, params }) => fetchOne(app, workspace, params.templateId), {
      auth: read,
      response: templateView,
      detail: specified(
        'getTemplate',
        'Fetch the metadata of one template',
        'Subject, sender, status, locales and variables of one template. Its component tree is at `/content/{locale}`.',
      ),
    })
    .get('/:templateId/content/:locale', ({ workspace, params }) => fetchContent(app, workspace, params), {
      auth: read,
      response: contentView,
      detail: specified(
        'getContent',
        'Fetch the component tree of one locale',
        'The tree as it is stored, with the subject and preview text of this locale. There is no fallback: 404 for a locale without content.',
        [422],
      ),
    })
    .put('/:templateId/content/:locale', ({ workspace, params, body }) => putContent(app, workspace, params, body), {
      auth: write,
      body: contentBody,
      response: contentView,
      detail: specified(
        'putContent',
        'Set the component tree of one locale',
        'Replaces the whole tree of this locale, or adds the locale. The body is the tree itself, or an object with `content`. A draft becomes active once its primary locale has content.',
        [409],
      ),
    })
}

/** What clients of the family ask for: under /api/v1 only. */
export function templateAliases(app: App) {
  const aliasPath = '/api/v1/transactional-emails'
  return new Elysia({ prefix: aliasPath, detail: { hide: true } })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path: aliasPath, query }
        const bounds = await readPage(app, request)
        const { rows, total } = await listTemplates(app, workspace.id, bounds)
        const views = new Map(
          await Promise.all(rows.map(async (row) => [row.id, await familyViewOf(app, workspace, row)] as const)),
        )
        return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: ({ id }) => views.get(id) })
      },
      { auth: 'transactional.read', query: t.Object(pageQuery) },
    )
    .get(
      '/:templateId',
      async ({ workspace, params }) =>
        familyViewOf(app, workspace, await getTemplate(app, workspace.id, params.templateId)),
      { auth: 'transactional.read' },
    )
}

async function familyViewOf(app: App, workspace: Workspace, template: Template) {
  return toFamilyView(app.config.baseUrl, toTemplateView(template, await contentOf(app, workspace, template)))
}

async function list(app: App, workspace: Workspace, query: PageRequest['query']) {
  const request = { workspaceId: workspace.id, path, query }
  const bounds = await readPage(app, request)
  const { rows, total } = await listTemplates(app, workspace.id, bounds)
  const items = await Promise.all(rows.map(async (row) => toListItem(row, await contentOf(app, workspace, row))))
  const idOf = ({ id }: { id: string }) => rows.find(({ slug }) => slug === id)?.id ?? ''
  return writePage(app, request, bounds, { rows: items, total, idOf, view: (item) => item })
}

export async function create(
  app: App,
  workspace: Workspace,
  body: typeof createBody.static,
  set: { status?: number | string },
) {
  checkFields(body)
  const { content, warnings } = readContent(body.content)
  const template = await write(app, (tx) => createTemplate(tx, workspace.id, newTemplate(workspace, body, content)))
  set.status = 201
  return viewOf(app, workspace, template.slug, [...warnings, ...(await senderWarnings(app, template))])
}

export async function update(app: App, workspace: Workspace, body: typeof updateBody.static) {
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
  const inUse = [...(await senderWarnings(app, template)), ...(await useWarnings(app, workspace, template))]
  return viewOf(app, workspace, template.slug, [...warnings, ...inUse])
}

/** A template is often written before its domain is verified. */
function senderWarnings(app: App, { workspaceId, fromEmail }: Template): Promise<Issue[]> {
  return warnOfAddress(app, workspaceId, { address: fromEmail, path: 'fromEmail' })
}

/** `force` cancels what would send it. */
export async function remove(
  app: App,
  workspace: Workspace,
  body: typeof deleteBody.static,
  cancelling: Cancelling | null = null,
) {
  const { slug } = await getTemplate(app, workspace.id, idOf(body))
  if (body.force && cancelling !== null) await cancelUses(app, cancelling, workspace.id, slug)
  await write(app, (tx) => deleteTemplate(tx, workspace.id, slug))
  return { success: true as const, message: 'Template deleted.' }
}

function fetchOne(app: App, workspace: Workspace, slug: string) {
  return viewOf(app, workspace, slug, [])
}

async function fetchContent(app: App, workspace: Workspace, params: ContentPath) {
  const { id } = await getTemplate(app, workspace.id, params.templateId)
  const locale = checkedLocale('locale', params.locale)
  const content = await findContent(app, id, locale)
  if (!content) throw new AppError('not_found', `the template has no content in ${locale}`)
  return toContentView(content)
}

interface ContentPath {
  templateId: string
  locale: string
}

export async function putContent(app: App, workspace: Workspace, params: ContentPath, body: typeof contentBody.static) {
  const given = Array.isArray(body) ? { content: body } : body
  checkFields(given)
  const locale = checkedLocale('locale', params.locale)
  const { content, warnings } = parseTree(given.content)
  const input = await write(app, async (tx) => {
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
  return { ...toContentView(stored), ...present([...warnings, ...compileWarnings(input), ...inUse]) }
}

/** The slug under any of its names. */
function idOf(body: { id?: string; templateId?: string; transactionalId?: string }): string {
  const id = underAnyName(body, ['id', 'templateId', 'transactionalId'])?.value
  if (id !== undefined) return id
  const message = 'name the template: id'
  throw new AppError('missing_required_field', message, { errors: [{ path: 'id', message, code: 'required' }] })
}

function readContent(content: unknown): { content: Node[] | undefined; warnings: Warning[] } {
  return content === undefined ? { content: undefined, warnings: [] } : parseTree(content)
}

function newTemplate(workspace: Workspace, body: typeof createBody.static, content: Node[] | undefined) {
  const { name, subject, previewText = '', fromName = null, fromEmail = null, replyTo = null, status } = body
  const slug = underAnyName(body, ['id', 'slug'])?.value
  const primaryLocale =
    body.primaryLocale === undefined ? workspace.primaryLocale : checkedLocale('primaryLocale', body.primaryLocale)
  return { name, slug, subject, previewText, fromName, fromEmail, replyTo, primaryLocale, status, content }
}

/** Its revision in the primary locale, and the variables of all locales, beginning with that one. */
async function contentOf(reader: Reader, { brand }: Workspace, { id, primaryLocale }: Template): Promise<Contents> {
  const revisions = await currentRevisions(reader, id)
  const primary = revisions.get(primaryLocale)
  const inOrder = primary === undefined ? revisions : new Map([[primaryLocale, primary], ...revisions])
  return {
    locales: [...revisions.keys()],
    uses: unionOfUses(await usesByLocale(reader, inOrder, brand)),
    revision: primary === undefined ? null : await getRevision(reader, primary, brand),
  }
}

async function viewOf(app: App, workspace: Workspace, slug: string, warnings: Issue[]) {
  const template = await getTemplate(app, workspace.id, slug)
  const contents = await contentOf(app, workspace, template)
  return {
    ...toTemplateView(template, contents),
    ...present([...warnings, ...(contents.revision?.compiled.warnings ?? [])]),
  }
}

function present(warnings: Issue[]): { warnings?: Issue[] } {
  return warnings.length > 0 ? { warnings } : {}
}
