// The words of captured mail.

import { inLanguage } from '../../words.ts'

export const words = inLanguage({
  en: {
    title: 'Captured mail',
    caption: 'Captured mails, newest first',
    search: 'Search',
    hint: 'ada@example.net confirm',
    from: 'From',
    to: 'To',
    subject: 'Subject',
    when: 'When',
    noSubject: '(no subject)',
    arrived: 'A mail came',
    live: 'New mail appears by itself.',
    empty:
      'Nothing yet. Without a relay (SMTP_URL) mail is kept here instead of sent. Write one as a template, and send it to yourself.',
    firstMail: 'Write the first mail',
    first: 'A test waits for a mail like this; the second call sends one:',
    emptyFiltered: 'No mail matches.',
    all: 'All captured mail',
    activity: 'What happened to it',
  },
  de: {
    title: 'Abgefangene Mails',
    caption: 'Abgefangene Mails, die neuesten zuerst',
    search: 'Suche',
    hint: 'ada@example.net bestätigen',
    from: 'Von',
    to: 'An',
    subject: 'Betreff',
    when: 'Wann',
    noSubject: '(kein Betreff)',
    arrived: 'Eine Mail ist gekommen',
    live: 'Neue Mails erscheinen von selbst.',
    empty:
      'Noch nichts. Ohne Relay (SMTP_URL) werden Mails hier behalten statt gesendet. Schreib eine als Vorlage, und schick sie dir selbst.',
    firstMail: 'Die erste Mail schreiben',
    first: 'Ein Test wartet so darauf; dies schickt eine:',
    emptyFiltered: 'Keine Mail passt dazu.',
    all: 'Alle abgefangenen Mails',
    activity: 'Was mit ihr geschah',
  },
})
