// Headers that a caller may add to a mail. Everything that routes, authenticates or describes the mail is ours alone.

import { AppError, type Issue } from '../lib/error.ts'

const maxHeaders = 20
const maxValueLength = 900
/** X-… and these; anything else is refused by name. */
const allowed = [
  'references',
  'in-reply-to',
  'importance',
  'priority',
  'auto-submitted',
  'feedback-id',
  'list-id',
  'keywords',
  'comments',
]
/** Ours even though they begin with X-. */
const reserved = /^x-(originating|mailer|authenticated|sender|envelope|paquebot|forwarded)/

const namePattern = /^[A-Za-z][A-Za-z0-9-]{0,63}$/
const unsafe = /[\x00-\x1f\x7f\u0085\u2028\u2029]/

/** The headers as given, or null. Throws `validation_failed` naming each one that may not be set. */
export function checkHeaders(headers: Record<string, string> | undefined): Record<string, string> | null {
  const entries = Object.entries(headers ?? {})
  if (entries.length === 0) return null
  const errors = entries.flatMap(([name, value]) => faultOf(name, value))
  if (entries.length > maxHeaders) {
    errors.unshift({
      path: 'headers',
      code: 'too_many',
      message: `at most ${maxHeaders} headers, not ${entries.length}`,
    })
  }
  if (errors.length > 0) throw new AppError('validation_failed', errors[0]?.message ?? 'headers', { errors })
  return Object.fromEntries(entries)
}

function faultOf(name: string, value: string): Issue[] {
  const path = `headers.${name.slice(0, 64)}`
  const lower = name.toLowerCase()
  if (!namePattern.test(name)) return [{ path, code: 'invalid_name', message: `${path}: not a header name` }]
  if (!(lower.startsWith('x-') ? !reserved.test(lower) : allowed.includes(lower))) {
    return [
      { path, code: 'not_allowed', message: `${path}: may not be set; allowed are X-… and ${allowed.join(', ')}` },
    ]
  }
  if (unsafe.test(value))
    return [{ path, code: 'control_character', message: `${path}: must not hold line breaks or control characters` }]
  if (value.length > maxValueLength)
    return [{ path, code: 'too_long', message: `${path}: at most ${maxValueLength} characters` }]
  return []
}
