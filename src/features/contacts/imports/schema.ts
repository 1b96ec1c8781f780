// Wire shapes of imports: the options for a file, the progress of an import, and its preview.

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import type { StatedConsent } from '../../../../db/tables/contacts.ts'
import { csvCells } from '../../../kit/csv.ts'
import { invalidField } from '../../../kit/error.ts'
import { parseJson } from '../../../kit/json.ts'
import type { ColumnMap } from './columns.ts'
import type { FileOptions } from './file.ts'
import type { ContactImport } from './imports.ts'
import type { Preview } from './preview.ts'

/** How many bad rows are shown with an import; all of them can be downloaded as a file. */
export const shownFaults = 100
const maxStatementLength = 2_000

export const fileQuery = {
  mailingListId: t.Optional(
    t.String({ maxLength: 100, description: 'Also subscribes everybody who agreed to this list.' }),
  ),
  consent: t.Optional(
    t.String({
      maxLength: 4_000,
      description:
        'JSON: `{"subscribed": true, "statement": "where and how they agreed"}`. Applies to everybody for whom the file itself says nothing; required if it has no consent column. The statement is recorded in the ledger.',
      examples: ['{"subscribed":true,"statement":"Signed up at the fair in Lyon, May 2026."}'],
    }),
  ),
  columns: t.Optional(
    t.String({
      maxLength: 20_000,
      description:
        'JSON: header, or `#3` for the third column -> a field, a consent column (`subscribed`, `status`, `unsubscribed`, `optedOut`, `confirmed`, `bounced`, `complained`, `blocklisted`), what proves it (`consentAt`, a time as in RFC 3339; `consentIp`), a property with or without its type (`seats:number`), or null to skip it.',
      examples: ['{"Company / Org":"company","#4":null}'],
    }),
  ),
}
export const importQuery = t.Object({
  ...fileQuery,
  dryRun: t.Optional(
    t.Union([t.Literal('true'), t.Literal('false')], {
      description: 'Reads the file and reports; no contact changes.',
    }),
  ),
})

const counter = (description: string) => Type.Integer({ description })
const nameMember = { name: t.String() }
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** What an export of another service holds besides its rows. */
export const exportReport = t.Object({
  files: t.Array(t.Object({ ...nameMember, holds: t.String(), entries: Type.Integer() })),
  lists: t.Array(
    t.Object({
      ...nameMember,
      mailingListId: orNull('Null until it is made.'),
      isNew: t.Boolean(),
      contacts: Type.Integer(),
    }),
    { description: 'The lists of the export, matched to existing lists by name or to be created.' },
  ),
  properties: t.Array(t.Object({ ...nameMember, type: t.String() }), { description: 'Custom properties of contacts.' }),
  templates: t.Array(
    t.Object({
      ...nameMember,
      converted: t.Boolean(),
      templateId: orNull('The draft template that was created from it.'),
      problems: t.Array(t.String(), {
        description: 'Why it is left out, or which parts of its design are not converted.',
      }),
    }),
  ),
  refused: t.Array(t.Object({ where: t.String(), reason: t.String() }), {
    description: 'What could not be read as a row, in addition to `badRows`.',
  }),
  notes: t.Array(t.String()),
  silent: Type.Integer({ description: 'People for whom the export does not say whether they agreed.' }),
})
const badRow = t.Object({
  line: Type.Integer(),
  reason: t.String(),
  where: t.Optional(t.String({ description: 'File and line of the export of another service.' })),
})

export const importView = t.Object({
  id: t.String(),
  format: orNull('The service whose export it is; null for a CSV of your own.'),
  report: Type.Union([exportReport, Type.Null()], { description: 'For an export of another service.' }),
  state: t.Union([t.Literal('waiting'), t.Literal('running'), t.Literal('done'), t.Literal('failed')], {
    description: 'Bad rows do not make an import fail.',
  }),
  detail: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.' }),
  dryRun: t.Boolean(),
  mailingListId: Type.Union([Type.String(), Type.Null()]),
  sizeBytes: Type.Integer(),
  readBytes: counter('How much of the file has been read.'),
  readLines: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  consentKept: counter(
    'Rows that would have given consent that the person had withdrawn or never given; it was not changed.',
  ),
  bad: counter('Rows that were skipped.'),
  subscribed: counter('Imported rows that say yes to marketing mail, or for which the caller says so.'),
  unsubscribed: counter('Imported rows that say no.'),
  suppressed: counter('Imported rows that say never: bounced, complained, blocked.'),
  withoutConsent: counter('Imported rows that say nothing about consent.'),
  badRows: t.Array(badRow, {
    description: `The first ${shownFaults}, only when fetching a single import; /bad-rows has all of them as a file.`,
  }),
  createdAt: t.String({ format: 'date-time' }),
  updatedAt: t.String({ format: 'date-time' }),
})

const counts = {
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  consentKept: importView.properties.consentKept,
  subscribed: importView.properties.subscribed,
  unsubscribed: importView.properties.unsubscribed,
  suppressed: importView.properties.suppressed,
  withoutConsent: importView.properties.withoutConsent,
}
export const previewView = t.Object({
  columns: t.Array(
    t.Object({
      header: t.String(),
      becomes: t.Union(
        [
          t.Literal('field'),
          t.Literal('consent'),
          t.Literal('property'),
          t.Literal('nothing'),
          t.Literal('nameless'),
          t.Literal('evidence'),
          t.Literal('unclear'),
        ],
        {
          description:
            '`unclear`: it may be about consent, and `columns` has to say what it means. `nameless`: it has no header; rows with a value in it are bad unless `columns` says what it is.',
        },
      ),
      name: Type.Union([Type.String(), Type.Null()]),
      type: t.Optional(t.String({ description: 'For a property: its type.' })),
      example: Type.Union([Type.String(), Type.Null()], { description: 'Its first value.' }),
    }),
  ),
  delimiter: t.String(),
  identityNeeded: t.Boolean({
    description:
      'No column is an email or userId, so every row is bad and the import is refused: map one with `columns`.',
  }),
  unclear: t.Array(t.Object({ column: t.String(), example: t.String({ description: 'Its first value.' }) }), {
    description:
      'Columns that may say whether somebody agreed to mail. The import is refused until `columns` says what each of them means.',
  }),
  consentNeeded: t.Boolean({ description: 'The import requires `consent`: what these people agreed to.' }),
  rows: Type.Integer(),
  ...counts,
  bad: Type.Integer(),
  badRows: importView.properties.badRows,
})

/** Throws 422 naming what is wrong. */
export function fileOptions(query: { mailingListId?: string; consent?: string; columns?: string }): FileOptions {
  return {
    mailingListId: query.mailingListId ?? null,
    consent: query.consent === undefined ? null : readConsent(query.consent),
    columns: query.columns === undefined ? null : readColumnMap(query.columns),
  }
}

function readConsent(text: string): StatedConsent {
  const { subscribed, statement = '' } = jsonObject('consent', text)
  if (typeof subscribed !== 'boolean') throw invalidField('consent.subscribed', 'must be true or false', 'invalid')
  if (typeof statement !== 'string' || statement.length > maxStatementLength || (subscribed && statement.trim() === ''))
    throw invalidField(
      'consent.statement',
      `must say where and how these people agreed, in at most ${maxStatementLength} characters`,
      'invalid',
    )
  return { subscribed, statement }
}

function readColumnMap(text: string): ColumnMap {
  const map = Object.entries(jsonObject('columns', text)).map(([header, wanted]) => {
    if (wanted !== null && typeof wanted !== 'string')
      throw invalidField(`columns.${header.slice(0, 100)}`, 'must be a name or null', 'invalid')
    return [header.trim(), wanted] as const
  })
  return Object.fromEntries(map)
}

function jsonObject(path: string, text: string): Record<string, unknown> {
  const value = parsed(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalidField(path, 'must be a JSON object', 'invalid')
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

interface Fault {
  line: number
  reason: string
  row?: string
}

/** The first cell of a row of an export says where it was. */
function toBadRow({ line, reason, row = '' }: Fault, isExport: boolean): typeof badRow.static {
  const cells = isExport ? csvCells(row, ',') : []
  return { line, reason, ...(Array.isArray(cells) && cells[0] ? { where: cells[0] } : {}) }
}

export function toImportView(row: ContactImport, faults: Fault[]): typeof importView.static {
  const { workspaceId: _, header: __, columns: ___, consent: ____, actorId: _____, createdAt, updatedAt, ...rest } = row
  return {
    ...rest,
    badRows: faults.map((fault) => toBadRow(fault, row.format !== null)),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

export function toPreviewView({ counts, faults, ...rest }: Preview, isExport = false): typeof previewView.static {
  return { ...rest, ...counts, badRows: faults.map((fault) => toBadRow(fault, isExport)) }
}
