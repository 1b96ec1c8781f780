// The words of Contacts.

import { inLanguage } from '../../words.ts'

export const words = inLanguage({
  en: {
    title: 'Contacts',
    caption: 'Contacts, newest first',
    search: 'The address begins with',
    address: 'Address',
    name: 'Name',
    consent: 'Agreed to mail',
    yes: 'yes',
    no: 'no',
    add: 'Add a contact',
    addFirst: 'Add the first one',
    importThem: 'Import a file',
    exportAll: 'All of them as a file (CSV)',
    userId: 'Your id',
    since: 'Since',
    found: (n: string) => `${n} contacts`,
    empty: 'Nobody yet. Add the first one, or import a file.',
    emptyFiltered: 'Nobody has such an address.',
  },
  de: {
    title: 'Kontakte',
    caption: 'Kontakte, die neuesten zuerst',
    search: 'Die Adresse beginnt mit',
    address: 'Adresse',
    name: 'Name',
    consent: 'Mit Mails einverstanden',
    yes: 'ja',
    no: 'nein',
    add: 'Einen Kontakt anlegen',
    addFirst: 'Den ersten anlegen',
    importThem: 'Eine Datei importieren',
    exportAll: 'Alle als Datei (CSV)',
    userId: 'Eure Id',
    since: 'Seit',
    found: (n: string) => `${n} Kontakte`,
    empty: 'Noch niemand. Leg den ersten Kontakt an, oder importiere eine Datei.',
    emptyFiltered: 'Niemand hat so eine Adresse.',
  },
})
