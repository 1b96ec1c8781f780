// Text that will stand in a mail header, and addresses: refused with their path where they could break a line (M01, M03, M04).

import { parseAddress } from '../lib/email-address.ts'
import type { Issue } from '../lib/error.ts'

const unsafe = /[\x00-\x1f\x7f\u0085\u2028\u2029]/

/** Nothing, or one issue. What is no string is left to the schema. */
export function headerTextProblem(path: string, text: unknown): Issue[] {
  if (typeof text !== 'string' || !unsafe.test(text)) return []
  return [{ path, code: 'control_character', message: `${path} must not hold line breaks or control characters` }]
}

/** Nothing, or one issue. */
export function addressProblem(path: string, address: unknown): Issue[] {
  if (typeof address !== 'string') return []
  const parsed = parseAddress(address)
  return parsed.ok ? [] : [{ path, code: 'invalid_email', message: `${path} ${parsed.reason}` }]
}
