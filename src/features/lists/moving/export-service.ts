// The type of a service whose exports can be read, and of what was found in one.

import type { ConsentState } from '../../contacts/imports/consent.ts'
import type { Documented, ExportColumns } from './export-columns.ts'
import type { FoundLists } from './lists.ts'
import type { People, Person } from './people.ts'
import type { ExportRow, Json } from './records.ts'
import type { FoundTemplate } from './templates.ts'

/** Where the readers put what they find. */
export interface FoundExport {
  people: People
  lists: FoundLists
  templates: FoundTemplate[]
  columns: ExportColumns
  /** The caller says that everybody agreed of whom the export says nothing. */
  stated: boolean
  now: Date
  /** Names of lists by the id that the service gave them. */
  listNames: Map<string, string>
}

export interface Service extends Documented {
  /** The header of the address, as a key, where it is one that only this service writes. */
  email?: string
  /** Words of its column of status that mean another thing. */
  states?: Record<string, string>
  /** When somebody agreed, and when they left: the first that has a value counts. */
  agreedAt: string[]
  leftAt: string[]
  ip?: string[]
  /** What the name of the file says of everybody in it. */
  ofFile?(name: string): ConsentState | null
  /** True when the object was understood otherwise than as a person. */
  other?(value: Json, place: string, found: FoundExport): boolean
  /** A person as an object, where it is more than a flat row. */
  person?(value: Json, place: string, found: FoundExport): Person | { fault: string } | null
  /** Lists that a row names otherwise than in `mailinglists`. */
  lists?(row: ExportRow): NonNullable<Person['lists']>
  /** How its HTML names what is filled in; without it HTML is no template. */
  dialect?: FoundTemplate['dialect']
}
