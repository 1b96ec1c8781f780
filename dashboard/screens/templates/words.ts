// The words of the list of templates.

import { inLanguage } from '../../words.ts'

export const words = inLanguage({
  en: {
    title: 'Templates',
    caption: 'Templates, newest first',
    search: 'A part of the name or of the id',
    status: 'Status',
    all: 'All',
    active: 'active',
    draft: 'draft',
    archived: 'archived',
    name: 'Name',
    subject: 'Subject',
    locales: 'Languages',
    id: 'Id',
    since: 'Changed',
    empty: 'No template yet. Give the first one a name, write it, and send it to yourself.',
    emptyFiltered: 'No such template.',
    add: 'A new template, by its name',
    addIt: 'New template',
  },
  de: {
    title: 'Vorlagen',
    caption: 'Vorlagen, die neuesten zuerst',
    search: 'Ein Teil des Namens oder der Id',
    status: 'Stand',
    all: 'Alle',
    active: 'aktiv',
    draft: 'Entwurf',
    archived: 'abgelegt',
    name: 'Name',
    subject: 'Betreff',
    locales: 'Sprachen',
    id: 'Id',
    since: 'Geändert',
    empty: 'Noch keine Vorlage. Gib der ersten einen Namen, schreib sie, und schick sie dir selbst.',
    emptyFiltered: 'So eine Vorlage gibt es nicht.',
    add: 'Eine neue Vorlage, mit ihrem Namen',
    addIt: 'Neue Vorlage',
  },
})
