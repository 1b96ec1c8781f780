// The words of Approvals.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.approvals.general)
