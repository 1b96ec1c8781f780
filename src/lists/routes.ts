// Mailing lists, subscription sources, opt-in. The pages that people see are in pages.ts.

import { Elysia, t } from 'elysia'
import { type App, write } from '../app.ts'
import { readContactFields } from '../contacts/fields.ts'
import { idempotencyKeyOf, reply } from '../http/idempotency.ts'
import { type PageRequest, pageOf, pageQuery, readPage, writePage } from '../http/pagination.ts'
import { conflicting, underAnyName } from '../lib/aliases.ts'
import { parseAddress } from '../lib/email-address.ts'
import { AppError, invalidField } from '../lib/error.ts'
import { parseTime } from '../lib/time.ts'
import { actorOf, auth } from '../workspaces/auth.ts'
import { successBody } from '../workspaces/schema.ts'
import type { Workspace } from '../workspaces/workspaces.ts'
import { createClick } from './click.ts'
import { prepareConfirmation } from './confirmation-mail.ts'
import { archiveList, countLists, createList, findList, getList, listLists, updateList } from './lists.ts'
import { type OptIn, optIn, resendConfirmation } from './opt-in.ts'
import {
  createListBody,
  createSourceBody,
  deleteSourceBody,
  listView,
  loopsListView,
  newOptInAnswer,
  optInAnswer,
  optInBody,
  optInMembers,
  resendBody,
  sourceView,
  toListView,
  toSourceView,
  updateListBody,
  updateSourceBody,
} from './schema.ts'
import {
  archiveSource,
  countSources,
  createSource,
  findSource,
  getSource,
  listSources,
  updateSource,
} from './sources.ts'
import { acceptVisitor, ofVisitor } from './visitor.ts'

const listsPath = '/v1/mailing-lists'
const sourcesPath = '/v1/subscription-sources'
/** What a client without pages is given. */
const allLists = 1_000

const detail = (operationId: string, summary: string, tag = 'Subscriptions') => ({
  operationId,
  summary,
  tags: [tag],
})
const session = true as const

export function listRoutes(app: App) {
  return new Elysia().use(mailingListRoutes(app)).use(sourceRoutes(app)).use(optInRoutes(app))
}

function mailingListRoutes(app: App) {
  const writing = { scope: 'lists.write', session } as const
  return new Elysia()
    .use(auth)
    .get(listsPath, ({ workspace, query }) => mailingLists(app, workspace, query), {
      auth: 'lists.read',
      query: t.Object(pageQuery),
      response: pageOf(listView),
      detail: detail('listMailingLists', 'List the active mailing lists'),
    })
    .get(
      '/api/v1/lists',
      async ({ workspace }) => (await listLists(app, workspace.id, { limit: allLists })).map(toListView),
      { auth: 'lists.read', response: t.Array(loopsListView), detail: { hide: true } },
    )
    .post(
      listsPath,
      async ({ workspace, body, set }) => {
        set.status = 201
        return toListView(await write(app, (tx) => createList(tx, workspace.id, known(body, createListBody))))
      },
      {
        auth: writing,
        body: createListBody,
        response: { 201: listView },
        detail: detail('createMailingList', 'Create a mailing list', 'Extensions'),
      },
    )
    .get(
      `${listsPath}/:listId`,
      async ({ workspace, params }) => toListView(await getList(app, workspace.id, params.listId)),
      {
        auth: { scope: 'lists.read', session },
        response: listView,
        detail: detail('getMailingList', 'Fetch one mailing list', 'Extensions'),
      },
    )
    .patch(
      `${listsPath}/:listId`,
      async ({ workspace, params, body }) =>
        toListView(await write(app, (tx) => updateList(tx, workspace.id, params.listId, known(body, updateListBody)))),
      {
        auth: writing,
        body: updateListBody,
        response: listView,
        detail: detail('updateMailingList', 'Change a mailing list', 'Extensions'),
      },
    )
    .delete(
      `${listsPath}/:listId`,
      async ({ workspace, params }) => {
        await write(app, (tx) => archiveList(tx, workspace.id, params.listId))
        return { success: true as const, message: 'Mailing list archived.' }
      },
      {
        auth: writing,
        response: successBody,
        detail: detail('archiveMailingList', 'Archive a mailing list', 'Extensions'),
      },
    )
}

/** Only what the schema names: the rest of a body is not ours. */
function known<T extends Record<string, unknown>>(body: T, schema: { properties: Record<string, unknown> }): T {
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(schema.properties, name))) as T
}

async function mailingLists(app: App, workspace: Workspace, query: PageRequest['query']) {
  const request = { workspaceId: workspace.id, path: listsPath, query }
  const bounds = await readPage(app, request)
  const rows = await listLists(app, workspace.id, { after: bounds.after, limit: bounds.limit + 1 })
  const total = await countLists(app, workspace.id)
  return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toListView })
}

function sourceRoutes(app: App) {
  const writing = 'sources.write' as const
  const create = async (workspace: Workspace, body: typeof createSourceBody.static) =>
    toSourceView(await write(app, (tx) => createSource(tx, workspace.id, known(body, createSourceBody))))
  const update = async (workspace: Workspace, id: string, body: typeof updateSourceBody.static) => {
    const { id: _, ...fields } = known(body, updateSourceBody)
    return toSourceView(await write(app, (tx) => updateSource(tx, workspace.id, id, fields)))
  }
  const remove = async (workspace: Workspace, id: string) => {
    await write(app, (tx) => archiveSource(tx, workspace.id, id))
    return { success: true as const, message: 'Subscription source deleted.' }
  }
  const creating = {
    auth: writing,
    body: createSourceBody,
    response: { 201: sourceView },
    detail: detail('createSubscriptionSource', 'Create a subscription source'),
  }
  const updating = { auth: writing, body: updateSourceBody, response: sourceView }
  const alias = (operationId: string, summary: string, of: string) => ({
    ...detail(operationId, summary),
    description: `Alias of ${of}.`,
  })
  return new Elysia({ prefix: sourcesPath })
    .use(auth)
    .get('', ({ workspace, query }) => sources(app, workspace, query), {
      auth: 'sources.read',
      query: t.Object(pageQuery),
      response: pageOf(sourceView),
      detail: detail('listSubscriptionSources', 'List the subscription sources'),
    })
    .post(
      '/create',
      ({ workspace, body, set }) => {
        set.status = 201
        return create(workspace, body)
      },
      // A copy: the router takes the macros out of the object it is given.
      { ...creating },
    )
    .post(
      '',
      ({ workspace, body, set }) => {
        set.status = 201
        return create(workspace, body)
      },
      { ...creating, detail: alias('createSubscriptionSourceAlias', 'Create a subscription source', 'POST /create') },
    )
    .put('/update', ({ workspace, body }) => update(workspace, requiredId(body.id), body), {
      ...updating,
      detail: detail('updateSubscriptionSource', 'Change a subscription source'),
    })
    .post('/delete', ({ workspace, body }) => remove(workspace, body.id), {
      auth: writing,
      body: deleteSourceBody,
      response: successBody,
      detail: {
        ...detail('deleteSubscriptionSource', 'Delete a subscription source'),
        description: 'It is archived: the consent that was given through it stays provable.',
      },
    })
    .get(
      '/:sourceId',
      async ({ workspace, params }) => toSourceView(await getSource(app, workspace.id, params.sourceId)),
      {
        auth: 'sources.read',
        response: sourceView,
        detail: detail('getSubscriptionSource', 'Fetch one subscription source'),
      },
    )
    .patch('/:sourceId', ({ workspace, params, body }) => update(workspace, params.sourceId, body), {
      ...updating,
      detail: alias('patchSubscriptionSource', 'Change a subscription source', 'PUT /update'),
    })
    .put('/:sourceId', ({ workspace, params, body }) => update(workspace, params.sourceId, body), {
      ...updating,
      detail: alias('putSubscriptionSource', 'Change a subscription source', 'PUT /update'),
    })
    .delete('/:sourceId', ({ workspace, params }) => remove(workspace, params.sourceId), {
      auth: writing,
      response: successBody,
      detail: alias('removeSubscriptionSource', 'Delete a subscription source', 'POST /delete'),
    })
}

function requiredId(id: string | undefined): string {
  if (id !== undefined) return id
  throw new AppError('missing_required_field', 'name the subscription source: id', {
    errors: [{ path: 'id', message: 'name the subscription source: id', code: 'required' }],
  })
}

async function sources(app: App, workspace: Workspace, query: PageRequest['query']) {
  const request = { workspaceId: workspace.id, path: sourcesPath, query }
  const bounds = await readPage(app, request)
  const rows = await listSources(app, workspace.id, { after: bounds.after, limit: bounds.limit + 1 })
  const total = await countSources(app, workspace.id)
  return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view: toSourceView })
}

function optInRoutes(app: App) {
  const visitorOf = createClick(app)
  return new Elysia({ prefix: '/v1/contact-subscriptions' })
    .use(auth)
    .post(
      '/opt-in',
      async ({ workspace, credential, body, request, server, set }) => {
        const { wish, warnings } = readOptIn(app, body, actorOf(credential))
        const idempotency = { key: idempotencyKeyOf(request), body }
        if (credential.kind === 'source') {
          const visit = ofVisitor(wish, credential.id, visitorOf({ request, server }), app.clock.now())
          const { status, ...answer } = await acceptVisitor(app, workspace, visit, idempotency)
          // The body is exactly this, without the warnings that other writes have: a Response, of which the schema knows nothing.
          return Response.json(reply(set, { status, ...answer }), { status }) as never
        }
        return { ...reply(set, await optIn(app, workspace, wish, idempotency)), warnings }
      },
      {
        auth: { scope: 'subscriptions.write', source: true },
        body: optInBody,
        response: { 200: optInAnswer, 201: newOptInAnswer, 202: newOptInAnswer },
        detail: {
          ...detail('optIn', 'Subscribe a contact through a source'),
          description:
            'The contact is found by its address alone. 201: active at once. 202: a confirmation is asked for by mail, at most once in 10 minutes and three times a day per address; until then nothing changes about a contact that exists. 200: was active already. `suppression` names why nothing is mailed to the address all the same. With the id of a source as the key: 201 or 202 by the kind of the source, and `{"success":true}`, whoever it is about.',
        },
      },
    )
    .post('/resend-confirmation', ({ workspace, body, set }) => resend(app, workspace, body, set), {
      auth: 'subscriptions.write',
      body: resendBody,
      response: { 202: t.Object({ success: t.Literal(true) }) },
      detail: {
        ...detail('resendConfirmation', 'Resend a double opt-in mail'),
        description:
          'Always 202: whether the address is known is not told. At most one mail a minute and five a day per address.',
      },
    })
}

function readOptIn(app: App, body: typeof optInBody.static, callerId: string) {
  const sourceId = underAnyName(body, ['sourceId', 'source'])?.value
  if (sourceId === undefined)
    throw new AppError('missing_required_field', 'name the subscription source: sourceId', {
      errors: [{ path: 'sourceId', message: 'name the subscription source: sourceId', code: 'required' }],
    })
  const { fields, warnings } = readContactFields(body, optInMembers)
  const { email } = fields
  if (email === undefined) throw invalidField('email', 'must be an e-mail address', 'invalid_email')
  const off = Object.entries(body.mailingLists ?? {}).find(([, on]) => !on)
  if (off) throw invalidField(`mailingLists.${off[0]}`, 'an opt-in only adds: use true', 'invalid')
  const { ip, userAgent, url, timestamp } = body.consent ?? {}
  const wish: OptIn = {
    fields: { ...fields, email },
    by: { kind: 'api_key', id: callerId },
    sourceId,
    mailingListIds: listsOf(body),
    consent: {
      ip: ip ?? null,
      userAgent: userAgent ?? null,
      url: url ?? null,
      givenAt: timestamp === undefined ? undefined : pastTime(app, timestamp),
    },
  }
  return { wish, warnings }
}

function listsOf({ mailingListIds: ids, mailingLists }: typeof optInBody.static): string[] {
  const named = mailingLists === undefined ? undefined : Object.keys(mailingLists)
  if (ids !== undefined && named !== undefined && new Set(ids).symmetricDifference(new Set(named)).size > 0)
    throw conflicting('mailingListIds', 'mailingLists')
  return ids ?? named ?? []
}

function pastTime(app: App, timestamp: string): Date {
  const at = parseTime(timestamp)
  if (at && at <= app.clock.now()) return at
  throw invalidField('consent.timestamp', 'must be an ISO 8601 time that is not in the future', 'invalid_time')
}

async function resend(
  app: App,
  workspace: Workspace,
  body: typeof resendBody.static,
  set: { status?: number | string },
): Promise<{ success: true }> {
  const parsed = parseAddress(body.email)
  if (!parsed.ok) throw invalidField('email', parsed.reason, 'invalid_email')
  set.status = 202
  const source = body.sourceId === undefined ? null : await findSource(app, workspace.id, body.sourceId)
  const list = body.mailingListId === undefined ? null : await findList(app, workspace.id, body.mailingListId)
  if (source === undefined || list === undefined) return { success: true }
  const prepared = await prepareConfirmation(app, workspace, source)
  const wish = { email: parsed.address, source, mailingListId: list?.id ?? null, ip: null }
  await write(app, (tx) => resendConfirmation(tx, prepared, wish))
  return { success: true }
}
