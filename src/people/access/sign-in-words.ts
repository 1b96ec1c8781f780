// The words of the pages on which people sign in, in the language of who looks at them.

import type { SignInWords } from '../../../languages/generated/said-by-server.ts'
import { signInWordsFor } from '../../../languages/said-by-server.ts'
import { wantedLanguages } from '../../core/http/language.ts'

export interface SignInLanguage {
  locale: string
  words: SignInWords
}

export function languageOf(request: Request): SignInLanguage {
  return signInWordsFor(wantedLanguages(request.headers))
}
