// Text that will stand in a mail header, and addresses: refused with their path where they could break a line.

import { parseAddress } from '../lib/email-address.ts'
import type { Issue } from '../lib/error.ts'
import { isOneLine, notOneLine } from '../lib/text.ts'

/** Nothing, or one issue. What is no string is left to the schema. */
export function headerTextProblem(path: string, text: unknown): Issue[] {
  if (typeof text !== 'string' || isOneLine(text)) return []
  return [{ path, code: 'control_character', message: `${path} ${notOneLine}` }]
}

/** Nothing, or one issue. */
export function addressProblem(path: string, address: unknown): Issue[] {
  if (typeof address !== 'string') return []
  const parsed = parseAddress(address)
  return parsed.ok ? [] : [{ path, code: 'invalid_email', message: `${path} ${parsed.reason}` }]
}
