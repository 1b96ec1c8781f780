// Suppression over REST: the two routes of the specification, the list as an extension, and the route names that Loops clients use.

import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { extension, specified } from '../../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { sortQuery } from '../../../core/http/sorting.ts'
import { inQueryOrBody } from '../../../kit/aliases.ts'
import { withoutUndefined } from '../../../kit/without-undefined.ts'
import { auth, toActor } from '../../../people/access/auth.ts'
import { readTotal } from '../../../people/totals.ts'
import { comparable, findNamed } from './find-contact.ts'
import { getAddress, removeSuppression, suppressionStatus, suppressMany, suppressOne } from './manual-suppression.ts'
import { keyOfSuppression, listSuppressions, type Suppression, suppressionOrders } from './suppression.ts'
import {
  addBody,
  addedManyView,
  addManyBody,
  removeBody,
  removedView,
  removeQuery,
  statusQuery,
  statusView,
  suppressionView,
  toSuppressionView,
} from './suppression-schema.ts'

const listPath = '/v1/suppressions'
export function suppressionRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get(
      '/v1/contacts/suppression-status',
      ({ workspace, query }) => suppressionStatus(app, workspace.id, query.email),
      {
        auth: { scope: 'contacts.read', session: true },
        query: statusQuery,
        response: statusView,
        detail: {
          ...specified(
            'getSuppressionStatus',
            'Whether an address is suppressed',
            'The answer is the same for an unknown address.',
          ),
          tool: {
            name: 'get_suppression',
            says: {
              purpose: 'Says whether an address is suppressed, since when and why.',
              notFor: 'Taking an address off: people do that, in the dashboard.',
              returns: '`isSuppressed`, `reason`, `suppressedAt`.',
              whenToUse: 'When mail to somebody is not sent.',
            },
            touches: { reads: 'own', acts: 'no' },
          },
        },
      },
    )
    .delete(
      '/v1/contacts/suppression',
      async ({ workspace, credential, query, body }) => {
        const asked = inQueryOrBody(query, body ?? {})
        const removalQuota = await removeSuppression(app, workspace.id, { ...asked, removedBy: toActor(credential) })
        return { success: true as const, message: 'Suppression removed.', removalQuota }
      },
      {
        auth: { scope: 'contacts.write', session: true },
        query: removeQuery,
        body: removeBody,
        response: removedView,
        detail: specified(
          'removeSuppression',
          'Remove an address from the suppression list',
          '404 when it is not on the list. Removing a complaint counts against a quota: 429 when that is used up. The caller is recorded, and a webhook event is sent.',
          [404],
        ),
      },
    )
    .use(suppressionList(app))
    .get(
      '/api/v1/contacts/suppression',
      async ({ workspace, query }) => {
        const email = await getAddress(app, workspace.id, query)
        const { isSuppressed, removalQuota } = await suppressionStatus(app, workspace.id, email)
        const known = await findNamed(app, workspace.id, { email })
        return { contact: { id: known?.id ?? null, email, userId: known?.userId ?? null }, isSuppressed, removalQuota }
      },
      { auth: { scope: 'contacts.read', session: true }, query: removeQuery, detail: { hide: true } },
    )
}

function suppressionList(app: App) {
  return new Elysia({ prefix: listPath })
    .use(auth)
    .get(
      '',
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path: listPath, query }
        const bounds = await readPage(app, request)
        const email = query.email === undefined ? undefined : comparable(query.email)
        const { sort } = query
        const { after, limit } = bounds
        const rows = await listSuppressions(app, workspace.id, { email, sort, after, limit: limit + 1 })
        const total = email === undefined ? await readTotal(app, workspace.id, 'suppressions') : rows.length
        const idOf = (row: Suppression) => keyOfSuppression(row, sort)
        return writePage(app, request, bounds, { rows, total, idOf, view: toSuppressionView })
      },
      {
        auth: { scope: 'suppressions.read', session: true },
        query: t.Object({
          email: t.Optional(t.String({ maxLength: 320, description: 'The whole address; case is ignored.' })),
          ...sortQuery(suppressionOrders),
          ...pageQuery,
        }),
        response: pageOf(suppressionView),
        detail: extension(
          'listSuppressions',
          'List suppressed addresses, newest first',
          'With `email`, only that address, if it is suppressed.',
        ),
      },
    )
    .post(
      '',
      async ({ workspace, body: { reason = 'manual', email, detail }, set }) => {
        const { row, added } = await suppressOne(app, workspace.id, { email, reason, ...withoutUndefined({ detail }) })
        set.status = added ? 201 : 200
        return toSuppressionView(row)
      },
      {
        auth: { scope: 'suppressions.write', session: true },
        body: addBody,
        response: { 200: suppressionView, 201: suppressionView },
        detail: extension(
          'addSuppression',
          'Suppress an address; 200 if it was suppressed already, and keeps its first reason',
          'Nothing is mailed to the address from now on, including scheduled mail. 201 if it was added; 200 if it was suppressed already, in which case it keeps its first reason.',
        ),
      },
    )
    .post(
      '/bulk',
      async ({ workspace, body: { reason = 'manual', emails, detail } }) => {
        const counts = await suppressMany(app, workspace.id, { emails, reason, ...withoutUndefined({ detail }) })
        return { success: true as const, ...counts }
      },
      {
        auth: { scope: 'suppressions.write', session: true },
        body: addManyBody,
        response: addedManyView,
        detail: extension(
          'addSuppressions',
          'Suppress up to 10,000 addresses; none is added if one is invalid',
          'If one of them is not an address, none is added. Addresses that were already there keep their first reason.',
        ),
      },
    )
}
