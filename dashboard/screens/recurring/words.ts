// The words of Recurring campaigns.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.recurring.general)
