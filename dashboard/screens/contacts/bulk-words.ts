// The words of what is done with several contacts at once.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.contacts.bulk)
