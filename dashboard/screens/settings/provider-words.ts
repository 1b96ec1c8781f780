// The words of the screen of mail providers that report here.

import type { Provider } from '../../../src/features/sending/feedback/provider-signatures.ts'
import { inLanguage } from '../../words.ts'

export const names: Record<Provider, string> = inLanguage(catalogue.settings.providerNames)
export const words = inLanguage(catalogue.settings.providers)

/** What the reports of each are checked with; those that are missing sign nothing. */
export const keys: Partial<Record<Provider, string>> = words.keys
