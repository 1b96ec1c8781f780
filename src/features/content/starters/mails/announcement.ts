// Something new: what it is, what it is good for, and where to try it.

import { aside, copy, pictureAddress, starter } from '../starter.ts'

export const announcement = starter({
  id: 'announcement',
  kind: 'marketing',
  words: {
    en: {
      name: 'Product announcement',
      purpose: 'Something new, with a picture and what it is good for; for a campaign.',
      subject: 'New: plan the week in one picture',
      previewText: 'Everything that is due, on one page. It is there for you today.',
      heading: 'The whole week in one picture',
      intro:
        'You told us that Monday begins with six lists. Now it begins with one page: what is due, who is on it, and what has to wait.',
      alt: 'A week as a board of cards: three columns, some of them ticked',
      points: [
        ['See it at a glance', 'Seven days, one page, on paper too.'],
        ['Move it by hand', 'Drag a card to Thursday; everybody knows.'],
        ['Share it by link', 'For people who need no account.'],
      ],
      button: 'Open your week',
      price: 'It is part of every plan, and costs nothing more.',
      quote: '“I closed four tabs and have not opened them again.”',
      who: 'Mina Okafor, workshop manager, who tried it for a month',
      why: 'You get this mail because you use {{company_name}}.',
    },
    de: {
      name: 'Produktneuheit',
      purpose: 'Etwas Neues, mit Bild und wofür es gut ist; für eine Kampagne.',
      subject: 'Neu: die Woche auf einen Blick',
      previewText: 'Alles, was ansteht, auf einer Seite. Ab heute für Sie da.',
      heading: 'Die ganze Woche auf einen Blick',
      intro:
        'Ihr Montag begann mit sechs Listen, haben Sie uns erzählt. Jetzt beginnt er mit einer Seite: was ansteht, wer daran arbeitet, und was warten muss.',
      alt: 'Eine Woche als Tafel mit Karten: drei Spalten, einige sind abgehakt',
      points: [
        ['Auf einen Blick', 'Sieben Tage, eine Seite, auch auf Papier.'],
        ['Verschiebbar', 'Ziehen Sie eine Karte auf Donnerstag; alle wissen es.'],
        ['Per Link geteilt', 'Auch für Menschen ohne Konto.'],
      ],
      button: 'Zu Ihrer Woche',
      price: 'In jedem Tarif enthalten, ohne Aufpreis.',
      quote: '„Ich habe vier Fenster geschlossen und keines wieder geöffnet.“',
      who: 'Mina Okafor, Werkstattleiterin, nach einem Monat',
      why: 'Sie bekommen diese Mail, weil Sie {{company_name}} nutzen.',
    },
  },
  mail: (words) => {
    const link = 'https://example.com/week'
    return {
      content: [
        { type: 'header' },
        { type: 'image', src: pictureAddress('announcement'), alt: words.alt, href: link, borderRadius: 8 },
        { type: 'heading', text: words.heading },
        copy(words.intro),
        {
          type: 'section',
          columns: 3,
          children: words.points.map(([title = '', text = '']) => ({
            type: 'container',
            children: [{ type: 'heading', level: 3, text: title }, aside(text)],
          })),
        },
        { type: 'button', text: words.button, href: link },
        aside(words.price),
        {
          type: 'section',
          divider: 'top',
          children: [{ type: 'heading', level: 2, text: words.quote }, aside(words.who)],
        },
        { type: 'footer', text: words.why },
      ],
      dataVariables: {},
    }
  },
})
