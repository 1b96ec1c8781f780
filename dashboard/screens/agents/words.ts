// The words of Agents.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.agents.general)
