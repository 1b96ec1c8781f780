// Workspaces as files over REST: exported in the background and downloaded, uploaded and imported in the background.

import { Elysia } from 'elysia'
import type { App } from '../../core/app.ts'
import { readBaseUrl } from '../../core/config.ts'
import { noSuchPart, partHeaders, readByteRange } from '../../core/http/byte-range.ts'
import { downloadHeaders, downloadResponse } from '../../core/http/download.ts'
import { extension } from '../../core/http/operation.ts'
import { uploads } from '../../core/http/surface.ts'
import { openStored } from '../../features/content/media/store.ts'
import { AppError, invalidField } from '../../kit/error.ts'
import { auth } from '../../people/access/auth.ts'
import { fileSuffix } from '../backup/pack.ts'
import { beginExport, findExport } from './export.ts'
import { beginImport, getImport } from './import.ts'
import { mustManage, rights, whose } from './manages.ts'
import { getTenant } from './tenants.ts'
import { exportBody, exportView, importQuery, importView, toExportView, toImportView } from './transfer-schema.ts'

const path = '/v1/workspaces/:workspaceId/export'

const sealedBody = {
  requestBody: {
    required: true,
    description: 'The sealed file, as it was exported.',
    content: { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } },
  },
}

export function transferRoutes(app: App) {
  return new Elysia().use(exportRoutes(app)).use(importRoutes(app))
}

function importRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .post(
      '/v1/workspace-imports',
      async ({ query, request, set, caller }) => {
        await mustManage(app, caller, 'forbidden')
        const begun = await beginImport(app, request.body ?? noBytes(), query.slug ?? null)
        set.status = 202
        set.headers.location = `/v1/workspace-imports/${begun.id}`
        return toImportView(begun)
      },
      {
        auth: rights,
        parse: 'none',
        query: importQuery,
        response: { 202: importView },
        detail: {
          ...extension(
            'importWorkspace',
            'Import a workspace that moves here',
            `The body is the sealed file of an export whose \`movesTo\` is this installation, of at most 1 GB; \`BACKUP_PASSPHRASE\` opens it. It is imported in the background, checked against itself, and served from its last commit on, or nothing of it remains. The same file once more is the same import. 409 without a passphrase, and where as many files are kept as may be. ${whose}`,
            [403, 409],
          ),
          ...sealedBody,
          ...uploads,
        },
      },
    )
    .get(
      '/v1/workspace-imports/:workspaceImportId',
      async ({ params, caller }) => {
        await mustManage(app, caller)
        return toImportView(await getImport(app, params.workspaceImportId, app.clock.now()))
      },
      {
        auth: rights,
        response: importView,
        detail: extension(
          'getWorkspaceImport',
          'Fetch how the import of a workspace stands',
          `Known for a day. ${whose}`,
          [403],
        ),
      },
    )
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

function exportRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .post(
      path,
      async ({ params, body, set, caller }) => {
        await mustManage(app, caller)
        const begun = await beginExport(app, params.workspaceId, readTarget(body.movesTo ?? null))
        set.status = 202
        set.headers.location = `/v1/workspaces/${params.workspaceId}/export`
        return toExportView(params.workspaceId, begun, app.config.baseUrl)
      },
      {
        auth: rights,
        body: exportBody,
        response: { 202: exportView },
        detail: extension(
          'exportWorkspace',
          'Export a workspace into one sealed file',
          `Everything of it, as of one moment, made in the background; it takes the place of the former export. \`BACKUP_PASSPHRASE\` or \`BACKUP_RECIPIENT\` seals it. 409 without one of them, while one is being made, for a workspace that moves and is not suspended, and where as many files are kept as may be. ${whose}`,
          [403, 409, 422],
        ),
      },
    )
    .get(
      path,
      async ({ params, caller }) => {
        await mustManage(app, caller)
        const { id } = await getTenant(app, params.workspaceId)
        return toExportView(id, await findExport(app, id, app.clock.now()), app.config.baseUrl)
      },
      {
        auth: rights,
        response: exportView,
        detail: extension(
          'getWorkspaceExport',
          'Fetch how the export of a workspace stands',
          `The last one; a day after it was made it is gone. ${whose}`,
          [403],
        ),
      },
    )
    .get(
      `${path}/file`,
      async ({ params, request, caller }) => {
        await mustManage(app, caller)
        const { slug } = await getTenant(app, params.workspaceId)
        const made = await findExport(app, params.workspaceId, app.clock.now())
        if (made?.state !== 'done')
          throw new AppError('not_found', 'There is no export of this workspace that is done.')
        const { id, sizeBytes, sha256 } = made
        const name = `${slug}${fileSuffix({ passphrase: '' })}`
        const etag = `"${sha256}"`
        const headers = { ...downloadHeaders(name, sizeBytes), etag }
        const asked = readByteRange(request, { bytes: sizeBytes, etag })
        if (asked === 'none') return noSuchPart(sizeBytes)
        const stored = await openStored(app, id, 'this export', asked ?? undefined)
        // Of a file Bun sends the part by itself.
        if (asked === null || stored instanceof Blob) return new Response(stored, { headers })
        return new Response(stored, { status: 206, headers: { ...headers, ...partHeaders(asked, sizeBytes) } })
      },
      {
        auth: rights,
        detail: {
          ...extension(
            'downloadWorkspaceExport',
            'Download the export of a workspace',
            `Sealed with age; \`paquebot workspace import\` takes it, and \`age -d FILE | zstd -d | tar x\` reads it. A download that was cut off is gone on with by \`Range\`, and \`If-Range\` with the \`ETag\` (206). ${whose}`,
            [403],
          ),
          ...downloadResponse(),
        },
      },
    )
}

/** Throws 422. */
function readTarget(movesTo: string | null): string | null {
  if (movesTo === null) return null
  try {
    return readBaseUrl(movesTo)
  } catch {
    throw invalidField('movesTo', 'must be the http or https URL of an installation, as its BASE_URL has it')
  }
}
