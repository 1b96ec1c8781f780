// The files of an export, read one after the other into people, lists and templates. A file that is none of these is named in the report.

import type { ExportReport } from '../../../../db/tables/contacts.ts'
import { invalidField } from '../../../kit/error.ts'
import type { Pace } from '../../../kit/turn.ts'
import { isZip, readZip, type ZipFile } from '../../../kit/zip.ts'
import { whoIsMissing } from '../../contacts/imports/columns.ts'
import { headerKey } from '../../contacts/imports/headers.ts'
import { type Format, personOfRow, services, withConsentOfProperties } from './export-formats.ts'
import type { FoundExport } from './export-service.ts'
import { flat, type Person } from './people.ts'
import { decode, type ExportRow, objectsOf, rowsOf } from './records.ts'

/** Of all files of an export, unpacked. */
const maxExportBytes = 200 * 1024 * 1024

/** A ZIP holds the files; anything else is the one file. */
export async function unpack(bytes: Buffer, name: string): Promise<ZipFile[]> {
  if (bytes.length === 0) throw invalidField('', 'the file is empty', 'empty')
  return isZip(bytes) ? await readZip(bytes, maxExportBytes) : [{ name, bytes }]
}

export async function readFiles(
  format: Format,
  files: ZipFile[],
  found: FoundExport,
  pace: Pace,
): Promise<ExportReport['files']> {
  const read: ExportReport['files'] = []
  // Lists are named before people stand on them.
  const isOfLists = ({ name }: ZipFile) => Number(/(^|[^a-z])lists?([^a-z]|$)/i.test(name))
  const inOrder = [...files].sort((one, other) => isOfLists(other) - isOfLists(one))
  for (const file of inOrder) {
    const { text, isGuess } = decode(file)
    if (isGuess) found.people.note(`${file.name} is not UTF-8; it was read as Windows-1252`)
    await pace()
    const entries = await readFile(format, { name: file.name, text }, found, pace)
    read.push({ name: file.name, holds: entries === null ? 'nothing that is imported' : 'data', entries: entries ?? 0 })
  }
  const { refused, notes } = found.people.report()
  if (read.every(({ entries }) => entries === 0) && refused.length === 0)
    throw invalidField('', [`no file of it is an export of ${format}`, ...notes].join('; '), 'format')
  return read
}

interface TextFile {
  name: string
  text: string
}

/** How many entries were understood; null for a file of another kind. */
async function readFile(format: Format, file: TextFile, found: FoundExport, pace: Pace): Promise<number | null> {
  const start = file.text
    .slice(0, 1_000)
    .replace(/^\ufeff/, '')
    .trimStart()
  if (/^[{[]/.test(start)) return await readObjects(format, file, found, pace)
  if (/\.html?$/i.test(file.name) || /^<(!doctype|html)/i.test(start)) return readTemplate(format, file, found)
  // Also what was sent without a name.
  if (/(\.(csv|tsv|txt)|^[^.]*)$/i.test(file.name) || /^[^\n]*(email|e-mail)/i.test(start))
    return await readRows(format, file, found, pace)
  return null
}

/** An archive may hold tables of other things, so one that is not of people is left out with a note. */
async function readRows(
  format: Format,
  { name, text }: TextFile,
  found: FoundExport,
  pace: Pace,
): Promise<number | null> {
  let count = 0
  let headers: string[] = []
  const takes = (given: string[]) => {
    headers = given
    return whoIsMissing(headers, services[format].email) === null
  }
  const refuse = (where: string, reason: string) => found.people.refuse(where, reason)
  for await (const row of rowsOf(name, text, { pace, refuse, takes })) {
    take(found, row.place, personOfRow(format, row, name, found))
    count++
  }
  const fault = whoIsMissing(headers, services[format].email)
  if (fault === null) return count
  found.people.note(`${name} was left out: ${fault}`)
  return null
}

async function readObjects(format: Format, { name, text }: TextFile, found: FoundExport, pace: Pace): Promise<number> {
  const { person: read, other } = services[format]
  let number = 0
  let count = 0
  for await (const value of objectsOf(text, pace)) {
    const place = `${name}, entry ${++number}`
    const isFlat = read === undefined && 'email' in value
    const person = isFlat ? personOfRow(format, rowOfObject(place, value), name, found) : read?.(value, place, found)
    const isPerson = person && !('fault' in person) && !isFlat
    if (person) take(found, place, isPerson ? withConsentOfProperties(person, found) : person)
    else if (!other?.(value, place, found)) {
      found.people.refuse(place, 'is nothing that is imported')
      continue
    }
    count++
  }
  return count
}

function take({ people }: FoundExport, place: string, person: Person | { fault: string }): void {
  if ('fault' in person) people.refuse(place, person.fault)
  else people.add(person)
}

function rowOfObject(place: string, value: Record<string, unknown>): ExportRow {
  const cells = flat(value, '').map(([header, one]): [string, string] => [header, String(one)])
  const byKey = new Map(cells.map(([header, cell]) => [headerKey(header), cell]))
  return {
    place,
    cell: (key) => byKey.get(key) ?? '',
    rest: (known) => cells.filter(([header]) => !known.has(headerKey(header))),
  }
}

/** Where a title is looked for. */
const maxHeadChars = 100_000

function readTemplate(format: Format, { name, text }: TextFile, { templates }: FoundExport): number | null {
  const { dialect } = services[format]
  if (dialect === undefined) return null
  const title = /<title>([^<]{1,200})<\/title>/i.exec(text.slice(0, maxHeadChars))?.[1]?.trim()
  const base = name.replace(/^.*\//, '').replace(/\.html?$/i, '')
  templates.push({
    name: base,
    subject: title || base,
    html: text,
    dialect,
  })
  return 1
}
