// Imports the export of another service, or previews it. People go through the import of contacts, a job that survives a crash. Importing
// the same export again changes nothing.

import type { ExportReport } from '../../../../db/tables/contacts.ts'
import type { App } from '../../../core/app.ts'
import { invalidField } from '../../../kit/error.ts'
import { createPace } from '../../../kit/turn.ts'
import type { Workspace } from '../../../people/workspaces.ts'
import { type ColumnMap, expectClear } from '../../contacts/imports/columns.ts'
import type { FileOptions } from '../../contacts/imports/file.ts'
import { acceptImport, type ContactImport, suppressionsFormat } from '../../contacts/imports/imports.ts'
import { type Preview, previewImport } from '../../contacts/imports/preview.ts'
import { exportColumns } from './export-columns.ts'
import { type Format, services } from './export-formats.ts'
import type { FoundExport } from './export-service.ts'
import { findExportLists } from './lists.ts'
import { gatherPeople } from './people.ts'
import { readFiles, unpack } from './read-export.ts'
import { moveTemplates } from './templates.ts'

export interface Export {
  format: Format
  bytes: Buffer
  /** Of a file that is no archive. */
  name: string
}

export type MoveOptions = Pick<FileOptions, 'consent' | 'mailingListId' | 'columns'>

/** What would be imported. Nothing is written. */
export async function previewMove(
  app: App,
  workspace: Workspace,
  given: Export,
  options: MoveOptions,
): Promise<{ preview: Preview; report: ExportReport }> {
  const { csv, columns, unclear, report } = await readExport(app, workspace, given, { options, makes: false })
  const suppressOnly = given.format === suppressionsFormat
  const preview = await previewImport(app, workspace.id, csv, { ...options, columns, suppressOnly })
  return { preview: { ...preview, unclear }, report }
}

/** Makes lists and drafts of templates, stores the people and enqueues their import. Throws 422 while nobody says what they agreed to. */
export async function acceptMove(
  app: App,
  workspace: Workspace,
  given: Export,
  { actorId, ...options }: MoveOptions & { actorId: string | null },
): Promise<ContactImport> {
  const { csv, columns, report } = await readExport(app, workspace, given, { options, makes: true })
  const { format } = given
  return await acceptImport(app, workspace.id, csv, { ...options, columns, dryRun: false, format, report, actorId })
}

interface Read {
  csv: AsyncIterable<Uint8Array>
  unclear: Preview['unclear']
  columns: ColumnMap
  report: ExportReport
}

async function readExport(
  app: App,
  workspace: Workspace,
  { format, bytes, name }: Export,
  { options: { consent, columns: map }, makes }: { options: MoveOptions; makes: boolean },
): Promise<Read> {
  const pace = createPace(workspace.id)
  const lists = await findExportLists(app, workspace.id, makes)
  const columns = exportColumns(services[format], map ?? {})
  const people = gatherPeople(lists, columns)
  const stated = consent?.subscribed === true
  const found: FoundExport = {
    people,
    lists,
    columns,
    templates: [],
    stated,
    now: app.clock.now(),
    listNames: new Map(),
  }
  const files = await readFiles(format, await unpack(bytes, name), found, pace)
  const told = people.report()
  columns.expectKnown()
  if (makes) expectClear(columns.unclear().map(({ column }) => column))
  if (makes && told.silent > 0 && consent === null)
    throw invalidField(
      'consent',
      `the export does not say whether everybody in it agreed to marketing mail (${told.silent} left open); say so: consent={"subscribed":true,"statement":"where and how they agreed"}, or "subscribed":false; on the command line --agreed "where and how", or --not-agreed`,
      'consent_required',
    )
  if (makes) await lists.make()
  const templates = await moveTemplates(app, workspace, found.templates, makes)
  const report = { files, lists: lists.report(), templates, ...told }
  return { csv: people.csv(pace), columns: people.columns(), unclear: columns.unclear(), report }
}
