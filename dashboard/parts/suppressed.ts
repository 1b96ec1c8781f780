// The reasons of a suppression, in words, wherever one is shown.

import { inLanguage } from '../words.ts'

export const suppressionReasons = inLanguage(catalogue.parts.suppressionReasons)
