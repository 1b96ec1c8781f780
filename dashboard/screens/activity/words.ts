// The words of Activity.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.activity.general)
