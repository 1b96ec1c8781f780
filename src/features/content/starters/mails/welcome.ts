// The first mail to somebody who has just signed up.

import { aside, copy, starter } from '../starter.ts'

export const welcome = starter({
  id: 'welcome',
  kind: 'transactional',
  words: {
    en: {
      name: 'Welcome',
      purpose: 'The first mail after signing up: what to do first.',
      subject: 'Welcome to {{company_name}}',
      previewText: 'Your account is ready. Three steps, five minutes.',
      heading: 'Welcome, {{contact.firstName|good to have you here}}',
      intro:
        'Your account is ready. These three steps show you what it is good for; most people need less than five minutes.',
      steps: [
        ['1. Say who you are', 'Add your name and a picture, so that the people you work with recognise you.'],
        ['2. Bring what you have', 'Import a file, or connect the tools you already use. Nothing there is changed.'],
        ['3. Invite one colleague', 'It is twice as useful when there are two of you.'],
      ],
      button: 'Open your account',
      help: 'Stuck somewhere? **Just reply to this mail.** A person reads it, usually within a few hours.',
    },
    de: {
      name: 'Willkommen',
      purpose: 'Die erste Mail nach der Anmeldung: was zuerst zu tun ist.',
      subject: 'Willkommen bei {{company_name}}',
      previewText: 'Ihr Konto ist bereit. Drei Schritte, fünf Minuten.',
      heading: 'Willkommen, {{contact.firstName|schön, dass Sie da sind}}',
      intro:
        'Ihr Konto ist bereit. Diese drei Schritte zeigen, wofür es gut ist; die meisten brauchen keine fünf Minuten.',
      steps: [
        ['1. Stellen Sie sich vor', 'Name und Bild genügen, damit man Sie im Team erkennt.'],
        [
          '2. Bringen Sie mit, was Sie haben',
          'Laden Sie eine Datei hoch, oder verbinden Sie, womit Sie schon arbeiten. Dort ändert sich nichts.',
        ],
        ['3. Laden Sie jemanden ein', 'Zu zweit ist es doppelt so nützlich.'],
      ],
      button: 'Zum Konto',
      help: 'Sie kommen nicht weiter? **Antworten Sie einfach auf diese Mail.** Ein Mensch liest sie, meist in wenigen Stunden.',
    },
  },
  mail: ({ heading, intro, steps, button, help }) => ({
    content: [
      { type: 'header' },
      { type: 'heading', text: heading },
      copy(intro),
      ...steps.flatMap(([title = '', text = '']) => [{ type: 'heading' as const, level: 3, text: title }, copy(text)]),
      { type: 'button', text: button, href: '{{start_url}}' },
      { type: 'section', divider: 'top', children: [aside(help)] },
      { type: 'footer' },
    ],
    dataVariables: { start_url: 'https://example.com/start' },
  }),
})
