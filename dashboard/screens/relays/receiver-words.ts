// The words of receivers: relays beside them, one of them through one relay, and what their replies mean.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.relays.receiver)
