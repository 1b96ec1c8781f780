// Subscription sources: where consent comes from, and what people agree to. Each write is available under more than one path.

import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { alias, specified } from '../../core/http/operation.ts'
import { type PageRequest, pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { AppError } from '../../kit/error.ts'
import { auth, type Caller, toGrantor } from '../../people/access/auth.ts'
import { successBody } from '../../people/access/schema.ts'
import type { Workspace } from '../../people/workspaces.ts'
import {
  createSourceBody,
  deleteSourceBody,
  onlyKnownMembers,
  sourceView,
  toSourceView,
  updateSourceBody,
} from './schema.ts'
import { archiveSource, countSources, createSource, getSource, listSources, noGuards, updateSource } from './sources.ts'

const sourcesPath = '/v1/subscription-sources'
const writing = { scope: 'sources.write', session: true } as const
const creating = { auth: writing, body: createSourceBody, response: { 201: sourceView } }
const updating = { auth: writing, body: updateSourceBody, response: sourceView }

export function sourceRoutes(app: App) {
  return new Elysia({ prefix: sourcesPath }).use(specifiedRoutes(app)).use(byIdRoutes(app))
}

function specifiedRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get('', ({ workspace, query }) => sources(app, workspace, query), {
      auth: { scope: 'sources.read', session: true },
      query: t.Object(pageQuery),
      response: pageOf(sourceView),
      detail: specified(
        'listSubscriptionSources',
        'List the subscription sources',
        'Sources record where consent comes from and what people agreed to. Deleted sources are not listed.',
      ),
    })
    .post(
      '/create',
      ({ workspace, credential, body, set }) => {
        set.status = 201
        return create(app, { workspace, credential }, body)
      },
      // Copies, because the router removes macros from the object that it is given.
      {
        ...creating,
        detail: specified(
          'createSubscriptionSource',
          'Create a subscription source',
          'A source defines which lists an opt-in through it joins, the text that people agree to, and whether they have to confirm by mail.',
        ),
      },
    )
    .post(
      '',
      ({ workspace, credential, body, set }) => {
        set.status = 201
        return create(app, { workspace, credential }, body)
      },
      {
        ...creating,
        detail: alias(
          specified(
            'createSubscriptionSourceAlias',
            'Create a subscription source',
            'The same as `POST /v1/subscription-sources/create`.',
          ),
        ),
      },
    )
    .put('/update', ({ workspace, body }) => update(app, workspace, requiredId(body.id), body), {
      ...updating,
      body: { ...updateSourceBody, needed: [['id']] },
      detail: specified(
        'updateSubscriptionSource',
        'Change a subscription source',
        'Only the fields in the request change. A changed `consentText` is a new version; earlier consent keeps the version that it was given for.',
        [404],
      ),
    })
    .post('/delete', ({ workspace, body }) => remove(app, workspace, body.id), {
      auth: writing,
      body: deleteSourceBody,
      response: successBody,
      detail: specified(
        'deleteSubscriptionSource',
        'Delete a subscription source',
        'It accepts no more opt-ins. Consent given through it stays on record.',
        [404],
      ),
    })
}

function byIdRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get(
      '/:sourceId',
      async ({ workspace, params }) => toSourceView(await getSource(app, workspace.id, params.sourceId)),
      {
        auth: { scope: 'sources.read', session: true },
        response: sourceView,
        detail: specified(
          'getSubscriptionSource',
          'Fetch one subscription source',
          'Returns one source with its lists, its consent text and the version of that text.',
        ),
      },
    )
    .patch('/:sourceId', ({ workspace, params, body }) => update(app, workspace, params.sourceId, body), {
      ...updating,
      detail: alias(
        specified(
          'patchSubscriptionSource',
          'Change a subscription source',
          'The same as `PUT /v1/subscription-sources/update`.',
        ),
      ),
    })
    .put('/:sourceId', ({ workspace, params, body }) => update(app, workspace, params.sourceId, body), {
      ...updating,
      detail: alias(
        specified(
          'putSubscriptionSource',
          'Change a subscription source',
          'The same as `PUT /v1/subscription-sources/update`: fields that are not given stay as they are.',
        ),
      ),
    })
    .delete('/:sourceId', ({ workspace, params }) => remove(app, workspace, params.sourceId), {
      auth: writing,
      response: successBody,
      detail: alias(
        specified(
          'removeSubscriptionSource',
          'Delete a subscription source',
          'The same as `POST /v1/subscription-sources/delete`.',
        ),
      ),
    })
}

async function create(app: App, { workspace, credential }: Caller, body: typeof createSourceBody.static) {
  const { guards, ...given } = onlyKnownMembers(body, createSourceBody)
  const fields = { ...given, ...guardsOf(guards), madeBy: toGrantor(credential).userId }
  return toSourceView(await write(app, (tx) => createSource(tx, workspace.id, fields)))
}

async function update(app: App, workspace: Workspace, id: string, body: typeof updateSourceBody.static) {
  const { id: _, guards, ...fields } = onlyKnownMembers(body, updateSourceBody)
  return toSourceView(await write(app, (tx) => updateSource(tx, workspace.id, id, { ...fields, ...guardsOf(guards) })))
}

/** What is not named is off. */
function guardsOf(guards: typeof createSourceBody.static.guards) {
  return guards === undefined ? {} : { guards: guards && { ...noGuards, ...guards } }
}

async function remove(app: App, workspace: Workspace, id: string) {
  await write(app, (tx) => archiveSource(tx, workspace.id, id))
  return { success: true as const, message: 'Subscription source deleted.' }
}

function requiredId(id: string | undefined): string {
  if (id !== undefined) return id
  throw new AppError('missing_required_field', 'name the subscription source: id is missing', {
    errors: [{ path: 'id', message: 'name the subscription source: id is missing', code: 'required' }],
  })
}

async function sources(app: App, workspace: Workspace, query: PageRequest['query']) {
  const request = { workspaceId: workspace.id, path: sourcesPath, query }
  const bounds = await readPage(app, request)
  const rows = await listSources(app, workspace.id, { after: bounds.after, limit: bounds.limit + 1 })
  const total = await countSources(app, workspace.id)
  return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toSourceView })
}
