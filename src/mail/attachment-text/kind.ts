// Tells what a file is: by its first bytes where these say it, else by the type that its sender gave it, else by the end of its name.

import { ownValue } from '../../kit/own-value.ts'
import { isZip } from '../../kit/zip.ts'
import type { Kind } from './reading.ts'

const ofTypes: Record<string, Kind> = {
  'text/calendar': 'ics',
  'application/ics': 'ics',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'message/rfc822': 'eml',
  'application/json': 'text',
  'application/xml': 'text',
  'application/yaml': 'text',
  'application/csv': 'text',
}
const ofEnds: Record<string, Kind> = {
  ics: 'ics',
  html: 'html',
  htm: 'html',
  eml: 'eml',
  txt: 'text',
  csv: 'text',
  tsv: 'text',
  json: 'text',
  md: 'text',
  log: 'text',
  xml: 'text',
  yaml: 'text',
  yml: 'text',
}

/** A PDF may have something before it (ISO 32000-1, annex H). */
const pdfWithin = 1_024
/** As Word has written before 2007, and as it wraps what is encrypted. */
const compound = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

/** `compound`: encrypted, or in an old format of Office. Null: of no kind that can be read. */
export function kindOf(bytes: Buffer, contentType: string, filename: string): Kind | 'compound' | null {
  if (bytes.subarray(0, pdfWithin).includes('%PDF-')) return 'pdf'
  if (isZip(bytes)) return 'docx'
  if (bytes.subarray(0, compound.length).equals(compound)) return 'compound'
  if (/^(?:\xef\xbb\xbf)?BEGIN:VCALENDAR\s/i.test(bytes.toString('latin1', 0, 20))) return 'ics'
  const type = contentType.toLowerCase()
  const end = /\.([a-z]{2,4})$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  const isGiven = type !== 'text/plain' && type !== 'application/octet-stream'
  const known = isGiven ? ownValue(ofTypes, type) : undefined
  return known ?? ownValue(ofEnds, end) ?? (/^text\/|\+(?:json|xml)$/.test(type) ? 'text' : null)
}
