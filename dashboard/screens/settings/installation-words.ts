// The words of the installation.

import { inLanguage } from '../../words.ts'

export const words = inLanguage({
  en: {
    how: 'What concerns the machine is shown to owners of its first workspace. What follows is done on the server itself.',
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
    well: 'Nothing of the installation needs attention here.',
    backup: 'Take a backup',
    backupHow:
      'Restored to a temporary place and checked at once, or there is none. With BACKUP_TO the server does it each night.',
    verify: 'Check one again',
    verifyHow: 'Every row, every invariant, without touching what runs.',
    resume: 'Go on after a restore or a move',
    resumeHow: 'What was put back, copied or moved sends nothing by itself. This says what waits, and how to go on.',
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
    doctor: 'Die ganze Installation prüfen',
    doctorHow: 'Datenbank, Mailserver, DNS, und wer die Dateien lesen darf.',
  },
})
