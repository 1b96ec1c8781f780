// The words of the look of mails.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.settings.brand)
