// The words of the screens of revisions.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.revisions.general)
