// The words of captured mail.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.captured.general)
