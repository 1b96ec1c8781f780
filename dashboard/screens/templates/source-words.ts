// The words of a mail that is written as HTML or MJML.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.templates.source)
