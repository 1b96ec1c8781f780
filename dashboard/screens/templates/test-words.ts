// The words of test data and of test mails.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.templates.test)
