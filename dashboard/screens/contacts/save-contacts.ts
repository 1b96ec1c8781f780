// Chosen contacts as a file of CSV, which can be imported again; cells that a spreadsheet would run are guarded.

import { csvRow } from '../../../src/kit/csv.ts'
import { type Listed, saveFile } from '../../api.ts'

type Contact = Listed<'/v1/contacts'>

export function saveContacts(contacts: Contact[]): void {
  const columns = [...new Set(contacts.flatMap((one) => Object.keys(one)))]
  const rows = contacts.map((one) => csvRow(columns.map((name) => toCell(Object.entries(one), name))))
  saveFile(new Blob([csvRow(columns), ...rows], { type: 'text/csv' }), 'contacts.csv')
}

/** Lists are named by their ids. */
function toCell(fields: [string, unknown][], name: string): string {
  const value = fields.find(([field]) => field === name)?.[1]
  if (name === 'mailingLists') return Object.keys(value ?? {}).join(' ')
  return value === undefined || value === null ? '' : String(value)
}
