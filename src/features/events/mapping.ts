// Fills a template's variables or a contact's properties from a rule: constants, and text with {{event.x}} and {{contact.x}}. Checked when
// the rule is created, filled in when it runs.

import type { Issue } from '../../kit/error.ts'
import type { Contact } from '../contacts/consent/find-contact.ts'
import { lookUp, type Values } from '../content/rendering/fill.ts'
import { faultyPlaceholders, type Placeholder, splitPlaceholders } from '../content/rendering/placeholders.ts'
import { camelContactName } from '../content/rendering/segments.ts'
import { contactValues } from '../sending/values.ts'

export type Constant = string | number | boolean

export interface Sources {
  properties: Record<string, unknown>
  contact: Contact
}

/** What is wrong with a mapped value, as issues at `path`. */
export function mappingIssues(path: string, value: Constant): Issue[] {
  if (typeof value !== 'string') return []
  const named = splitPlaceholders(value).flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
  const foreign = named.filter((name) => !/^(event|contact)\../.test(name)).map((name) => `{{${name}}}`)
  return [...faultyPlaceholders(value), ...foreign].map((text) => ({
    path,
    code: 'unknown_placeholder',
    message: `${text} cannot be used here: use {{event.name}} or {{contact.name}}`,
  }))
}

/**
 * A value that is a single placeholder keeps its type (a number, a list); within a longer text it becomes text. Undefined: it has no value.
 */
export function mappedValue(value: Constant, { properties, contact }: Sources): unknown {
  if (typeof value !== 'string') return value
  const values: Values = { event: properties, contact: contactValues(contact) }
  const parts = splitPlaceholders(value)
  const [only] = parts
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') return resolved(only, values)
  return parts.map((part) => (typeof part === 'string' ? part : written(resolved(part, values)))).join('')
}

function resolved({ name, fallback }: Placeholder, values: Values): unknown {
  const camel = camelContactName(name)
  const found = (camel === null ? undefined : lookUp(values, camel)) ?? lookUp(values, name) ?? undefined
  return found === undefined || found === '' ? fallback : found
}

function written(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
