// Workspaces over REST, for whoever keeps the installation: an owner of the first workspace, or a key of it with this right.

import { Elysia } from 'elysia'
import { type App, write } from '../../core/app.ts'
import { extension } from '../../core/http/operation.ts'
import { readPage, writePage } from '../../core/http/pagination.ts'
import { readQuery } from '../../features/sending/stats/schema.ts'
import { auth } from '../../people/access/auth.ts'
import { newApiKeyView, toApiKeyView } from '../../people/access/schema.ts'
import { eraseTenant } from './erase.ts'
import { mustManage, rights, whose } from './manages.ts'
import {
  changeBody,
  createBody,
  eraseBody,
  erasedView,
  keyBody,
  listQuery,
  suspendBody,
  tenantPage,
  tenantView,
  toTenantView,
  usageQuery,
  usageView,
} from './schema.ts'
import {
  changeTenant,
  createFirstKey,
  createTenant,
  getTenant,
  listTenants,
  resumeTenant,
  suspendTenant,
} from './tenants.ts'
import { transferRoutes } from './transfer-routes.ts'
import { loadUsage } from './usage.ts'

const path = '/v1/workspaces'

export function tenantRoutes(app: App) {
  return new Elysia().use(auth).use(manyRoutes(app)).use(oneRoutes(app)).use(stateRoutes(app)).use(transferRoutes(app))
}

function manyRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get(
      '',
      async ({ query, caller }) => {
        const request = { workspaceId: caller.workspace.id, path, query }
        const bounds = await readPage(app, request)
        await mustManage(app, caller, 'forbidden')
        const found = await listTenants(app, query.search ?? '', bounds)
        return await writePage(app, request, bounds, { ...found, idOf: ({ id }) => id, view: toTenantView })
      },
      {
        auth: rights,
        query: listQuery,
        response: tenantPage,
        detail: extension('listWorkspaces', 'List the workspaces of the installation', `Oldest first. ${whose}`, [403]),
      },
    )
    .post(
      '',
      async ({ body, set, caller }) => {
        await mustManage(app, caller, 'forbidden')
        const { trustLevel = app.config.defaultTrustLevel, ...given } = body
        const made = await write(app, (tx) => createTenant(tx, { ...given, trustLevel }))
        set.status = 201
        return toTenantView(made)
      },
      {
        auth: rights,
        body: createBody,
        response: { 201: tenantView },
        detail: extension(
          'createWorkspace',
          'Create a workspace',
          `Its mails are counted by day from the first on. Its trust level is \`DEFAULT_TRUST_LEVEL\` where none is given. 409 for a slug that is taken. ${whose}`,
          [403, 409],
        ),
      },
    )
}

function oneRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .get(
      '/:workspaceId',
      async ({ params, caller }) => {
        await mustManage(app, caller)
        return toTenantView(await getTenant(app, params.workspaceId))
      },
      {
        auth: rights,
        response: tenantView,
        detail: extension('showWorkspace', 'Fetch one workspace of the installation', whose, [403]),
      },
    )
    .patch(
      '/:workspaceId',
      async ({ params, body, caller }) => {
        await mustManage(app, caller)
        return toTenantView(await write(app, (tx) => changeTenant(tx, params.workspaceId, body)))
      },
      {
        auth: rights,
        body: changeBody,
        response: tenantView,
        detail: extension(
          'changeWorkspace',
          'Change the name, trust level or limits of a workspace',
          `Members of \`limits\` that are left out stay; null clears one. Campaigns that wait for a limit look again at once, other mail within an hour. ${whose}`,
          [403],
        ),
      },
    )
    .get(
      '/:workspaceId/usage',
      async ({ params, query, caller }) => {
        await mustManage(app, caller)
        const { begins } = readQuery({ ...query, bucket: 'day' }, app.clock.now())
        return await loadUsage(app, await getTenant(app, params.workspaceId), begins)
      },
      {
        auth: rights,
        query: usageQuery,
        response: usageView,
        detail: extension('getWorkspaceUsage', 'Fetch what a workspace used, by day', `In UTC. ${whose}`, [403, 422]),
      },
    )
    .post(
      '/:workspaceId/api-keys',
      async ({ params, body, set, caller }) => {
        await mustManage(app, caller)
        const { row, apiKey } = await write(app, (tx) => createFirstKey(tx, params.workspaceId, body))
        set.status = 201
        return { ...toApiKeyView(row), apiKey }
      },
      {
        auth: rights,
        body: keyBody,
        response: { 201: newApiKeyView },
        detail: extension(
          'createWorkspaceKey',
          'Create the first API key of a workspace; it is shown only once',
          `409 where the workspace has one already: its owners make further ones. ${whose}`,
          [403, 409, 422],
        ),
      },
    )
}

function stateRoutes(app: App) {
  return new Elysia({ prefix: path })
    .use(auth)
    .post(
      '/:workspaceId/suspend',
      async ({ params, body, caller }) => {
        await mustManage(app, caller)
        return toTenantView(await write(app, (tx) => suspendTenant(tx, params.workspaceId, body.reason)))
      },
      {
        auth: rights,
        body: suspendBody,
        response: tenantView,
        detail: extension(
          'suspendWorkspace',
          'Suspend a workspace: its mail waits, its keys are refused',
          `From now on no mail of it leaves; its keys, forms, SMTP and tools are refused with \`workspace_suspended\` and the reason. Its people can still sign in and read, and recipients can unsubscribe. 409 for the first workspace. ${whose}`,
          [403, 409],
        ),
      },
    )
    .post(
      '/:workspaceId/resume',
      async ({ params, caller }) => {
        await mustManage(app, caller)
        return toTenantView(await write(app, (tx) => resumeTenant(tx, params.workspaceId)))
      },
      {
        auth: rights,
        response: tenantView,
        detail: extension(
          'resumeWorkspace',
          'Resume a suspended workspace',
          `What waited goes on, within a minute. ${whose}`,
          [403],
        ),
      },
    )
    .delete(
      '/:workspaceId',
      async ({ params, body, set, caller }) => {
        await mustManage(app, caller)
        const { id, slug } = await write(app, (tx) => eraseTenant(tx, params.workspaceId, body.confirm))
        set.status = 202
        return { id, slug }
      },
      {
        auth: rights,
        body: eraseBody,
        response: { 202: erasedView },
        detail: extension(
          'eraseWorkspace',
          'Erase a suspended workspace with everything in it',
          `From the answer on it is gone for everybody. Its rows, files and members, the latter where they are in no other workspace, and its test workspace are deleted in the background; so is its suppression list. One line stays in the audit log of the first workspace. It cannot be undone. 409 unless it is suspended, and for the first workspace. ${whose}`,
          [403, 409, 422],
        ),
      },
    )
}
