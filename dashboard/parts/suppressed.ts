// The reasons of a suppression, in words, wherever one is shown.

import type { SuppressionReason } from '../../db/tables/contacts.ts'
import { inLanguage } from '../words.ts'

const english: Record<SuppressionReason, string> = {
  hardBounce: 'hard bounce',
  complaint: 'complaint',
  manual: 'added by hand',
  unsubscribe: 'unsubscribed',
}
const german: Record<SuppressionReason, string> = {
  hardBounce: 'endgültig zurückgewiesen',
  complaint: 'Beschwerde',
  manual: 'von Hand gesperrt',
  unsubscribe: 'abgemeldet',
}

export const suppressionReasons = inLanguage({ en: english, de: german })
