// The words of the audit log.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.settings.audit)
