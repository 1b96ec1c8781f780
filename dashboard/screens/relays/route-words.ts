// The words of routes.

import { inLanguage } from '../../words.ts'

export const words = inLanguage({
  en: {
    how: 'Which mail takes which relays. The first route that fits a mail holds; what fits none is shared by all relays, by their weights.',
    whose: 'Whose routes',
    everybodys: 'Everybody’s',
    none: 'No route: all relays share all mail, by their weights.',
    add: 'Add a route',
    route: (n: number) => `Route ${n}`,
    streams: 'Mail of this kind',
    streamsHow: 'None or all of them: all mail.',
    domains: 'From these domains',
    domainsHint: 'example.com, news.example.com',
    domainsHow: 'Of the sender’s address. Empty: all of them.',
    receivers: 'To these receivers',
    receiversHint: 'google, microsoft, mx.example.net',
    receiversHow:
      'Who takes the mail in the end: google, microsoft, yahoo, apple, gmx, orange, or the host of the MX, or a domain. Empty: whoever it is.',
    relays: 'Goes through',
    relay: (n: number) => `Relay ${n}`,
    weight: (n: number) => `Share of relay ${n}`,
    relaysHow: 'Those with a share carry it together, by their shares; those with 0 are spares, in this order.',
    addRelay: 'Another relay',
    relayOf: (n: number, route: string) => `relay ${n} of ${route}`,
    save: 'Save the routes',
    saved: 'Saved. They hold from the next mail on.',
    noRelays: 'There is no relay here to lead mail to. Add one first.',
  },
  de: {
    how: 'Welche Mails welche Relays nehmen. Die erste Route, die auf eine Mail passt, gilt; was auf keine passt, teilen sich alle Relays nach ihren Gewichten.',
    whose: 'Wessen Routen',
    everybodys: 'Die aller',
    none: 'Keine Route: Alle Relays teilen sich alle Mails, nach ihren Gewichten.',
    add: 'Eine Route hinzufügen',
    route: (n: number) => `Route ${n}`,
    streams: 'Mails dieser Art',
    streamsHow: 'Keine oder alle davon: alle Mails.',
    domains: 'Von diesen Domains',
    domainsHint: 'example.com, news.example.com',
    domainsHow: 'Der Adresse des Absenders. Leer: alle.',
    receivers: 'An diese Empfänger',
    receiversHint: 'google, microsoft, mx.example.net',
    receiversHow:
      'Wer die Mail am Ende nimmt: google, microsoft, yahoo, apple, gmx, orange, oder der Host des MX, oder eine Domain. Leer: wer es auch ist.',
    relays: 'Gehen durch',
    relay: (n: number) => `Relay ${n}`,
    weight: (n: number) => `Anteil von Relay ${n}`,
    relaysHow:
      'Die mit einem Anteil tragen sie gemeinsam, nach ihren Anteilen; die mit 0 sind Reserven, in dieser Folge.',
    addRelay: 'Noch ein Relay',
    relayOf: (n: number, route: string) => `Relay ${n} von ${route}`,
    save: 'Routen speichern',
    saved: 'Gespeichert. Sie gelten ab der nächsten Mail.',
    noRelays: 'Hier ist kein Relay, zu dem eine Route führen könnte. Zuerst eins hinzufügen.',
  },
})
