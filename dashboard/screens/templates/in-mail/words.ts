// The words of editing in the mail itself.

import { inLanguage } from '../../../words.ts'

export const words = inLanguage(catalogue.templates.inMail)
