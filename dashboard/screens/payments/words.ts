// The words of Payments.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.payments.general)
