// The words of routes.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.relays.route)
