// The words of relays: their list, one of them, and what may be set of it.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.relays.general)
