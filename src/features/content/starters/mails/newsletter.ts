// A letter that comes again and again: a story with a picture, two columns of unequal width, and what else there is to read.

import { aside, copy, panel, pictureAddress, starter } from '../starter.ts'

export const newsletter = starter({
  id: 'newsletter',
  kind: 'marketing',
  words: {
    en: {
      name: 'Newsletter',
      purpose: 'News in a picture, columns and short links; for a campaign.',
      subject: 'What we learnt this month',
      previewText: 'Fewer meetings, a map of the harbour, and three things worth reading.',
      issue: 'May issue · four minutes to read',
      alt: 'A ferry in the evening sun, on its way to the harbour',
      title: 'We gave up a third of our meetings',
      lead: 'In March we cancelled every meeting that had no decision in it. Two came back within a week; the other eleven nobody has missed. Here is how we chose, what we wrote down instead, and the one we should have kept.',
      read: 'Read the story',
      second: 'New: the map knows the tides',
      secondText:
        'Plan a route, and the map tells you when the water is high enough to get there. It works without a connection, too.',
      secondLink: 'See how it works',
      box: 'In figures',
      figures: '**312** routes planned\n**41** new harbours\n**2** typos found by you',
      more: 'Worth your time',
      links: [
        'How to write a status report that gets read',
        'The quiet return of paper maps',
        'What a pilot boat does all day',
      ],
      bye: 'See you in June. If something in here was useful, forward it to one person; and if it was not, reply and say so.',
      why: 'You get this letter once a month because you asked for it.',
    },
    de: {
      name: 'Newsletter',
      purpose: 'Neues mit Bild, Spalten und kurzen Links; für eine Kampagne.',
      subject: 'Was wir diesen Monat gelernt haben',
      previewText: 'Weniger Besprechungen, eine Karte des Hafens und dreimal Lesestoff.',
      issue: 'Ausgabe Mai · vier Minuten zu lesen',
      alt: 'Eine Fähre in der Abendsonne auf dem Weg in den Hafen',
      title: 'Ein Drittel weniger Besprechungen',
      lead: 'Im März haben wir jede Besprechung gestrichen, in der nichts entschieden wird. Zwei kamen nach einer Woche zurück, die anderen elf fehlen niemandem. Wie wir ausgewählt haben, was wir stattdessen aufschreiben, und welche wir hätten behalten sollen.',
      read: 'Zum Artikel',
      second: 'Neu: Die Karte kennt die Gezeiten',
      secondText:
        'Planen Sie eine Route, und die Karte sagt, wann das Wasser hoch genug steht. Das geht auch ohne Verbindung.',
      secondLink: 'So geht es',
      box: 'In Zahlen',
      figures: '**312** geplante Routen\n**41** neue Häfen\n**2** Tippfehler, von Ihnen gefunden',
      more: 'Lesenswert',
      links: [
        'Wie man einen Bericht schreibt, der gelesen wird',
        'Die leise Rückkehr der Papierkarte',
        'Was ein Lotsenboot den ganzen Tag macht',
      ],
      bye: 'Bis Juni. War etwas davon nützlich, leiten Sie es einem Menschen weiter; wenn nicht, antworten Sie uns, und sagen Sie es.',
      why: 'Sie bekommen diesen Brief einmal im Monat, weil Sie ihn bestellt haben.',
    },
  },
  mail: (words) => {
    const [first = '', second = '', third = ''] = words.links
    return {
      content: [
        { type: 'header' },
        { type: 'heading', text: words.title },
        aside(words.issue),
        {
          type: 'image',
          src: pictureAddress('newsletter'),
          alt: words.alt,
          href: 'https://example.com/meetings',
          borderRadius: 8,
        },
        copy(words.lead),
        { type: 'button', text: words.read, href: 'https://example.com/meetings' },
        {
          type: 'section',
          divider: 'top',
          columns: 2,
          columnWidths: [8, 4],
          children: [
            {
              type: 'container',
              children: [
                { type: 'heading', level: 2, text: words.second },
                copy(words.secondText),
                { type: 'link', text: words.secondLink, href: 'https://example.com/tides' },
              ],
            },
            {
              type: 'container',
              backgroundColor: '#f5f6f8',
              padding: 20,
              children: [{ type: 'heading', level: 3, text: words.box }, aside(words.figures)],
            },
          ],
        },
        panel([
          { type: 'heading', level: 3, text: words.more },
          {
            type: 'list',
            items: [
              { type: 'link', text: first, href: 'https://example.com/reports' },
              { type: 'link', text: second, href: 'https://example.com/maps' },
              { type: 'link', text: third, href: 'https://example.com/pilots' },
            ],
          },
        ]),
        copy(words.bye),
        { type: 'footer', text: words.why },
      ],
      dataVariables: {},
    }
  },
})
