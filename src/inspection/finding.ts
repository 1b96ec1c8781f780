// What is wrong with a mail, or doubtful: each finding has a code that stays, and a place in the tree.

import type { Issue } from '../lib/error.ts'
import { ownValue } from '../lib/own-value.ts'

/** `error`: it would not be sent, or fails whoever reads it. `warning`: some readers lose something. `info`: good to know. */
export type Severity = 'error' | 'warning' | 'info'

export interface Finding extends Issue {
  severity: Severity
}

/** Of those that are no warnings. */
const severities: Record<string, Severity> = {
  empty_subject: 'error',
  missing_variable: 'error',
  unsafe_href: 'error',
  empty_variable: 'info',
  locale_fallback: 'info',
  low_contrast_large: 'info',
  missing_preview_text: 'info',
  unused_variable: 'info',
}

export function finding({ path, code, message }: Issue): Finding {
  return { code, severity: ownValue(severities, code) ?? 'warning', path, message }
}
