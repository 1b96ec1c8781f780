// The words of Settings.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.settings.general)
