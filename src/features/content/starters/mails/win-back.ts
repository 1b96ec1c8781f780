// To somebody who has not come for a long time: what has changed since, and a reason to look again.

import { aside, copy, panel, starter } from '../starter.ts'

export const winBack = starter({
  id: 'win-back',
  kind: 'marketing',
  words: {
    en: {
      name: 'Win-back',
      purpose: 'To people who have not come for a while, with an offer; for a campaign or a sequence.',
      subject: 'A few things have changed since you left',
      previewText: 'Faster, simpler, and a month on us if you want to look again.',
      heading: '{{contact.firstName|Hello again}}, a few things have changed',
      intro:
        'You have not been here for a while. That is fine. We used the time, and most of what people like you told us is done:',
      list: [
        'It opens in under a second, also on a phone.',
        'You can undo everything, as far back as you like.',
        'There is a plan for people who need it once a month.',
      ],
      offer: 'A month on us',
      offerText: 'If you want to look again, the next 30 days cost nothing. No card, and it ends by itself.',
      button: 'Look again',
      until: 'Until 30 June.',
      reason: 'And if it was not for you: what was missing? One line as a reply is enough, and all of them are read.',
      sign: '**{{sender_name}}**',
      why: 'You get this mail because you have an account at {{company_name}}. It is the only one of its kind.',
    },
    de: {
      name: 'Rückgewinnung',
      purpose: 'An alle, die lange nicht da waren, mit einem Angebot; für eine Kampagne oder eine Sequenz.',
      subject: 'Seit Sie weg sind, hat sich etwas getan',
      previewText: 'Schneller, einfacher, und ein Monat geschenkt, wenn Sie noch einmal hinsehen.',
      heading: '{{contact.firstName|Hallo}}, es hat sich etwas getan',
      intro:
        'Sie waren lange nicht hier. Das ist in Ordnung. Wir haben die Zeit genutzt, und das meiste, was Menschen wie Sie uns gesagt haben, ist erledigt:',
      list: [
        'Es öffnet sich in weniger als einer Sekunde, auch auf dem Telefon.',
        'Alles lässt sich rückgängig machen, beliebig weit zurück.',
        'Es gibt einen Tarif für alle, die es einmal im Monat brauchen.',
      ],
      offer: 'Ein Monat geschenkt',
      offerText:
        'Wenn Sie noch einmal hinsehen möchten: Die nächsten 30 Tage kosten nichts. Keine Karte nötig, und es endet von selbst.',
      button: 'Noch einmal hinsehen',
      until: 'Bis zum 30. Juni.',
      reason: 'Und wenn es nichts für Sie war: Was hat gefehlt? Eine Zeile als Antwort genügt, gelesen werden alle.',
      sign: '**{{sender_name}}**',
      why: 'Sie bekommen diese Mail, weil Sie ein Konto bei {{company_name}} haben. Es ist die einzige ihrer Art.',
    },
  },
  mail: (words) => ({
    content: [
      { type: 'header' },
      { type: 'heading', text: words.heading },
      copy(words.intro),
      { type: 'list', items: words.list },
      panel([
        { type: 'heading', level: 2, text: words.offer },
        copy(words.offerText),
        { type: 'button', text: words.button, href: 'https://example.com/again' },
        aside(words.until),
      ]),
      copy(words.reason),
      copy(words.sign),
      { type: 'footer', text: words.why },
    ],
    dataVariables: {},
  }),
})
