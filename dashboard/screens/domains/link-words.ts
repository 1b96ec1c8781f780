// The words of the link domain.

import { inLanguage } from '../../words.ts'

export const linkWords = inLanguage(catalogue.domains.links)
