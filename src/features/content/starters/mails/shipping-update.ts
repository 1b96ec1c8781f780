// A parcel is on its way: when it comes, where to follow it, and what is in it.

import { aside, copy, panel, starter } from '../starter.ts'

export const shippingUpdate = starter({
  id: 'shipping-update',
  kind: 'transactional',
  words: {
    en: {
      name: 'Shipping update',
      purpose: 'An order has left: when it arrives, and where to follow it.',
      subject: 'Your order {{order_number}} is on its way',
      previewText: 'Follow it, and see what is in the parcel.',
      heading: 'It is on its way',
      intro: 'Your order **{{order_number}}** left our warehouse today.',
      arrives: 'Arrives on',
      carrier: 'Carried by {{carrier}}, number {{tracking_number}}',
      button: 'Follow the parcel',
      inside: 'In the parcel',
      times: '{{item.quantity}} ×',
      goesTo: '**It goes to**',
      help: 'Not at home? With the link above you choose another day, or a neighbour.',
      when: 'Thursday, 14 May',
      lines: [
        { name: 'Desk lamp “Ferry”, brass', quantity: 1, note: 'Packed as a gift' },
        { name: 'Light bulb, warm white', quantity: 2 },
      ],
    },
    de: {
      name: 'Versandmeldung',
      purpose: 'Eine Bestellung ist unterwegs: wann sie kommt, und wo man sie verfolgt.',
      subject: 'Ihre Bestellung {{order_number}} ist unterwegs',
      previewText: 'Verfolgen Sie das Paket, und sehen Sie, was darin ist.',
      heading: 'Sie ist unterwegs',
      intro: 'Ihre Bestellung **{{order_number}}** hat heute unser Lager verlassen.',
      arrives: 'Kommt am',
      carrier: 'Mit {{carrier}}, Nummer {{tracking_number}}',
      button: 'Paket verfolgen',
      inside: 'Im Paket',
      times: '{{item.quantity}} ×',
      goesTo: '**Geliefert wird an**',
      help: 'Nicht zu Hause? Mit dem Link oben wählen Sie einen anderen Tag oder einen Nachbarn.',
      when: 'Donnerstag, 14.\u00a0Mai',
      lines: [
        { name: 'Tischlampe „Fähre“, Messing', quantity: 1, note: 'Als Geschenk verpackt' },
        { name: 'Leuchtmittel, warmweiß', quantity: 2 },
      ],
    },
  },
  mail: (words) => ({
    content: [
      { type: 'header' },
      { type: 'heading', text: words.heading },
      copy(words.intro),
      panel([
        {
          type: 'if',
          variable: 'arrives_on',
          operator: 'exists',
          children: [
            { type: 'text', text: words.arrives, fontSize: 14 },
            { type: 'text', text: '**{{arrives_on}}**', format: 'markdown', fontSize: 24, lineHeight: 120 },
          ],
        },
        aside(words.carrier),
        { type: 'button', text: words.button, href: '{{tracking_url}}' },
      ]),
      { type: 'heading', level: 3, text: words.inside },
      {
        type: 'each',
        itemsVariable: 'lines',
        children: [
          copy(`**${words.times}** {{item.name}}`),
          { type: 'if', variable: 'item.note', operator: 'exists', children: [aside('{{item.note}}')] },
        ],
      },
      {
        type: 'section',
        divider: 'top',
        children: [aside(`${words.goesTo}\n{{delivery_name}}\n{{delivery_address}}`), aside(words.help)],
      },
      { type: 'footer' },
    ],
    dataVariables: {
      order_number: '4711',
      arrives_on: words.when,
      carrier: 'DHL',
      tracking_number: '00340434161094042557',
      tracking_url: 'https://example.com/track/4711',
      lines: words.lines,
      delivery_name: 'Ada Lovelace',
      delivery_address: '12 St James’s Square, London',
    },
  }),
})
