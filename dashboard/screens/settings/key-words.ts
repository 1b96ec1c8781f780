// The words of API keys.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.settings.key)
