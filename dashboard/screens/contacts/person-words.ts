// The words of one person's page.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.contacts.person)
