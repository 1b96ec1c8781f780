// CSV (RFC 4180), read in pieces and written by rows. A cell that a spreadsheet would run as a formula is written with an apostrophe before
// it and read back without it: an export is safe to open, and imports as it was.

import { Gathered } from './gathered.ts'

export interface CsvRecord {
  /** The line where it begins; the first line of the file is 1. */
  line: number
  /** Where the next record begins: bytes and lines from the start of the file. */
  endBytes: number
  endLines: number
  /** The text as written; cut when it is longer than a record may be. */
  text: string
}

/** A longer record is taken for a quote that was never closed. */
export const maxRecordLength = 100_000

/** What is behind these is not kept: a character has at most four. */
const maxLineBytes = 4 * maxRecordLength
const newline = '\n'
/** A piece has thousands of lines: those of one list are read between two turns of others. */
const recordsAtOnce = 200
const formula = /^'*[=+\-@\t\r]/
const guarded = /^'+[=+\-@\t\r]/
const delimiters = [',', ';', '\t']

/** The records of a file from a given position, in short lists. Empty lines are skipped. */
export async function* csvRecords(
  pieces: AsyncIterable<Uint8Array>,
  from: { bytes: number; lines: number },
): AsyncGenerator<CsvRecord[]> {
  const collect = createCollector(from.lines)
  const rest = new Gathered()
  /** Where the rest begins. */
  let at = from.bytes
  for await (const piece of pieces) {
    rest.add(piece)
    let records: CsvRecord[] = []
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      at += end + 1
      collect.line(records, rest.take(end + 1).toString('utf8', 0, end), at)
      if (records.length < recordsAtOnce) continue
      yield records
      records = []
    }
    if (rest.length > 2 * maxLineBytes) {
      at += rest.length - maxLineBytes
      rest.cut(maxLineBytes)
    }
    yield records
  }
  const records: CsvRecord[] = []
  if (rest.length > 0) collect.line(records, rest.bytes.toString('utf8'), at + rest.length)
  collect.end(records, at + rest.length)
  yield records
}

/** Joins lines to records: a quoted cell may span lines. */
function createCollector(linesBefore: number) {
  let lines = linesBefore
  let first = 0
  let parts: string[] = []
  let length = 0
  let inQuotes = false
  const emit = (records: CsvRecord[], endBytes: number) => {
    const text = parts.length === 1 ? (parts[0] ?? '') : parts.join('\n')
    if (text !== '') records.push({ line: first, endBytes, endLines: lines, text: text.slice(0, maxRecordLength + 1) })
    parts = []
    length = 0
    inQuotes = false
  }
  return {
    line(records: CsvRecord[], raw: string, endBytes: number) {
      lines++
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
      if (parts.length === 0) first = lines
      parts.push(line)
      length += line.length
      if (line.includes('"') && quotesIn(line) % 2 === 1) inQuotes = !inQuotes
      if (!inQuotes || length > maxRecordLength) emit(records, endBytes)
    },
    /** A record that is still open when the file ends is an error. */
    end(records: CsvRecord[], endBytes: number) {
      if (parts.length > 0) emit(records, endBytes)
    },
  }
}

function quotesIn(line: string): number {
  let count = 0
  for (let at = line.indexOf('"'); at !== -1; at = line.indexOf('"', at + 1)) count++
  return count
}

/** The cells of a record, with the formula guard removed; or what is wrong with it. */
export function csvCells(text: string, delimiter: string): string[] | { fault: string } {
  if (text.length > maxRecordLength)
    return { fault: `is longer than ${maxRecordLength} characters: is a quote not closed?` }
  const cells = text.includes('"') ? quotedCells(text, delimiter) : text.split(delimiter)
  if (cells === null) return { fault: 'has a quote in a place where RFC 4180 allows none' }
  return cells.map(unguarded)
}

/** Null when a quote is in a place where none is allowed. */
function quotedCells(text: string, delimiter: string): string[] | null {
  const cells: string[] = []
  for (let at = 0; at <= text.length; ) {
    if (text[at] !== '"') {
      const end = text.indexOf(delimiter, at)
      const cell = text.slice(at, end === -1 ? undefined : end)
      if (cell.includes('"')) return null
      cells.push(cell)
      if (end === -1) return cells
      at = end + 1
      continue
    }
    const end = closingQuote(text, at + 1)
    if (end === -1) return null
    cells.push(text.slice(at + 1, end).replaceAll('""', '"'))
    if (end + 1 === text.length) return cells
    if (text[end + 1] !== delimiter) return null
    at = end + 2
  }
  return cells
}

function closingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end
}

function unguarded(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell
}

/** The separator: comma, semicolon or tab, whichever the header has most of. */
export function findDelimiter(header: string): string {
  const counts = delimiters.map((one) => header.split(one).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/** One row with its line end; cells are guarded and quoted where necessary. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
