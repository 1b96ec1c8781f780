// Checks text for mail headers, and addresses: text that could break out of a line is refused, with its path.

import { parseAddress } from '../../kit/email-address.ts'
import type { Issue } from '../../kit/error.ts'
import { isOneLine, notOneLine } from '../../kit/text.ts'

/** An empty list, or one issue. Values that are not strings are left to the schema. */
export function headerTextProblem(path: string, text: unknown): Issue[] {
  if (typeof text !== 'string' || isOneLine(text)) return []
  return [{ path, code: 'control_character', message: `${path} ${notOneLine}` }]
}

/** An empty list, or one issue. */
export function addressProblem(path: string, address: unknown): Issue[] {
  if (typeof address !== 'string') return []
  const parsed = parseAddress(address)
  return parsed.ok ? [] : [{ path, code: 'invalid_email', message: `${path} ${parsed.reason}` }]
}
