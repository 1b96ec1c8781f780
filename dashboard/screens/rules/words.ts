// The words of Rules.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.rules.general)
