// The words of Webhooks.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.webhooks.general)
