// An evening, a talk, a day: when, where, what happens there, and how to come.

import { aside, copy, facts, panel, pictureAddress, starter } from '../starter.ts'

export const eventInvitation = starter({
  id: 'event-invitation',
  kind: 'marketing',
  words: {
    en: {
      name: 'Event invitation',
      purpose: 'When, where, the programme, and a place to say yes; for a campaign.',
      subject: 'You are invited: an evening at the harbour, 18 June',
      previewText: 'Three short talks, one long table. There are 60 seats.',
      alt: 'A long table with lanterns beside the water, in the evening',
      heading: 'An evening at the harbour',
      intro:
        'Once a year we put a long table beside the water and invite the people we build for. Three short talks, then dinner, and nobody sells anything.',
      facts: [
        ['When', 'Thursday, 18 June 2026, from 18:00'],
        ['Where', 'Shed 14, Quay Street, Bristol'],
        ['Costs', 'Nothing; there are 60 seats'],
      ],
      button: 'Save my seat',
      programme: 'The programme',
      times: [
        ['18:00', 'Doors, and something to drink'],
        ['18:30', 'Ines Falk: what a harbour master knows about queues'],
        ['19:00', 'Tom Adeyemi: mending a product that everybody uses'],
        ['19:30', 'Dinner at the long table'],
      ],
      answer:
        'Please answer by **5 June**, so that we know how many chairs to carry. If you cannot come, that helps us, too: [I cannot make it](https://example.com/evening/no).',
      why: 'You get this invitation because you are a customer of {{company_name}}.',
    },
    de: {
      name: 'Einladung',
      purpose: 'Wann, wo, das Programm und ein Knopf zum Zusagen; für eine Kampagne.',
      subject: 'Einladung: ein Abend am Hafen, 18. Juni',
      previewText: 'Drei kurze Vorträge, ein langer Tisch, 60 Plätze.',
      alt: 'Ein langer Tisch mit Laternen am Wasser, am Abend',
      heading: 'Ein Abend am Hafen',
      intro:
        'Einmal im Jahr stellen wir einen langen Tisch ans Wasser und laden ein, für wen wir arbeiten. Drei kurze Vorträge, dann Essen, und niemand verkauft etwas.',
      facts: [
        ['Wann', 'Donnerstag, 18. Juni 2026, ab 18 Uhr'],
        ['Wo', 'Schuppen 14, Kaistraße, Bremen'],
        ['Kosten', 'Keine; es gibt 60 Plätze'],
      ],
      button: 'Ich komme',
      programme: 'Das Programm',
      times: [
        ['18:00', 'Einlass, und etwas zu trinken'],
        ['18:30', 'Ines Falk: was eine Hafenmeisterin über Schlangen weiß'],
        ['19:00', 'Tom Adeyemi: reparieren, was alle benutzen'],
        ['19:30', 'Essen am langen Tisch'],
      ],
      answer:
        'Bitte antworten Sie bis zum **5. Juni**, damit wir wissen, wie viele Stühle wir tragen. Auch eine Absage hilft uns: [Ich kann leider nicht](https://example.com/evening/no).',
      why: 'Sie bekommen diese Einladung, weil Sie Kundin oder Kunde von {{company_name}} sind.',
    },
  },
  mail: (words) => {
    const rows = (all: string[][]) => all.map(([first = '', second = '']): [string, string] => [first, second])
    return {
      content: [
        { type: 'header' },
        { type: 'image', src: pictureAddress('event'), alt: words.alt, borderRadius: 8 },
        { type: 'heading', text: words.heading },
        copy(words.intro),
        panel([facts(rows(words.facts)), { type: 'button', text: words.button, href: 'https://example.com/evening' }]),
        { type: 'heading', level: 2, text: words.programme },
        { type: 'list', items: rows(words.times), cellAlign: ['left', 'left'] },
        aside(words.answer),
        { type: 'footer', text: words.why },
      ],
      dataVariables: {},
    }
  },
})
