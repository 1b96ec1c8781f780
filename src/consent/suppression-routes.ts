// Suppression over REST: the two routes of the specification, the list as an extension, and the names that clients of the family
// use. They stand here because a complaint unsubscribes and a contact may be named by its userId.

import { Elysia, t } from 'elysia'
import { type App, type Tx, write } from '../app.ts'
import { extension, specified } from '../http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../http/pagination.ts'
import { inQueryOrBody } from '../lib/aliases.ts'
import { parseAddress } from '../lib/email-address.ts'
import { AppError, type Issue, invalidField, missingField } from '../lib/error.ts'
import { actorOf, auth } from '../workspaces/auth.ts'
import { totalOf } from '../workspaces/totals.ts'
import { recordComplaint } from './deliverability.ts'
import { comparable, findNamed, namedBy } from './find-contact.ts'
import {
  findSuppression,
  keyOfSuppression,
  listSuppressions,
  removalQuota,
  type Suppress,
  suppress,
  unsuppress,
} from './suppression.ts'
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
/** Addresses of a bulk request that share a transaction. */
const portion = 500

export function suppressionRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .get('/v1/contacts/suppression-status', ({ workspace, query }) => status(app, workspace.id, query.email), {
      auth: 'contacts.read',
      query: statusQuery,
      response: statusView,
      detail: specified(
        'getSuppressionStatus',
        'Whether an address is suppressed',
        'The answer is the same for an address that nobody knows.',
      ),
    })
    .delete(
      '/v1/contacts/suppression',
      async ({ workspace, credential, query, body }) => {
        const asked = inQueryOrBody(query, body ?? {})
        const email = await addressOf(app, workspace.id, asked)
        const { complaintRemovalLimit: limit } = app.config
        const removal = { email, removedBy: actorOf(credential), limit }
        const { quota, reason } = await write(app, (tx) => unsuppress(tx, workspace.id, removal))
        const { removedBy } = removal
        app.log.info('a suppression was removed', { workspaceId: workspace.id, reason, removedBy })
        return { success: true as const, message: 'Suppression removed.', removalQuota: quota }
      },
      {
        auth: 'contacts.write',
        query: removeQuery,
        body: removeBody,
        response: removedView,
        detail: specified(
          'removeSuppression',
          'Take an address off the suppression list',
          '404 when it is not on it. A complaint counts against the quota: 429 when that is used up. Who asked is noted, and webhooks are told.',
          [404],
        ),
      },
    )
    .use(suppressionList(app))
    .get(
      '/api/v1/contacts/suppression',
      async ({ workspace, query }) => {
        const email = await addressOf(app, workspace.id, query)
        const { isSuppressed, removalQuota } = await status(app, workspace.id, email)
        const known = await findNamed(app, workspace.id, { email })
        return { contact: { id: known?.id ?? null, email, userId: known?.userId ?? null }, isSuppressed, removalQuota }
      },
      { auth: 'contacts.read', query: removeQuery, detail: { hide: true } },
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
        const { after, limit } = bounds
        const rows = await listSuppressions(app, workspace.id, { email, after, limit: limit + 1 })
        const total = email === undefined ? await totalOf(app, workspace.id, 'suppressions') : rows.length
        return writePage(app, request, bounds, { rows, total, idOf: keyOfSuppression, view: toSuppressionView })
      },
      {
        auth: { scope: 'suppressions.read', session: true },
        query: t.Object({
          email: t.Optional(t.String({ maxLength: 320, description: 'The whole address; case does not count.' })),
          ...pageQuery,
        }),
        response: pageOf(suppressionView),
        detail: extension(
          'listSuppressions',
          'List the addresses that are not mailed, newest first',
          'With `email`, that one address, if it is suppressed.',
        ),
      },
    )
    .post(
      '',
      async ({ workspace, body, set }) => {
        const email = checkedAddress('email', body.email)
        const { reason = 'manual', detail } = body
        const row = { email, reason, ...(detail === undefined ? {} : { detail }) }
        const [added, stored] = await write(app, async (tx) => [
          await add(tx, workspace.id, row),
          await findSuppression(tx, workspace.id, email),
        ])
        if (!stored) throw new Error('a suppression is not there after it was added')
        set.status = added ? 201 : 200
        return toSuppressionView(stored)
      },
      {
        auth: { scope: 'suppressions.write', session: true },
        body: addBody,
        response: { 200: suppressionView, 201: suppressionView },
        detail: extension(
          'addSuppression',
          'Add an address; 200 when it was there already, with its first reason',
          'Nothing is mailed to the address from now on, not even what is scheduled. 201 when it was added; 200 when it was there already, with its first reason.',
        ),
      },
    )
    .post(
      '/bulk',
      async ({ workspace, body }) => {
        const { reason = 'manual', detail } = body
        const emails = checkedAddresses(body.emails)
        const rows = emails.map((email) => ({ email, reason, ...(detail === undefined ? {} : { detail }) }))
        const added = await addAll(app, workspace.id, rows)
        return { success: true as const, added, unchanged: emails.length - added }
      },
      {
        auth: { scope: 'suppressions.write', session: true },
        body: addManyBody,
        response: addedManyView,
        detail: extension(
          'addSuppressions',
          'Add up to 10,000 addresses; none is added when one is wrong',
          'None is added when one of them is no address. Those that were there already keep their first reason.',
        ),
      },
    )
}

async function status(app: App, workspaceId: string, asked: string | undefined): Promise<typeof statusView.static> {
  if (!asked) throw missingField('email', 'say which address: email')
  const email = checkedAddress('email', asked)
  const row = await findSuppression(app, workspaceId, email)
  const quota = await removalQuota(app, workspaceId, app.config.complaintRemovalLimit, app.clock.now())
  return {
    email,
    isSuppressed: row !== null,
    reason: row?.reason ?? null,
    suppressedAt: row?.createdAt.toISOString() ?? null,
    removalQuota: quota,
  }
}

/** Whom a caller means by e-mail or by the userId of a contact. */
async function addressOf(app: App, workspaceId: string, asked: { email?: string; userId?: string }): Promise<string> {
  const { email, userId } = namedBy(asked)
  if (email !== undefined) return checkedAddress('email', email)
  const found = await findNamed(app, workspaceId, { userId })
  if (!found) throw new AppError('not_found', 'no contact has this userId')
  return found.email
}

/** A complaint also unsubscribes. */
async function add(tx: Tx, workspaceId: string, row: Suppress): Promise<boolean> {
  return row.reason === 'complaint'
    ? await recordComplaint(tx, workspaceId, row, 'api')
    : await suppress(tx, workspaceId, row)
}

/** In portions, so that nobody waits long for the writer; adding again what was added before changes nothing. */
async function addAll(app: App, workspaceId: string, rows: Suppress[]): Promise<number> {
  let total = 0
  for (let at = 0; at < rows.length; at += portion) {
    total += await write(app, async (tx) => {
      let added = 0
      for (const row of rows.slice(at, at + portion)) if (await add(tx, workspaceId, row)) added++
      return added
    })
  }
  return total
}

function checkedAddress(path: string, email: string): string {
  const parsed = parseAddress(email)
  if (!parsed.ok) throw invalidField(path, parsed.reason, 'invalid_email')
  return parsed.address
}

function checkedAddresses(emails: string[]): string[] {
  const errors: Issue[] = []
  const addresses = emails.map((email, index) => {
    const parsed = parseAddress(email)
    if (parsed.ok) return parsed.address
    errors.push({ path: `emails[${index}]`, message: parsed.reason, code: 'invalid_email' })
    return ''
  })
  if (errors.length === 0) return addresses
  throw new AppError('validation_failed', `${errors.length} of these are no addresses`, { errors: errors.slice(0, 64) })
}
