// An uploaded file of contacts: converted to UTF-8 in pieces of equal length, its header, and its rows in batches.

import type { StatedConsent } from '../../../../db/tables/contacts.ts'
import type { Reader } from '../../../core/app.ts'
import { maxUploadBytes } from '../../../core/http/body.ts'
import { csvCells, csvRecords, findDelimiter } from '../../../kit/csv.ts'
import { AppError, invalidField } from '../../../kit/error.ts'
import { listProperties, newProperties } from '../properties.ts'
import {
  type Column,
  type ColumnMap,
  columnProperties,
  knowsConsent,
  knowsWho,
  readColumns,
  readRow,
} from './columns.ts'
import type { ImportRow, RowFault } from './rows.ts'

export const pieceBytes = 1024 * 1024
export const maxHeaderLength = 20_000

/** What a caller says about a file. */
export interface FileOptions {
  /** Every consenting contact of the file is also put on this list. */
  mailingListId: string | null
  columns: ColumnMap | null
  /** The consent of everybody for whom the file itself says nothing. */
  consent: StatedConsent | null
  /** An address that nobody knows does not become a contact. */
  suppressOnly?: boolean
}

/** The file in pieces of equal length, converted to UTF-8. Throws 413. */
export async function* piecesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = []
  let length = 0
  let total = 0
  for await (const chunk of inUtf8(body)) {
    parts.push(chunk)
    length += chunk.length
    total += chunk.length
    if (total > maxUploadBytes)
      throw new AppError('payload_too_large', `A file may have at most ${maxUploadBytes} bytes.`)
    if (length < pieceBytes) continue
    const bytes = Buffer.concat(parts)
    let at = 0
    for (; bytes.length - at >= pieceBytes; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    parts = [bytes.subarray(at)]
    length = bytes.length - at
  }
  if (length > 0) yield Buffer.concat(parts)
}

/** UTF-16, which spreadsheets call "Unicode text", is recognized by its byte order mark. */
async function* inUtf8(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array = new Uint8Array()
  let decoder: TextDecoder | null | undefined
  const encoder = new TextEncoder()
  for await (const chunk of body) {
    if (decoder === undefined) {
      start = Buffer.concat([start, chunk])
      if (start.length < 2) continue
      decoder = chooseDecoder(start)
      yield decoder ? encoder.encode(decoder.decode(start, { stream: true })) : start
    } else yield decoder ? encoder.encode(decoder.decode(chunk, { stream: true })) : chunk
  }
  if (decoder === undefined) yield start
  else if (decoder) yield encoder.encode(decoder.decode())
}

function chooseDecoder([first, second]: Uint8Array): TextDecoder | null {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : null
}

/** The header: the first line that is not empty. Throws 422. */
export function readHeader(data: Buffer): string {
  const end = data.indexOf('\n')
  const header = data
    .toString('utf8', 0, end === -1 ? data.length : end)
    .replace(/^\ufeff/, '')
    .replace(/\r$/, '')
  if (header.includes('\0'))
    throw invalidField(
      'columns',
      'the first line contains NUL characters: save the file as UTF-8, or as UTF-16 with a byte order mark',
      'column',
    )
  if (header.length > maxHeaderLength)
    throw invalidField(
      'columns',
      `the first line must name the columns, in at most ${maxHeaderLength} characters`,
      'column',
    )
  return header
}

/** What the columns become. Throws 422 naming each invalid one. */
export async function chooseColumns(
  reader: Reader,
  workspaceId: string,
  header: string,
  map: ColumnMap | null,
): Promise<Column[]> {
  const cells = csvCells(header, findDelimiter(header))
  if ('fault' in cells) throw invalidField('columns', `the first line ${cells.fault}`, 'column')
  const known = new Map((await listProperties(reader, workspaceId)).map(({ name, type }) => [name, type]))
  return readColumns(cells, known, map ?? {})
}

/** The same for a new file: also throws 422 when the workspace would have too many properties. */
export async function chooseNewColumns(...asked: Parameters<typeof chooseColumns>): Promise<Column[]> {
  const columns = await chooseColumns(...asked)
  await newProperties(asked[0], asked[1], columnProperties(columns))
  return columns
}

/** Throws 422 when no column says whom a row is about. */
export function expectWho(columns: Column[]): void {
  if (!knowsWho(columns)) throw invalidField('columns', 'the first line must name a column email or userId', 'required')
}

/** Throws 422 when neither the file nor the caller says what people agreed to. */
export function expectConsent(columns: Column[], consent: StatedConsent | null): void {
  if (consent !== null || knowsConsent(columns)) return
  throw invalidField(
    'consent',
    'no column says whether these people agreed to marketing mail; say so: consent={"subscribed":true,"statement":"where and how they agreed"}, or "subscribed":false',
    'consent_required',
  )
}

export interface Batch {
  /** The position in the file before and after the batch. */
  fromBytes: number
  endBytes: number
  endLines: number
  rows: { line: number; text: string }[]
}

/** The rows of a file from a given position, in batches of `size` rows. */
export async function* batchesOf(
  pieces: AsyncIterable<Uint8Array>,
  header: string,
  from: { bytes: number; lines: number },
  size: () => number,
): AsyncGenerator<Batch> {
  let wanted = size()
  let batch: Batch = { fromBytes: from.bytes, endBytes: from.bytes, endLines: from.lines, rows: [] }
  for await (const records of csvRecords(pieces, from)) {
    for (const { line, text, endBytes, endLines } of records) {
      Object.assign(batch, { endBytes, endLines })
      // The header is the first line that is not empty.
      if (line > 1 || text.replace(/^\ufeff/, '') !== header) batch.rows.push({ line, text })
      if (batch.rows.length < wanted) continue
      yield batch
      wanted = size()
      batch = { fromBytes: endBytes, endBytes, endLines, rows: [] }
    }
  }
  if (batch.rows.length > 0) yield batch
}

export function readRows(
  batch: Batch,
  columns: Column[],
  { delimiter, mailingListId, consent }: { delimiter: string } & Pick<FileOptions, 'mailingListId' | 'consent'>,
): { rows: ImportRow[]; faults: RowFault[] } {
  const rows: ImportRow[] = []
  const faults: RowFault[] = []
  for (const { line, text } of batch.rows) {
    const cells = csvCells(text, delimiter)
    const row = 'fault' in cells ? cells : readRow(columns, cells)
    if ('fault' in row) {
      faults.push({ line, reason: row.fault })
      continue
    }
    const { fields, says, evidence } = row
    if (mailingListId !== null) fields.mailingLists = { ...fields.mailingLists, [mailingListId]: true }
    const stated = says === null && consent?.subscribed === true
    rows.push({ line, fields, says: stated ? 'subscribed' : says, stated, evidence })
  }
  return { rows, faults }
}
