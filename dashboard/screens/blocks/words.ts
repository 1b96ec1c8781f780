// The words of the screens of blocks.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.blocks.general)
