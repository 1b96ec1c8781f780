// The words of the list of templates.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.templates.general)
