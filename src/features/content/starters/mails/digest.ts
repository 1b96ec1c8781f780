// Everything that happened, in one mail: the list comes from a digest step of a sequence, or from a caller.

import { aside, copy, starter } from '../starter.ts'

export const digest = starter({
  id: 'digest',
  kind: 'transactional',
  words: {
    en: {
      name: 'Digest',
      purpose: 'Everything that happened, as one list; for the digest step of a sequence.',
      subject: 'New comments for you: {{digest.count}}',
      previewText: 'What was written since the last mail, in one place.',
      heading: 'What is new',
      intro: 'Somebody wrote on your projects since our last mail. New comments: **{{digest.count}}**',
      on: 'on [{{comment.project}}]({{comment.url}})',
      needs: '**Waits for your answer**',
      none: 'Nothing new. Enjoy the quiet.',
      more: 'And {{digest.more}} more that are not shown here.',
      button: 'Open all comments',
      often: 'Too many of these? In your settings you choose daily, weekly or none.',
      items: [
        {
          author: 'Grace',
          text: 'The second draft is much clearer. Can we keep the first chart?',
          project: 'Spring catalogue',
          question: true,
        },
        { author: 'Linus', text: 'Printed and on its way to the shop.', project: 'Opening hours' },
        { author: 'Mina', text: 'I moved the photo up, so that it is seen on a phone.', project: 'Spring catalogue' },
      ],
    },
    de: {
      name: 'Zusammenfassung',
      purpose: 'Alles, was geschehen ist, als eine Liste; für den Sammelschritt einer Sequenz.',
      subject: 'Neue Kommentare für Sie: {{digest.count}}',
      previewText: 'Was seit der letzten Mail geschrieben wurde, an einer Stelle.',
      heading: 'Das ist neu',
      intro: 'Seit unserer letzten Mail wurde zu Ihren Projekten geschrieben. Neue Kommentare: **{{digest.count}}**',
      on: 'zu [{{comment.project}}]({{comment.url}})',
      needs: '**Wartet auf Ihre Antwort**',
      none: 'Nichts Neues. Genießen Sie die Ruhe.',
      more: 'Und {{digest.more}} weitere, die hier nicht stehen.',
      button: 'Alle Kommentare öffnen',
      often: 'Zu viele davon? In den Einstellungen wählen Sie täglich, wöchentlich oder gar nicht.',
      items: [
        {
          author: 'Grace',
          text: 'Der zweite Entwurf ist viel klarer. Behalten wir das erste Diagramm?',
          project: 'Frühjahrskatalog',
          question: true,
        },
        { author: 'Linus', text: 'Gedruckt und auf dem Weg in den Laden.', project: 'Öffnungszeiten' },
        {
          author: 'Mina',
          text: 'Das Foto steht jetzt weiter oben, damit man es auf dem Telefon sieht.',
          project: 'Frühjahrskatalog',
        },
      ],
    },
  },
  mail: (words) => ({
    content: [
      { type: 'header' },
      { type: 'heading', text: words.heading },
      copy(words.intro),
      {
        type: 'each',
        itemsVariable: 'digest.items',
        as: 'comment',
        children: [
          {
            type: 'section',
            divider: 'top',
            children: [
              copy(`**{{comment.author}}** ${words.on}\n{{comment.text}}`),
              {
                type: 'if',
                variable: 'comment.question',
                operator: 'equals',
                value: true,
                children: [aside(words.needs)],
              },
            ],
          },
          { type: 'else', children: [copy(words.none)] },
        ],
      },
      { type: 'if', variable: 'digest.more', operator: 'greaterThan', value: 0, children: [aside(words.more)] },
      { type: 'button', text: words.button, href: 'https://example.com/comments' },
      { type: 'section', divider: 'top', children: [aside(words.often)] },
      { type: 'footer' },
    ],
    dataVariables: {
      'digest.count': 5,
      'digest.more': 2,
      'digest.items': words.items.map((item, at) => ({ ...item, url: `https://example.com/comments/${at + 1}` })),
    },
  }),
})
