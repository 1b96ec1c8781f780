// The words of an import.

import type { Format } from '../../../src/features/lists/moving/export-formats.ts'
import { inLanguage } from '../../words.ts'

export type { Format }

export const words = inLanguage(catalogue.contacts.import)
