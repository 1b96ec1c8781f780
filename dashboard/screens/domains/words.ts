// The words of Deliverability.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.domains.general)
