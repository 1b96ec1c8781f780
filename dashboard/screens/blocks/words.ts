// The words of the screens of blocks.

import { counted, inLanguage } from '../../words.ts'

export const words = inLanguage({
  en: {
    title: 'Blocks',
    caption: 'Blocks, oldest first',
    all: 'All blocks',
    templates: 'Templates',
    search: 'A part of the name',
    name: 'Name',
    locales: 'Languages',
    since: 'Changed',
    empty:
      'A block is written once and stands in many mails: a footer, a notice, a signature. Change it here, and all that use it change.',
    emptyFiltered: 'No such block.',
    add: 'A new block, by its name',
    addIt: 'New block',
    begin: 'Written once, shown in all mails that use it.',
    usedBy: 'Used by',
    unused: 'Nothing uses it yet. In a template, press / and choose it by its name.',
    recurring: 'Recurring campaigns',
    campaigns: 'Campaigns that have not begun',
    state: (users: number) => (users === 0 ? 'not used' : `a change here changes ${counted(users, 'mail', 'mails')}`),
    remove: 'Delete',
    removeTitle: (name: string) => `Delete “${name}”?`,
    removeHow: 'Nothing uses it. Mail that was sent keeps its words.',
    removed: 'The block is deleted.',
  },
  de: {
    title: 'Blöcke',
    caption: 'Blöcke, die ältesten zuerst',
    all: 'Alle Blöcke',
    templates: 'Vorlagen',
    search: 'Ein Teil des Namens',
    name: 'Name',
    locales: 'Sprachen',
    since: 'Geändert',
    empty:
      'Ein Block wird einmal geschrieben und steht in vielen Mails: ein Fuß, ein Hinweis, eine Unterschrift. Was sich hier ändert, ändert sich überall.',
    emptyFiltered: 'So einen Block gibt es nicht.',
    add: 'Ein neuer Block, mit seinem Namen',
    addIt: 'Neuer Block',
    begin: 'Einmal geschrieben, in allen Mails, die ihn verwenden.',
    usedBy: 'Verwendet in',
    unused: 'Noch verwendet ihn nichts. In einer Vorlage / drücken und ihn mit seinem Namen wählen.',
    recurring: 'Wiederkehrende Kampagnen',
    campaigns: 'Kampagnen, die nicht begonnen haben',
    state: (users: number) =>
      users === 0 ? 'nicht verwendet' : `was sich hier ändert, ändert ${counted(users, 'Mail', 'Mails')}`,
    remove: 'Löschen',
    removeTitle: (name: string) => `„${name}“ löschen?`,
    removeHow: 'Nichts verwendet ihn. Gesendete Mails behalten ihre Worte.',
    removed: 'Der Block ist gelöscht.',
  },
})
