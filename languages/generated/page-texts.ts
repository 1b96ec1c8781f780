// Written by `bun run languages`; change the words in languages/en/, not here.

import de from '../de/pages.json'
import en from '../en/pages.json'
import es from '../es/pages.json'
import fr from '../fr/pages.json'
import it from '../it/pages.json'
import ptBR from '../pt-BR/pages.json'

export const pageTexts = { en, de, es, fr, it, 'pt-BR': ptBR }
