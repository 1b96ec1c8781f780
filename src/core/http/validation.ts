// Turns schema errors into issues with an exact path: `content[2].items[0].href`. All of them, not just the first.

import { ValueErrorType } from '@sinclair/typebox/errors'
import type { ValidationError } from 'elysia'
import { AppError, type Issue } from '../../kit/error.ts'
import { mustBe, type Schema } from './schema-words.ts'

/** The part of a TypeBox error that we use. */
interface Failure {
  type: ValueErrorType
  path: string
  message: string
  /** Undefined when the property is missing, because Elysia sets missing ones to undefined before it validates. */
  value: unknown
  schema: Schema
  errors?: readonly Iterable<Failure>[]
}

/** The most issues that are listed. */
const maxIssues = 64

const codes: Partial<Record<ValueErrorType, string>> = {
  [ValueErrorType.ObjectAdditionalProperties]: 'unknown_property',
  [ValueErrorType.StringMaxLength]: 'too_long',
  [ValueErrorType.StringMinLength]: 'too_short',
  [ValueErrorType.StringPattern]: 'pattern',
  [ValueErrorType.StringFormat]: 'format',
  [ValueErrorType.ArrayMaxItems]: 'too_many',
  [ValueErrorType.ArrayMinItems]: 'too_few',
  [ValueErrorType.NumberMaximum]: 'too_large',
  [ValueErrorType.NumberMinimum]: 'too_small',
  [ValueErrorType.IntegerMaximum]: 'too_large',
  [ValueErrorType.IntegerMinimum]: 'too_small',
  [ValueErrorType.Literal]: 'not_allowed',
  [ValueErrorType.Union]: 'not_allowed',
}

/** An invalid query or path as 422. */
export function fromValidation(error: ValidationError): AppError {
  return toRefusal(toIssues(error.all.filter(isFailure), error.type))
}

/**
 * 422 with every issue; `missing_required_field` when fields are missing and nothing else is wrong. Issues in `also`, e.g. a misspelt name,
 * are appended.
 */
export function toRefusal(faults: Issue[], also: Issue[] = []): AppError {
  const missing = faults.length > 0 && faults.every(({ code }) => code === 'required')
  const errors = [...faults, ...also]
  const detail = errors
    .slice(0, 3)
    .map(({ path, message }) => (message.startsWith(path) ? message : `${path}: ${message}`))
  if (errors.length > 3) detail.push(`and ${errors.length - 3} more`)
  return new AppError(missing ? 'missing_required_field' : 'validation_failed', sentence(detail), { errors })
}

/** The issues as one sentence. */
export function sentence(faults: string[]): string {
  const text = faults.join('; ')
  return text.endsWith('?') ? text : `${text}.`
}

/** Each place that is wrong, once; at most 64. `place` is what the root is called. */
export function toIssues(failures: Iterable<Failure>, place: string): Issue[] {
  const issues = new Map<string, Issue>()
  for (const failure of flatten(failures)) {
    const path = readablePath(failure.path) || place
    // A missing property may fail twice, as missing and as having the wrong type.
    if (!issues.has(path)) issues.set(path, { path, ...wordsFor(failure) })
    if (issues.size === maxIssues) break
  }
  return [...issues.values()]
}

/** A union fails with the errors of each variant: report those of the variant that was clearly meant, or the union's own. */
function* flatten(failures: Iterable<Failure>): Generator<Failure> {
  for (const failure of failures) {
    const isUnion = failure.type === ValueErrorType.Union && failure.value !== undefined
    const meant = isUnion ? meantVariant(failure) : null
    if (meant) yield* flatten(meant)
    else yield failure
  }
}

/** The variant whose errors are deepest and fewest: its type was right. */
function meantVariant(union: Failure): Failure[] | null {
  const variants = (union.errors ?? []).map((errors) => [...errors])
  const deeper = variants.filter(
    (errors) =>
      errors.length > 0 && errors.every(({ path, type }) => path !== union.path && type !== ValueErrorType.Literal),
  )
  return deeper.sort((a, b) => a.length - b.length)[0] ?? null
}

function wordsFor({ type, message, value, schema }: Failure): { message: string; code: string } {
  if (value === undefined) return { message: 'is required', code: 'required' }
  if (typeof schema.error === 'string') return { message: schema.error, code: codes[type] ?? 'type' }
  const words = type === ValueErrorType.ObjectAdditionalProperties ? null : mustBe(schema)
  const own = words ?? message.charAt(0).toLowerCase() + message.slice(1)
  return { message: own, code: codes[type] ?? 'type' }
}

/** JSON Pointer (RFC 6901) -> a readable path: `/content/2/href` -> `content[2].href`. */
export function readablePath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'type' in value && 'path' in value && 'schema' in value
}
