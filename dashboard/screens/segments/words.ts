// The words of Segments.

import type { PropertyType } from '../../../db/tables/contacts.ts'
import { ownValue } from '../../../src/kit/own-value.ts'
import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.segments.general)

/** A custom property has no other name than its own. */
export function fieldName(field: string): string {
  return ownValue<string>(words.fields, field) ?? field
}

export function comparisonName(comparison: keyof typeof words.comparisons, type: PropertyType): string {
  const ofDates = type === 'date' ? ownValue<string>(words.ofDates, comparison) : undefined
  return ofDates ?? words.comparisons[comparison]
}
