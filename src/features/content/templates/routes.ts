// Templates and their component trees. Sending one is sending/routes.ts.

import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { specified } from '../../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { sortingOf, sortQuery } from '../../../core/http/sorting.ts'
import { auth } from '../../../people/access/auth.ts'
import { successBody } from '../../../people/access/schema.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import {
  changeTemplate,
  contentOfLocale,
  draftTemplate,
  getTemplateView,
  loadContents,
  putLocale,
  removeTemplate,
} from './draft.ts'
import {
  contentBody,
  contentView,
  createBody,
  deleteBody,
  listFilter,
  templateListItem,
  templateView,
  toListItem,
  updateBody,
} from './schema.ts'
import { listTemplates, templateOrders } from './templates.ts'
import type { Cancelling } from './uses.ts'

const path = '/v1/transactional'

const read = { scope: 'transactional.read', session: true } as const
const write = { scope: 'transactional.write', session: true } as const

const listQuery = t.Object({ ...listFilter, ...sortQuery(templateOrders), ...pageQuery })

export function templateRoutes(app: App, cancelling: Cancelling) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get('', ({ workspace, query }) => list(app, workspace, query), {
      auth: read,
      query: listQuery,
      response: pageOf(templateListItem),
      detail: {
        ...specified(
          'listTemplates',
          'List templates',
          'Only active templates, unless `status` selects others. Each has its rendered `htmlBody` and `textBody` in the primary locale, and the variables that a send must supply.',
        ),
        tool: {
          name: 'list_templates',
          says: {
            purpose: 'Lists the templates of the workspace.',
            notFor: 'Finished mails to start from (list_template_starters), or what one says (get_template_content).',
            returns:
              '`data` with id, name, subject, locales and variables, and `pagination`. Only active ones unless `status` says otherwise.',
            whenToUse: 'To find a template by its name, or the `templateId` for a campaign or a sequence.',
          },
          touches: { reads: 'own', acts: 'no' },
          takes: ['status', 'q', 'perPage', 'cursor'],
          shows: ['id', 'name', 'status', 'subject', 'primaryLocale', 'locales', 'variables', 'updatedAt'],
        },
        command: ['id', 'status', 'primaryLocale', 'subject'],
      },
    })
    .post(
      '/create',
      async ({ workspace, body, set }) => {
        const view = await draftTemplate(app, workspace, body)
        set.status = 201
        return view
      },
      {
        auth: write,
        body: createBody,
        response: { 201: templateView },
        detail: specified(
          'createTemplate',
          'Create a template',
          'With `content` the template is active and can be sent at once, unless `status` is `draft`; without content it is a draft. 409 `template_exists` if another template has this slug.',
          [409],
        ),
      },
    )
    .put('/update', ({ workspace, body }) => changeTemplate(app, workspace, body), {
      auth: write,
      body: updateBody,
      response: templateView,
      detail: specified(
        'updateTemplate',
        'Update a template; `content` replaces the tree of the primary locale',
        'Only the fields in the request change; `content` replaces the whole tree of the primary locale. Mail that was accepted earlier is sent with the earlier content.',
        [404, 409],
      ),
    })
    .post('/delete', ({ workspace, body }) => removeTemplate(app, workspace, body, cancelling), {
      auth: write,
      body: deleteBody,
      response: successBody,
      detail: specified(
        'deleteTemplate',
        'Delete a template',
        'Refused with 409 `template_in_use` while unsent campaigns, active sequences or delayed mails use it; `force` cancels those, pauses what recurs and sequences, and deletes the template. Mail that was accepted earlier is still sent.',
        [404, 409],
      ),
    })
    .get('/:templateId', ({ workspace, params }) => getTemplateView(app, workspace, params.templateId), {
      auth: read,
      response: templateView,
      detail: specified(
        'getTemplate',
        'Fetch the metadata of one template',
        'Subject, sender, status, locales and variables of one template. Its component tree is at `/content/{locale}`.',
      ),
    })
    .use(contentRoutes(app))
}

function contentRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get('/:templateId/content/:locale', ({ workspace, params }) => contentOfLocale(app, workspace, params), {
      auth: read,
      response: contentView,
      detail: {
        ...specified(
          'getContent',
          'Fetch the component tree of one locale',
          'The tree as it is stored, with the subject and preview text of this locale. There is no fallback: 404 for a locale without content.',
          [422],
        ),
        tool: {
          name: 'get_template_content',
          says: {
            purpose: 'Reads the component tree of a template in one locale.',
            notFor: 'How it looks when filled in: preview_template.',
            returns: '`content`, `subject`, `previewText`, and `revisionId` for update_template.',
            whenToUse: 'Before update_template, which replaces the whole tree.',
          },
          touches: { reads: 'own', acts: 'no' },
        },
      },
    })
    .put('/:templateId/content/:locale', ({ workspace, params, body }) => putLocale(app, workspace, params, body), {
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

async function list(app: App, workspace: Workspace, query: typeof listQuery.static) {
  const request = { workspaceId: workspace.id, path, query }
  const bounds = await readPage(app, request)
  const { rows, total } = await listTemplates(app, workspace.id, { ...query, ...bounds })
  const items = await Promise.all(rows.map(async (row) => toListItem(row, await loadContents(app, workspace, row))))
  const { placeOf } = sortingOf(templateOrders, query.sort)
  const idOf = ({ id }: { id: string }) => rows.filter(({ slug }) => slug === id).map(placeOf)[0] ?? ''
  return writePage(app, request, bounds, { rows: items, total, idOf, view: (item) => item })
}
