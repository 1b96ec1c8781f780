// What an import would do: what each column becomes, what the file says about consent, and the result for its rows. The whole file is read
// as it arrives, and nothing is stored.

import type { App } from '../../../core/app.ts'
import { csvCells, findDelimiter } from '../../../kit/csv.ts'
import { invalidField } from '../../../kit/error.ts'
import { nextTurn, StepSize } from '../../../kit/turn.ts'
import { type Column, knowsConsent, knowsWho, unclearIn } from './columns.ts'
import { type Batch, batchesOf, chooseNewColumns, type FileOptions, piecesOf, readHeader, readRows } from './file.ts'
import { planRows, type RowFault, type RowsResult } from './rows.ts'

const shownFaults = 100
const exampleLength = 80
const start = { bytes: 0, lines: 0 }
const rowsPerStep = { least: 40, most: 250 }

export interface Preview {
  columns: (Column & { example: string | null })[]
  delimiter: string
  /** Whether no column says whom a row is about: every row is bad, and the import is refused. */
  identityNeeded: boolean
  /** Columns that may be about consent: the import is refused until the caller says what they mean. */
  unclear: { column: string; example: string }[]
  /** Whether the import requires `consent` from the caller. */
  consentNeeded: boolean
  rows: number
  counts: Omit<RowsResult, 'faults'>
  bad: number
  faults: (RowFault & { row: string })[]
}

export async function previewImport(
  app: App,
  workspaceId: string,
  body: AsyncIterable<Uint8Array>,
  options: FileOptions,
): Promise<Preview> {
  const pieces = piecesOf(body)
  const { value: first } = await pieces.next()
  if (!first) throw invalidField('', 'the file is empty', 'empty')
  const header = readHeader(first)
  const columns = await chooseNewColumns(app, workspaceId, header, options.columns)
  const delimiter = findDelimiter(header)
  const preview: Preview = {
    columns: columns.map((column) => ({ ...column, example: null })),
    delimiter,
    identityNeeded: !knowsWho(columns),
    consentNeeded: options.consent === null && !knowsConsent(columns),
    unclear: [],
    rows: 0,
    counts: noCounts(),
    bad: 0,
    faults: [],
  }
  const sizes = new StepSize(workspaceId, rowsPerStep)
  for await (const batch of batchesOf(withFirst(first, pieces), header, start, () => sizes.next())) {
    await nextTurn(workspaceId)
    const began = performance.now()
    if (preview.rows === 0) showExamples(preview, batch)
    const { rows, faults } = readRows(batch, columns, { delimiter, ...options })
    const source = { db: app.db, random: app.random, now: app.clock.now() }
    const { result } = await planRows(source, { workspaceId, suppressOnly: options.suppressOnly }, rows)
    add(preview, batch, result, [...faults, ...result.faults])
    sizes.took(batch.rows.length, performance.now() - began)
  }
  return { ...preview, unclear: unclearIn(preview.columns) }
}

const noCounts = (): Preview['counts'] => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  consentKept: 0,
  subscribed: 0,
  unsubscribed: 0,
  suppressed: 0,
  withoutConsent: 0,
})

async function* withFirst(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

function showExamples({ columns, delimiter }: Preview, { rows }: Batch): void {
  for (const { text } of rows) {
    const cells = csvCells(text, delimiter)
    if ('fault' in cells) continue
    for (const [index, column] of columns.entries()) column.example ??= cells[index]?.slice(0, exampleLength) || null
  }
}

function add(preview: Preview, batch: Batch, result: RowsResult, faults: RowFault[]): void {
  preview.rows += batch.rows.length
  for (const name of Object.keys(preview.counts) as (keyof Preview['counts'])[]) preview.counts[name] += result[name]
  preview.bad += faults.length
  const sorted = faults.sort((one, other) => one.line - other.line)
  const texts = new Map(batch.rows.map(({ line, text }) => [line, text]))
  const shown = sorted.slice(0, Math.max(0, shownFaults - preview.faults.length))
  preview.faults.push(...shown.map((fault) => ({ ...fault, row: texts.get(fault.line) ?? '' })))
}
