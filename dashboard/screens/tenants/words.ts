// The words of workspaces, as whoever keeps the installation sees them.

import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.settings.workspaces)
