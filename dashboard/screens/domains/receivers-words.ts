// The words of what receivers say of a domain.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.domains.receivers)

export const receiverNames = { google: 'Gmail', yahoo: 'Yahoo', microsoft: 'Microsoft' }
