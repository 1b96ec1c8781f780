// What the columns and attributes of an export say about consent, whether in a CSV, in an object or nested in one. Columns that may concern
// consent, but whose meaning is not given, are collected for the refusal.

import { invalidField } from '../../../kit/error.ts'
import { ownValue } from '../../../kit/own-value.ts'
import {
  type ColumnMap,
  consentOrProperty,
  expectNone,
  mappingFault,
  strayKeys,
} from '../../contacts/imports/columns.ts'
import { type ConsentState, consentOfCells } from '../../contacts/imports/consent.ts'
import { type ConsentColumn, findConsentColumn } from '../../contacts/imports/consent-columns.ts'
import { headerKey } from '../../contacts/imports/headers.ts'

/** What a service documents of its own columns, by their keys. */
export interface Documented {
  /** Nothing about the person, unless it is a column of consent. */
  skip: string[]
  /** Those that mean another thing than with others. */
  meanings?: Record<string, ConsentColumn | 'property' | 'nothing'>
}

type Meaning =
  | { becomes: 'consent'; name: ConsentColumn }
  | { becomes: 'property'; name: string | null }
  | { becomes: 'nothing' | 'unclear' }

export interface ExportColumns {
  /** What the entries say together, and those that say nothing. */
  read(entries: [string, unknown][]): { says: ConsentState | null; others: [string, unknown][] } | { fault: string }
  /** Each with its first value. */
  unclear(): { column: string; example: string }[]
  /** The name that the caller gave to a property. */
  named(header: string): string | null
  /** After all was read. Throws 422 where the caller names a column that there is not. */
  expectKnown(): void
}

const exampleLength = 80

/** Throws 422 for a mapping to nothing that a column of an export may become. */
export function exportColumns(service: Documented, map: ColumnMap): ExportColumns {
  const wanted = new Map(Object.entries(map).map(([header, name]) => [header, wantedMeaning(header, name)]))
  const known = new Map<string, Meaning>()
  const examples = new Map<string, string>()
  const meaningOf = (header: string) => {
    const found = known.get(header) ?? wanted.get(header) ?? documentedMeaning(header, service)
    known.set(header, found)
    return found
  }
  return {
    read(entries) {
      const cells: Parameters<typeof consentOfCells>[0] = []
      const others: [string, unknown][] = []
      for (const [header, value] of entries) {
        const found = meaningOf(header)
        const cell = String(value).trim()
        if (found.becomes === 'consent') cells.push({ column: found.name, header, cell })
        else if (found.becomes === 'property') others.push([header, value])
        else if (found.becomes === 'unclear' && !examples.has(header))
          examples.set(header, cell.slice(0, exampleLength))
      }
      const says = consentOfCells(cells)
      return says !== null && typeof says === 'object' ? says : { says, others }
    },
    unclear: () => [...examples].map(([column, example]) => ({ column, example })),
    named(header) {
      const found = known.get(header)
      return found?.becomes === 'property' ? found.name : null
    },
    expectKnown: () => expectNone(strayKeys([...known.keys()], map)),
  }
}

function wantedMeaning(header: string, wanted: string | null): Meaning {
  if (wanted === null) return { becomes: 'nothing' }
  const found = consentOrProperty(wanted)
  if (found === null) throw invalidField(`columns.${header}`.slice(0, 200), mappingFault(wanted), 'column')
  return found
}

function documentedMeaning(header: string, { skip, meanings = {} }: Documented): Meaning {
  const key = headerKey(header)
  const found = ownValue(meanings, key) ?? findConsentColumn(header) ?? 'property'
  if ((found === 'unclear' || found === 'property') && skip.includes(key)) return { becomes: 'nothing' }
  if (found === 'property') return { becomes: found, name: null }
  return found === 'unclear' || found === 'nothing' ? { becomes: found } : { becomes: 'consent', name: found }
}
