// What is wrong with a mail, or doubtful: each finding has a code that stays, and a place in the tree.

import type { Issue } from '../../../kit/error.ts'
import { ownValue } from '../../../kit/own-value.ts'
import { maxHtmlBytes } from '../rendering/compile.ts'

/** `error`: it would not be sent, or fails whoever reads it. `warning`: some readers lose something. `info`: good to know. */
type Severity = 'error' | 'warning' | 'info'

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
  no_dark_mode: 'info',
  unused_variable: 'info',
}

export function finding({ path, code, message }: Issue): Finding {
  return { code, severity: ownValue(severities, code) ?? 'warning', path, message }
}

/** Reading a tree and looking at it may find the same. */
export function once(issues: Issue[]): Issue[] {
  const seen = new Map<string, Issue>()
  for (const issue of issues) {
    const key = `${issue.code} ${issue.path}`
    if (!seen.has(key)) seen.set(key, issue)
  }
  return [...seen.values()]
}

export function sizeFault(bytes: number, path = 'content'): Issue[] {
  if (bytes <= maxHtmlBytes) return []
  const message = `The HTML is ${Math.round(bytes / 1024)} KB; Gmail cuts a mail at 102 KB.`
  return [{ path, code: 'html_too_large', message }]
}
