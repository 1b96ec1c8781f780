// Contacts as files: import, its progress, its bad rows, and export.

import { Elysia, t } from 'elysia'
import type { App, Reader } from '../../../core/app.ts'
import { extension, looking } from '../../../core/http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../../../core/http/pagination.ts'
import { uploads } from '../../../core/http/surface.ts'
import { csvCells, csvRow, findDelimiter } from '../../../kit/csv.ts'
import { AppError } from '../../../kit/error.ts'
import { nextTurn } from '../../../kit/turn.ts'
import { auth, toActor } from '../../../people/access/auth.ts'
import { activeListNamed } from '../consent/named-lists.ts'
import { contactsCsv } from './export-csv.ts'
import {
  acceptImport,
  type ContactImport,
  countImports,
  getImport,
  listFaults,
  listImports,
  maxFaultsKept,
} from './imports.ts'
import { previewImport } from './preview.ts'
import {
  fileOptions,
  fileQuery,
  importQuery,
  importView,
  previewView,
  shownFaults,
  toImportView,
  toPreviewView,
} from './schema.ts'

const path = '/v1/contact-imports'
const faultsPerPage = 1_000

const reading = { scope: 'contacts.read', session: true } as const
const writing = { scope: 'contacts.write', session: true } as const

const csvBody = {
  requestBody: {
    required: true,
    description: 'The first line names the columns; one of them is email or userId.',
    content: { 'text/csv': { schema: { type: 'string' as const } } },
  },
}
const csvAnswer = (description: string) => ({
  responses: { 200: { description, content: { 'text/csv': { schema: { type: 'string' as const } } } } },
})

export function importRoutes(app: App) {
  return new Elysia().use(uploadRoutes(app)).use(reports(app))
}

function uploadRoutes(app: App) {
  return new Elysia()
    .use(auth)
    .post(
      '/v1/contacts/import',
      async ({ workspace, credential, query, request, set }) => {
        const options = { ...fileOptions(query), dryRun: query.dryRun === 'true', actorId: toActor(credential) }
        const accepted = await acceptImport(app, workspace.id, csvOf(request), options)
        set.status = 202
        set.headers.location = `${path}/${accepted.id}`
        return toImportView(accepted, [])
      },
      {
        auth: writing,
        parse: 'none',
        query: importQuery,
        response: { 202: importView },
        detail: {
          ...extension(
            'importContacts',
            'Import contacts from CSV',
            'The file is stored at once and imported in the background; see GET /v1/contact-imports/{importId} for its progress. At most 1 GB. Importing the same file again changes nothing. An import never subscribes an existing contact who is not subscribed. A file without consent columns is refused unless `consent` is given.',
          ),
          ...csvBody,
          ...uploads,
        },
      },
    )
    .post(
      '/v1/contacts/import/preview',
      async ({ workspace, query, request }) => {
        const options = fileOptions(query)
        if (options.mailingListId !== null)
          await activeListNamed(app, workspace.id, options.mailingListId, 'mailingListId')
        return toPreviewView(await previewImport(app, workspace.id, csvOf(request), options))
      },
      {
        auth: writing,
        parse: 'none',
        query: t.Object(fileQuery),
        response: previewView,
        detail: {
          ...looking,
          ...extension(
            'previewImport',
            'Preview an import',
            'Shows what each column becomes, what the file says about consent, and the counts for the whole file. Nothing is stored. A person who appears twice, more than 500 rows apart, is counted twice.',
          ),
          ...csvBody,
          ...uploads,
        },
      },
    )
}

function reports(app: App) {
  return new Elysia()
    .use(auth)
    .get(
      path,
      async ({ workspace, query }) => {
        const request = { workspaceId: workspace.id, path, query }
        const bounds = await readPage(app, request)
        const rows = await listImports(app, workspace.id, { before: bounds.after, limit: bounds.limit + 1 })
        const view = (row: ContactImport) => toImportView(row, [])
        const total = await countImports(app, workspace.id)
        return writePage(app, request, bounds, { rows, total, idOf: ({ id }) => id, view })
      },
      {
        auth: reading,
        query: t.Object(pageQuery),
        response: pageOf(importView),
        detail: extension(
          'listImports',
          'List imports of the last 30 days, newest first',
          'Each with its state and counts. Fetch a single import to see its bad rows.',
        ),
      },
    )
    .get(
      `${path}/:importId`,
      async ({ workspace, params }) => {
        const found = await getImport(app, workspace.id, params.importId)
        return toImportView(found, await listFaults(app, found.id, { after: 0, limit: shownFaults }))
      },
      {
        auth: reading,
        response: importView,
        detail: extension(
          'getImport',
          'Fetch the progress and result of an import, with its first bad rows',
          'While it runs, `readBytes` of `sizeBytes` shows its progress. Bad rows are skipped and do not make it fail.',
        ),
      },
    )
    .get(
      `${path}/:importId/bad-rows`,
      async ({ workspace, params }) => {
        const found = await getImport(app, workspace.id, params.importId)
        return csvResponse(badRowsCsv(app, found), 'bad-rows.csv')
      },
      {
        auth: reading,
        detail: {
          ...extension(
            'getBadRows',
            'Download the rows that were skipped, as CSV',
            `At most ${maxFaultsKept.toLocaleString('en')} of one import, each with its line and the reason. Correct them and import the file.`,
          ),
          ...csvAnswer('Line and reason, followed by the original row.'),
        },
      },
    )
    .get(
      '/v1/contacts/export',
      async ({ workspace }) => csvResponse(await contactsCsv(app, workspace.id), 'contacts.csv'),
      {
        // Viewers may read contacts, but only members may export all of them.
        auth: { ...reading, session: 'member' },
        detail: {
          ...extension(
            'exportContacts',
            'Export all contacts as CSV',
            'One row per contact, oldest first. The file can be imported again.',
          ),
          ...csvAnswer('One row per contact, oldest first.'),
        },
      },
    )
}

function csvOf(request: Request): AsyncIterable<Uint8Array> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^text\/csv\s*(;\s*charset="?utf-(8|16)"?\s*)?$/i.test(type))
    throw new AppError(
      'unsupported_media_type',
      'Send the file as the body, with Content-Type: text/csv, in UTF-8, or in UTF-16 with a byte order mark.',
    )
  return request.body ?? noBytes()
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

function csvResponse(body: ReadableStream<Uint8Array>, filename: string): Response {
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${filename}"`,
  }
  return new Response(body, { headers })
}

function badRowsCsv(reader: Reader, { id, workspaceId, header }: ContactImport): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const delimiter = findDelimiter(header)
  const cellsOf = (text: string) => {
    const cells = csvCells(text, delimiter)
    return 'fault' in cells ? [text] : cells
  }
  let after = 0
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(csvRow(['importLine', 'importReason', ...cellsOf(header)])))
    },
    async pull(controller) {
      await nextTurn(workspaceId)
      const rows = await listFaults(reader, id, { after, limit: faultsPerPage })
      const last = rows.at(-1)
      if (!last) return controller.close()
      after = last.line
      const text = rows.map(({ line, reason, row }) => csvRow([String(line), reason, ...cellsOf(row)]))
      controller.enqueue(encoder.encode(text.join('')))
    },
  })
}
