// The words of Campaigns.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.campaigns.general)
