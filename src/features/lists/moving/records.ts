// The records of a file that another service exported: the rows of a CSV by their headers, or the objects of a JSON document.

import { csvCells, csvRecords, findDelimiter } from '../../../kit/csv.ts'
import { parseForeignJson } from '../../../kit/json.ts'
import type { Pace } from '../../../kit/turn.ts'
import type { ZipFile } from '../../../kit/zip.ts'
import { headerKey } from '../../contacts/imports/headers.ts'

export type Json = Record<string, unknown>

export const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
export const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : [])

export interface ExportRow {
  /** `people.csv, line 3` */
  place: string
  /** By header without case, spaces and punctuation. Empty for a header that the file does not have. */
  cell(key: string): string
  /** The other cells that have a value, by their headers. */
  rest(known: Set<string>): [string, string][]
}

/** The text of a file: UTF-8, UTF-16 with a byte order mark, or else what Windows writes in the west. */
export function decode({ bytes }: ZipFile): { text: string; isGuess: boolean } {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  if (mark === 0xfffe || mark === 0xfeff)
    return { text: new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes), isGuess: false }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isGuess: false }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isGuess: true }
  }
}

interface RowsOptions {
  pace: Pace
  /** Hears of lines that are no rows. */
  refuse(where: string, reason: string): void
  /** False: the rows are of no interest. */
  takes(headers: string[]): boolean
}

/** The rows after the header. */
export async function* rowsOf(
  name: string,
  text: string,
  { pace, refuse, takes }: RowsOptions,
): AsyncGenerator<ExportRow> {
  let headers: string[] | null = null
  let delimiter = ','
  for await (const records of csvRecords(pieces(text), { bytes: 0, lines: 0 })) {
    for (const { line, text: record } of records) {
      await pace()
      const place = `${name}, line ${line}`
      if (headers === null) delimiter = findDelimiter(record)
      const cells = csvCells(record, delimiter)
      if ('fault' in cells) refuse(place, cells.fault)
      else if (headers === null) {
        headers = cells.map((cell) => cell.trim())
        if (!takes(headers)) return
      } else if (cells.length > headers.length)
        refuse(place, `has ${cells.length} cells, and the first line ${headers.length}`)
      else yield toRow(place, headers, cells)
    }
  }
}

const pieceLength = 256 * 1024

/** Cut between characters, so that each piece is whole in UTF-8. */
async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (let at = 0; at < text.length; ) {
    const isPair = /[\ud800-\udbff]/.test(text[at + pieceLength - 1] ?? '')
    const end = at + pieceLength + Number(isPair)
    yield encoder.encode(text.slice(at, end))
    at = end
  }
}

function toRow(place: string, headers: string[], cells: string[]): ExportRow {
  const byKey = new Map(headers.map((header, index) => [headerKey(header), (cells[index] ?? '').trim()]))
  return {
    place,
    cell: (key) => byKey.get(key) ?? '',
    rest: (known) =>
      headers.flatMap((header, index): [string, string][] => {
        const value = cells[index] ?? ''
        return value.trim() === '' || header === '' || known.has(headerKey(header)) ? [] : [[header, value]]
      }),
  }
}

/** An object on the first line, and another one after it. */
function beginsWithLines(text: string): boolean {
  const end = text.indexOf('\n')
  const [first, rest] = [text.slice(0, end).trimEnd(), text.slice(end).trimStart()]
  return end !== -1 && first.startsWith('{') && first.endsWith('}') && rest.startsWith('{')
}

/**
 * The objects of the lists of a JSON document, or of its lines: each one is parsed by itself, so that a large document holds nobody up.
 * What stands within an object belongs to it.
 */
export async function* objectsOf(text: string, pace: Pace): AsyncGenerator<Record<string, unknown>> {
  const isLines = beginsWithLines(text.slice(0, 100_000).trimStart())
  const open: string[] = []
  let start = -1
  let depth = 0
  let at = 0
  for (let found = next(text, at); found !== null; found = next(text, at)) {
    const { mark, index } = found
    at = index + 1
    if (mark === '"') {
      at = endOfText(text, at)
      continue
    }
    if (mark === '{' || mark === '[') {
      if (mark === '{' && start === -1 && (open.at(-1) === '[' || (isLines && open.length === 0))) {
        start = index
        depth = open.length
      }
      open.push(mark)
      continue
    }
    open.pop()
    if (start === -1 || open.length !== depth) continue
    const value = parsed(text.slice(start, at))
    start = -1
    if (value !== null) yield value
    await pace()
  }
}

function next(text: string, from: number): { mark: string; index: number } | null {
  const structure = /["{}[\]]/g
  structure.lastIndex = from
  const found = structure.exec(text)
  return found ? { mark: found[0], index: found.index } : null
}

/** Behind the quote that ends a text. */
function endOfText(text: string, from: number): number {
  for (let at = from; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return text.length
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes++
    at = quote + 1
    if (slashes % 2 === 0) return at
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value = parseForeignJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** A time as exports write it: RFC 3339, a database's text, seconds since 1970. Without an offset it is UTC. Null for anything else. */
export function readTime(text: string, now: Date): Date | null {
  const seconds = /^\d{9,11}(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Number.NaN
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i.exec(
      text.trim(),
    )
  const [, day = '', clock = '00:00', offset = 'Z'] = match ?? []
  const zone = /^[+-]/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}` : 'Z'
  const at = new Date(match ? `${day}T${clock}${zone}` : seconds)
  return Number.isNaN(at.getTime()) || at > now || at.getUTCFullYear() < 1990 ? null : at
}
