// Our refusals as replies of SMTP (RFC 5321, 4.2; RFC 3463): 4xx for what may succeed later, so that the client keeps the mail.

import { AppError, type ErrorCode } from '../../kit/error.ts'
import { toOneLine } from '../../kit/text.ts'
import type { SmtpAnswer } from '../../mail/smtp-incoming.ts'

/** RFC 5321, 4.5.3.1.5: 512 with the code and the line end. */
const maxTextChars = 480

const later = { code: 451, status: '4.3.0' }
const codes: Partial<Record<ErrorCode, { code: number; status: string }>> = {
  database_unavailable: later,
  outcome_unknown: later,
  overloaded: later,
  idempotency_key_in_use: later,
  limit_reached: { code: 451, status: '4.7.1' },
  workspace_suspended: { code: 550, status: '5.7.1' },
  rate_limit_exceeded: { code: 451, status: '4.7.1' },
  payload_too_large: { code: 552, status: '5.3.4' },
  domain_not_verified: { code: 550, status: '5.7.1' },
  recipient_suppressed: { code: 550, status: '5.7.1' },
  trust_cap_exceeded: { code: 550, status: '5.7.1' },
  forbidden: { code: 550, status: '5.7.1' },
}

/** Null for what is no refusal of ours: the session answers 451. */
export function toSmtpRefusal(error: unknown): SmtpAnswer | null {
  if (!(error instanceof AppError)) return null
  const { code, status } = codes[error.code] ?? { code: 554, status: '5.6.0' }
  return { code, text: `${status} ${asciiLine(error.message)}` }
}

/** Of a few words of ours, and what the client sent. */
function asciiLine(text: string): string {
  return toOneLine(text)
    .replace(/[^\x20-\x7e]/gu, '?')
    .slice(0, maxTextChars)
}
