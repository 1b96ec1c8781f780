// Mailing lists and opt-in. Subscription sources are in source-routes.ts, the pages that people see in pages.ts.

import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { readIdempotencyKey, reply } from '../../core/http/idempotency.ts'
import { type DeclaredTool, extension, repeatable, specified } from '../../core/http/operation.ts'
import { type PageRequest, pageOf, pageQuery, readPage, writePage } from '../../core/http/pagination.ts'
import { sortingOf, sortQuery } from '../../core/http/sorting.ts'
import { crossOrigin } from '../../core/http/surface.ts'
import { refusing } from '../../core/http/unknown-fields.ts'
import { conflicting, underAnyName } from '../../kit/aliases.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { networkAround } from '../../kit/network.ts'
import { parseTime } from '../../kit/time.ts'
import { auth, toActor } from '../../people/access/auth.ts'
import { successBody } from '../../people/access/schema.ts'
import type { Workspace } from '../../people/workspaces.ts'
import { findList } from '../contacts/consent/named-lists.ts'
import { readContactFields } from '../contacts/fields.ts'
import { createClick, readLocale } from './click.ts'
import { cancelHeld, prepareConfirmation } from './confirmation-mail.ts'
import { checkGuards } from './guards.ts'
import {
  archiveList,
  countLists,
  createList,
  getList,
  type ListSort,
  listLists,
  listOrders,
  updateList,
} from './lists.ts'
import { type OptIn, optIn, resendConfirmation } from './opt-in.ts'
import {
  cancelHeldBody,
  createListBody,
  listView,
  loopsListView,
  newOptInAnswer,
  onlyKnownMembers,
  optInAnswer,
  optInBody,
  optInMembers,
  resendBody,
  toListView,
  updateListBody,
} from './schema.ts'
import { sourceRoutes } from './source-routes.ts'
import { findSource, openSource } from './sources.ts'
import { acceptVisitor, ofVisitor } from './visitor.ts'

const listsPath = '/v1/mailing-lists'
/** What clients without pages get. */
const allLists = 1_000

const session = true as const

const listMailingListsTool: DeclaredTool = {
  name: 'list_mailing_lists',
  says: {
    purpose: 'Lists the active mailing lists with the number of their subscribed contacts.',
    notFor: 'Segments (list_segments), or who is on one: a filter `{"list": …}` of preview_segment.',
    returns: '`data` with id, name, opt-in and `contactCount`, and `pagination`.',
    whenToUse: 'To find the `mailingListId` for a campaign, or to say how large a list is.',
  },
  touches: { reads: 'own', acts: 'no' },
  shows: ['id', 'name', 'description', 'isPublic', 'optIn', 'contactCount', 'createdAt'],
}

export function listRoutes(app: App) {
  return new Elysia().use(mailingListRoutes(app)).use(sourceRoutes(app)).use(optInRoutes(app))
}

function mailingListRoutes(app: App) {
  const writing = { scope: 'lists.write', session } as const
  return new Elysia()
    .use(auth)
    .get(listsPath, ({ workspace, query }) => mailingLists(app, workspace, query), {
      auth: { scope: 'lists.read', session: true },
      query: t.Object({ ...sortQuery(listOrders), ...pageQuery }),
      response: pageOf(listView),
      detail: {
        ...specified(
          'listMailingLists',
          'List the active mailing lists',
          'Returns the active lists of the workspace, each with the number of its subscribed contacts.',
        ),
        tool: listMailingListsTool,
        command: ['id', 'optIn', 'contactCount', 'name'],
      },
    })
    .get(
      '/api/v1/lists',
      async ({ workspace }) => (await listLists(app, workspace.id, { limit: allLists })).map(toListView),
      { auth: { scope: 'lists.read', session: true }, response: t.Array(loopsListView), detail: { hide: true } },
    )
    .post(
      listsPath,
      async ({ workspace, body, set }) => {
        set.status = 201
        const known = onlyKnownMembers(body, createListBody)
        return toListView(await write(app, (tx) => createList(tx, workspace.id, known)))
      },
      {
        auth: writing,
        body: createListBody,
        response: { 201: listView },
        detail: extension(
          'createMailingList',
          'Create a mailing list',
          'With `optIn: "double"` a contact joins the list only after confirming by mail.',
        ),
      },
    )
    .get(
      `${listsPath}/:listId`,
      async ({ workspace, params }) => toListView(await getList(app, workspace.id, params.listId)),
      {
        auth: { scope: 'lists.read', session },
        response: listView,
        detail: extension('getMailingList', 'Fetch one mailing list', 'Also finds an archived list.'),
      },
    )
    .patch(
      `${listsPath}/:listId`,
      async ({ workspace, params, body }) =>
        toListView(
          await write(app, (tx) => updateList(tx, workspace.id, params.listId, onlyKnownMembers(body, updateListBody))),
        ),
      {
        auth: writing,
        body: updateListBody,
        response: listView,
        detail: extension(
          'updateMailingList',
          'Change a mailing list',
          'Only the fields in the request change. 409 for an archived list.',
          [409],
        ),
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
        detail: extension(
          'archiveMailingList',
          'Archive a mailing list',
          'Nothing more is sent to it, and it is no longer listed. Its subscriptions and consent stay on record.',
        ),
      },
    )
}

async function mailingLists(app: App, workspace: Workspace, query: PageRequest['query'] & { sort?: ListSort }) {
  const request = { workspaceId: workspace.id, path: listsPath, query }
  const bounds = await readPage(app, request)
  const rows = await listLists(app, workspace.id, { sort: query.sort, after: bounds.after, limit: bounds.limit + 1 })
  const { placeOf } = sortingOf(listOrders, query.sort)
  const total = await countLists(app, workspace.id)
  return writePage(app, request, bounds, { rows, total, idOf: placeOf, view: toListView })
}

function optInRoutes(app: App) {
  const visitorOf = createClick(app)
  return new Elysia({ prefix: '/v1/contact-subscriptions' })
    .use(auth)
    .post(
      '/opt-in',
      async ({ workspace, credential, body, request, server, set }) => {
        const { wish, warnings } = readOptIn(app, body, toActor(credential))
        const idempotency = { key: readIdempotencyKey(request), body }
        if (credential.kind === 'source') {
          const isCaught = await dropsVisitor(app, credential.id, body)
          const visit = ofVisitor(wish, {
            sourceId: credential.id,
            seen: visitorOf({ request, server }),
            locale: readLocale(request),
            now: app.clock.now(),
          })
          const { status, ...answer } = await acceptVisitor(app, workspace, visit, idempotency, isCaught)
          // Returned as a Response, because the body must be exactly this, without the warnings that other writes have.
          return Response.json(reply(set, { status, ...answer }), { status }) as never
        }
        return { ...reply(set, await optIn(app, workspace, wish, idempotency)), warnings }
      },
      {
        auth: { scope: 'subscriptions.write', source: true },
        body: optInBody,
        response: { 200: optInAnswer, 201: newOptInAnswer, 202: newOptInAnswer },
        detail: {
          ...repeatable(
            specified(
              'optIn',
              'Subscribe a contact through a source',
              'The contact is looked up by address only. 201: the subscription is active at once. 202: a confirmation mail is sent, at most once in 10 minutes and three times a day per mailbox; until the person confirms, an existing contact does not change. 200: it was already active. `suppression` is set if the address gets no mail anyway, with the reason. If the credential is the id of a source, the status is 201 or 202 depending only on the source, and the body is always `{"success":true}`; without `locale`, the language of the browser is used (`Accept-Language`).',
              [404, 409],
            ),
          ),
          ...crossOrigin,
        },
      },
    )
    .post('/resend-confirmation', ({ workspace, body, set }) => resend(app, workspace, body, set), {
      auth: { scope: 'subscriptions.write', session },
      body: resendBody,
      response: { 202: t.Object({ success: t.Literal(true) }) },
      detail: specified(
        'resendConfirmation',
        'Resend a double opt-in mail',
        'Always 202, so that the response does not reveal whether the address is known. At most one mail a minute and five a day per mailbox.',
      ),
    })
    .post('/cancel-held', ({ workspace, body }) => cancelNetwork(app, workspace, body.network), {
      auth: { scope: 'jobs.write', session },
      body: refusing(cancelHeldBody),
      response: t.Object({ success: t.Literal(true), cancelled: Type.Integer() }),
      detail: extension(
        'cancelHeldConfirmations',
        'Cancel the waiting confirmation mails of one network',
        'Give the network that `sign_ups_held` names. Its waiting confirmation mails become `cancelled` and no longer count towards the limits; those of other networks stay.',
      ),
    })
}

async function cancelNetwork(app: App, workspace: Workspace, given: string) {
  const network = networkAround(given.split('/')[0] ?? '')
  if (network === null || network !== given)
    throw invalidField('network', 'must be a network as `sign_ups_held` names it, such as 203.0.113.0/24', 'invalid')
  return { success: true as const, cancelled: await write(app, (tx) => cancelHeld(tx, workspace.id, network)) }
}

/** The answer of everybody for a program that was caught; throws for what a person's page can mend. */
async function dropsVisitor(app: App, sourceId: string, body: Record<string, unknown>): Promise<boolean> {
  const source = await openSource(app, sourceId)
  if (!source) return false
  const text = (name: string | null) => (name !== null && typeof body[name] === 'string' ? body[name] : '')
  const shown = { honeypot: text(source.guards?.honeypot ?? null), seen: text('seen'), altcha: text('altcha') }
  const verdict = await checkGuards(app, source, shown)
  if (verdict === 'early')
    throw invalidField('seen', 'must be the `seen` value of the challenge, and a few seconds old', 'too_early')
  if (verdict === 'no_work')
    throw invalidField('altcha', 'must be a solution of the challenge that was not used before', 'work_required')
  return verdict === 'caught'
}

function readOptIn(app: App, body: typeof optInBody.static, callerId: string) {
  const sourceId = underAnyName(body, ['sourceId', 'source'])?.value
  if (sourceId === undefined)
    throw new AppError('missing_required_field', 'name the subscription source: sourceId is missing', {
      errors: [{ path: 'sourceId', message: 'name the subscription source: sourceId is missing', code: 'required' }],
    })
  const { fields, warnings } = readContactFields(body, optInMembers)
  const { email } = fields
  if (email === undefined) throw invalidField('email', 'must be an e-mail address', 'invalid_email')
  const off = Object.entries(body.mailingLists ?? {}).find(([, on]) => !on)
  if (off) throw invalidField(`mailingLists.${off[0]}`, 'an opt-in can only subscribe: use true', 'invalid')
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
  const wish = { email: parsed.address, source, mailingListId: list?.id ?? null, network: null }
  await write(app, (tx) => resendConfirmation(tx, prepared, wish))
  return { success: true }
}
