import { inLanguage } from '../../words.ts'

export const words = inLanguage(catalogue.contacts.person)
