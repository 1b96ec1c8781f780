// The words of a mail that is written as HTML or MJML, and those of the field that it is written in.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.templates.source)

const code = inLanguage(catalogue.templates.code)

/** By the words that CodeMirror has of its own. */
export const codePhrases: Record<string, string> = {
  Find: code.find,
  Replace: code.replaceWith,
  next: code.next,
  previous: code.previous,
  all: code.all,
  'match case': code.matchCase,
  regexp: code.regexp,
  'by word': code.byWord,
  replace: code.replace,
  'replace all': code.replaceAll,
  close: code.close,
  'current match': code.currentMatch,
  'on line': code.onLine,
  'No diagnostics': code.noFindings,
  Diagnostics: code.findings,
  'Go to line': code.goToLine,
  go: code.go,
}
