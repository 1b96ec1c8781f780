// The words of Events.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.events.general)
