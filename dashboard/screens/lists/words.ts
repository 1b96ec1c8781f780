// The words of Lists and of their sources.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.lists.general)
