// The words of what is done with several contacts at once.

import { counted, inLanguage } from '../../words.ts'

export const words = inLanguage({
  en: {
    choosePage: 'All on this page',
    chosen: (n: number) => `${counted(n, 'contact', 'contacts')} chosen`,
    chooseMore: (most: number) => `Choose all that match, up to ${counted(most, 'contact', 'contacts')}`,
    progress: 'Progress',
    finished: (n: number) => `Done for ${counted(n, 'contact', 'contacts')}.`,
    refused: (n: number) => `${counted(n, 'contact was', 'contacts were')} left as before:`,
    more: (n: number) => `and ${counted(n, 'more', 'more')}`,
    join: 'Put on a list',
    joinTitle: (n: number) => `Put ${counted(n, 'contact', 'contacts')} on a list?`,
    joinHow:
      'What you write here is kept with each of them as the proof that they agreed. On a list with confirmation each is sent a mail, and is on it once they follow its link. Who complained about the list is left as before.',
    list: 'List',
    statement: 'Where and how did they agree?',
    statementHint: 'At our stand, on a card that we keep',
    unsubscribe: 'Unsubscribe',
    unsubscribeTitle: (n: number) => `Unsubscribe ${counted(n, 'contact', 'contacts')} from all mail?`,
    unsubscribeHow:
      'They get no campaign and no sequence any more, whatever lists they are on. Only what they agree to later brings them back. Receipts and the like still go out.',
    save: 'As a file (CSV)',
    remove: 'Delete',
    removeTitle: (n: number) => `Delete ${counted(n, 'contact', 'contacts')}?`,
    removeHow:
      'Their fields and lists are gone for good. What was sent, what they agreed to and suppressions stay. To erase everything about a person, open that contact.',
  },
  de: {
    choosePage: 'Alle auf dieser Seite',
    chosen: (n: number) => `${counted(n, 'Kontakt', 'Kontakte')} gewählt`,
    chooseMore: (most: number) => `Alle passenden wählen, bis zu ${counted(most, 'Kontakt', 'Kontakte')}`,
    progress: 'Fortschritt',
    finished: (n: number) => `Getan für ${counted(n, 'Kontakt', 'Kontakte')}.`,
    refused: (n: number) => `${counted(n, 'Kontakt blieb', 'Kontakte blieben')}, wie zuvor:`,
    more: (n: number) => `und ${counted(n, 'weiterer', 'weitere')}`,
    join: 'Auf eine Liste setzen',
    joinTitle: (n: number) => `${counted(n, 'Kontakt', 'Kontakte')} auf eine Liste setzen?`,
    joinHow:
      'Was du hier schreibst, wird bei jedem als Beleg dafür gehalten, dass er zugestimmt hat. Bei einer Liste mit Bestätigung bekommt jeder eine Mail und ist auf ihr, sobald er ihrem Link folgt. Wer sich über die Liste beschwert hat, bleibt wie zuvor.',
    list: 'Liste',
    statement: 'Wo und wie haben sie zugestimmt?',
    statementHint: 'An unserem Stand, auf einer Karte, die wir aufheben',
    unsubscribe: 'Abmelden',
    unsubscribeTitle: (n: number) => `${counted(n, 'Kontakt', 'Kontakte')} von aller Mail abmelden?`,
    unsubscribeHow:
      'Sie bekommen keine Kampagne und keine Sequenz mehr, auf welchen Listen sie auch stehen. Nur eine spätere Zustimmung bringt sie zurück. Belege und dergleichen gehen weiter hinaus.',
    save: 'Als Datei (CSV)',
    remove: 'Löschen',
    removeTitle: (n: number) => `${counted(n, 'Kontakt', 'Kontakte')} löschen?`,
    removeHow:
      'Ihre Felder und Listen sind für immer weg. Was gesendet wurde, worin sie einwilligten und Sperren bleiben. Um alles über einen Menschen zu löschen, öffne seinen Kontakt.',
  },
})
