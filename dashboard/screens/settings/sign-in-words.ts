// The words of one's own sign-in.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.settings.signIn)
