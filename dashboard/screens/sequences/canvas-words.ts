// The words of a sequence while it is edited: its steps, what begins it, what ends it.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.sequences.canvas)
