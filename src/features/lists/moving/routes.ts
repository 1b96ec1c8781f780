// Exports of other services: what one would change, and its import.

import { Elysia, t } from 'elysia'
import type { App } from '../../../core/app.ts'
import { maxExportBytes } from '../../../core/http/body.ts'
import { extension, looking } from '../../../core/http/operation.ts'
import { exportUpload } from '../../../core/http/surface.ts'
import { oneOf } from '../../../core/http/wire.ts'
import { AppError } from '../../../kit/error.ts'
import { auth, toActor } from '../../../people/access/auth.ts'
import { activeListNamed } from '../../contacts/consent/named-lists.ts'
import {
  exportReport,
  fileOptions,
  fileQuery,
  importView,
  previewView,
  toImportView,
  toPreviewView,
} from '../../contacts/imports/schema.ts'
import { formats } from './export-formats.ts'
import { acceptMove, previewMove } from './move.ts'

const writing = { scope: 'contacts.write', session: true } as const
const { consent, mailingListId } = fileQuery
const exportQuery = t.Object({
  format: oneOf(formats, 'The service that wrote the export.'),
  name: t.Optional(t.String({ maxLength: 200, description: 'The name of the file, for the report; not for a ZIP.' })),
  mailingListId,
  consent,
  columns: t.Optional(
    t.String({
      maxLength: 20_000,
      description:
        'JSON: a header, or a path like `attribs.newsletter` -> a consent column as in POST /v1/contacts/import, the name of a property, or null to leave it out. For the columns that the preview calls `unclear`.',
      examples: ['{"marketing_prefs":"subscribed","gdpr_region":null}'],
    }),
  ),
})
const { columns: _, ...shown } = previewView.properties
const moveView = t.Object({ format: t.String(), ...shown, report: exportReport })

const body = {
  requestBody: {
    required: true,
    description: 'The file, or a ZIP of all files of the export: CSV, JSON, HTML of templates. At most 100 MB.',
    content: { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } },
  },
}

export function movingRoutes(app: App) {
  return new Elysia({ prefix: '/v1/imports' })
    .use(auth)
    .post(
      '/preview',
      async ({ workspace, query, request }) => {
        const given = await readUpload(request, query)
        const options = await readOptions(app, workspace.id, query)
        const { preview, report } = await previewMove(app, workspace, given, options)
        const { columns: _, ...view } = toPreviewView(preview, true)
        return {
          format: given.format,
          ...view,
          bad: view.bad + report.refused.length,
          consentNeeded: report.silent > 0 && options.consent === null,
          report,
        }
      },
      {
        auth: writing,
        parse: 'none',
        query: exportQuery,
        response: moveView,
        detail: {
          ...looking,
          ...extension(
            'previewExportImport',
            'Preview the import of an export of another service',
            'Reports how many people are new, changed or refused (and why), the suppressions, the lists and properties that would be created, and which templates can be converted. Nothing is stored.',
          ),
          ...body,
          ...exportUpload,
        },
      },
    )
    .post(
      '',
      async ({ workspace, credential, query, request, set }) => {
        const given = await readUpload(request, query)
        const options = await readOptions(app, workspace.id, query)
        const accepted = await acceptMove(app, workspace, given, { ...options, actorId: toActor(credential) })
        set.status = 202
        set.headers.location = `/v1/contact-imports/${accepted.id}`
        return toImportView(accepted, [])
      },
      {
        auth: writing,
        parse: 'none',
        query: exportQuery,
        response: { 202: importView },
        detail: {
          ...extension(
            'importExport',
            'Import an export of another service',
            'Lists and draft templates are created at once; people are imported in the background, beginning with those who unsubscribed or are suppressed; see GET /v1/contact-imports/{importId}. Importing the same export again changes nothing, and an existing contact who is not subscribed is never subscribed. Refused if neither the export nor `consent` says what people agreed to.',
          ),
          ...body,
          ...exportUpload,
        },
      },
    )
}

async function readOptions(app: App, workspaceId: string, query: typeof exportQuery.static) {
  const { consent, mailingListId, columns } = fileOptions(query)
  if (mailingListId !== null) await activeListNamed(app, workspaceId, mailingListId, 'mailingListId')
  return { consent, mailingListId, columns }
}

async function readUpload(request: Request, { format, name = 'export' }: typeof exportQuery.static) {
  const type = request.headers.get('content-type') ?? ''
  if (!/^(application\/(octet-stream|zip|json|x-ndjson)|text\/(csv|html))\s*(;|$)/i.test(type))
    throw new AppError(
      'unsupported_media_type',
      'Send the file as the body, with Content-Type: application/octet-stream.',
    )
  return { format, name, bytes: await readBytes(request) }
}

async function readBytes({ body }: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxExportBytes)
      throw new AppError('payload_too_large', `An export may have at most ${maxExportBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
