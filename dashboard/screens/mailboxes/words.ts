// The words of Mailboxes.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.mailboxes.general)
