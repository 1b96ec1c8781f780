// The words of the installation.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.settings.installation)
