// The built-in mails of a workspace: the confirmation of a double opt-in, in each language that is offered. They contain nothing typed by whoever asked, so
// that a form cannot be used to send text to strangers.

import type { PageWords } from '../../../../languages/generated/said-by-server.ts'
import { pageWordsFor } from '../../../../languages/said-by-server.ts'
import type { Node } from '../rendering/nodes.ts'

export interface BuiltIn {
  id: string
  locale: string
  subject: string
  previewText: string
  content: Node[]
}

const quiet = '#5b6270'
const prefix = 'builtin_confirmation_'

/** The built-in confirmation in the first available language of `chain`; English always exists. */
export function confirmationFor(chain: string[]): BuiltIn {
  const { locale, words } = pageWordsFor(chain)
  return write(locale, words.confirmationMail)
}

/** The built-in mail of a revision id; null for a revision that a workspace created. */
export function builtInRevision(revisionId: string): BuiltIn | null {
  return revisionId.startsWith(prefix) ? confirmationFor([revisionId.slice(prefix.length)]) : null
}

function write(locale: string, words: PageWords['confirmationMail']): BuiltIn {
  return {
    id: prefix + locale,
    locale,
    subject: words.subject,
    previewText: words.preview,
    content: [
      { type: 'header', text: '{{company_name}}' },
      { type: 'heading', level: 1, text: words.heading },
      { type: 'text', text: words.ask },
      { type: 'button', text: words.button, href: '{{confirm_url}}' },
      { type: 'text', text: words.open, color: quiet, fontSize: 13 },
      { type: 'link', text: '{{confirm_url}}', href: '{{confirm_url}}' },
      { type: 'text', text: words.ignore, color: quiet, fontSize: 13 },
      { type: 'footer' },
    ] as Node[],
  }
}
