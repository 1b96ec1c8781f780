// The words of Jobs.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.jobs.general)
