// The words of what a template may start from.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.starters.general)
