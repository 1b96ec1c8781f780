// Contacts as files: import, its progress, its bad rows, and export.

import { Elysia, t } from 'elysia'
import type { App, Reader } from '../app.ts'
import { activeListNamed } from '../consent/named-lists.ts'
import { extension } from '../http/operation.ts'
import { pageOf, pageQuery, readPage, writePage } from '../http/pagination.ts'
import { uploads } from '../http/surface.ts'
import { csvCells, csvRow, delimiterOf } from '../lib/csv.ts'
import { AppError } from '../lib/error.ts'
import { nextTurn } from '../lib/turn.ts'
import { actorOf, auth } from '../workspaces/auth.ts'
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
        const options = { ...fileOptions(query), dryRun: query.dryRun === 'true', actorId: actorOf(credential) }
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
            'Taken in at once and read in the background: ask GET /v1/contact-imports/{importId}. At most 1 GB. The same file again changes nothing. Consent is never raised, and a file that says nothing of it is refused until `consent` does.',
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
          ...extension(
            'previewImport',
            'Preview an import',
            'What each column becomes, what the file says of consent, and the counts, of the whole file. Nothing is written or kept. Somebody who is there twice, more than 500 rows apart, counts twice.',
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
          'Each with its state and counts. Its bad rows are with the one import.',
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
          'Progress and result of an import, with its first bad rows',
          'While it runs, `readBytes` of `sizeBytes` tells how far it is. Bad rows are left out and do not make it fail.',
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
            'The rows that were left out, as CSV: correct them and import the file',
            `At most ${maxFaultsKept.toLocaleString('en')} of one import, each with its line and the reason. Correct them and import the file.`,
          ),
          ...csvAnswer('Line and reason, then the row as it was.'),
        },
      },
    )
    .get(
      '/v1/contacts/export',
      async ({ workspace }) => csvResponse(await contactsCsv(app, workspace.id), 'contacts.csv'),
      {
        // Looking is not taking everybody along.
        auth: { ...reading, session: 'member' },
        detail: {
          ...extension(
            'exportContacts',
            'All contacts as CSV, which imports again',
            'One row per contact, in the order in which they were made. The file can be imported again.',
          ),
          ...csvAnswer('One row for each contact, in the order in which they were made.'),
        },
      },
    )
}

function csvOf(request: Request): AsyncIterable<Uint8Array> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^text\/csv\s*(;\s*charset="?utf-(8|16)"?\s*)?$/i.test(type))
    throw new AppError(
      'unsupported_media_type',
      'Send the file as it is, with Content-Type: text/csv, in UTF-8, or in UTF-16 with its byte order mark.',
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
  const delimiter = delimiterOf(header)
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
