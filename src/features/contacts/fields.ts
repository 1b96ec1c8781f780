// What a caller may set on a contact: the known fields, and everything else at the top level as custom properties. Pure: the types of
// custom properties are checked against the workspace in properties.ts.

import type { ContactProperties } from '../../../db/tables/contacts.ts'
import { parseAddress } from '../../kit/email-address.ts'
import { AppError, type Issue } from '../../kit/error.ts'
import { canonicalLocale } from '../../kit/locale.ts'
import { hasControls, isOneLine } from '../../kit/text.ts'

export type PropertyValue = string | number | boolean

/** Undefined: leave unchanged. Null: clear. */
export interface ContactFields {
  email?: string
  userId?: string | null
  firstName?: string | null
  lastName?: string | null
  source?: string | null
  userGroup?: string | null
  locale?: string | null
  timezone?: string | null
  /** Consent to marketing mail. Never inferred: it changes only when it is given. */
  subscribed?: boolean
  /** List id -> subscribed or not. */
  mailingLists?: Record<string, boolean>
  properties: Record<string, PropertyValue | null>
}

const maxProperties = 100
const maxTextLength = 2_000
const maxShortLength = 200
const maxUserIdLength = 255
const maxLists = 100
const propertyName = /^[a-z][A-Za-z0-9_]{0,49}$/

const shortTexts = ['firstName', 'lastName', 'source', 'userGroup'] as const
/** Members that are ours: they are not custom properties, and callers cannot set them. */
const ownMembers = ['id', 'optInStatus', 'createdAt', 'updatedAt', 'workspaceId', 'contactId']
const settableMembers = new Set<string>([
  'email',
  'userId',
  'locale',
  'timezone',
  'subscribed',
  'mailingLists',
  ...shortTexts,
])
/** Names that no property may have, because they mean something else at the top level of a contact. */
const reserved = new Set<string>([...settableMembers, ...ownMembers])

export function isReservedProperty(name: string): boolean {
  return reserved.has(name)
}

/** Names may be camelCase or snake_case; our fields are accepted in both. */
export function isPropertyName(name: string): boolean {
  return propertyName.test(name) && !reserved.has(toCamelCase(name))
}

/** `plan_name` -> `planName` */
function toCamelCase(name: string): string {
  return name.replaceAll(/(?<!_)_+([A-Za-z0-9])/g, (_, next: string) => next.toUpperCase())
}

/**
 * Reads the top level of a body. `except` names members that belong to the request and not to the contact. Throws 422 listing every error;
 * read-only members (`id`, `createdAt` …) are ignored and returned as warnings.
 */
export function readContactFields(
  body: Record<string, unknown>,
  except: readonly string[] = [],
): { fields: ContactFields; warnings: Issue[] } {
  const { fields, warnings, errors } = parseContactFields(body, except)
  const [first] = errors
  if (first) throw new AppError('validation_failed', first.message, { errors })
  return { fields, warnings }
}

/** The same without throwing, because one bad row of a file must not affect the others. */
export function parseContactFields(
  body: Record<string, unknown>,
  except: readonly string[] = [],
): { fields: ContactFields; warnings: Issue[]; errors: Issue[] } {
  const errors: Issue[] = []
  const warnings: Issue[] = []
  const fields: ContactFields = { properties: {} }
  const skipped = new Set(except)
  for (const [name, value] of Object.entries(body)) {
    if (skipped.has(name) || value === undefined) continue
    if (settableMembers.has(name)) {
      const fault = readKnown(fields, name, value)
      if (fault !== null) errors.push({ path: name, message: `${name} ${fault}`, code: 'invalid' })
    } else if (ownMembers.includes(toCamelCase(name))) {
      warnings.push({ path: name, message: `${name} is read-only and was ignored`, code: 'unknown_field' })
    } else {
      const fault = readCustom(fields, name, value)
      const path = name.slice(0, maxShortLength)
      if (fault !== null) errors.push({ path, message: `${path} ${fault}`, code: 'invalid' })
    }
  }
  if (Object.keys(fields.properties).length > maxProperties)
    errors.push({
      path: '',
      message: `a contact may have at most ${maxProperties} custom properties`,
      code: 'too_many',
    })
  return { fields, warnings, errors }
}

/** What is wrong with the value, or null. */
function readKnown(fields: ContactFields, name: string, value: unknown): string | null {
  if (name === 'email') return readEmail(fields, value)
  if (name === 'subscribed') {
    if (typeof value !== 'boolean') return 'must be true or false'
    fields.subscribed = value
    return null
  }
  if (name === 'mailingLists') return readLists(fields, value)
  if (name === 'locale') return readLocale(fields, value)
  const limit = name === 'userId' ? maxUserIdLength : maxShortLength
  if (value === null) return setText(fields, name, null)
  if (typeof value !== 'string') return 'must be a string or null'
  const fault = textFault(value, limit)
  if (fault !== null || value === '') return fault
  if (name === 'timezone' && !isTimeZone(value)) return 'must be a time zone of the IANA list, like Europe/Paris'
  return setText(fields, name, value)
}

function setText(fields: ContactFields, name: string, value: string | null): null {
  Object.assign(fields, { [name]: value })
  return null
}

function readEmail(fields: ContactFields, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string'
  const parsed = parseAddress(value)
  if (!parsed.ok) return parsed.reason
  fields.email = parsed.address
  return null
}

function readLists(fields: ContactFields, value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object of list id: true or false'
  const entries = Object.entries(value)
  if (entries.length > maxLists) return `may name ${maxLists} lists`
  if (entries.some(([, on]) => typeof on !== 'boolean')) return 'must have true or false for each list'
  fields.mailingLists = Object.fromEntries(entries)
  return null
}

function readLocale(fields: ContactFields, value: unknown): string | null {
  if (value === null || value === '') {
    if (value === null) fields.locale = null
    return null
  }
  const locale = typeof value === 'string' ? canonicalLocale(value) : null
  if (locale === null) return 'must be a language tag like en or pt-BR (BCP 47)'
  fields.locale = locale
  return null
}

function readCustom(fields: ContactFields, name: string, value: unknown): string | null {
  if (settableMembers.has(toCamelCase(name))) return `is called ${toCamelCase(name)} here`
  if (!isPropertyName(name))
    return 'is not a valid property name: a letter a-z, then letters, digits and _, at most 50 characters'
  if (value === null) {
    fields.properties[name] = null
    return null
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must be a finite number'
  if (typeof value === 'string') {
    const fault = textFault(value, maxTextLength)
    // An empty value leaves the property unchanged.
    if (fault !== null || value === '') return fault
  } else if (typeof value !== 'number' && typeof value !== 'boolean') {
    return 'must be a string, a number, a boolean or null'
  }
  fields.properties[name] = value
  return null
}

function textFault(value: string, limit: number): string | null {
  if (value.length > limit) return `may have at most ${limit} characters`
  if (limit < maxTextLength ? !isOneLine(value) : hasControls(value)) return 'must not contain control characters'
  return value.isWellFormed() ? null : 'must be well-formed Unicode'
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The properties after a change; null removes one. */
export function mergeProperties(before: ContactProperties, change: ContactFields['properties']): ContactProperties {
  const merged = { ...before, ...change }
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, PropertyValue] => entry[1] !== null),
  )
}
