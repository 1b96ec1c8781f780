// The words of rules: what replies of receivers mean.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.relays.rule)
