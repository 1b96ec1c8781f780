// The words of the installation.

import { inLanguage } from '../../words.ts'

export const words = inLanguage({
  en: {
    how: 'Only owners of the first workspace see what concerns the machine. The following is done on the server itself.',
    about: 'How it is kept',
    version: 'Version',
    last: 'Last backup that was checked',
    where: 'Its file',
    none: 'none yet',
    each: 'By itself (cron, UTC)',
    byHand: 'no: BACKUP_TO is unset',
    sending: 'Sending',
    sends: 'on',
    isHeld: 'held since',
    well: 'Nothing about the installation needs attention.',
    backup: 'Take a backup',
    backupHow:
      'It is restored to a temporary place and checked at once; otherwise it does not count. With BACKUP_TO the server does it each night.',
    verify: 'Check one again',
    verifyHow: 'Every row, every invariant, without touching what runs.',
    resume: 'Resume after a restore or a move',
    resumeHow:
      'A database that was restored, copied or moved sends nothing by itself. This shows what waits, and how to resume.',
    waiting: 'What waits here',
    waitingHow:
      'Mails of this workspace. On their pages, cancel those that were sent already; then paquebot resume releases the rest.',
    noneWaits: 'No mail of this workspace waits.',
    subject: 'Subject',
    to: 'To',
    due: 'Due',
    left: 'Sent already?',
    mayHaveLeft: 'may have left',
    hasNotLeft: 'not yet',
    doctor: 'Check the whole installation',
    doctorHow: 'Database, mail server, DNS, and who may read the files.',
  },
  de: {
    how: 'Was die Maschine betrifft, sieht die Leitung des ersten Arbeitsbereichs. Das Folgende geschieht auf dem Server selbst.',
    about: 'Wie sie bewahrt wird',
    version: 'Fassung',
    last: 'Letzte geprüfte Sicherung',
    where: 'Ihre Datei',
    none: 'noch keine',
    each: 'Von selbst (cron, UTC)',
    byHand: 'nein: BACKUP_TO ist nicht gesetzt',
    sending: 'Versand',
    sends: 'läuft',
    isHeld: 'angehalten seit',
    well: 'Nichts an der Installation braucht hier Aufmerksamkeit.',
    backup: 'Eine Sicherung anlegen',
    backupHow:
      'Gleich an einem anderen Ort wiederhergestellt und geprüft, oder es gibt keine. Mit BACKUP_TO tut es der Server jede Nacht.',
    verify: 'Eine noch einmal prüfen',
    verifyHow: 'Jede Zeile, jede Invariante, ohne anzurühren, was läuft.',
    resume: 'Weitermachen nach einer Wiederherstellung oder einem Umzug',
    resumeHow:
      'Was zurückgespielt, kopiert oder verschoben wurde, sendet nichts von selbst. Dies sagt, was wartet, und wie es weitergeht.',
    waiting: 'Was hier wartet',
    waitingHow:
      'Mails dieses Arbeitsbereichs. Auf ihrer Seite wird abgebrochen, was schon gegangen ist; paquebot resume lässt dann den Rest gehen.',
    noneWaits: 'Keine Mail dieses Arbeitsbereichs wartet.',
    subject: 'Betreff',
    to: 'An',
    due: 'Fällig',
    left: 'Schon gesendet?',
    mayHaveLeft: 'vielleicht gegangen',
    hasNotLeft: 'noch nicht',
    doctor: 'Die ganze Installation prüfen',
    doctorHow: 'Datenbank, Mailserver, DNS, und wer die Dateien lesen darf.',
  },
})
