// The words of the editor of a template.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.templates.editor)
